import { expect, test } from 'vitest'
import { bfsArcs } from '../../../kernels/bfs/bfs-arcs.ts'
import { ARCS, LEVEL_COUNTERS, NEXT } from '../../../kernels/bfs/bfs-top-down.ts'
import { UNCOLOURED } from '../../../kernels/parts/colour-order.ts'
import { colourVisit } from '../../../kernels/colouring/colour-visit.ts'
import { distanceWords, OUT, xorshift } from '../../../kernels/distance/distance-words.ts'
import { coreBound } from '../../../kernels/k-core/core-bound.ts'
import { mgAdvance } from '../../../kernels/mg-mis/mg-advance.ts'
import { spinKeep } from '../../../kernels/spin-glass/spin-keep.ts'
import { CpuDevice } from '../../../workers/device/cpu-device.ts'
import { launched } from '../../support/launched.ts'

/** One vertex with so many neighbours: 1 and those behind it. */
const star = (degree: number) => ({
  offsets: Uint32Array.of(0, degree),
  targets: Uint32Array.from({ length: degree }, (_, i) => i + 1),
})

test('a vertex beside the colours 0 to 1,024 has the next one', () => {
  for (const colours of [1023, 1024, 1025, 1026, 3000]) {
    const given = Uint32Array.from({ length: colours + 1 }, (_, v) => (v === 0 ? UNCOLOURED : v - 1))
    const keys = new Uint32Array(colours + 1)
    const lists = { list: new Uint32Array(1), rest: new Uint32Array(1), counters: new Uint32Array(2) }
    const words = { ...star(colours), keys, colours: given, states: Uint32Array.of(colours, 0), ...lists }
    const params = { first: 0, low: 0, shift: 0, base: 0, kept: 0, at: 0, admitted: 1, to: 0, slot: 0 }
    colourVisit.twin(params, words)
    expect(given[0]).toBe(colours)
  }
})

test('a bound on a core number sinks where one neighbour is missing, at any size', () => {
  for (const bound of [2, 1023, 1024, 1025, 5000]) {
    for (const missing of [0, 1]) {
      const cores = new Uint32Array(bound + 1).fill(bound)
      const [drafts, marks] = [new Uint32Array(1), new Uint32Array((bound >>> 5) + 1)]
      const buffers = { ...star(bound - missing), cores, due: Uint32Array.of(1), drafts, marks }
      coreBound.twin({ first: 0, rows: 1, low: 0 }, buffers)
      expect(drafts[0]).toBe(bound - missing)
    }
  }
})

test('arcs of a frontier are counted past 32 bits', async () => {
  const device = new CpuDevice('cpu:0')
  let counters = new Uint32Array(LEVEL_COUNTERS)
  counters[NEXT] = 2
  for (let times = 1; times <= 3; times++) {
    const buffers = { next: Uint32Array.of(8, 7), degrees: Uint32Array.of(3e9, 2e9), counters }
    counters = (await launched(device, bfsArcs, 2, { low: 7 }, buffers))['counters'] as typeof counters
    expect(counters[ARCS]! + 2 ** 32 * counters[ARCS + 1]!).toBe(times * 5e9)
  }
})

test('the next remote neighbour may be the first one behind the own range', () => {
  const remoteNbrIndex = new Uint32Array(1)
  const lists = { offsets: Uint32Array.of(0, 4), targets: Uint32Array.of(9, 1, 4, 3), received: Uint32Array.of(0) }
  const params = { first: 0, count: 1, length: 1, origin: 0, low: 0, high: 4 }
  const found: number[] = []
  for (let i = 0; i < 2; i++) {
    mgAdvance.twin(params, { ...lists, remoteNbrIndex })
    found.push(remoteNbrIndex[0]!)
  }
  expect(found).toEqual([2, 4])
})

test('every spin of a replica is kept, in whole words and in the last one', () => {
  for (const count of [1, 31, 32, 33, 64, 70]) {
    for (const replica of [0, 5, 31]) {
      const spins = Uint32Array.from({ length: 3 + count }, (_, i) => Math.imul(i + 1, 0x9e3779b9))
      const best = new Uint32Array(Math.ceil(count / 32))
      spinKeep.twin({ first: 3, count, replica }, { spins, best })
      for (let i = 0; i < 32 * best.length; i++)
        expect((best[i >>> 5]! >>> (i & 31)) & 1).toBe(i < count ? (spins[3 + i]! >>> replica) & 1 : 0)
    }
  }
})

test('no drawn word says that a vertex is decided', () => {
  const bits = 16
  const low = 2 ** bits - 2
  let y = 0
  while ((xorshift(y) & 0xffff) !== 0xffff) y++
  const words = new Uint32Array(low + 1).fill(5)
  distanceWords.twin({ low, count: 1, bits, draw: (xorshift(low) ^ y) >>> 0 }, { words })
  expect(words[low]).toBe(OUT - 1)
})
