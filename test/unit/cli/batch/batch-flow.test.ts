import { expect, test } from 'vitest'
import { answerRows } from '../../../../electron/cli/batch/batch-flow.ts'
import { decodeGraph6 } from '../../../../electron/cli/batch/graph6.ts'
import type { Row } from '../../../../electron/cli/batch/batch-rows.ts'
import { Library } from '../../../../electron/library/library.ts'
import { Failure } from '../../../../workers/base/failure.ts'
import { quietJob } from '../../../../workers/base/job.ts'
import type { BatchArgs, Jobs, JobName } from '../../../../workers/contract/jobs.ts'
import { canonicalBytes } from '../../../../workers/jobs/batch-graphs.ts'
import { randomSmallGraph, randomStream, writeGraphFolder } from '../../../support/graphs.ts'
import { join } from 'node:path'
import { readFileSync } from 'node:fs'
import { pathOutcome, temporaryFolder } from '../../library/fixtures.ts'

async function* rowsOf(count: number, first = 0): AsyncGenerator<Row> {
  for (let index = first; index < first + count; index++)
    yield { index, text: JSON.stringify({ id: index, n: index % 7, edges: [] }) }
}

/** @param work does a job of so many graphs */
async function flow(rows: AsyncIterable<Row>, parallel: number, work: (args: BatchArgs) => Promise<void>) {
  const library = Library.open(join(temporaryFolder(), 'library'))
  const lines: { id?: number; index: number; error?: { what: string } }[] = []
  const runner = {
    run: async <N extends JobName>(_name: N, args: Jobs[N]['args']): Promise<Jobs[N]['result']> => {
      const { items } = args as BatchArgs
      await work(args as BatchArgs)
      const answer = { vertices: 3, edges: 2, outcome: pathOutcome(), members: [0, 2] }
      return { answers: items.map(() => answer) } as Jobs[N]['result']
    },
    close: () => Promise.resolve(),
  }
  const usual = { algorithm: 'ecl-mis', devices: 'cpu:0' }
  const figures = await answerRows(rows, {
    ...{ library, usual, runner, parallel, job: quietJob, scratch: () => '/none' },
    write: async (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]),
  })
  library.close()
  return { lines, figures }
}

test('answers keep the order of rows, however long each takes and wherever they begin', async () => {
  const random = randomStream(3)
  const jobs: number[] = []
  const { lines, figures } = await flow(rowsOf(2000, 17), 4, async ({ items }) => {
    jobs.push(items.length)
    await new Promise((resolve) => setTimeout(resolve, 3 * random()))
  })
  expect(lines.map(({ index }) => index)).toEqual(Array.from({ length: 2000 }, (_, at) => 17 + at))
  expect(lines.every(({ id, index }) => id === index)).toBe(true)
  expect(figures).toEqual({ rows: 2000, errors: 0 })
  expect(Math.max(...jobs)).toBeLessThanOrEqual(64)
  expect(jobs.length).toBeGreaterThan(30)
})

test('a graph with which the engine ends is an error, and those beside it are answered', async () => {
  const { lines, figures } = await flow(rowsOf(50), 2, async ({ items }) => {
    if (items.some(({ graph }) => graph.kind === 'edges' && graph.vertices === 3))
      throw new Failure({ code: 'engine', what: 'it ended', remedy: '' })
  })
  expect(lines.map(({ index }) => index)).toEqual([...Array(50).keys()])
  expect(lines.filter(({ error }) => error !== undefined).map(({ index }) => index % 7)).toEqual(Array(7).fill(3))
  expect(figures.errors).toBe(7)
})

test('a row of a session is answered before the next one comes', async () => {
  let [asked, answered] = [0, 0]
  const rows = async function* (): AsyncGenerator<Row> {
    for await (const row of rowsOf(5)) {
      asked++
      yield row
      while (answered < asked) await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }
  const { lines } = await flow(rows(), 2, async () => void answered++)
  expect(lines).toHaveLength(5)
})

test('what cannot be written ends the batch', async () => {
  const library = Library.open(join(temporaryFolder(), 'library'))
  const run = async () => ({ answers: [] }) as never
  const ended = answerRows(rowsOf(10_000), {
    ...{ library, usual: { algorithm: 'no', devices: 'cpu:0' }, runner: { run, close: () => Promise.resolve() } },
    ...{ parallel: 2, job: quietJob, scratch: () => '/none' },
    write: () => Promise.reject(new Error('no room')),
  })
  await expect(ended).rejects.toThrow('no room')
  library.close()
})

test('edges in any order and direction, with loops and repeats, are the bytes of their canonical graph', () => {
  const random = randomStream(8)
  for (let number = 0; number < 60; number++) {
    const { graph } = randomSmallGraph(number, 120)
    const edges = graph.neighbours.flatMap((list, u) => list.filter((v) => u < v).map((v) => [u, v] as const))
    const shuffled = [...edges, ...edges.slice(0, 9)].toSorted(() => random() - 0.5)
    const loops = graph.vertices === 0 ? [] : [[0, 0] as const]
    const ends = Uint32Array.from([...shuffled, ...loops].flatMap(([u, v]) => (random() < 0.5 ? [u, v] : [v, u])))
    const { folder } = writeGraphFolder(graph)
    const bytes = canonicalBytes({ kind: 'edges', vertices: graph.vertices, ends })
    expect(Buffer.from(bytes).equals(readFileSync(join(folder, 'graph.gr')))).toBe(true)
  }
  const weighted = canonicalBytes({
    ...{ kind: 'edges', vertices: 3, ends: Uint32Array.of(2, 1, 1, 0, 1, 2) },
    weights: Float64Array.of(0.5, 2, 3),
  })
  // Behind header, ends and four targets: the greatest weight of repeats.
  expect([...new Float32Array(weighted.slice(32 + 24 + 16).buffer)]).toEqual([2, 2, 3, 3])
})

test.each([
  [
    'DQc',
    5,
    [
      [0, 2],
      [0, 4],
      [1, 3],
      [3, 4],
    ],
  ],
  [
    '>>graph6<<Bw\n',
    3,
    [
      [0, 1],
      [0, 2],
      [1, 2],
    ],
  ],
  ['?', 0, []],
  ['@', 1, []],
] as const)('graph6 %s has the edges that its format says', (line, vertices, edges) => {
  const decoded = decodeGraph6(line)
  expect(decoded.vertices).toBe(vertices)
  const pairs = Array.from({ length: decoded.ends.length / 2 }, (_, at) => [
    ...decoded.ends.subarray(2 * at, 2 * at + 2),
  ])
  expect(pairs.toSorted((a, b) => a[0]! - b[0]! || a[1]! - b[1]!)).toEqual(edges)
})

test.each(['', 'D', 'DQcc', 'D\u0001'])('graph6 %j is refused', (line) => {
  expect(() => decodeGraph6(line)).toThrow(Failure)
})
