import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { quietJob } from '../../../workers/base/job.ts'
import { resultRows } from '../../../workers/explore/result-rows.ts'
import { valueCounts } from '../../../workers/explore/value-counts.ts'
import { hashOfValues, NO_VALUE } from '../../../workers/graph/result-file.ts'
import { smallGraph, writeGraphFolder } from '../../support/graphs.ts'

function place(algorithm: string, values: readonly number[]) {
  const dataset = writeGraphFolder(smallGraph(values.length, [[0, 1]]))
  const file = join(dataset.folder, 'values')
  const words = Uint32Array.from(values)
  writeFileSync(file, new Uint8Array(words.buffer))
  return { ...dataset, result: { kind: 'values', algorithm, file, hash: hashOfValues(words) } as const }
}

const drawn = (seed: number, count: number, most: number): readonly number[] =>
  Array.from({ length: count }, (_, v) => Math.floor(((Math.imul(v + 1, 2_654_435_761 + seed) >>> 0) / 2 ** 32) * most))

/** How many rows of the table a condition leaves. */
const rowsWhere = async (of: ReturnType<typeof place>, where: string): Promise<number> => {
  const all = { show: 'in', text: '', sort: 'id', down: false, offset: 0, limit: 1 } as const
  return (await resultRows({ ...of, ...all, where }, quietJob)).total
}

it('counts every vertex in one bar, and a condition of a bar leaves its vertices', async () => {
  let bars = 0
  for (const [most, algorithm] of [
    [5, 'k-core'],
    [60, 'k-core'],
    [61, 'k-core'],
    [500, 'k-core'],
  ] as const) {
    const of = place(algorithm, drawn(most, 700, most))
    const counted = valueCounts(of, quietJob)
    expect(counted.by).toBe('values')
    expect(counted.bars.length).toBeLessThanOrEqual(60)
    expect(counted.bars.reduce((sum, { vertices }) => sum + vertices, 0)).toBe(700)
    expect(counted.bars.reduce((sum, { values }) => sum + values, 0)).toBe(counted.distinct)
    for (const { from, to, vertices } of counted.bars.slice(0, 3)) {
      expect(await rowsWhere(of, `core number >= ${from} and core number <= ${to}`)).toBe(vertices)
      bars++
    }
  }
  expect(bars).toBe(12)
})

it('tells vertices without a value apart', () => {
  const counted = valueCounts(place('bfs', [0, 1, 1, NO_VALUE, 2, NO_VALUE]), quietJob)
  expect(counted).toMatchObject({ distinct: 3, without: 2 })
  expect(counted.bars.map(({ text, vertices }) => [text, vertices])).toEqual([
    ['0', 1],
    ['1', 2],
    ['2', 1],
  ])
})

it('counts classes that values only name by their sizes, which a condition asks for', async () => {
  // Components 0 of four vertices, 4 of two, 6 and 7 of one.
  const of = place('connected-components', [0, 0, 0, 0, 4, 4, 6, 7])
  expect(valueCounts(of, quietJob)).toMatchObject({
    ...{ by: 'sizes', distinct: 4, without: 0 },
    bars: [
      { text: '1', vertices: 2, values: 2 },
      { text: '2', vertices: 2, values: 1 },
      { text: '4', vertices: 4, values: 1 },
    ],
  })
  expect(await rowsWhere(of, 'component size = 1')).toBe(2)
  expect(await rowsWhere(of, 'component size >= 2')).toBe(6)
  const values = Array.from({ length: 90 }, (_, size) => new Array<number>(size + 1).fill(size)).flat()
  const many = valueCounts(place('connected-components', values), quietJob)
  expect(many.bars.map(({ from, to, values: classes }) => [from, to, classes])).toEqual([
    ...[1, 2, 4, 8, 16, 32].map((from) => [from, 2 * from - 1, from]),
    [64, 127, 27],
  ])
})
