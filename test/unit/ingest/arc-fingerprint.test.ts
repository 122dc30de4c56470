import { expect, it } from 'vitest'
import { ArcFingerprint, newFingerprintKeys } from '../../../workers/import/canonical/arc-fingerprint.ts'

/** Lists of neighbours (and weights) by vertex. */
type Lists = Readonly<Record<number, readonly number[]>>

/** Adds lists in parts of at most `part` arcs; null where one of them is no ascending list. */
function printed(keys: Int32Array, lists: Lists, weights: Lists | null = null, part = 1000): ArcFingerprint | null {
  const print = new ArcFingerprint(keys)
  for (const [name, list] of Object.entries(lists)) {
    const targets = Uint32Array.from(list)
    const bits = weights === null ? null : new Int32Array(Float32Array.from(weights[Number(name)]!).buffer)
    for (let from = 0; from < list.length; from += part) {
      const before = from === 0 ? -1 : targets[from - 1]!
      if (!print.addList(Number(name), targets, from, Math.min(list.length, from + part), before, bits)) return null
    }
  }
  return print.settle() ? print : null
}

const keys = newFingerprintKeys()
const square: Lists = { 0: [2, 3], 1: [2, 3], 2: [0, 1], 3: [0, 1] }

it('both directions of every edge: symmetric, in one part or many', () => {
  expect(printed(keys, square)?.symmetric).toBe(true)
  expect(printed(keys, square)?.counts).toEqual(Float64Array.of(4, 4))
  expect(printed(keys, square, null, 1)?.sums).toEqual(printed(keys, square)?.sums)
  const far = { 0: [7, 2 ** 32 - 3], 7: [0, 2 ** 31], [2 ** 31]: [7], [2 ** 32 - 3]: [0] }
  expect(printed(keys, far)?.symmetric).toBe(true)
})

it('parts that were summed apart add up', () => {
  const sum = new ArcFingerprint(keys)
  for (const u of [0, 1, 2, 3]) {
    const { sums, counts } = printed(keys, { [u]: square[u]! })!
    expect(sum.symmetric).toBe(u === 0 && sum.counts[0] === 0)
    sum.add(sums, counts)
  }
  expect(sum.symmetric).toBe(true)
})

it('edges that exchange their ends are told apart, although every vertex has its degree', () => {
  // 0-2 and 1-3 one way, 0-3 and 1-2 the other way: what a sum of hashes of the two ends would not see.
  expect(printed(keys, { 0: [2], 1: [3], 2: [1], 3: [0] })?.symmetric).toBe(false)
  expect(printed(keys, { 0: [2], 1: [3], 2: [0], 3: [1] })?.symmetric).toBe(true)
})

it('weights belong to their edges', () => {
  expect(printed(keys, square, { 0: [1, 2], 1: [3, 4], 2: [1, 3], 3: [2, 4] })?.symmetric).toBe(true)
  expect(printed(keys, square, { 0: [1, 2], 1: [3, 4], 2: [1, 2], 3: [3, 4] })?.symmetric).toBe(false)
  expect(printed(keys, square, { 0: [1, 2], 1: [3, 4], 2: [1, 3], 3: [2, 4.5] })?.symmetric).toBe(false)
})

it('refuses loops, repetitions and disorder, across parts too', () => {
  for (const list of [[1, 1], [3, 1], [0], [0, 1], [5, 5], [4, 6, 5]])
    for (const part of [1, 2, 1000]) expect(printed(keys, { 0: list }, null, part)).toBe(null)
  expect(printed(keys, { 4: [1, 4] })).toBe(null)
  expect(printed(keys, { 4: [3, 2, 5] })).toBe(null)
})

it('one arc that is missing, of many, is seen in every lane', () => {
  const lists: Record<number, number[]> = {}
  for (let u = 0; u < 2000; u++) lists[u] = [u - 2, u - 1, u + 1, u + 2].filter((v) => v >= 0 && v < 2000)
  expect(printed(keys, lists)?.symmetric).toBe(true)
  lists[1000] = [998, 999, 1001, 1003]
  lists[1001] = [999, 1000, 1002, 1004]
  const { sums, counts, symmetric } = printed(keys, lists)!
  expect(symmetric).toBe(false)
  expect(counts[0]).toBe(counts[1])
  for (let lane = 0; lane < 4; lane++) expect(sums[lane]).not.toBe(sums[4 + lane])
})

it('sums are those of the definition, however many lists and arcs are looked at together', () => {
  const hash = (word: number, lane: number, key: number): number => {
    let x = word ^ keys[6 * lane + key]!
    x = Math.imul(x ^ (x >>> 16), 0x21f0aaad) ^ keys[6 * lane + key + 1]!
    x = Math.imul(x ^ (x >>> 15), 0x735a2d97)
    return x ^ (x >>> 15)
  }
  const expected = new Int32Array(8)
  const print = new ArcFingerprint(keys)
  // More lists, and a longer one, than one look takes.
  const lengths = [...Array.from({ length: 40_000 }, (_, u) => u % 4), 150_000]
  const targets = new Uint32Array(lengths.reduce((sum, length) => sum + length, 0))
  let at = 0
  for (const [u, length] of lengths.entries()) {
    let [v, before] = [u >>> 1, -1]
    for (let i = at; i < at + length; i++) {
      v += v + 1 === u ? 2 : 1
      targets[i] = v
      for (let lane = 0; lane < 4; lane++)
        expected[lane + (u < v ? 0 : 4)]! += Math.imul(hash(Math.min(u, v), lane, 0), hash(Math.max(u, v), lane, 2))
    }
    for (let from = at; from < at + length; from += 70_001) {
      const to = Math.min(at + length, from + 70_001)
      expect(print.addList(u, targets, from, to, before, null)).toBe(true)
      before = targets[to - 1]!
    }
    at += length
  }
  expect(print.settle()).toBe(true)
  expect(print.sums).toEqual(expected)
  expect(print.counts[0]! + print.counts[1]!).toBe(targets.length)
  expect(print.counts[0]).toBeGreaterThan(1000)
  expect(print.counts[1]).toBeGreaterThan(1000)
})
