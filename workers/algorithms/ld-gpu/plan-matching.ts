import { viewBytes } from '../../graph/view-file.ts'
import type { WeightOrderedKind } from '../../graph/weight-ordered-view.ts'
import type { PlanStep, ResourcePlan } from '../../jobs.ts'
import { boundOf, hostBytes, tooSmall } from './plan-match.ts'

/** Words of memory for each arc and vertex that one thread has at hand while lists are ordered; more than any graph was seen to take. */
const ORDERING_WORDS = 12
const LEAST_BYTES = 1 << 20

/** Building the weight-ordered view: in pieces, so that it never takes more than its budget. Tails have at most `arcs` entries. */
export function matchingViewStep(
  vertices: number,
  arcs: number,
  budgetBytes: number,
  kind: WeightOrderedKind,
): PlanStep {
  return {
    name: 'view',
    hostBytes: Math.min(budgetBytes, LEAST_BYTES + 4 * ORDERING_WORDS * (vertices + arcs)),
    deviceBytes: 0,
    scratchBytes: 0,
    diskBytes: viewBytes(vertices, arcs, kind),
    passes: 1,
  }
}

/** Computing: nothing is read twice; where little fits, only a part of the view is read. */
export function matchingRunStep(vertices: number, estimate: MatchingEstimate): PlanStep {
  return {
    name: 'run',
    hostBytes: estimate.hostBytes,
    deviceBytes: estimate.deviceBytes,
    scratchBytes: 0,
    diskBytes: 4 * vertices,
    passes: 1,
  }
}

export interface MatchingEstimate {
  readonly deviceBytes: number
  readonly batches: number
  readonly hostBytes: number
}

/** What a matching needs on a device before its view is there to be cut; with the refusal where not even the vertices fit. */
export function estimateMatching(
  vertices: number,
  tailEntries: number,
  wanted: number | undefined,
  budgetBytes: number,
  devices: readonly string[],
): { readonly estimate: MatchingEstimate; readonly refusal: ResourcePlan['refusal'] } {
  const { residence, deviceBytes } = boundOf(vertices, tailEntries, devices, budgetBytes, wanted)
  const estimate = {
    deviceBytes,
    batches: Math.max(wanted ?? 1, devices.length),
    hostBytes: hostBytes(vertices, residence ?? 'none'),
  }
  return { estimate, refusal: residence === undefined ? tooSmall(vertices, deviceBytes, budgetBytes).toValue() : null }
}
