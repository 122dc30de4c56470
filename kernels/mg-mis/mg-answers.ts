import type { Kernel } from '../kernel.ts'
import wgsl from './mg-answers.wgsl?raw'

/** Algorithm 6 of MG-MIS; see mg-answers.wgsl. */
export const mgAnswers: Kernel<
  'count' | 'origin' | 'begin' | 'into' | 'counter',
  'states' | 'received' | 'send' | 'counters'
> = {
  name: 'mg-answers',
  wgsl,
  workgroup: 256,
  params: ['count', 'origin', 'begin', 'into', 'counter'],
  buffers: [
    { name: 'states', access: 'read' },
    { name: 'received', access: 'read' },
    { name: 'send', access: 'read_write' },
    { name: 'counters', access: 'read_write' },
  ],
  twin: ({ count, origin, begin, into, counter }, { states, received, send, counters }) => {
    for (let index = 0; index < count; index++) {
      const at = received[begin + 2 * index + 1]! - origin
      if (((states[at >>> 4]! >>> ((at & 15) << 1)) & 3) !== OUT) continue
      send[into + counters[counter]!++] = received[begin + 2 * index]!
    }
  },
}

const OUT = 2
