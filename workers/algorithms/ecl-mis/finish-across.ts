import { NO_VERTEX, RECORD_WORDS } from '../../../kernels/mis/visit-lists.ts'
import type { JobContext } from '../../base/job.ts'
import type { GraphPieces, Range } from '../../graph/graph-pieces.ts'
import { radixOrder } from '../../graph/sorters.ts'
import type { SetOrder } from '../../graph/set-order.ts'
import { IN, OUT, UNDECIDED } from '../../graph/vertex-states.ts'
import { type ResidualGraph, finishSet, precedenceKeys, waitingVertices, withoutRecord } from './finish-set.ts'
import type { Residual } from './host-kernels.ts'
import type { HostStates } from './host-states.ts'
import type { RankStates } from './rank-states.ts'

/**
 * Rounds of local fixed points and exchanges until few vertices wait; the first rank decides these, deferred ones of all ranks among them.
 * @returns how many vertices were decided at the end by this rank
 */
export async function finishAcross(
  ranks: RankStates,
  graph: ResidualGraph,
  own: Range,
  job: JobContext,
): Promise<number> {
  const { states } = ranks
  const { order, pieces, left } = graph
  const unlisted = left === 0 ? [] : withoutRecord(states, graph.residuals, own)
  let residual = joinedResidual(states, graph.residuals)
  if (ranks.next === 'round') {
    const waiting = new WaitingVertices(states, residual, order, pieces)
    while (ranks.next === 'round') {
      waiting.decide()
      const deferred = unlisted.filter((v) => states.get(v) === UNDECIDED).length
      await ranks.round({
        waiting: waiting.count + deferred,
        words: waiting.words + RECORD_WORDS * deferred,
        left: deferred,
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
  return finishSet(states, { ...graph, residuals: [residual, ...others], left: ranks.left }, job)
}

/**
 * Vertices that wait for others, in order of priority: each look at all of them decides what follows from the states here, so that chains
 * need no further looks.
 */
class WaitingVertices {
  readonly #states: HostStates
  readonly #residual: Residual
  #walk: Uint32Array

  constructor(states: HostStates, residual: Residual, order: SetOrder, pieces: GraphPieces) {
    this.#states = states
    this.#residual = residual
    this.#walk = radixOrder(precedenceKeys(order, waitingVertices(states, [residual], 0, pieces)))
  }

  /** Vertices that are still undecided. */
  get count(): number {
    return this.#walk.length
  }

  /** That they take at most to publish. */
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
