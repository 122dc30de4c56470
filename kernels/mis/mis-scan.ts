import type { Kernel } from '../kernel.ts'
import { IN, OUT, precedence, statusBytes, withVertexOrder } from '../parts/vertex-order.ts'
import { LEFT, POOL } from './codes.ts'
import wgsl from './mis-scan.wgsl?raw'

/** A record: its vertex, where its entries of the pool begin and end, and its degree. */
export const RECORD_WORDS = 4
export const NO_VERTEX = 0xffffffff

/** One visit of the vertices of a batch; see mis-scan.wgsl. The twin visits long lists as well. */
export const misScan: Kernel<
  'first' | 'count' | 'origin' | 'list' | 'longer' | 'order' | 'shift',
  'ends' | 'targets' | 'column' | 'status' | 'records' | 'pool' | 'longs' | 'counters'
> = {
  name: 'mis-scan',
  wgsl: withVertexOrder(wgsl),
  workgroup: 256,
  params: ['first', 'count', 'origin', 'list', 'longer', 'order', 'shift'],
  buffers: [
    { name: 'ends', access: 'read' },
    { name: 'targets', access: 'read' },
    { name: 'column', access: 'read' },
    { name: 'status', access: 'read_write' },
    { name: 'records', access: 'read_write' },
    { name: 'pool', access: 'read_write' },
    { name: 'longs', access: 'read_write' },
    { name: 'counters', access: 'read_write' },
  ],
  twin: ({ first, count, origin, list, order, shift }, { ends, targets, column, status, records, pool, counters }) => {
    const bytes = statusBytes(status)
    const precedes = precedence({ order, shift, ends, column })
    const mostWords = pool.length
    const mostRecords = records.length / RECORD_WORDS
    let next = counters[POOL]!
    let record = counters[list]!
    let start = first === 0 ? 0 : ends[first - 1]!
    for (let v = first; v < first + count; v++) {
      const end = ends[v]!
      const [begin, last, degree] = [(start - origin) >>> 0, (end - origin) >>> 0, (end - start) >>> 0]
      start = end
      const mine = bytes[v]!
      if (mine === OUT || mine === IN) continue
      let at = begin
      let state = IN
      for (; at < last; at++) {
        const u = targets[at]!
        const code = bytes[u]!
        if (code < mine) continue
        if (code === IN) state = OUT
        else if (code > mine || precedes(u, v)) state = mine
        else continue
        break
      }
      if (state === IN) {
        bytes[v] = IN
        for (let i = begin; i < last; i++) if (bytes[targets[i]!] !== OUT) bytes[targets[i]!] = OUT
        continue
      }
      const from = next
      for (; state === mine && at < last; at++) {
        const u = targets[at]!
        const code = bytes[u]!
        if (code < mine) continue
        if (code === IN) state = OUT
        else if (code > mine || precedes(u, v)) pool[next++] = u
      }
      if (state === OUT) {
        bytes[v] = OUT
        next = from
      } else if (next > mostWords || record === mostRecords) {
        next = from
        counters[LEFT]!++
      } else {
        const place = RECORD_WORDS * record++
        records[place] = v
        records[place + 1] = from
        records[place + 2] = next
        records[place + 3] = degree
      }
    }
    counters[POOL] = next
    counters[list] = record
  },
}
