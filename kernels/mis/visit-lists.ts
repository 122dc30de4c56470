import { precedence } from '../parts/vertex-order.ts'
import { IN, OUT, stateBytes } from '../parts/vertex-states.ts'
import { setCounter } from './priority-codes.ts'

const { LEFT, POOL } = setCounter

export const RECORD_WORDS = 4
/** The vertex of an empty record. */
export const NO_VERTEX = 0xffffffff

/** The residual graph: waiting vertices with their undecided neighbours of higher priority. */
export interface Residual {
  /** Records of a vertex, the words [first, end) of its neighbours in the pool, and its degree. */
  readonly records: Uint32Array
  readonly pool: Uint32Array
}

/** What kernels that visit lists bind. */
export const listBuffers = { ends: 'read', targets: 'read', column: 'read vec2', states: 'atomic' } as const

interface VisitParams {
  readonly first: number
  readonly count: number
  /** The arc of the first word of `targets`, modulo 2^32. */
  readonly origin: number
  readonly order: number
  readonly shift: number
}

interface VisitBuffers {
  readonly ends: Uint32Array
  readonly targets: Uint32Array
  readonly column: Uint32Array
  readonly states: Uint32Array
  readonly counters: Uint32Array
}

interface ResidualBuffers {
  /** Word of the counters. */
  readonly list: number
  readonly records: Uint32Array
  readonly pool: Uint32Array
}

/** Visits lists in order (ECL-MIS, TOPC 2018, section 3.1). @param residual keeps waiting vertices; undefined: nothing does */
export function visitLists(
  { first, count, origin, order, shift }: VisitParams,
  buffers: VisitBuffers,
  residual: ResidualBuffers | undefined,
): void {
  const { ends, targets, column, states, counters } = buffers
  const bytes = stateBytes(states)
  const precedes = precedence({ order, shift, ends, column })
  const { list, records, pool } = residual ?? NOTHING
  const mostWords = pool.length
  const mostRecords = records.length / RECORD_WORDS
  let next = counters[POOL]!
  let record = counters[list]!
  let start = first === 0 ? 0 : ends[first - 1]!
  for (let v = first; v < first + count; v++) {
    const end = ends[v]!
    const begin = (start - origin) >>> 0
    const last = Math.min(targets.length, (end - origin) >>> 0)
    const degree = (end - start) >>> 0
    start = end
    const mine = bytes[v]!
    if (mine === OUT || mine === IN) continue
    let at = begin
    let state = IN
    for (; at < last; at++) {
      const u = targets[at]!
      const code = bytes[u] ?? OUT
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
    if (state === mine && residual === undefined) continue
    const from = next
    for (; state === mine && at < last; at++) {
      const u = targets[at]!
      const code = bytes[u] ?? OUT
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
      keepRecord(records, record++, v, from, next, degree)
    }
  }
  counters[POOL] = next
  counters[list] = record
}

function keepRecord(records: Uint32Array, record: number, v: number, from: number, next: number, degree: number): void {
  const place = RECORD_WORDS * record
  records[place] = v
  records[place + 1] = from
  records[place + 2] = next
  records[place + 3] = degree
}

const NOTHING: ResidualBuffers = { list: 0, records: new Uint32Array(0), pool: new Uint32Array(0) }
