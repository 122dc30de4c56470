import type { Kernel } from './kernel.ts'
import { SAMPLE_VERTICES, misSample } from './mis-sample.ts'
import wgsl from './mis-heads.wgsl?raw'

/**
 * The first sweep over a batch; see mis-heads.wgsl. The twin goes from front to back, where every entry is decided before
 * its vertex: it leaves nothing undecided unless entries stand in a batch that was not swept yet.
 *
 * A branch that nobody can predict costs a processor more than a look at a state, and whether a head decides its vertex is as
 * good as random. So a stretch of vertices is first decided by heads alone, without such branches, which puts most of them out;
 * then the others walk their entries.
 */
export const misHeads: Kernel<
  'first' | 'count' | 'counter',
  'states' | 'heads' | 'tailOffsets' | 'tails' | 'list' | 'counters'
> = {
  name: 'mis-heads',
  wgsl,
  workgroup: 256,
  params: ['first', 'count', 'counter'],
  buffers: [
    { name: 'states', access: 'read_write' },
    { name: 'heads', access: 'read' },
    { name: 'tailOffsets', access: 'read' },
    { name: 'tails', access: 'read' },
    { name: 'list', access: 'read_write' },
    { name: 'counters', access: 'read_write' },
  ],
  twin: ({ first, count, counter }, { states, heads, tailOffsets, tails, list, counters }) => {
    // Signed words are the processor's own integers: no entry is -1, and nothing becomes a floating-point number.
    const slabs = { first, states: signed(states), heads: signed(heads) }
    const walk = { ...slabs, tailOffsets: signed(tailOffsets), tails: signed(tails), list }
    let length = counters[counter]!
    for (let from = 0; from < count; from += STRETCH) {
      const waiting = putOut(from, Math.min(count, from + STRETCH), slabs)
      fetchTails(waiting, walk)
      length = walkWaiting(waiting, length, walk)
    }
    counters[counter] = length
  },
  sample: () => ({
    params: { first: 0, count: SAMPLE_VERTICES, counter: 0 },
    buffers: { ...misSample(), list: new Uint32Array(2 * SAMPLE_VERTICES), counters: new Uint32Array(1) },
  }),
}

interface Slabs {
  readonly first: number
  readonly states: Int32Array
  readonly heads: Int32Array
}

interface Walk extends Slabs {
  readonly tailOffsets: Int32Array
  readonly tails: Int32Array
  readonly list: Uint32Array
}

/** Vertices of a stretch, a multiple of 16: few, so that few wait for others of it, and its slabs stay in the cache. */
const STRETCH = 512
/** Words of a line of the cache. */
const LINE_WORDS = 16
const NO_ENTRY = -1
/** The bit for "out" of each of the 16 states of a word. */
const OUT_BITS = 0xaaaaaaaa
const waitingVertices = new Int32Array(STRETCH)
const fetched = new Int32Array(1)

const signed = (words: Uint32Array): Int32Array => new Int32Array(words.buffer, words.byteOffset, words.length)

/** Sets out the vertices [from, to) of which the first head that is not out is in; returns how many wait, in `waitingVertices`. */
function putOut(from: number, to: number, { first, states, heads }: Slabs): number {
  let waiting = 0
  for (let i = from; i < to; i += 16) {
    const word = (first + i) >>> 4
    const known = states[word]!
    const end = Math.min(to, i + 16)
    let outs = 0
    for (let j = i; j < end; j++) {
      let highest = heads[j << 1]!
      let second = heads[(j << 1) | 1]!
      // The vertex itself stands for an entry that is missing: it is undecided and so decides nothing here.
      if (highest === NO_ENTRY) highest = (first + j) | 0
      if (second === NO_ENTRY) second = (first + j) | 0
      // 1 in, 2 out, 0 undecided, and bits of other vertices above; shifts count modulo 32.
      const seen = states[highest >>> 4]! >>> (highest << 1)
      const other = states[second >>> 4]! >>> (second << 1)
      const isOut = (seen | ((seen >>> 1) & other)) & 1
      outs |= isOut << ((j << 1) | 1)
      waitingVertices[waiting] = j
      waiting += isOut ^ 1
    }
    states[word] = known | (outs & ~(known | (known << 1)) & OUT_BITS)
  }
  return waiting
}

/**
 * Looks at the first two lines of memory of the tails that will be walked, so that they come into the cache together: each is
 * where another core has read it to, and a walk would wait for one after the other.
 */
function fetchTails(waiting: number, { tailOffsets, tails }: Walk): void {
  const last = tails.length - 1
  if (last < 0) return
  let seen = 0
  for (let k = 0; k < waiting; k++) {
    const at = tailOffsets[waitingVertices[k]!]!
    seen ^= tails[Math.min(last, at)]! ^ tails[Math.min(last, at + LINE_WORDS - 1)]!
  }
  // Kept, or the compiler would see that the loop is for nothing.
  fetched[0] = seen
}

/** Walks the entries of those that wait, from the highest down; returns the length of the list with those still undecided. */
function walkWaiting(
  waiting: number,
  listed: number,
  { first, states, heads, tailOffsets, tails, list }: Walk,
): number {
  let length = listed
  for (let k = 0; k < waiting; k++) {
    const i = waitingVertices[k]!
    const word = (first + i) >>> 4
    const shift = ((first + i) & 15) << 1
    const known = states[word]!
    if ((known >>> shift) & 3) continue
    const highest = heads[i << 1]!
    // A missing entry counts as out.
    let seen = highest === NO_ENTRY ? 2 : (states[highest >>> 4]! >>> (highest << 1)) & 3
    let cursor = 0
    if (seen === 2) {
      const second = heads[(i << 1) | 1]!
      seen = second === NO_ENTRY ? 2 : (states[second >>> 4]! >>> (second << 1)) & 3
      const begin = tailOffsets[i]!
      const end = tailOffsets[i + 1]!
      let at = begin
      for (; seen === 2 && at < end; at++) {
        const entry = tails[at]!
        seen = (states[entry >>> 4]! >>> (entry << 1)) & 3
      }
      cursor = 1 + at - begin
    }
    if (seen !== 0) {
      states[word] = known | ((3 - seen) << shift)
      continue
    }
    // Past the end of the list, typed arrays ignore the store, as the shader does.
    list[2 * length] = i
    list[2 * length + 1] = cursor
    length++
  }
  return length
}
