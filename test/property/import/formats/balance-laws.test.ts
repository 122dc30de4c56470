import { describe, expect, it } from 'vitest'
import { randomStream } from '../../../support/graphs.ts'
import { Workplace } from '../../../support/ingest-cases.ts'
import { previewFiles } from '../../../../workers/import/preview/preview-file.ts'

/** Inputs of each kind of text; `ANTICLIQUE_TEST_GRAPHS` draws another number. */
const INPUTS = Math.ceil(Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 70) / 7)

const work = new Workplace()
type Pair = readonly [number, number]

/** A text of a graph from 1 to n, and what is in it beside edges. */
type Written = (
  n: number,
  pairs: readonly Pair[],
  between: () => string[],
) => { readonly lines: readonly string[]; readonly header: number; readonly vertices: number }

const bothWays = (n: number, pairs: readonly Pair[]): Set<number>[] => {
  const lists = Array.from({ length: n }, () => new Set<number>())
  for (const [u, v] of pairs.filter(([u, v]) => u !== v)) {
    lists[u - 1]!.add(v)
    lists[v - 1]!.add(u)
  }
  return lists
}

const formats: Readonly<
  Record<string, { readonly sign: string; readonly hasBlanks: boolean; readonly write: Written }>
> = {
  'x.csv': {
    sign: '# ',
    hasBlanks: true,
    write: (_n, pairs, between) => ({
      lines: ['source,target', ...pairs.flatMap(([u, v]) => [...between(), `v${u},v${v}`])],
      ...{ header: 1, vertices: 0 },
    }),
  },
  'x.mtx': {
    sign: '% ',
    hasBlanks: true,
    write: (n, pairs, between) => ({
      lines: [
        ...['%%MatrixMarket matrix coordinate pattern general', `${n} ${n} ${pairs.length}`],
        ...pairs.flatMap(([u, v]) => [...between(), `${u} ${v}`]),
      ],
      ...{ header: 2, vertices: 0 },
    }),
  },
  'x.col': {
    sign: 'c ',
    hasBlanks: true,
    write: (n, pairs, between) => ({
      lines: [`p edge ${n} ${pairs.length}`, 'n 1 5', ...pairs.flatMap(([u, v]) => [...between(), `e ${u} ${v}`])],
      ...{ header: 1, vertices: 1 },
    }),
  },
  'x.gr': {
    sign: 'c ',
    hasBlanks: true,
    write: (n, pairs, between) => ({
      lines: [`p sp ${n} ${pairs.length}`, ...pairs.flatMap(([u, v]) => [...between(), `a ${u} ${v} 3`])],
      ...{ header: 1, vertices: 0 },
    }),
  },
  'out.x': {
    sign: '% ',
    hasBlanks: true,
    write: (n, pairs, between) => ({
      lines: [
        ...['% asym unweighted', `% ${pairs.length} ${n} ${n}`],
        ...pairs.flatMap(([u, v]) => [...between(), `${u} ${v}`]),
      ],
      ...{ header: 2, vertices: 0 },
    }),
  },
  'x.graph': {
    sign: '% ',
    hasBlanks: false,
    write: (n, pairs, between) => {
      const lists = bothWays(n, pairs)
      const arcs = lists.reduce((sum, { size }) => sum + size, 0)
      const lines = lists.flatMap((list) => [...between(), [...list].join(' ')])
      return { lines: [`${n} ${arcs / 2}`, ...lines], header: 1, vertices: n }
    },
  },
  'x.adj': {
    sign: '',
    hasBlanks: false,
    write: (n, pairs) => {
      const lists = bothWays(n, pairs).map((list) => [...list])
      const targets = lists.flat().map((v) => v - 1)
      const offsets = lists.map((_, v) => lists.slice(0, v).flat().length)
      const lines = ['AdjacencyGraph', n, targets.length, ...offsets, ...targets].map(String)
      return { lines, header: 3, vertices: n + targets.length }
    },
  },
}

describe('the balance of an import', () => {
  it.each(Object.entries(formats))('adds up, line by line: %s', async (name, { sign, hasBlanks, write }) => {
    let comments = 0
    for (let seed = 1; seed <= INPUTS; seed++) {
      const random = randomStream(seed)
      const pick = (limit: number): number => Math.floor(limit * random())
      const n = 2 + pick(12)
      const pairs = Array.from({ length: 4 + pick(40) }, (): Pair => [1 + pick(n), 1 + pick(n)])
      const between = (): string[] => {
        if (sign !== '' && pick(8) === 0) return [`${sign}what a person wrote`]
        return hasBlanks && pick(8) === 0 ? [''] : []
      }
      const { lines, header, vertices } = write(n, pairs, between)
      const text = `${lines.join('\n')}\n`
      const { report } = await work.imported(name, text, { threads: 1 })
      const { balance } = report
      const isLists = name === 'x.graph' || name === 'x.adj'
      const said = sign === '' ? 0 : lines.filter((line) => line.startsWith(sign) && line.endsWith('wrote')).length
      const blank = hasBlanks ? lines.filter((line) => line === '').length : 0
      const directed = isLists ? bothWays(n, pairs).flatMap((list, u) => [...list].map((v): Pair => [u + 1, v])) : pairs
      const arcs = new Set(directed.filter(([u, v]) => u !== v).map(([u, v]) => `${u} ${v}`))
      const edges = new Set(
        [...arcs].map((arc) =>
          arc
            .split(' ')
            .map(Number)
            .sort((a, b) => a - b)
            .join(' '),
        ),
      )
      const loops = directed.filter(([u, v]) => u === v).length
      expect([text, balance]).toMatchObject([
        text,
        {
          lines: {
            ...{ total: lines.length, header, comments: said, blank, vertices, entries: isLists ? 0 : pairs.length },
            ...{ filtered: 0, refused: 0, dropped: 0 },
          },
          entries: {
            ...{ total: directed.length, loops, edges: edges.size },
            sameDirection: directed.length - loops - arcs.size,
            bothDirections: arcs.size - edges.size,
          },
        },
      ])
      const { total, unit: _unit, ...parts } = balance!.lines!
      expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(total)
      expect((await previewFiles({ source: work.file(name, text) })).balance).toEqual(balance)
      comments += said
    }
    expect(comments > 0 || sign === '').toBe(true)
  })
})
