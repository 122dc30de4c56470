import { describe, expect, it } from 'vitest'
import { misIndex } from '../../../kernels/mis/mis-index.ts'
import { misScanLong } from '../../../kernels/mis/mis-scan-long.ts'
import { misVisit, VISITED_VERTICES } from '../../../kernels/mis/mis-visit.ts'
import { setCounter } from '../../../kernels/mis/priority-codes.ts'
import { NO_VERTEX, RECORD_WORDS } from '../../../kernels/mis/visit-lists.ts'
import { MOST_SHORT } from '../../../kernels/parts/short-list.ts'
import { IN, OUT, stateBytes } from '../../../kernels/parts/vertex-states.ts'
import { setOrder } from '../../../workers/graph/set-order.ts'
import { randomStream, smallGraph } from '../../support/graphs.ts'
import { interleave } from '../../support/interleaved/interleaved-device.ts'

const LAUNCHES = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 24)
const GROUPS = 60
const ROOM = 1 << 16

/** Undecided vertices of a graph, as the kernels that visit lists find them. */
function scanOf(n: number, degree: number, random: () => number) {
  const below = (): number => Math.floor(n * random())
  const graph = smallGraph(
    n,
    Array.from({ length: (n * degree) / 2 }, (): [number, number] => [below(), below()]),
  )
  const degrees = Uint32Array.from(graph.neighbours, (list) => list.length)
  const targets = Uint32Array.from(graph.neighbours.flat())
  const order = setOrder({ priority: 'hash', seed: 0, vertices: n, arcs: targets.length }, degrees)
  const raw = new Uint32Array(n)
  degrees.reduce((end, size, v) => (raw[v] = end + size), 0)
  const buffers = {
    raw,
    codes: order.codes,
    column: order.column,
    ends: new Uint32Array(n),
    states: new Uint32Array(Math.ceil(n / 4)),
    counters: new Uint32Array(setCounter.COUNT),
    targets,
    records: new Uint32Array(RECORD_WORDS * n),
    pool: new Uint32Array(ROOM),
    longs: new Uint32Array(n),
  }
  misIndex.twin({ first: 0, count: n, begin: 0, before: 0, words: 1, ...order.params }, buffers)
  return { graph, order, buffers }
}

/**
 * The law of kernels that keep the lists of waiting vertices: members are independent, what is undecided has one record, of neighbours of its own, and no
 * two records share a word of the pool. Returns how many vertices wait.
 */
function checkKept({ graph, buffers }: ReturnType<typeof scanOf>): number {
  const { records, pool, counters } = buffers
  const states = stateBytes(buffers.states)
  const takenBy = new Map<number, number>()
  const waiting = new Set<number>()
  expect(counters[setCounter.LEFT]).toBe(0)
  for (let at = 0; at < RECORD_WORDS * counters[0]!; at += RECORD_WORDS) {
    const [v, first, end] = records.subarray(at, at + 3)
    if (v === NO_VERTEX) continue
    expect(waiting.has(v!), `two records of ${v}`).toBe(false)
    waiting.add(v!)
    const kept = pool.subarray(first, end)
    expect(graph.neighbours[v!], `${v} keeps`).toEqual(expect.arrayContaining([...kept]))
    expect(end! <= counters[setCounter.POOL]!).toBe(true)
    for (let word = first!; word < end!; word++) {
      expect(takenBy.get(word), `word ${word} of ${v}`).toBeUndefined()
      takenBy.set(word, v!)
    }
  }
  graph.neighbours.forEach((list, v) => {
    if (states[v] === IN) for (const u of list) expect(states[u], `${u} beside ${v}`).toBe(OUT)
    if (states[v] !== IN && states[v] !== OUT) expect(waiting.has(v), `${v} waits`).toBe(true)
  })
  return waiting.size
}

describe('lists of waiting vertices keep to the room that was taken for them, while other workgroups decide', () => {
  it('by mis-scan-long, which counts before it writes', () => {
    let waiting = 0
    for (let launch = 0; launch < LAUNCHES; launch++) {
      const random = randomStream(launch)
      const scan = scanOf(120, 5, random)
      const { buffers, order } = scan
      buffers.longs.set([...buffers.longs.keys()])
      buffers.counters[setCounter.LONG] = buffers.longs.length
      interleave(misScanLong, GROUPS, { origin: 0, list: 0, ...order.params }, buffers, random)
      waiting += checkKept(scan)
    }
    expect(waiting).toBeGreaterThan(LAUNCHES)
  })

  it('by mis-visit, which keeps what it looked at once', () => {
    let waiting = 0
    for (let launch = 0; launch < LAUNCHES; launch++) {
      const random = randomStream(launch)
      const scan = scanOf(2 * VISITED_VERTICES, 6, random)
      const { buffers, order } = scan
      const params = { first: 0, count: 2 * VISITED_VERTICES, origin: 0, list: 0, longer: MOST_SHORT, ...order.params }
      interleave(misVisit, 2, params, buffers, random)
      waiting += checkKept(scan)
    }
    expect(waiting).toBeGreaterThan(LAUNCHES)
  })
})
