import { describe, expect, test } from 'vitest'
import { headingsOf } from './document-rules.ts'
import { filesOf, readTree } from './source-files.ts'

interface Result {
  readonly question: string
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

const tree = readTree()
const results = filesOf(tree, ['docs/results'], ['.json']).map(({ text }) => JSON.parse(text) as Result)
const anchorOf = (question: string): string => headingsOf(`### ${question}`)[0]!

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

/** The figures of the rows of a question, or the medians of several. */
const figuresOf = ({ rows }: Result): readonly number[] =>
  rows.flatMap((row) =>
    Object.values(row).flatMap((value) => {
      if (typeof value === 'number') return [value]
      return Array.isArray(value) && value.every((one) => typeof one === 'number') ? [median(value as number[])] : []
    }),
  )

function isFigureOf(text: string, value: number): boolean {
  const plain = text.replaceAll(',', '')
  const [, decimals = ''] = plain.split('.')
  return value.toFixed(decimals.length) === Number(plain).toFixed(decimals.length)
}

/** On how many graphs no other program has a larger set after a minute. */
function bestOfMinute(): string {
  const { rows } = results.find(({ question }) => question.includes('in a minute'))!
  const ended = rows.filter(({ limit }) => limit === 60)
  const graphs = [...Map.groupBy(ended, ({ graph }) => graph).values()].filter((all) => all.length > 1)
  const isBest = (all: typeof ended): boolean => {
    const sizeOf = (isOurs: boolean): number =>
      Math.max(...all.filter(({ program }) => (program === 'ours') === isOurs).map(({ size }) => Number(size)))
    return sizeOf(true) >= sizeOf(false)
  }
  return `${graphs.filter(isBest).length} of ${graphs.length} graphs`
}

/** What a row of the README claims that the question it links to has not. */
function unmeasured(row: string): readonly string[] {
  const [, anchor] = /\(docs\/results\.md#([^)]+)\)/.exec(row) ?? []
  const result = results.find(({ question }) => anchorOf(question) === anchor)
  if (result === undefined) return [`the link of ${row}`]
  const known = figuresOf(result)
  const claims = row
    .replace(/\[[^\]]*\]\([^)]*\)/g, '')
    .replace(bestOfMinute(), '')
    .replace(/\b16 threads\b/, '')
  return [...claims.matchAll(/\d[\d,]*(?:\.\d+)?/g)]
    .map(([figure]) => figure.replace(/,$/, ''))
    .filter((figure) => !known.some((value) => isFigureOf(figure, value)))
}

/** A row of the result whose question begins so, for the cities within 10 km where there are several graphs. */
const rowOf = (question: string): Readonly<Record<string, unknown>> =>
  results
    .find((result) => result.question.startsWith(question))!
    .rows.find(({ graph, seed, way = 'better' }) => (graph === 'cities 10 km' && way === 'better') || seed === 0)!

const figure = (value: unknown): string => Number(value).toLocaleString('en')
const percentBelow = (share: number): string => `${Math.floor(1000 * share) / 10} %`
const [fast, better, best] = [
  rowOf('How far do the sets of twenty seeds differ'),
  rowOf('How large are the sets of `--quality better`'),
  rowOf('How large are sets of `--quality best`'),
]
const sizesSaid = [fast, better, best].map(({ size }) => figure(size))
/** What README and guide say of the cities: how large the sets of each quality are, and how much of the best that is. */
const citiesSaid =
  `_Fast_ finds ${sizesSaid[0]} of them without a search, _Better_ ${sizesSaid[1]} in seconds, _Best_ ${sizesSaid[2]} in a minute. No set has\n` +
  `more than ${figure(best!['bound'])}: the last two are proven to have at least ${percentBelow(Number(better!['size']) / Number(best!['bound']))} ` +
  `of the best possible. _Fast_ proves ${percentBelow(Number(fast!['sharePercent']) / 100)}, by a weaker bound that is quicker.`

const [, section = ''] = /^## Why this one\n([^]*?)^## /m.exec(tree.get('README.md')!) ?? []
const rows = section.split('\n').filter((line) => line.startsWith('| ') && /\d/.test(line))

describe('the reasons of the README are figures of the results', () => {
  test('there are four', () => expect(rows).toHaveLength(4))
  test.each(rows)('%s', (row) => expect(unmeasured(row)).toEqual([]))
  test('the sets of the cities are those of the results, in the README and in the guide', () => {
    expect(tree.get('README.md')).toContain(citiesSaid)
    const guide = tree.get('docs/guide.md')!
    for (const size of [...sizesSaid, percentBelow(Number(better!['size']) / Number(best!['bound']))])
      expect(guide).toContain(size)
    expect(guide.match(/\b(?!135,233)\d{1,3}(?:,\d{3})+\b/g)).toEqual(sizesSaid)
  })
  test('no figure is anywhere else', () => {
    const others = tree
      .get('README.md')!
      .replace(section, '')
      .replace(citiesSaid, '')
      .match(/\b[\d.]+ (?:(?:ms|s|GB|MB)\b|%)|\b(?!135,233)\d{1,3}(?:,\d{3})+\b/g)
    expect(others).toBeNull()
  })

  const link = '([times](docs/results.md#how-long-from-a-file-to-its-set))'
  test.each([
    [`0.90 s on one GPU, 1.36 s on 16 threads; the program takes 3.53 s ${link}`, []],
    [`1.3 s on one GPU, 1.36 s on 16 threads; the program takes 3.5 s ${link}`, ['1.3']],
    [`larger on 11 of 12 graphs ${link}`, ['11', '12']],
  ])('planted: %s', (row, missing) => expect(unmeasured(row)).toEqual(missing))
})
