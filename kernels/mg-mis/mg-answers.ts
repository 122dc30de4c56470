import { kernel } from '../kernel.ts'
import { OUT } from './mg-round.ts'
import wgsl from './mg-answers.wgsl?raw'

export const mgAnswers = kernel(
  'mg-answers',
  wgsl,
  ['count', 'origin', 'begin', 'into', 'counter'],
  { states: 'read', received: 'read', send: 'write', counters: 'atomic' },
  ({ count, origin, begin, into, counter }, { states, received, send, counters }) => {
    for (let index = 0; index < count; index++) {
      const at = received[begin + 2 * index + 1]! - origin
      if (((states[at >>> 4]! >>> ((at & 15) << 1)) & 3) !== OUT) continue
      send[into + counters[counter]!++] = received[begin + 2 * index]!
    }
  },
)
