import { describe, expect, it } from 'vitest'
import { keptWords } from '../../../../kernels/matching/match-state.ts'
import { MatchRanks } from '../../../../workers/algorithms/ld-gpu/match-on-device.ts'
import { CANDIDATES } from '../../../../workers/algorithms/ld-gpu/match-setup.ts'
import { Trace } from '../../../../workers/base/trace.ts'
import type { Range } from '../../../../workers/base/ranges.ts'
import { localRanks } from '../../../support/local-ranks.ts'

/** More than a step has. */
const MANY = (1 << 22) + 5

const wordsFrom = (seed: number, count: number): Uint32Array =>
  Uint32Array.from({ length: count }, (_, i) => Math.imul(i + seed, 0x9e3779b1))
const same = (a: Uint32Array, b: Uint32Array): boolean =>
  Buffer.from(a.buffer, a.byteOffset, a.byteLength).equals(Buffer.from(b.buffer, b.byteOffset, b.byteLength))

/** What the first rank takes over, in arrays. */
class TakenOver {
  readonly kept: Uint32Array
  readonly lists = new Uint32Array(3 * MANY)
  readonly entries = new Map<number, number[]>()
  fills = 0
  #filled = 0

  constructor(keptWordsOfAll: number) {
    this.kept = new Uint32Array(keptWordsOfAll)
  }

  fillCandidates(words: Uint32Array, first: number): Promise<void> {
    if (words.length > 0) this.fills++
    this.kept.set(words, first)
    return Promise.resolve()
  }

  makeRoom(counts: readonly number[]): Promise<readonly Range[]> {
    let end = 0
    return Promise.resolve(counts.map((count) => ({ first: end, end: (end += count) })))
  }

  fillLists({ first }: Range, words: Uint32Array, at: number): Promise<void> {
    if (words.length > 0) this.fills++
    this.lists.set(words, first + at)
    this.#filled += words.length
    return Promise.resolve()
  }

  enterLists({ first, end }: Range, entries: Uint32Array): Promise<void> {
    if (entries.length > 0) expect(this.#filled).toBeGreaterThanOrEqual(end - first)
    this.entries.set(first, [...(this.entries.get(first) ?? []), ...entries])
    return Promise.resolve()
  }
}

/** Vertices of the last rank come first; the second rank's candidates take two steps. */
const slices = [
  { vertices: { first: 860_000, end: 861_000 }, units: { first: 0, end: 0 } },
  { vertices: { first: 10_000, end: 860_000 }, units: { first: 0, end: 0 } },
  { vertices: { first: 0, end: 10_000 }, units: { first: 0, end: 0 } },
]
const each = keptWords(CANDIDATES)
const ranksOf = (kept: Uint32Array) =>
  localRanks(3).map((exchange) => {
    const setup = { candidates: CANDIDATES, memory: { kept, matched: new Uint32Array(0) } }
    return new MatchRanks(exchange, slices, setup, new Uint32Array(0), new Trace(false))
  })

describe('what ranks bring to the first, in steps', () => {
  it('are the candidates of all others', async () => {
    const kept = wordsFrom(1, each * 861_000)
    const lead = new TakenOver(kept.length)
    await Promise.all(ranksOf(kept).map((rank, i) => rank.bringCandidates(i === 0 ? lead : undefined)))
    expect(lead.fills).toBe(3)
    const others = each * 860_000
    expect(same(lead.kept.subarray(0, others), kept.subarray(0, others))).toBe(true)
    expect(lead.kept.subarray(others).every((word) => word === 0)).toBe(true)
  })

  it('are lists of any length, each with its entries behind it, and what found no room', async () => {
    const lists = [
      [],
      [
        { words: wordsFrom(2, MANY), entries: wordsFrom(3, 6), lacking: 2 },
        { words: wordsFrom(4, 7), entries: wordsFrom(5, 2), lacking: 0 },
      ],
      [{ words: wordsFrom(6, 11), entries: wordsFrom(7, 4), lacking: 5 }],
    ]
    const lead = new TakenOver(0)
    const ranks = ranksOf(new Uint32Array(0))
    const found = await Promise.all(ranks.map((rank, i) => rank.bringLists(i === 0 ? lead : undefined, lists[i]!)))
    expect(found[0]).toBe(7)
    expect(lead.fills).toBe(4)
    let first = 0
    for (const { words, entries } of lists.flat()) {
      expect(same(lead.lists.subarray(first, first + words.length), words)).toBe(true)
      expect(lead.entries.get(first)).toEqual([...entries])
      first += words.length
    }
  })

  it('is nothing where no rank has lists', async () => {
    const lead = new TakenOver(0)
    const ranks = ranksOf(new Uint32Array(0))
    const found = await Promise.all(ranks.map((rank, i) => rank.bringLists(i === 0 ? lead : undefined, [])))
    expect([found[0], lead.fills, lead.entries.size]).toEqual([0, 0, 0])
  })
})
