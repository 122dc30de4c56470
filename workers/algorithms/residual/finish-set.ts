/**
 * How a set ends once all lists were scanned. The serial finish takes the undecided vertices in order of priority, one after another, as sweeps
 * decide few of a long chain: it sorts them by radix, and costs what is left of the graph. Among ranks local fixed points and exchanges come
 * first (rank-states.ts), until few vertices wait. It reads lists again only for deferred vertices, which have no record in the residual graph.
 */

import { codeOf } from '../../../kernels/mis/priority-codes.ts'
import { NO_VERTEX, RECORD_WORDS, type Residual } from '../../../kernels/mis/visit-lists.ts'
import { shiftedHash } from '../../../kernels/parts/vertex-hash.ts'
import { orders } from '../../../kernels/parts/vertex-order.ts'
import type { GraphPieces } from '../../graph/graph-pieces.ts'
import type { Range } from '../../base/ranges.ts'
import { radixOrder } from '../../graph/radix-order.ts'
import type { SetOrder } from '../../graph/set-order.ts'
import { IN, OUT, UNDECIDED, VertexSet } from '../../graph/vertex-set.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import { WordList } from '../../base/words.ts'
import type { HostStates } from '../../graph/host-states.ts'
import type { RankStates } from './rank-states.ts'

/** The lists of the file, for deferred vertices. */
type FileLists = Pick<GraphPieces, 'graph' | 'endOf' | 'readTargets'>

/** What the serial finish reads and writes. */
export type StatesByVertex = Pick<HostStates, 'get' | 'set'>

/** What the scans of a pass leave. */
interface ResidualGraph {
  readonly residuals: Residual[]
  /** Deferred vertices, whose lists are read again. */
  readonly deferred: number
  readonly order: SetOrder
  readonly pieces: FileLists
}

/** Vertices of the residual graph, then deferred ones. */
interface Waiting {
  readonly vertices: Uint32Array
  readonly degrees: Uint32Array
  /** How many have records, residual by residual. */
  readonly recorded: number
}

const NONE = new Uint32Array(0)
const VERTICES_A_LOOK = 1 << 14
/** Arcs read at a time from a list that is read again. */
const ARCS_A_READ = 1 << 20

/**
 * The serial finish: one pass over the undecided in order of priority, as sweeps decide few of a long chain.
 * @returns how many vertices it decided
 */
export function finishSet(
  states: StatesByVertex,
  { residuals, deferred, order, pieces }: ResidualGraph,
  job: JobContext,
): number {
  const waiting = waitingVertices(states, residuals, deferred, pieces)
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
    const isOut = at < waiting.recorded ? recordHasMember(at) : hasMemberInFile(states, v, pieces)
    states.set(v, isOut ? OUT : IN)
    decided++
  }
  return decided
}

function waitingVertices(
  states: StatesByVertex,
  residuals: readonly Residual[],
  deferred: number,
  pieces: FileLists,
): Waiting {
  const recorded = residuals.reduce((sum, { records }) => sum + records.length / RECORD_WORDS, 0)
  const unlisted = deferred === 0 ? NONE : withoutRecord(states, residuals, { first: 0, end: pieces.graph.vertices })
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
function withoutRecord(states: StatesByVertex, residuals: readonly Residual[], { first, end }: Range): Uint32Array {
  const recorded = new VertexSet(end)
  for (const { records } of residuals)
    for (let at = 0; at < records.length; at += RECORD_WORDS) if (records[at]! < end) recorded.add(records[at]!)
  const found = new WordList()
  for (let v = first; v < end; v++) if (states.get(v) === UNDECIDED && !recorded.has(v)) found.push(v)
  return found.words
}

/** Keys that ascend from the highest priority on, the least significant words first. */
function precedenceKeys({ params, codes, column }: SetOrder, { vertices, degrees }: Waiting): Uint32Array[] {
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

function hasMemberInFile(states: StatesByVertex, v: number, pieces: FileLists): boolean {
  const last = pieces.endOf(v)
  for (let first = pieces.endOf(v - 1); first < last; first += ARCS_A_READ) {
    const targets = pieces.readTargets(first, Math.min(last, first + ARCS_A_READ))
    if (hasMember(states, targets, 0, targets.length)) return true
  }
  return false
}

/**
 * The end of a pass, here or among ranks: rounds of local fixed points and exchanges until few vertices wait; the first rank decides these,
 * deferred ones of all ranks among them.
 * @param ranks undefined: there are no others
 * @returns how many vertices were decided at the end by this rank
 */
export const finishPass = (
  states: HostStates,
  ranks: RankStates | undefined,
  graph: ResidualGraph,
  own: Range,
  job: JobContext,
): number | Promise<number> =>
  ranks === undefined ? finishSet(states, graph, job) : finishAcross(ranks, graph, own, job)

async function finishAcross(ranks: RankStates, graph: ResidualGraph, own: Range, job: JobContext): Promise<number> {
  const { states } = ranks
  const { order, pieces } = graph
  const unlisted = graph.deferred === 0 ? NONE : withoutRecord(states, graph.residuals, own)
  let residual = joinedResidual(states, graph.residuals)
  if (ranks.next === 'round') {
    const waiting = new WaitingVertices(states, residual, order, pieces)
    while (ranks.next === 'round') {
      waiting.decide()
      const deferred = unlisted.filter((v) => states.get(v) === UNDECIDED).length
      await ranks.round({
        waiting: waiting.count + deferred,
        words: waiting.words + RECORD_WORDS * deferred,
        deferred,
      })
      job.progress({ phase: 'finish', done: ranks.rounds, unit: 'vertices', round: ranks.rounds })
    }
    if (ranks.next === 'gather') {
      waiting.decide()
      residual = joinedResidual(states, [residual])
    }
  }
  if (ranks.next === 'over') return 0
  const others = ranks.rest ?? (await ranks.gather(ranks.exchange.rank === 0 ? undefined : residual))
  if (ranks.exchange.rank > 0) return 0
  return finishSet(states, { ...graph, residuals: [residual, ...others], deferred: ranks.deferred }, job)
}

/**
 * Vertices that wait for others, in order of priority: each look at all of them decides what follows from the states here, so that chains
 * need no further looks.
 */
class WaitingVertices {
  readonly #states: HostStates
  readonly #residual: Residual
  #walk: Uint32Array

  constructor(states: HostStates, residual: Residual, order: SetOrder, pieces: FileLists) {
    this.#states = states
    this.#residual = residual
    this.#walk = radixOrder(precedenceKeys(order, waitingVertices(states, [residual], 0, pieces)))
  }

  /** Vertices that are still undecided. */
  get count(): number {
    return this.#walk.length
  }

  /** The most words that they take to publish. */
  get words(): number {
    const { records } = this.#residual
    return this.#walk.reduce((sum, record) => {
      const at = RECORD_WORDS * record
      return sum + RECORD_WORDS + records[at + 2]! - records[at + 1]!
    }, 0)
  }

  decide(): void {
    const { records, pool } = this.#residual
    const states = this.#states
    let left = 0
    for (const record of this.#walk) {
      const at = RECORD_WORDS * record
      const v = records[at]!
      if (v === NO_VERTEX || states.get(v) !== UNDECIDED) continue
      let state = IN
      for (let i = records[at + 1]!; i < records[at + 2]! && state !== OUT; i++) {
        const other = states.get(pool[i]!)
        if (other === IN) state = OUT
        else if (other === UNDECIDED) state = UNDECIDED
      }
      if (state === UNDECIDED) this.#walk[left++] = record
      else states.set(v, state)
    }
    this.#walk = this.#walk.subarray(0, left)
  }
}

/** Those of the residual graphs of a rank that are undecided still, in one, with their blockers that are not out. The graphs are taken away. */
function joinedResidual(states: HostStates, residuals: Residual[]): Residual {
  const all = residuals.splice(0)
  const blocks = (u: number): boolean => states.get(u) !== OUT
  let [vertices, words] = [0, 0]
  for (const { records, pool } of all)
    for (let at = 0; at < records.length; at += RECORD_WORDS) {
      if (!isWaiting(states, records[at]!)) continue
      vertices++
      for (let i = records[at + 1]!; i < records[at + 2]!; i++) if (blocks(pool[i]!)) words++
    }
  const joined = { records: new Uint32Array(RECORD_WORDS * vertices), pool: new Uint32Array(words) }
  let [to, end] = [0, 0]
  for (let graph = all.shift(); graph !== undefined; graph = all.shift()) {
    const { records, pool } = graph
    for (let at = 0; at < records.length; at += RECORD_WORDS) {
      if (!isWaiting(states, records[at]!)) continue
      joined.records[to] = records[at]!
      joined.records[to + 1] = end
      for (let i = records[at + 1]!; i < records[at + 2]!; i++) if (blocks(pool[i]!)) joined.pool[end++] = pool[i]!
      joined.records[to + 2] = end
      joined.records[to + 3] = records[at + 3]!
      to += RECORD_WORDS
    }
  }
  return joined
}

const isWaiting = (states: HostStates, v: number): boolean => v !== NO_VERTEX && states.get(v) === UNDECIDED
