import { codeOf } from '../../../kernels/mis/priority-codes.ts'
import { NO_VERTEX, RECORD_WORDS } from '../../../kernels/mis/visit-lists.ts'
import { orders, shiftedHash } from '../../../kernels/parts/vertex-order.ts'
import type { GraphPieces } from '../../graph/graph-pieces.ts'
import type { SetOrder } from '../../graph/set-order.ts'
import { IN, OUT, UNDECIDED } from '../../graph/vertex-states.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import type { HostStates } from './host-states.ts'
import type { Residual } from './host-kernels.ts'

/** Reads the targets of arcs [first, end) of the graph. */
type ReadTargets = (first: number, end: number) => Uint32Array

/** What the scans of a pass leave. */
export interface ResidualGraph {
  readonly residuals: Residual[]
  /** Deferred vertices, whose lists are read again. */
  readonly left: number
  readonly order: SetOrder
  readonly pieces: GraphPieces
  readonly readTargets: ReadTargets
}

/** Vertices of the residual graph, then deferred ones. */
interface Waiting {
  readonly vertices: Uint32Array
  readonly degrees: Uint32Array
  /** How many have records, residual by residual. */
  readonly recorded: number
}

const VERTICES_A_LOOK = 1 << 14
/** Of a list that is read again. */
export const ARCS_A_READ = 1 << 20

/**
 * The serial finish: one pass over the undecided in order of priority, as sweeps decide few of a long chain.
 * @returns how many vertices it decided
 */
export function finishSet(
  states: HostStates,
  { residuals, left, order, pieces, readTargets }: ResidualGraph,
  job: JobContext,
): number {
  const waiting = waitingVertices(states, residuals, left, pieces)
  const recordHasMember = recordsOf(states, residuals)
  const walk = radixOrder(precedenceKeys(order, waiting))
  let decided = 0
  for (let i = 0; i < walk.length; i++) {
    if (i % VERTICES_A_LOOK === 0) {
      throwIfCancelled(job.signal)
      job.progress({ phase: 'finish', done: i, total: walk.length, unit: 'vertices' })
    }
    const at = walk[i]!
    const v = waiting.vertices[at]!
    if (v === NO_VERTEX || states.get(v) !== UNDECIDED) continue
    const isOut = at < waiting.recorded ? recordHasMember(at) : hasMemberInFile(states, v, pieces, readTargets)
    states.set(v, isOut ? OUT : IN)
    decided++
  }
  return decided
}

export function waitingVertices(
  states: HostStates,
  residuals: readonly Residual[],
  left: number,
  pieces: GraphPieces,
): Waiting {
  const recorded = residuals.reduce((sum, { records }) => sum + records.length / RECORD_WORDS, 0)
  const unlisted = left === 0 ? new Uint32Array(0) : withoutRecord(states, residuals)
  const vertices = new Uint32Array(recorded + unlisted.length)
  const degrees = new Uint32Array(vertices.length)
  let next = 0
  for (const { records } of residuals)
    for (let at = 0; at < records.length; at += RECORD_WORDS) {
      vertices[next] = records[at]!
      degrees[next++] = records[at + 3]!
    }
  for (const v of unlisted) {
    vertices[next] = v
    degrees[next++] = pieces.endOf(v) - pieces.endOf(v - 1)
  }
  return { vertices, degrees, recorded }
}

/** Deferred vertices. */
export function withoutRecord(states: HostStates, residuals: readonly Residual[]): Uint32Array {
  const recorded = new Set<number>()
  for (const { records } of residuals)
    for (let at = 0; at < records.length; at += RECORD_WORDS) recorded.add(records[at]!)
  return states.undecided().filter((v) => !recorded.has(v))
}

/** Keys that ascend from the highest priority on, the least significant words first. */
export function precedenceKeys({ params, codes, column }: SetOrder, { vertices, degrees }: Waiting): Uint32Array[] {
  const code = codeOf(params, codes, column)
  const key = (of: (v: number, i: number) => number): Uint32Array => vertices.map(of)
  const byHash = (v: number): number => ~shiftedHash(v + params.shift)
  switch (params.order) {
    case orders.ecl:
      return [key((v) => ~v), key((v, i) => ~code(v, degrees[i]!))]
    case orders.hash:
      return [key(byHash)]
    case orders.degree:
      return [key(byHash), degrees]
    default:
      return [key(byHash), key((v) => ~column[2 * v]!), key((v) => ~column[2 * v + 1]!)]
  }
}

/** Whether a record, by its place among all, has a member of the set. */
function recordsOf(states: HostStates, residuals: readonly Residual[]): (place: number) => boolean {
  return (place) => {
    let at = RECORD_WORDS * place
    for (const { records, pool } of residuals) {
      if (at < records.length) return hasMember(states, pool, records[at + 1]!, records[at + 2]!)
      at -= records.length
    }
    throw new Error(`no record ${place}`)
  }
}

function hasMember(states: HostStates, vertices: Uint32Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (states.get(vertices[i]!) === IN) return true
  return false
}

function hasMemberInFile(states: HostStates, v: number, pieces: GraphPieces, readTargets: ReadTargets): boolean {
  const last = pieces.endOf(v)
  for (let first = pieces.endOf(v - 1); first < last; first += ARCS_A_READ) {
    const targets = readTargets(first, Math.min(last, first + ARCS_A_READ))
    if (hasMember(states, targets, 0, targets.length)) return true
  }
  return false
}

const DIGIT_BITS = 11
const DIGITS = 1 << DIGIT_BITS

/** Indices by ascending key: stable counting passes from the least significant digit on. @param keys words, the least significant first */
export function radixOrder(keys: readonly Uint32Array[]): Uint32Array {
  const count = keys[0]?.length ?? 0
  let order = Uint32Array.from({ length: count }, (_, i) => i)
  let other = new Uint32Array(count)
  for (const words of keys)
    for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
      const starts = new Uint32Array(DIGITS + 1)
      for (let i = 0; i < count; i++) starts[((words[i]! >>> shift) & (DIGITS - 1)) + 1]!++
      // All have the same digit.
      if (starts.includes(count, 1)) continue
      for (let digit = 0; digit < DIGITS; digit++) starts[digit + 1]! += starts[digit]!
      for (let i = 0; i < count; i++) {
        const index = order[i]!
        other[starts[(words[index]! >>> shift) & (DIGITS - 1)]!++] = index
      }
      ;[order, other] = [other, order]
    }
  return order
}
