import type { Kernel } from './kernel.ts'
import wgsl from './tc-late.wgsl?raw'

/** Open pairs that one workgroup takes, and neighbours that each of them may have. */
export const LATE_PAIRS = 1024
const LONGEST = 512
const PATIENCE = 32
const RECORD = 4
const KIND = 3

/** The late rounds in one launch of one workgroup; see tc-late.wgsl. */
export const tcLate: Kernel<
  'seeds' | 'record' | 'queue' | 'first' | 'last',
  'offsets' | 'lists' | 'keys' | 'open' | 'members' | 'hits' | 'counters'
> = {
  name: 'tc-late',
  wgsl,
  workgroup: 256,
  params: ['seeds', 'record', 'queue', 'first', 'last'],
  buffers: [
    { name: 'offsets', access: 'read' },
    { name: 'lists', access: 'read' },
    { name: 'keys', access: 'read' },
    { name: 'open', access: 'read_write' },
    { name: 'members', access: 'read_write' },
    { name: 'hits', access: 'read_write' },
    { name: 'counters', access: 'read_write' },
  ],
  twin: ({ seeds, record, queue, first, last }, { offsets, lists, keys, open, members, hits, counters }) => {
    const count = counters[record]!
    if (count === 0 || count > LATE_PAIRS || record >= last) return
    const wordOf = (u: number, seed: number): number => (u >>> 5) * seeds + seed
    const has = (bits: Uint32Array, u: number, seed: number): boolean =>
      ((bits[wordOf(u, seed)]! >>> (u & 31)) & 1) === 1
    const isCandidate = ({ v, seed }: Pair): boolean => {
      for (let at = offsets[v]!; at < offsets[v + 1]!; at++) {
        const u = lists[at]!
        if (has(open, u, seed) && keys[u * seeds + seed]! > keys[v * seeds + seed]!) return false
      }
      return true
    }
    let pairs = listPairs(counters.subarray(queue, queue + counters[record + KIND]!), open, seeds)
    if (pairs.some(({ v }) => offsets[v + 1]! - offsets[v]! > LONGEST)) return
    for (let at = record + RECORD; ; at += RECORD) {
      const chosen = new Set(pairs.filter(isCandidate))
      for (const { v, seed } of chosen)
        for (const u of lists.subarray(offsets[v]!, offsets[v + 1]!))
          if (has(open, u, seed)) hits[wordOf(u, seed)]! |= 1 << (u & 31)
      pairs = pairs.filter((pair) => {
        const { v, seed } = pair
        const [word, bit] = [wordOf(v, seed), 1 << (v & 31)]
        const isHit = has(hits, v, seed)
        hits[word]! &= ~bit
        if (chosen.has(pair) && !isHit) members[word]! |= bit
        if (chosen.has(pair) || isHit) open[word]! &= ~bit
        return !chosen.has(pair) && !isHit
      })
      counters[at] = pairs.length
      counters[at + KIND] = 1
      const before = at - RECORD * PATIENCE
      if (pairs.length === 0 || at >= last || (before >= first && 2 * pairs.length > counters[before]!)) return
    }
  },
}

interface Pair {
  readonly v: number
  readonly seed: number
}

function listPairs(words: Uint32Array, open: Uint32Array, seeds: number): Pair[] {
  const pairs: Pair[] = []
  for (const at of words)
    for (let rest = open[at]!; rest !== 0; rest &= rest - 1)
      pairs.push({ v: 32 * Math.floor(at / seeds) + 31 - Math.clz32(rest & -rest), seed: at % seeds })
  return pairs
}
