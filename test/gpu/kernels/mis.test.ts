import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { misCompact } from '../../../kernels/mis/mis-compact.ts'
import { misIndex } from '../../../kernels/mis/mis-index.ts'
import { misMerge } from '../../../kernels/mis/mis-merge.ts'
import { setCounter } from '../../../kernels/mis/priority-codes.ts'
import { misScanLong } from '../../../kernels/mis/mis-scan-long.ts'
import { misPack } from '../../../kernels/mis/mis-pack.ts'
import { misVisit } from '../../../kernels/mis/mis-visit.ts'
import { NO_VERTEX } from '../../../kernels/mis/visit-lists.ts'
import { pieceSums, sumTables, sumThreads } from '../../../kernels/memory/piece-sums.ts'
import type { Device } from '../../../workers/device/device.ts'
import { openDevice } from '../../../workers/device/open-device.ts'
import { setOrder } from '../../../workers/graph/set-order.ts'
import { priorities } from '../../../workers/contract/jobs.ts'
import { hasGpu } from '../../support/devices-here.ts'
import { randomStream } from '../../support/graphs.ts'
import { launched, twinned, type Words } from '../../support/launched.ts'

describe.runIf(hasGpu)('kernels of sets leave what their twins do', () => {
  let gpu: Device
  beforeAll(async () => void (gpu = await openDevice('gpu:0')))
  afterAll(() => gpu.close())
  const random = randomStream(11)
  const below = (limit: number): number => Math.floor(limit * random())

  it.each(priorities.flatMap((priority) => [1, 2].map((words) => [priority, words] as const)))(
    'codes of %s from offsets of %i words',
    async (priority, words) => {
      const vertices = 40_003
      const degrees = Uint32Array.from({ length: vertices }, (_, v) => (v % 50 === 0 ? below(3_000_000) : below(40)))
      const first = 8
      const raw = new Uint32Array(3 + words * vertices)
      let end = 5
      degrees.forEach((degree, v) => (raw[3 + words * v] = end += degree))
      const column = Float64Array.from({ length: first + vertices }, () => (random() - 0.5) * 10 ** below(9))
      const arcs = degrees.reduce((sum, degree) => sum + degree, 0)
      const request = { priority, seed: 2 ** 32 - 1, vertices, arcs, column }
      const order = setOrder(request, degrees.slice(0, 5000))
      const buffers = {
        raw,
        codes: order.codes,
        column: Uint32Array.from(order.column),
        ends: new Uint32Array(first + vertices + 1),
        states: new Uint32Array(Math.ceil((first + vertices) / 4)),
        counters: new Uint32Array(8),
      }
      const params = { first, count: vertices, begin: 3, before: 5, words, ...order.params }
      const expected = twinned(misIndex, params, buffers)
      const found = await launched(gpu, misIndex, Math.ceil(vertices / 4), params, buffers)
      expect(found['ends']).toEqual(expected['ends'])
      expect(found['states']).toEqual(expected['states'])
      const codes = new Set(new Uint8Array(found['states']!.buffer))
      expect(codes.size).toBeGreaterThan(priority === 'ecl' ? 40 : 100)
    },
  )

  it('states of two bits, from bytes and back', async () => {
    const vertices = 1003
    const bytes = Uint8Array.from({ length: 1004 }, (_, v) =>
      v >= vertices ? 0 : [0, 255, 1, 254, below(256)][below(5)]!,
    )
    const states = new Uint32Array(bytes.buffer)
    const packed = new Uint32Array(63)
    const buffers = { states, packed }
    const expected = twinned(misPack, { first: 0, count: 63 }, buffers)
    expect(await launched(gpu, misPack, 63, { first: 0, count: 63 }, buffers)).toEqual(expected)
    const others = Uint32Array.from({ length: 251 }, () => (below(2 ** 32) | 0x01010101) & 0x7f7f7f7f)
    // A vertex is never in for one and out for another.
    const merged = { packed: expected['packed']!, states: others }
    const after = twinned(misMerge, { first: 0, count: 63 }, merged)
    expect(await launched(gpu, misMerge, 63, { first: 0, count: 63 }, merged)).toEqual(after)
    expect(after['states']).not.toEqual(others)
  })

  it('long lists that wait, up to the last record and the last word of the pool', async () => {
    const [lists, length] = [20, 100]
    const vertices = lists + 300
    // Every neighbour is undecided and comes first.
    const targets = Uint32Array.from(
      { length: lists * length },
      (_, i) => lists + (i % length) + (Math.floor(i / length) % 3),
    )
    const bytes = Uint8Array.from({ length: vertices }, (_, v) => (v < lists ? 10 : 200))
    const counters = new Uint32Array(setCounter.COUNT)
    counters[setCounter.LONG] = lists
    const words = targets.length
    for (const [records, pool, left, taken] of [
      [lists, words, 0, 0],
      [lists - 1, words, 1, 0],
      [lists, words - 1, 1, 0],
      [lists - 7, words, 7, 0],
      // The counter does not begin anew.
      [lists, words, lists, 2 ** 32 - 150],
    ] as const) {
      counters[setCounter.POOL] = taken
      const buffers = {
        ends: Uint32Array.from({ length: vertices }, (_, v) => length * Math.min(lists, v + 1)),
        targets,
        column: new Uint32Array(2 * vertices),
        states: new Uint32Array(bytes.slice().buffer),
        records: new Uint32Array(4 * records),
        pool: new Uint32Array(pool),
        longs: Uint32Array.from({ length: lists }, (_, i) => i),
        counters,
      }
      const params = { origin: 0, list: 0, order: 0, shift: 0 }
      const expected = twinned(misScanLong, params, buffers)
      const found = await launched(gpu, misScanLong, 128, params, buffers)
      expect(expected['counters']![setCounter.LEFT]).toBe(left)
      expect(found['counters']![setCounter.LEFT]).toBe(left)
      expect(found['states']).toEqual(expected['states'])
    }
  })

  it('records that find no room are no vertex’s', async () => {
    const [lists, length, room] = [600, 20, 300]
    const vertices = lists + length
    // Every neighbour is undecided and comes first.
    const buffers = {
      ends: Uint32Array.from({ length: vertices }, (_, v) => length * Math.min(lists, v + 1)),
      targets: Uint32Array.from({ length: lists * length }, (_, i) => lists + (i % length)),
      column: new Uint32Array(2 * vertices),
      states: new Uint32Array(Uint8Array.from({ length: vertices }, (_, v) => (v < lists ? 10 : 200)).buffer),
      // Left there by an earlier batch.
      records: new Uint32Array(4 * room).fill(7),
      pool: new Uint32Array(lists * length),
      counters: new Uint32Array(setCounter.COUNT),
    }
    const params = { first: 0, count: lists, origin: 0, list: 0, longer: 64, order: 0, shift: 0 }
    const { records, counters } = await launched(gpu, misVisit, 256, params, buffers)
    const waiting = Array.from({ length: room }, (_, i) => records![4 * i]!).filter((v) => v !== NO_VERTEX)
    expect(waiting.length).toBeGreaterThan(0)
    expect(new Set(waiting).size).toBe(waiting.length)
    expect(waiting.length + counters![setCounter.LEFT]!).toBe(lists)
  })

  it('entries of what waits that are not out, side by side', async () => {
    const states = Uint32Array.from({ length: 250 }, () => below(2 ** 32) & 0xffff00ff)
    const pool = Uint32Array.from({ length: 5000 }, () => below(1000))
    const recordsIn = Uint32Array.from(
      { length: 4 * 300 },
      (_, i) => [i, 16 * (i >>> 2), 16 * (i >>> 2) + below(16), 7][i % 4]!,
    )
    for (let at = 0; at < recordsIn.length; at += 4) recordsIn[at + 2] = recordsIn[at + 1]! + below(16)
    const counters = Uint32Array.of(300, 0, 0, 0, 0, 0, 0, 0)
    const written = { recordsOut: new Uint32Array(1200), entries: new Uint32Array(4800), counters }
    const buffers = { recordsIn, pool, states, ...written }
    const found = await launched(gpu, misCompact, 256, { list: 0 }, buffers)
    const expected = twinned(misCompact, { list: 0 }, buffers)
    expect(found['counters']).toEqual(expected['counters'])
    const listsOf = (words: Words): number[][] =>
      Array.from({ length: 300 }, (_, i) => {
        const [v, from, to, degree] = words['recordsOut']!.subarray(4 * i, 4 * i + 4)
        return [v!, degree!, ...words['entries']!.subarray(from, to)]
      })
    expect(listsOf(found)).toEqual(listsOf(expected))
    const entries = expected['counters']![setCounter.ENTRIES]!
    expect(entries).toBeGreaterThan(500)
    expect(entries).toBeLessThan(recordsIn.reduce((sum, word, i) => sum + [0, -word, word, 0][i % 4]!, 0))
  })

  it('CRC-32 of pieces, and of a short last one', async () => {
    for (const last of [262_144, 1, 70_001]) {
      const words = Uint32Array.from({ length: 262_144 + last }, () => below(2 ** 32))
      const sums = new Uint32Array(4)
      const buffers = { words, tables: sumTables(), sums }
      const found = await launched(gpu, pieceSums, sumThreads(2), { first: 1, count: 2, last, begin: 0 }, buffers)
      const bytes = new Uint8Array(words.buffer)
      const expected = [crc32(bytes.subarray(0, 1 << 20)), crc32(bytes.subarray(1 << 20))]
      expect(Array.from(found['sums']!.subarray(1, 3), (sum) => ~sum >>> 0)).toEqual(expected)
      expect(twinned(pieceSums, { first: 1, count: 2, last, begin: 0 }, buffers)['sums']).toEqual(found['sums'])
    }
  })
})
