import { HEAD_WIDTH, NO_ENTRY } from '../graph/oriented-view.ts'
import type { WalkPlan } from './walk-plan.ts'
import { NAME_SLOTS, PIECES } from './walk-plan.ts'

/** Words of the control that are not of one group. */
export const CONTROL_WORDS = 9
/** Words a group: pieces of its heads that were read, shares that were walked, and that are decided, pieces of its names that were read, and noted; whether a device has seen it. */
export const GROUP_WORDS = 6
export const DECIDED = 2
export const FAILURE_BYTES = 4096

/** Bytes that a thread read, by section. */
export const readKinds = ['heads', 'tails', 'behind'] as const
export type ReadKind = (typeof readKinds)[number]

/** What the threads that walk share with the thread that drives the device. */
export interface WalkMemory {
  readonly plan: WalkPlan
  readonly states: Uint32Array
  readonly tailOffsets: Uint32Array
  /** As many groups' heads as the plan has slots. */
  readonly heads: Uint32Array
  /** Which vertex stands where: NAME_SLOTS times the vertices of a group. */
  readonly behind: Uint32Array
  /** A bit for each vertex of the graph. */
  readonly members: Int32Array
  readonly control: Int32Array
  /** CRC-32 of the pieces of all heads, then of all pieces of which vertex stands where. */
  readonly sums: Uint32Array
  /** Bytes read of each kind by each thread. */
  readonly bytesRead: Float64Array
  /** JSON of the failure, zero-padded. */
  readonly failure: Uint8Array
}

export const sharedWords = (words: number): Uint32Array =>
  new Uint32Array(new SharedArrayBuffer(4 * Math.max(1, words)))

/** @param states of all vertices, in shared memory; those of the front are decided */
export function walkMemory(plan: WalkPlan, states: Uint32Array, tailOffsets: Uint32Array, threads: number): WalkMemory {
  const { vertices, groups, groupVertices, sharesOfGroup, turns } = plan
  const control = new Int32Array(new SharedArrayBuffer(4 * (CONTROL_WORDS + GROUP_WORDS * groups)))
  const open = new Set(turns)
  for (let group = 0; group < groups; group++)
    if (!open.has(group)) control[CONTROL_WORDS + GROUP_WORDS * group + DECIDED] = sharesOfGroup
  return {
    plan,
    states,
    tailOffsets,
    heads: sharedWords(plan.slots * HEAD_WIDTH * groupVertices),
    behind: sharedWords(Math.min(NAME_SLOTS, groups) * groupVertices),
    members: new Int32Array(new SharedArrayBuffer(4 * Math.ceil(vertices / 32))),
    control,
    sums: sharedWords(2 * PIECES * groups),
    bytesRead: new Float64Array(new SharedArrayBuffer(8 * readKinds.length * threads)),
    failure: new Uint8Array(new SharedArrayBuffer(FAILURE_BYTES)),
  }
}

/** Fills the heads of vertices that stand before the front, of which none are read. */
export function fillFrontHeads({ plan }: WalkMemory, heads: Uint32Array, group: number): void {
  if (group === 0) heads.fill(NO_ENTRY, 0, HEAD_WIDTH * (plan.front - plan.first))
}
