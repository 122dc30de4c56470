import type { Kernel } from './kernel.ts'
import { SAMPLE_VERTICES, misSample } from './mis-sample.ts'
import wgsl from './mis-members.wgsl?raw'

/** The set as a bit vector in the graph's own order; see mis-members.wgsl. */
export const misMembers: Kernel<'first' | 'count', 'states' | 'vertices' | 'members'> = {
  name: 'mis-members',
  wgsl,
  workgroup: 256,
  params: ['first', 'count'],
  buffers: [
    { name: 'states', access: 'read' },
    { name: 'vertices', access: 'read' },
    { name: 'members', access: 'read_write' },
  ],
  twin: ({ first, count }, { states, vertices, members }) => {
    // Signed words are the processor's own integers.
    const seen = new Int32Array(states.buffer, states.byteOffset, states.length)
    const at = new Int32Array(vertices.buffer, vertices.byteOffset, vertices.length)
    const bits = new Int32Array(members.buffer, members.byteOffset, members.length)
    for (let i = 0; i < count; i++) {
      const p = first + i
      // State 1 is in, 2 is out: the low bit alone tells. Shifts count modulo 32, and so does the place in the word.
      if (((seen[p >>> 4]! >>> (p << 1)) & 1) === 0) continue
      const v = at[i]!
      bits[v >>> 5]! |= 1 << v
    }
  },
  sample: () => ({
    params: { first: 0, count: SAMPLE_VERTICES },
    // Every other vertex in, the others out.
    buffers: { ...misSample(), states: new Uint32Array(SAMPLE_VERTICES / 16).fill(0x99999999), members: members() },
  }),
}

const members = (): Uint32Array => new Uint32Array(SAMPLE_VERTICES / 32)
