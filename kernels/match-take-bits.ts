import type { Kernel } from './kernel.ts'
import wgsl from './match-take-bits.wgsl?raw'

/** Words of bits that share a figure: how many bits are set before them. */
export const BITS_BLOCK = 256

/** Takes pointers that were found elsewhere, where a bit for each vertex says whose they are; see match-take-bits.wgsl. */
export const matchTakeBits: Kernel<
  'first' | 'words' | 'changed' | 'changedCapacity' | 'round',
  'pointers' | 'updates' | 'lists' | 'counters'
> = {
  name: 'match-take-bits',
  wgsl,
  workgroup: BITS_BLOCK,
  params: ['first', 'words', 'changed', 'changedCapacity', 'round'],
  buffers: [
    { name: 'pointers', access: 'read_write' },
    { name: 'updates', access: 'read' },
    { name: 'lists', access: 'read_write' },
    { name: 'counters', access: 'read_write' },
  ],
  twin: (params, { pointers, updates, lists, counters }) => {
    const { first, words, changed, changedCapacity, round } = params
    let value = words + Math.ceil(words / BITS_BLOCK)
    for (let at = 0; at < words; at++) {
      for (let bits = updates[at]!; bits !== 0; bits &= bits - 1) {
        const v = first + 32 * at + 31 - Math.clz32(bits & -bits)
        const pointer = updates[value++]!
        pointers[v] = pointer
        const change = counters[round]!++
        if (change < changedCapacity) {
          lists[changed + 2 * change] = v
          lists[changed + 2 * change + 1] = pointer
        }
      }
    }
  },
}
