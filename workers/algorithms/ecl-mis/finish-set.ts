import { codeOf } from '../../../kernels/mis/priority-codes.ts'
import { NO_VERTEX, RECORD_WORDS } from '../../../kernels/mis/visit-lists.ts'
import { shiftedHash } from '../../../kernels/parts/vertex-hash.ts'
import { orders } from '../../../kernels/parts/vertex-order.ts'
import type { GraphPieces, Range } from '../../graph/graph-pieces.ts'
import { radixOrder } from '../../graph/sorters.ts'
import type { SetOrder } from '../../graph/set-order.ts'
import { IN, OUT, UNDECIDED } from '../../graph/vertex-states.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import type { HostStates } from './host-states.ts'
import type { Residual } from './host-kernels.ts'

/** Reads the targets of arcs [first, end) of the graph. */
type ReadTargets = (first: number, end: number) => Uint32Array

/** What the serial finish reads and writes. */
export type StatesByVertex = Pick<HostStates, 'get' | 'set'>

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
const ARCS_A_READ = 1 << 20

/**
 * The serial finish: one pass over the undecided in order of priority, as sweeps decide few of a long chain.
 * @returns how many vertices it decided
 */
export function finishSet(
  states: StatesByVertex,
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
  states: StatesByVertex,
  residuals: readonly Residual[],
  left: number,
  pieces: GraphPieces,
): Waiting {
  const recorded = residuals.reduce((sum, { records }) => sum + records.length / RECORD_WORDS, 0)
  const unlisted = left === 0 ? [] : withoutRecord(states, residuals, { first: 0, end: pieces.graph.vertices })
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
export function withoutRecord(states: StatesByVertex, residuals: readonly Residual[], { first, end }: Range): number[] {
  const recorded = new Set<number>()
  for (const { records } of residuals)
    for (let at = 0; at < records.length; at += RECORD_WORDS) recorded.add(records[at]!)
  const found: number[] = []
  for (let v = first; v < end; v++) if (states.get(v) === UNDECIDED && !recorded.has(v)) found.push(v)
  return found
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
function recordsOf(states: StatesByVertex, residuals: readonly Residual[]): (place: number) => boolean {
  return (place) => {
    let at = RECORD_WORDS * place
    for (const { records, pool } of residuals) {
      if (at < records.length) return hasMember(states, pool, records[at + 1]!, records[at + 2]!)
      at -= records.length
    }
    throw new Error(`no record ${place}`)
  }
}

function hasMember(states: StatesByVertex, vertices: Uint32Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (states.get(vertices[i]!) === IN) return true
  return false
}

function hasMemberInFile(states: StatesByVertex, v: number, pieces: GraphPieces, readTargets: ReadTargets): boolean {
  const last = pieces.endOf(v)
  for (let first = pieces.endOf(v - 1); first < last; first += ARCS_A_READ) {
    const targets = readTargets(first, Math.min(last, first + ARCS_A_READ))
    if (hasMember(states, targets, 0, targets.length)) return true
  }
  return false
}
