import { ExactSum } from '../ingest/external/exact-sum.ts'
import type { JobContext } from '../job.ts'
import type { Verdict } from '../jobs.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import type { Labels } from '../graph/labels.ts'
import type { Matching } from '../graph/matching.ts'
import { NO_MATE } from '../graph/matching.ts'
import type { EdgeOrder } from '../graph/views/edge-order.ts'
import type { WeighedList } from '../graph/weighed-lists.ts'
import { unitsOf, weighedLists } from '../graph/weighed-lists.ts'
import { DualBound } from './dual-bound.ts'
import { comesBefore } from './edge-comparison.ts'

/** What a matching claims to be. */
export interface MatchingClaim {
  readonly matching: Matching
  /** What edges weigh, which of two of equal weight comes first, and which are left out. */
  readonly order: EdgeOrder
  /** Whether it is locally dominant, or only maximal. */
  readonly dominant: boolean
}

type Law = 'valid' | 'maximal-matching' | 'locally-dominant'
type Witness = { readonly law: Law; readonly u: number; readonly v: number; readonly words: string }

/**
 * Checks a matching against the canonical graph in two passes over its arcs; it knows no view, no pointer and no kernel. Valid:
 * mates are mutual, and neighbours. Maximal: every edge has an end with a mate. Locally dominant: every edge outside has an end
 * whose matched edge comes before it; then the matching has at least half of the weight of any (Preis 1999; LD-GPU, SC 2024, Lemma II.1).
 * On the way it gathers a dual solution: no matching weighs more than its sum.
 */
export function verifyMatching(graph: GaloisGr, labels: Labels, claim: MatchingClaim, job: JobContext): Verdict {
  const startMs = performance.now()
  const { matching, order } = claim
  const units = unitsOf(order.weights)
  const check = new MatchingCheck(graph, claim)
  for (const list of weighedLists(graph, order, 'verify', job)) check.visit(list)
  check.endOfFirstPass()
  const bound = new DualBound(check.heaviest, check.mateWeights)
  for (const list of weighedLists(graph, order, 'verify', job)) {
    check.visitAgain(list)
    bound.visit(list)
  }
  const { pairs: size, hash } = matching.summary()
  const common = {
    size,
    hash,
    weight: check.weight / units,
    upperBound: bound.value / units,
    elapsedMs: performance.now() - startMs,
  }
  const { witness } = check
  if (witness === undefined) return { ...common, verified: true }
  const edge = [labels.of(witness.u), labels.of(witness.v)] as const
  const sentence = `not ${lawWords[witness.law]}: vertices ${edge[0]} and ${edge[1]} ${witness.words}`
  return { ...common, verified: false, law: witness.law, edge, sentence }
}

const lawWords: Readonly<Record<Law, string>> = {
  valid: 'a matching',
  'maximal-matching': 'maximal',
  'locally-dominant': 'locally dominant',
}

class MatchingCheck {
  witness: Witness | undefined
  /** The greatest weight of an edge at each vertex, and that of its matched edge; 0 for none. In units. */
  readonly heaviest: Float32Array
  readonly mateWeights: Float32Array
  readonly #mates: Uint32Array
  readonly #degrees: Uint32Array
  readonly #order: EdgeOrder
  readonly #dominant: boolean
  readonly #sum = new ExactSum()

  constructor(graph: GaloisGr, { matching, order, dominant }: MatchingClaim) {
    this.#mates = matching.mates
    this.#order = order
    this.#dominant = dominant
    this.heaviest = new Float32Array(graph.vertices)
    this.mateWeights = new Float32Array(graph.vertices)
    this.#degrees = new Uint32Array(order.ties === 'degree' ? graph.vertices : 0)
  }

  get weight(): number {
    return this.#sum.value
  }

  /** First pass: mates are mutual and neighbours; notes what weighs what. */
  visit({ v, neighbours, weights, degree }: WeighedList): void {
    if (this.#degrees.length > 0) this.#degrees[v] = degree
    const mate = this.#mates[v]!
    let found = mate === NO_MATE
    let heaviest = 0
    for (let i = 0; i < neighbours.length; i++) {
      const weight = weights[i]!
      if (weight > heaviest) heaviest = weight
      if (neighbours[i] !== mate) continue
      found = true
      this.mateWeights[v] = weight
      if (mate > v) this.#sum.add(weight)
    }
    this.heaviest[v] = heaviest
    if (!found) this.#note('valid', v, mate, 'are paired, and the graph has no such edge')
    else if (mate !== NO_MATE && this.#mates[mate] !== v) this.#note('valid', v, mate, 'are not each other’s mates')
  }

  endOfFirstPass(): void {
    // What comes later would only repeat that this is no matching.
    if (this.witness !== undefined) this.mateWeights.fill(0)
  }

  /** Second pass: every edge outside is beaten at one of its ends. */
  visitAgain({ v, neighbours, weights }: WeighedList): void {
    if (this.witness !== undefined) return
    const mates = this.#mates
    for (let i = 0; i < neighbours.length; i++) {
      const u = neighbours[i]!
      const weight = weights[i]!
      // Each edge once.
      if (u < v || mates[v] === u) continue
      if (mates[v] === NO_MATE && mates[u] === NO_MATE) {
        this.#note('maximal-matching', v, u, 'are neighbours, and neither has a mate')
        return
      }
      if (!this.#dominant || this.#isBeaten(v, u, weight) || this.#isBeaten(u, v, weight)) continue
      this.#note('locally-dominant', v, u, 'are joined by an edge that comes before the matched edges at both')
      return
    }
  }

  /** Whether the matched edge at v comes before the edge from v to u. */
  #isBeaten(v: number, u: number, weight: number): boolean {
    const mate = this.#mates[v]!
    if (mate === NO_MATE) return false
    if (this.mateWeights[v] !== weight) return this.mateWeights[v]! > weight
    return comesBefore(this.#order, this.#degrees, v, mate, u)
  }

  #note(law: Law, u: number, v: number, words: string): void {
    this.witness ??= { law, u, v, words }
  }
}
