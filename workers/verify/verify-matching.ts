import { ExactSum } from '../base/exact-sum.ts'
import type { JobContext } from '../base/job.ts'
import type { Verdict } from '../contract/jobs.ts'
import type { EdgeOrder } from '../graph/edge-order.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import type { Labels } from '../graph/labels.ts'
import { type Matching, NO_MATE } from '../graph/matching.ts'
import { unitsOf } from '../graph/weighed-lists.ts'
import { boundOf, DualBound, forgetMates, mateWeightOf, type Prices, startPrices } from './dual-bound.ts'
import { EdgeWeights, TieRule } from './edge-weights.ts'
import { type Batch, makePass, type Pass, type VerifyWorker } from './pass.ts'
import { bufferFor, paceFor, type VerifyPace, verifyTogether } from './verify-together.ts'

export interface MatchingClaim {
  readonly matching: Matching
  readonly order: EdgeOrder
  readonly dominant: boolean
}

interface MatchingWork extends Omit<MatchingClaim, 'matching'> {
  readonly mates: Uint32Array
  readonly prices: Prices
  /** Where ties go by them; else empty. */
  readonly degrees: Uint32Array
  /** Not 0: the mates are no matching. */
  readonly isNone: Int32Array
}

/** At the lowest such vertex of those that a worker scanned. */
interface MatchingWitness {
  readonly law: keyof typeof lawWords
  readonly u: number
  readonly v: number
  readonly words: string
}

interface MatchingFindings {
  readonly witness: MatchingWitness | undefined
  /** Of the matched edges whose lower ends the worker scanned, in units. */
  readonly terms: readonly number[]
}

const lawWords = {
  valid: 'a matching',
  'maximal-matching': 'maximal',
  'locally-dominant': 'locally dominant',
} as const

/**
 * Checks a matching against the canonical graph in two passes over its arcs, independently of the algorithms. Valid: mates are mutual,
 * and neighbours. Maximal: every edge has an end with a mate. Locally dominant: every other edge has an end whose matched edge comes
 * before it; then the matching has at least half of the weight of any (Preis 1999; LD-GPU, SC 2024, Lemma II.1).
 * The same passes build a dual solution: no matching weighs more than its sum.
 */
export async function verifyMatching(
  graph: GaloisGr,
  labels: Labels,
  { matching, order, dominant }: MatchingClaim,
  job: JobContext,
  pace: Partial<VerifyPace> = {},
): Promise<Verdict> {
  const startMs = performance.now()
  const { vertices } = graph
  const units = unitsOf(order.weights)
  const chosen = paceFor('matching', graph, pace)
  const work: MatchingWork = {
    mates: asShared(matching.mates, chosen),
    order,
    dominant,
    prices: new Float32Array(bufferFor(chosen, 8 * vertices)),
    degrees: new Uint32Array(bufferFor(chosen, order.ties === 'degree' ? 4 * vertices : 0)),
    isNone: new Int32Array(bufferFor(chosen, 4)),
  }
  const check = { name: 'matching', check: checkMatching } as const
  const { findings, own } = await verifyTogether(graph, check, work, chosen, job, (wait) => matching.summary(wait))
  const sum = new ExactSum()
  for (const { terms } of findings) for (const term of terms) sum.add(term)
  const common = {
    size: own.pairs,
    hash: own.hash,
    weight: sum.value / units,
    upperBound: boundOf(work.prices) / units,
    elapsedMs: performance.now() - startMs,
  }
  const [lowest] = findings.flatMap(({ witness }) => witness ?? []).sort((a, b) => a.u - b.u)
  if (lowest === undefined) return { ...common, verified: true }
  const edge = [labels.of(lowest.u), labels.of(lowest.v)] as const
  const sentence = `not ${lawWords[lowest.law]}: vertices ${edge[0]} and ${edge[1]} ${lowest.words}`
  return { ...common, verified: false, law: lowest.law, edge, sentence }
}

function asShared(mates: Uint32Array, pace: VerifyPace): Uint32Array {
  if (pace.threads === 1 || mates.buffer instanceof SharedArrayBuffer) return mates
  const copy = new Uint32Array(bufferFor(pace, mates.byteLength))
  copy.set(mates)
  return copy
}

export async function checkMatching(work: MatchingWork, worker: VerifyWorker): Promise<MatchingFindings> {
  const { barrier } = worker
  const weights = new EdgeWeights(work.order)
  const of = { passes: 2, withWeights: weights.areStored }
  const validity = new ValidityPass(work, weights)
  await makePass(worker, validity, { ...of, number: 0 })
  if (validity.witness !== undefined) Atomics.store(work.isNone, 0, 1)
  await barrier.arrive()
  // Else the other laws only repeat that.
  const isMatching = Atomics.load(work.isNone, 0) === 0
  if (worker.isCoordinator && !isMatching) forgetMates(work.prices)
  await barrier.arrive()
  const dominance = new DominancePass(work, weights, isMatching)
  await makePass(worker, dominance, { ...of, number: 1 })
  await barrier.arrive()
  return { witness: validity.witness ?? dominance.witness, terms: [...validity.sum.terms] }
}

class ValidityPass implements Pass {
  witness: MatchingWitness | undefined
  readonly sum = new ExactSum()
  readonly #work: MatchingWork
  readonly #weights: EdgeWeights

  constructor(work: MatchingWork, weights: EdgeWeights) {
    this.#work = work
    this.#weights = weights
  }

  scan(batch: Batch): void {
    const { mates, prices, degrees } = this.#work
    for (let v = batch.first; v < batch.end; v++) {
      const i = v - batch.first
      if (degrees.length > 0) degrees[v] = batch.starts[i + 1]! - batch.starts[i]!
      const mate = mates[v]!
      const weight = mate === NO_MATE ? 0 : this.#weights.weightTo(mate, batch, i)
      startPrices(prices, v, this.#weights.heaviest(batch, i), weight ?? 0)
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

/** Lowers the prices. */
class DominancePass implements Pass {
  witness: MatchingWitness | undefined
  readonly #work: MatchingWork
  readonly #weights: EdgeWeights
  readonly #bound: DualBound
  readonly #isMatching: boolean
  readonly #here: TieRule
  readonly #there: TieRule

  constructor(work: MatchingWork, weights: EdgeWeights, isMatching: boolean) {
    this.#work = work
    this.#weights = weights
    this.#isMatching = isMatching
    this.#bound = new DualBound(work.prices)
    this.#here = new TieRule(work.order, work.degrees)
    this.#there = new TieRule(work.order, work.degrees)
  }

  scan(batch: Batch, settled: number): void {
    for (let v = batch.first; v < batch.end; v++) {
      this.#weights.moveTo(batch, v - batch.first)
      if (this.#isMatching && this.witness === undefined) this.#check(v, batch.targets)
      this.#bound.scan(batch, v, this.#weights, settled)
    }
  }

  settle(batch: Batch): void {
    this.#bound.settle(batch)
  }

  #check(v: number, targets: Uint32Array): void {
    const { mates, prices, dominant } = this.#work
    const { start, count, at, weights } = this.#weights
    const mate = mates[v]!
    if (!dominant && mate !== NO_MATE) return
    const own = mateWeightOf(prices, v)
    // The last that is noted is the first of the list.
    for (let i = count - 1; i >= 0; i--) {
      const u = targets[start + i]!
      const weight = weights[at + i]!
      if (u < v) break
      if (u === mate || own > weight || mateWeightOf(prices, u) > weight) continue
      this.#checkEdge(v, u, weight)
    }
  }

  #checkEdge(v: number, u: number, weight: number): void {
    const { mates, dominant } = this.#work
    if (mates[v] === NO_MATE && mates[u] === NO_MATE)
      this.witness = { law: 'maximal-matching', u: v, v: u, words: 'are neighbours, and neither has a mate' }
    else if (dominant && !this.#isBeaten(this.#here, v, u, weight) && !this.#isBeaten(this.#there, u, v, weight)) {
      const words = 'are joined by an edge that comes before the matched edges at both'
      this.witness = { law: 'locally-dominant', u: v, v: u, words }
    }
  }

  #isBeaten(ties: TieRule, v: number, u: number, weight: number): boolean {
    const { mates, prices } = this.#work
    const mate = mates[v]!
    return mate !== NO_MATE && mateWeightOf(prices, v) === weight && ties.comesBefore(v, mate, u)
  }
}
