import { expect, test } from 'vitest'
import { filesOf, readTree } from './source-files.ts'

const tree = readTree()

interface Measured {
  /** A question of docs/results. */
  readonly file: string
  readonly unit: string
  readonly value: number
}

const unitsOfFields: Readonly<Record<string, string>> = { Seconds: 's', Ms: 'ms', Bytes: 'B', Percent: '%' }

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** What the rows of a question say: a figure each, or the median of several, in the unit that the field names. */
function measuredIn(file: string, value: unknown, field: string): Measured[] {
  const [, ending = ''] = /(Seconds|Ms|Bytes|Percent)$/i.exec(field) ?? []
  const unit = unitsOfFields[ending.charAt(0).toUpperCase() + ending.slice(1)]
  const isList = Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'number')
  if (isList) return measuredIn(file, median(value as number[]), field)
  if (typeof value === 'number') return unit === undefined ? [] : [{ file, unit, value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => measuredIn(file, inner, Array.isArray(value) ? field : name))
}

const measured = filesOf(tree, ['docs/results'], ['.json']).flatMap(({ path, text }) =>
  measuredIn(path, (JSON.parse(text) as { readonly rows: unknown }).rows, ''),
)

const paragraphs = (text: string): string[] => text.replace(/^```[^]*?^```$/gm, '').split(/\n\s*\n/)

/** "0.90 s", and both of "0.6 to 0.8 s": as text, for the digits that it gives. */
const timesIn = (paragraph: string): (readonly [figure: string, unit: string])[] =>
  [...paragraph.matchAll(/(?:([\d.,]*\d) to )?(?<![\w.^-])([\d.,]*\d)\s(ms|s)\b/g)].flatMap(
    ([, least, figure = '', unit = '']) => [
      ...(least === undefined ? [] : [[least, unit] as const]),
      [figure, unit] as const,
    ],
  )

function isFigureOf(text: string, value: number): boolean {
  const plain = text.replaceAll(',', '')
  const [, decimals = ''] = plain.split('.')
  return value.toFixed(decimals.length) === Number(plain).toFixed(decimals.length)
}

/** Of a paragraph: the figures that no one question of docs/results has together. */
function unmeasured(paragraph: string): string[] {
  const times = timesIn(paragraph)
  const files = new Set(measured.map(({ file }) => file))
  const missing = [...files].map((file) =>
    times
      .filter(([figure, unit]) =>
        measured.every((one) => one.file !== file || one.unit !== unit || !isFigureOf(figure, one.value)),
      )
      .map(([figure, unit]) => `${figure} ${unit}`),
  )
  return missing.reduce((least, each) => (each.length < least.length ? each : least))
}

test('times of the README are medians of one question of the results', () => {
  const [whole] = [tree.get('README.md')!]
  const all = paragraphs(whole)
  expect(all.flatMap(timesIn).length).toBeGreaterThan(2)
  expect(all.flatMap(unmeasured)).toEqual([])
})

test('counts of millions beside times are those of results', () => {
  const timed = paragraphs(tree.get('README.md')!).filter((paragraph) => timesIn(paragraph).length > 0)
  const counts = [...timed.join().matchAll(/\b\d{1,3}(?:,\d{3}){2,}\b/g)].map(([count]) => count)
  const results = tree.get('docs/results.md')!
  expect(counts.length).toBeGreaterThan(0)
  expect(counts.filter((count) => !results.includes(count))).toEqual([])
})

test.each([
  ['1.3 s on one GPU, 1.6 s on 16 threads; the program takes 3.5 s', false],
  ['0.90 s on one GPU, 1.36 s on 16 threads; the program takes 3.53 s', true],
  ['0.6 to 0.8 s on one GPU, 0.446 ms of them in kernels', false],
])('figures of one question: %s', (words, areMeasured) => {
  expect(unmeasured(words).length === 0).toBe(areMeasured)
})
