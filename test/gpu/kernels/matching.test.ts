import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { counted, matchPoint } from '../../../kernels/matching/match-point.ts'
import { matchAdopt } from '../../../kernels/matching/match-adopt.ts'
import { matchCollect } from '../../../kernels/matching/match-collect.ts'
import { NONE, counter, cursor, roundCounter } from '../../../kernels/matching/match-state.ts'
import { matchWaiting } from '../../../kernels/matching/match-waiting.ts'
import type { Device } from '../../../workers/device/device.ts'
import { openDevice } from '../../../workers/device/open-device.ts'
import { hasGpu } from '../../support/devices-here.ts'
import { randomStream } from '../../support/graphs.ts'
import { launched, twinned, type Words } from '../../support/launched.ts'

const CANDIDATES = 4
const COUNTS = 8

describe.runIf(hasGpu)('kernels of matchings leave what their twins do', () => {
  let gpu: Device
  beforeAll(async () => void (gpu = await openDevice('gpu:0')))
  afterAll(() => gpu.close())

  it.each([
    ['every vertex', false, counted.none],
    ['those of a list, and those that pointed', true, counted.pointed],
    ['those of a list, and those that point', true, counted.pointing],
  ])('the pointing phase goes through %s, more than its threads', async (_what, isListed, which) => {
    const random = randomStream(7)
    const below = (limit: number): number => Math.floor(limit * random())
    const vertices = 3000
    const kept = new Uint32Array((CANDIDATES + 1) * vertices)
    for (let v = 0; v < vertices; v++) {
      const flags =
        (below(3) === 0 ? cursor.MORE : 0) |
        (below(9) === 0 ? cursor.ENDED : 0) |
        (below(4) === 0 ? cursor.DEFERRED : 0)
      kept[(CANDIDATES + 1) * v] = below(CANDIDATES + 1) | flags
      for (let i = 1; i <= CANDIDATES; i++) kept[(CANDIDATES + 1) * v + i] = below(12) === 0 ? NONE : below(vertices)
    }
    const list = Uint32Array.from({ length: vertices }, (_, v) => v).filter(() => below(4) > 0)
    const counters = new Uint32Array(32)
    counters[0] = list.length
    const buffers = {
      list,
      matched: Uint32Array.from({ length: Math.ceil(vertices / 32) }, () => below(2 ** 32) & below(2 ** 32)),
      kept,
      pointers: Uint32Array.from({ length: vertices }, () => (below(2) === 0 ? NONE : below(vertices))),
      next: new Uint32Array(vertices),
      again: new Uint32Array(vertices),
      counters,
    }
    const params = { first: 0, count: vertices, length: isListed ? 0 : NONE, counts: COUNTS, counted: which }
    const kernel = matchPoint(CANDIDATES)
    const expected = twinned(kernel, params, buffers)
    const found = await launched(gpu, kernel, kernel.workgroup, params, buffers)
    for (const name of ['pointers', 'kept', 'counters']) expect(found[name]).toEqual(expected[name])
    const listed = (words: Words, name: string, at: number): number[] =>
      [...words[name]!.subarray(0, words['counters']![COUNTS + at])].sort((a, b) => a - b)
    for (const [name, at] of [
      ['next', roundCounter.POINTING],
      ['again', roundCounter.AGAIN],
    ] as const) {
      expect(listed(found, name, at)).toEqual(listed(expected, name, at))
      expect(listed(expected, name, at).length).toBeGreaterThan(100)
    }
  })

  it('marks those that wait', async () => {
    const random = randomStream(3)
    const below = (limit: number): number => Math.floor(limit * random())
    const count = 1000
    const kept = new Uint32Array((CANDIDATES + 1) * count)
    for (let v = 0; v < count; v++)
      kept[(CANDIDATES + 1) * v] = [0, cursor.MORE, cursor.MORE | 4, cursor.ENDED][below(4)]!
    const waitingAt = Math.ceil(count / 32)
    const matched = Uint32Array.from({ length: 2 * waitingAt }, () => below(2 ** 32) & below(2 ** 32))
    const ends = new Uint32Array(count)
    for (let v = 0; v < count; v++) ends[v] = (v === 0 ? 2 ** 32 - 5000 : ends[v - 1]!) + below(40)
    const buffers = { kept, ends, matched, counters: new Uint32Array(counter.COUNT) }
    const kernel = matchWaiting(CANDIDATES)
    const expected = twinned(kernel, { count, waitingAt }, buffers)
    expect(await launched(gpu, kernel, count, { count, waitingAt }, buffers)).toEqual(expected)
  })

  it.each([
    [false, 1 << 16],
    [true, 1 << 17],
    [false, 3000],
    [true, 0],
  ])('collects free neighbours: weights %s, room for %i words', async (weighted, room) => {
    const random = randomStream(5)
    const below = (limit: number): number => Math.floor(limit * random())
    const [vertices, first, count] = [1200, 100, 900]
    const waitingAt = Math.ceil(vertices / 32)
    const ends = new Uint32Array(2 * vertices)
    for (let v = 0; v < vertices; v++) ends[v] = (v === 0 ? 0 : ends[v - 1]!) + below(below(20) === 0 ? 1500 : 40)
    const origin = ends[first - 1]! - 7
    const arcs = ends[first + count - 1]! - origin
    const buffers = {
      ends,
      targets: Uint32Array.from({ length: arcs }, () => below(vertices)),
      weightBits: Uint32Array.from({ length: arcs + 3 }, () => below(2 ** 32)),
      matched: Uint32Array.from({ length: 2 * waitingAt }, () => below(2 ** 32)),
      free: new Uint32Array(Math.max(4, room)),
      entries: new Uint32Array(2 * vertices),
      counters: new Uint32Array(counter.COUNT),
    }
    const places = { placesAt: vertices, waitingAt, room, isEntered: 1 }
    const params = { first, count, origin, weightsAt: origin - 3, ...places }
    const kernel = matchCollect(weighted)
    const expected = twinned(kernel, params, buffers)
    const found = await launched(gpu, kernel, count, params, buffers)
    const lists = (words: Words, what: Words = words): Map<number, string> => {
      const { free, entries } = what as { free: Uint32Array; entries: Uint32Array }
      const all = new Map<number, string>()
      for (let i = 0; i < words['counters']![counter.ENTRIES]!; i++) {
        const place = entries[2 * i + 1]!
        const size = free[place - 1]!
        const edges = Array.from({ length: size }, (_, k) => [free[place + k], weighted ? free[place + size + k] : 0])
        expect(words['ends']![vertices + entries[2 * i]!]).toBe(place)
        all.set(entries[2 * i]!, edges.map(String).sort().join())
      }
      return all
    }
    const [theirs, ours] = [lists(expected), lists(found)]
    expect(ours.size + found['counters']![counter.LACKING]!).toBe(theirs.size + expected['counters']![counter.LACKING]!)
    // No two overlap, and all end within the room.
    const { free, entries } = found as { free: Uint32Array; entries: Uint32Array }
    const spans = Array.from({ length: ours.size }, (_, i) => entries[2 * i + 1]! - 1).sort((a, b) => a - b)
    const endOf = (at: number): number => at + 1 + free[at]! * (weighted ? 2 : 1)
    spans.forEach((at, i) => expect(endOf(at)).toBeLessThanOrEqual(spans[i + 1] ?? room))
    if (expected['counters']![counter.LACKING] === 0) expect(ours).toEqual(theirs)
    else expect(found['counters']![counter.LACKING]).toBeGreaterThan(0)
    // Another device adopts them, as far as they fit.
    const [base, limit] = [40, 2000]
    const words = new Uint32Array(limit)
    words.set(found['free']!.subarray(0, limit - base), base)
    const adopted = { entries: found['entries']!, free: words, ends, counters: new Uint32Array(counter.COUNT) }
    const adopting = { count: ours.size, base, limit, placesAt: vertices }
    expect(await launched(gpu, matchAdopt(weighted), ours.size, adopting, adopted)).toEqual(
      twinned(matchAdopt(weighted), adopting, adopted),
    )
  })
})
