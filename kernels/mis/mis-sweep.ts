import { kernel } from '../kernel.ts'
import { IN, OUT, stateBytes, statesPart } from '../parts/vertex-states.ts'
import { RECORD_WORDS } from './visit-lists.ts'
import wgsl from './mis-sweep.wgsl?raw'

/**
 * A sweep over the residual graph; see mis-sweep.wgsl. The twin needs no patience, as nothing changes meanwhile, and may sweep a list in place. What one
 * sweep decides depends on the order of its vertices; what sweeps decide until nothing changes does not, and that is what tests compare.
 */
export const misSweep = kernel(
  'mis-sweep',
  [wgsl, statesPart],
  ['listIn', 'listOut'],
  { recordsIn: 'read vec4', pool: 'read', states: 'atomic', recordsOut: 'write vec4', counters: 'atomic' },
  ({ listIn, listOut }, { recordsIn, pool, states, recordsOut, counters }) => {
    const bytes = stateBytes(states)
    const total = RECORD_WORDS * counters[listIn]!
    let kept = 0
    for (let at = 0; at < total; at += RECORD_WORDS) {
      const v = recordsIn[at]!
      if (bytes[v] === OUT) continue
      const end = recordsIn[at + 2]!
      let entry = recordsIn[at + 1]!
      let code = OUT
      while (entry < end && (code = bytes[pool[entry]!]!) === OUT) entry++
      if (entry === end) bytes[v] = IN
      else if (code === IN) bytes[v] = OUT
      else {
        recordsOut[kept] = v
        recordsOut[kept + 1] = entry
        recordsOut[kept + 2] = end
        recordsOut[kept + 3] = recordsIn[at + 3]!
        kept += RECORD_WORDS
      }
    }
    counters[listOut] = kept / RECORD_WORDS
  },
)
