import type { Kernel } from './kernel.ts'
import { SAMPLE_VERTICES, misSample } from './mis-sample.ts'
import wgsl from './mis-members.wgsl?raw'

/** The set as a bit vector in the graph's own order; see mis-members.wgsl. */
export const misMembers: Kernel<'first' | 'count', 'states' | 'positions' | 'members'> = {
  name: 'mis-members',
  wgsl,
  workgroup: 256,
  params: ['first', 'count'],
  buffers: [
    { name: 'states', access: 'read' },
    { name: 'positions', access: 'read' },
    { name: 'members', access: 'read_write' },
  ],
  twin: ({ first, count }, { states, positions, members }) => {
    // Signed words are the processor's own integers.
    const seen = new Int32Array(states.buffer, states.byteOffset, states.length)
    const at = new Int32Array(positions.buffer, positions.byteOffset, positions.length)
    for (let start = 0; start < count; start += 32) {
      let word = 0
      const end = Math.min(count, start + 32)
      for (let i = start; i < end; i++) {
        const p = at[i]!
        // State 1 is in, 2 is out: the low bit alone tells. Shifts count modulo 32, and so does the place in the word.
        word |= ((seen[p >>> 4]! >>> (p << 1)) & 1) << i
      }
      members[(first + start) >>> 5] = word
    }
  },
  sample: () => ({
    params: { first: 0, count: SAMPLE_VERTICES },
    // Every other vertex in, the others out.
    buffers: { ...misSample(), states: new Uint32Array(SAMPLE_VERTICES / 16).fill(0x99999999), members: members() },
  }),
}

const members = (): Uint32Array => new Uint32Array(SAMPLE_VERTICES / 32)
