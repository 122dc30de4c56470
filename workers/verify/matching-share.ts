import { ExactSum } from '../base/exact-sum.ts'
import { NO_MATE } from '../graph/matching.ts'
import type { EdgeOrder } from '../graph/edge-order.ts'
import type { Prices } from './dual-bound.ts'
import { DualBound, forgetMates, mateWeightOf, startPrices } from './dual-bound.ts'
import { EdgeComparison } from './edge-comparison.ts'
import type { Member, Pass } from './pass.ts'
import { makePass } from './pass.ts'
import type { Piece } from './pieces.ts'
import { WeighedPiece } from './weighed-piece.ts'

/** A matching that threads check together, in memory that they share. */
export interface MatchingWork {
  readonly of: 'matching'
  readonly mates: Uint32Array
  readonly order: EdgeOrder
  /** Whether it claims to be locally dominant, or only maximal. */
  readonly dominant: boolean
  readonly prices: Prices
  /** Of the vertices, where ties ask for them; else empty. */
  readonly degrees: Uint32Array
  /** One word: not 0 once it is known to be no matching. */
  readonly isNone: Int32Array
}

export type MatchingLaw = 'valid' | 'maximal-matching' | 'locally-dominant'

/** A law that is broken at u, the lowest such vertex of those that a thread looked at. */
export interface MatchingWitness {
  readonly law: MatchingLaw
  readonly u: number
  readonly v: number
  readonly words: string
}

export interface MatchingFindings {
  readonly of: 'matching'
  readonly witness: MatchingWitness | undefined
  /** Whose sum is that of the weights of the matched edges whose lower ends the thread looked at, in units. */
  readonly terms: readonly number[]
}

export const MATCHING_PASSES = 2

/** One thread's share of checking a matching. @param leads whether it does what one thread does for all */
export async function checkMatchingShare(
  work: MatchingWork,
  member: Member,
  leads: boolean,
): Promise<MatchingFindings> {
  const list = new WeighedPiece(work.order)
  const of = { passes: MATCHING_PASSES, withWeights: list.areStored }
  const validity = new ValidityPass(work, list)
  await makePass(member, validity, { ...of, number: 0 })
  if (validity.witness !== undefined) Atomics.store(work.isNone, 0, 1)
  await member.barrier.arrive()
  const isMatching = Atomics.load(work.isNone, 0) === 0
  // What comes later would only repeat that this is no matching.
  if (leads && !isMatching) forgetMates(work.prices)
  await member.barrier.arrive()
  const dominance = new DominancePass(work, list, isMatching)
  await makePass(member, dominance, { ...of, number: 1 })
  await member.barrier.arrive()
  return { of: 'matching', witness: validity.witness ?? dominance.witness, terms: [...validity.sum.terms] }
}

/** Mates are mutual and neighbours; notes what weighs what. */
class ValidityPass implements Pass {
  witness: MatchingWitness | undefined
  readonly sum = new ExactSum()
  readonly #work: MatchingWork
  readonly #list: WeighedPiece

  constructor(work: MatchingWork, list: WeighedPiece) {
    this.#work = work
    this.#list = list
  }

  scan(piece: Piece): void {
    const { mates, prices, degrees } = this.#work
    for (let v = piece.first; v < piece.end; v++) {
      const i = v - piece.first
      if (degrees.length > 0) degrees[v] = piece.starts[i + 1]! - piece.starts[i]!
      const mate = mates[v]!
      const weight = mate === NO_MATE ? 0 : this.#list.weightTo(mate, piece, i)
      startPrices(prices, v, this.#list.heaviest(piece, i), weight ?? 0)
      if (mate === NO_MATE) continue
      if (weight === undefined) this.#note(v, mate, 'are paired, and the graph has no such edge')
      else if (mates[mate] !== v) this.#note(v, mate, 'are not each other’s mates')
      if (weight !== undefined && mate > v) this.sum.add(weight)
    }
  }

  #note(u: number, v: number, words: string): void {
    this.witness ??= { law: 'valid', u, v, words }
  }
}

/** Every edge outside is beaten at one of its ends; lowers the prices. Before it, the prices tell the weights of matched edges. */
class DominancePass implements Pass {
  witness: MatchingWitness | undefined
  readonly #work: MatchingWork
  readonly #list: WeighedPiece
  readonly #bound: DualBound
  readonly #looks: boolean
  readonly #here: EdgeComparison
  readonly #there: EdgeComparison

  /** @param looks whether laws are to be checked, beside the prices */
  constructor(work: MatchingWork, list: WeighedPiece, looks: boolean) {
    this.#work = work
    this.#list = list
    this.#looks = looks
    this.#bound = new DualBound(work.prices)
    this.#here = new EdgeComparison(work.order, work.degrees)
    this.#there = new EdgeComparison(work.order, work.degrees)
  }

  scan(piece: Piece, settled: number): void {
    for (let v = piece.first; v < piece.end; v++) {
      this.#list.moveTo(piece, v - piece.first)
      if (this.#looks && this.witness === undefined) this.#check(v, piece.targets)
      this.#bound.scan(piece, v, this.#list, settled)
    }
  }

  settle(piece: Piece): void {
    this.#bound.settle(piece)
  }

  #check(v: number, targets: Uint32Array): void {
    const { mates, prices, dominant } = this.#work
    const { start, count, at, weights } = this.#list
    const mate = mates[v]!
    if (!dominant && mate !== NO_MATE) return
    const own = mateWeightOf(prices, v)
    // Each edge once, from its lower end.
    for (let i = count - 1; i >= 0; i--) {
      const u = targets[start + i]!
      const weight = weights[at + i]!
      if (u < v) break
      if (u === mate || own > weight || mateWeightOf(prices, u) > weight) continue
      this.#look(v, u, weight)
    }
  }

  /** An edge that weighs no less than the matched edges at its ends. Of several at one vertex that are not beaten, the last look is at the first. */
  #look(v: number, u: number, weight: number): void {
    const { mates, dominant } = this.#work
    if (mates[v] === NO_MATE && mates[u] === NO_MATE) {
      this.#note('maximal-matching', v, u, 'are neighbours, and neither has a mate')
      return
    }
    if (!dominant || this.#isBeaten(this.#here, v, u, weight) || this.#isBeaten(this.#there, u, v, weight)) return
    this.#note('locally-dominant', v, u, 'are joined by an edge that comes before the matched edges at both')
  }

  /** Whether the matched edge at v comes before the edge from v to u. */
  #isBeaten(comparison: EdgeComparison, v: number, u: number, weight: number): boolean {
    const { mates, prices } = this.#work
    const mate = mates[v]!
    return mate !== NO_MATE && mateWeightOf(prices, v) === weight && comparison.comesBefore(v, mate, u)
  }

  #note(law: MatchingLaw, u: number, v: number, words: string): void {
    this.witness = { law, u, v, words }
  }
}
