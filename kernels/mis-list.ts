import type { Kernel } from './kernel.ts'
import wgsl from './mis-list.wgsl?raw'

/** A sweep over the undecided vertices of a batch; see mis-list.wgsl. The twin has no patience: nobody works beside it. */
export const misList: Kernel<
  'first' | 'counterIn' | 'counterOut',
  'states' | 'heads' | 'tailOffsets' | 'tails' | 'listIn' | 'listOut' | 'counters'
> = {
  name: 'mis-list',
  wgsl,
  workgroup: 256,
  params: ['first', 'counterIn', 'counterOut'],
  buffers: [
    { name: 'states', access: 'read_write' },
    { name: 'heads', access: 'read' },
    { name: 'tailOffsets', access: 'read' },
    { name: 'tails', access: 'read' },
    { name: 'listIn', access: 'read' },
    { name: 'listOut', access: 'read_write' },
    { name: 'counters', access: 'read_write' },
  ],
  twin: ({ first, counterIn, counterOut }, { states, heads, tailOffsets, tails, listIn, listOut, counters }) => {
    const total = Math.min(counters[counterIn]!, listIn.length / 2)
    let left = counters[counterOut]!
    for (let at = 0; at < total; at++) {
      const i = listIn[2 * at]!
      const tail = tailOffsets[i]!
      const entries = HEAD_WIDTH + tailOffsets[i + 1]! - tail
      let cursor = listIn[2 * at + 1]!
      let state = 1
      for (; cursor < entries; cursor++) {
        const entry = cursor < HEAD_WIDTH ? heads[HEAD_WIDTH * i + cursor]! : tails[tail + cursor - HEAD_WIDTH]!
        if (entry === NO_ENTRY) break
        const seen = (states[entry >>> 4]! >>> ((entry & 15) << 1)) & 3
        if (seen === 2) continue
        state = seen === 1 ? 2 : 0
        break
      }
      if (state !== 0) {
        const p = first + i
        states[p >>> 4]! |= state << ((p & 15) << 1)
        continue
      }
      listOut[2 * left] = i
      listOut[2 * left + 1] = cursor
      left++
    }
    counters[counterOut] = left
  },
}

const HEAD_WIDTH = 2
const NO_ENTRY = 0xffffffff
