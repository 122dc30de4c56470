import type { Kernel } from '../kernel.ts'
import { IN, OUT, statusBytes } from '../parts/vertex-order.ts'
import { RECORD_WORDS } from './mis-scan.ts'
import wgsl from './mis-sweep.wgsl?raw'

/** A sweep over the residual graph; see mis-sweep.wgsl. The twin may write the list that it reads. */
export const misSweep: Kernel<'listIn' | 'listOut', 'recordsIn' | 'pool' | 'status' | 'recordsOut' | 'counters'> = {
  name: 'mis-sweep',
  wgsl,
  workgroup: 256,
  params: ['listIn', 'listOut'],
  buffers: [
    { name: 'recordsIn', access: 'read' },
    { name: 'pool', access: 'read' },
    { name: 'status', access: 'read_write' },
    { name: 'recordsOut', access: 'read_write' },
    { name: 'counters', access: 'read_write' },
  ],
  twin: ({ listIn, listOut }, { recordsIn, pool, status, recordsOut, counters }) => {
    const bytes = statusBytes(status)
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
}
