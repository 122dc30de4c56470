import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MergeRule } from '../../../workers/contract/jobs.ts'
import { Workplace } from '../../support/ingest-cases.ts'

const work = new Workplace()

type Row = readonly [u: number, v: number, w: number]
const row = fc.tuple(fc.nat(5), fc.nat(5), fc.integer({ min: 1, max: 9 }))

/** Weights of edges by their ends, by a loop of its own. */
function merged(rows: readonly Row[], rule: 'total' | 'count'): Map<string, number> {
  const weights = new Map<string, number>()
  for (const [u, v, w] of rows)
    for (const arc of u === v ? [] : [`${u} ${v}`, `${v} ${u}`])
      weights.set(arc, (weights.get(arc) ?? 0) + (rule === 'count' ? 1 : w))
  return weights
}

describe('events become weights of edges', () => {
  it.each(['total', 'count'] as const)('%s: of both directions, in lines, tables and matrices', async (rule) => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 4, maxLength: 60 }), fc.boolean(), async (rows, isText) => {
        const id = (v: number): string => (isText ? `n${v}` : String(v))
        const lines = rows.map(([u, v, w]) => `${id(u)},${id(v)},${w}\n`).join('')
        const options = { merge: rule, table: { header: 'no', delimiter: 'comma' } } as const
        const banner = `%%MatrixMarket matrix coordinate real general\n6 6 ${rows.length}\n`
        const matrix = banner + rows.map(([u, v, w]) => `${u + 1} ${v + 1} ${w}\n`).join('')
        const wanted = [...merged(rows, rule)].sort()
        const named = (arcs: readonly string[], less: number) =>
          arcs
            .map((arc) => arc.replaceAll('n', '').split(' '))
            .map(([u, v, w]) => [`${Number(u) - less} ${Number(v) - less}`, Number(w)])
            .sort()
        for (const text of [lines, lines.replaceAll('\n', '\r\n')]) {
          const { arcs, report } = await work.imported('events.csv', text, options)
          expect(named(arcs, 0)).toEqual(wanted)
          expect(report).toMatchObject({ entries: rows.length, weights: wanted.length === 0 ? {} : { merge: rule } })
        }
        expect(named((await work.imported('events.mtx', matrix, { merge: rule })).arcs, 1)).toEqual(wanted)
      }),
      { numRuns: 12 },
    )
  })

  it('counts rows without weights, by threads and with a table of vertices; other rules say that they have no effect', async () => {
    const vertices = work.file('v.csv', 'id,name\n1,a\n9,b\n')
    const pairs = '1 2\n2 1\n1 2\n3 2\n3 3\n'
    const counted = await work.imported('a.txt', pairs, { merge: 'count', vertices })
    expect(counted.arcs).toEqual(['1 2 3', '2 1 3', '2 3 1', '3 2 1'])
    expect([counted.labels, counted.report.warnings]).toEqual([['1', '2', '3', '9'], []])
    const many = Array.from({ length: 150_000 }, (_, i) => `${i % 700} ${(i % 700) + 1}\n`).join('')
    const large = await work.imported('b.txt', many, { merge: 'count' }, { lines: { fromBytes: 0 } })
    expect(large.arcs[0]).toBe(`0 1 ${Math.ceil(150_000 / 700)}`)
    for (const merge of ['sum', 'max', 'total'] satisfies MergeRule[])
      expect((await work.imported('a.txt', pairs, { merge })).report.warnings).toEqual([
        `there are no weights, so the rule ${merge} for repeated edges has no effect; the rule count makes the number of entries of an edge its weight`,
      ])
    const binary = new Int32Array([2, 2, 0, 1, 2, 1, 0])
    const lists = await work.imported('two.egr', Buffer.from(binary.buffer), { merge: 'count' })
    expect(lists.arcs).toEqual(['0 1 2', '1 0 2'])
    const both = await work.imported('c.txt', 'a b 1\nb a 2\na b 4\n', { merge: 'total' })
    expect(both.arcs).toEqual(['a b 7', 'b a 7'])
    expect((await work.imported('c.txt', 'a b 1\nb a 2\na b 4\n', { merge: 'sum' })).arcs).toEqual(['a b 5', 'b a 5'])
  })
})
