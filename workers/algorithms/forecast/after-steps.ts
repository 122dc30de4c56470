import type { PlannedOptions, PlanStep } from '../../contract/jobs.ts'
import { augmentRounds } from '../ld-gpu/augment-option.ts'
import { orderOf } from '../ld-gpu/edge-order-of-run.ts'
import { parseSetQuality } from '../quality/quality-option.ts'
import { paceFor } from '../../verify/verify-together.ts'
import type { Subject } from './forecast.ts'

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
export function afterSteps(asked: PlannedOptions, subject: Subject): PlanStep[] {
  const { vertices } = subject
  const step = (name: PlanStep['name'], bytes: number, passes: number, rooms = STREAM_BYTES): PlanStep => ({
    name,
    hostBytes: rooms + bytes * vertices,
    deviceBytes: 0,
    scratchBytes: 0,
    diskBytes: 0,
    passes,
  })
  const isMatching = asked.algorithm === 'ld-gpu'
  const passes = isMatching ? augmentPasses(asked, subject) : swapPasses(asked)
  const improve = passes === 0 ? [] : [step('improve', isMatching ? AUGMENT_BYTES : SWAP_BYTES, passes)]
  if (asked.verify !== true) return improve
  const [of, bytes] = isMatching ? (['matching', VERIFY_MATCHING_BYTES] as const) : (['set', VERIFY_SET_BYTES] as const)
  const rooms = VERIFY_THREAD_BYTES[of] * paceFor(of, subject).threads
  const check = step('verify', bytes, isMatching ? 2 : 1, rooms)
  return [...improve, check]
}

/** At most: as many as asked for, and one that fills up. TC-MIS makes none. */
function swapPasses({ algorithm, quality }: PlannedOptions): number {
  const { passes } = algorithm === 'tc-mis' ? { passes: 0 } : parseSetQuality(quality)
  return passes === 0 ? 0 : passes + 1
}

/** At most: one that weighs where weights are stored, as many as asked for, and one that completes. */
function augmentPasses(asked: PlannedOptions, subject: Subject): number {
  const rounds = augmentRounds(asked.quality)
  if (rounds === 0) return 0
  return rounds + 1 + (orderOf(asked, subject).weights === 'column' ? 1 : 0)
}
