import { algorithmEntry } from '../contract/catalogue.ts'
import type { PlannedOptions, PlanStep } from '../contract/jobs.ts'
import type { Algorithm } from './algorithm.ts'
import { paceFor } from '../verify/verify-together.ts'
import type { GraphSize } from './estimate.ts'

/** Of the host: what a streamed reading of the graph has at hand. */
const STREAM_BYTES = 8 << 20
/** Two words of waiting and a bit of membership (quality/swap-pass.ts). */
const SWAP_BYTES = 9
/** Arms of each vertex, and its mate (ld-gpu/augment.ts). */
const AUGMENT_BYTES = 36
/** Degrees, ranks, and sets of bits (verification). */
const VERIFY_SET_BYTES = 6
/** Mates, the heaviest edge and the mate's, degrees, and a dual solution (verification). */
const VERIFY_MATCHING_BYTES = 32
/** Of each thread that verifies: two pieces of the graph, and what is noted of them. */
const VERIFY_THREAD_BYTES = { set: 8 << 20, matching: 20 << 20 }

/** What follows on the host once there is a result: making it better, and checking it. Each pass reads the whole graph. */
export function stepsAfter(algorithm: Algorithm, options: PlannedOptions, size: GraphSize): PlanStep[] {
  const { vertices } = size
  const step = (name: PlanStep['name'], bytes: number, passes: number, rooms = STREAM_BYTES): PlanStep => ({
    name,
    hostBytes: rooms + bytes * vertices,
    deviceBytes: 0,
    scratchBytes: 0,
    diskBytes: 0,
    passes,
  })
  const isMatching = algorithmEntry(options.algorithm)?.kind === 'matching'
  const passes = algorithm.improvePasses(options, size)
  const improve = passes === 0 ? [] : [step('improve', isMatching ? AUGMENT_BYTES : SWAP_BYTES, passes)]
  if (options.verify !== true) return improve
  const [of, bytes] = isMatching ? (['matching', VERIFY_MATCHING_BYTES] as const) : (['set', VERIFY_SET_BYTES] as const)
  const rooms = VERIFY_THREAD_BYTES[of] * paceFor(of, size).threads
  const check = step('verify', bytes, isMatching ? 2 : 1, rooms)
  return [...improve, check]
}
