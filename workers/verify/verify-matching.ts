import { ExactSum } from '../base/exact-sum.ts'
import type { JobContext } from '../base/job.ts'
import type { Verdict } from '../contract/jobs.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import type { Labels } from '../graph/labels.ts'
import type { Matching } from '../graph/matching.ts'
import type { EdgeOrder } from '../graph/edge-order.ts'
import { unitsOf } from '../graph/weighed-lists.ts'
import { boundOf } from './dual-bound.ts'
import type { MatchingFindings, MatchingLaw, MatchingWitness } from './matching-share.ts'
import type { VerifyPace } from './verify-together.ts'
import { paceFor, roomFor, verifyTogether } from './verify-together.ts'

/** What a matching claims to be. */
export interface MatchingClaim {
  readonly matching: Matching
  /** What edges weigh, which of two of equal weight comes first, and which are left out. */
  readonly order: EdgeOrder
  /** Whether it is locally dominant, or only maximal. */
  readonly dominant: boolean
}

const lawWords: Readonly<Record<MatchingLaw, string>> = {
  valid: 'a matching',
  'maximal-matching': 'maximal',
  'locally-dominant': 'locally dominant',
}

/**
 * Checks a matching against the canonical graph in two passes over its arcs; it knows no view, no pointer and no kernel. Valid:
 * mates are mutual, and neighbours. Maximal: every edge has an end with a mate. Locally dominant: every edge outside has an end
 * whose matched edge comes before it; then the matching has at least half of the weight of any (Preis 1999; LD-GPU, SC 2024, Lemma II.1).
 * On the way it gathers a dual solution: no matching weighs more than its sum.
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
  const work = {
    of: 'matching' as const,
    mates: asShared(matching.mates, chosen),
    order,
    dominant,
    prices: new Float32Array(roomFor(chosen, 8 * vertices)),
    degrees: new Uint32Array(roomFor(chosen, order.ties === 'degree' ? 4 * vertices : 0)),
    isNone: new Int32Array(roomFor(chosen, 4)),
  }
  const { findings, besides } = await verifyTogether(graph, work, chosen, job, (pause) => matching.summary(pause))
  const common = {
    size: besides.pairs,
    hash: besides.hash,
    weight: weightOf(findings) / units,
    upperBound: boundOf(work.prices) / units,
    elapsedMs: performance.now() - startMs,
  }
  const witness = lowest(findings)
  if (witness === undefined) return { ...common, verified: true }
  const edge = [labels.of(witness.u), labels.of(witness.v)] as const
  const sentence = `not ${lawWords[witness.law]}: vertices ${edge[0]} and ${edge[1]} ${witness.words}`
  return { ...common, verified: false, law: witness.law, edge, sentence }
}

function asShared(mates: Uint32Array, pace: VerifyPace): Uint32Array {
  if (pace.threads === 1 || mates.buffer instanceof SharedArrayBuffer) return mates
  const room = new Uint32Array(roomFor(pace, mates.byteLength))
  room.set(mates)
  return room
}

/** The sum of what all threads found, exact and rounded once: who found what is all the same. */
function weightOf(findings: readonly MatchingFindings[]): number {
  const sum = new ExactSum()
  for (const { terms } of findings) for (const term of terms) sum.add(term)
  return sum.value
}

/** Where it is no matching, no thread looks for anything else. */
function lowest(findings: readonly MatchingFindings[]): MatchingWitness | undefined {
  return findings.flatMap(({ witness }) => witness ?? []).sort((a, b) => a.u - b.u)[0]
}
