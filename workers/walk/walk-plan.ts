import { HEAD_WIDTH } from '../graph/oriented-view.ts'
import type { ViewHeader } from '../graph/view-file.ts'
import { UNDECIDED, VERTICES_PER_WORD, isDecidedWord, stateOf } from '../graph/vertex-states.ts'

/** Vertices whose heads are read, taken to the device and walked together: at most so many, and about so many groups. */
const MOST_GROUP = 1 << 20
const GROUPS = 16
const GROUPS_A_WORKER = 4
const LEAST_GROUP = 1 << 10
/** Vertices that a thread walks at a time. */
const MOST_SHARE = 1 << 14
/** Groups that each device may be ahead of the threads that walk: it answers late, and where it is further ahead more is undecided. */
const AHEAD = 3
/** Groups whose heads are in memory: one is walked, two are being read, and some are on the devices. */
const MORE_SLOTS = 3
/** Groups whose vertices' names are in memory, once they are read until the members among them are noted. */
export const NAME_SLOTS = 12
/** A group's heads are read in so many pieces, and so are its vertices' names. */
export const PIECES = 4

/** How a view that passes through a device by its heads is cut. Groups follow one another from the front of the view on. */
export interface WalkPlan {
  readonly vertices: number
  /** Positions before it have no entries. */
  readonly front: number
  /** Where the first group begins: at the front, or up to 15 vertices before. */
  readonly first: number
  /** Vertices of a group and of a share; both multiples of 16, and the first of the second. The last ones may have fewer, or none. */
  readonly groupVertices: number
  readonly shareVertices: number
  readonly groups: number
  readonly sharesOfGroup: number
  /** Groups that have undecided vertices to begin with, in order; the others are not read. */
  readonly turns: Uint32Array
  /** Devices, which take groups in turn. */
  readonly workers: number
  /** Turns that the devices may be ahead of the threads that walk. */
  readonly ahead: number
  /** Turns whose heads are in memory. */
  readonly slots: number
  /** Whether all heads are read, and taken to the devices, before anything is decided. */
  readonly stays: boolean
}

/** Positions [first, end). */
export interface Range {
  readonly first: number
  readonly end: number
}

export interface WalkSizes {
  readonly groupVertices: number
  readonly shareVertices: number
}

/** @param slabBytes for heads on the device, and on the host where that is the device */
export function walkSizes({ vertices, front }: ViewHeader, slabBytes: number, workers = 1): WalkSizes {
  const behind = vertices - front
  const affordable = slabBytes / (4 * HEAD_WIDTH * (AHEAD + MORE_SLOTS))
  const groups = Math.max(GROUPS, GROUPS_A_WORKER * workers)
  const most = Math.min(MOST_GROUP, affordable, Math.max(LEAST_GROUP, behind / groups))
  const share = Math.min(MOST_SHARE, most)
  const shareVertices = VERTICES_PER_WORD * Math.max(1, Math.floor(share / VERTICES_PER_WORD))
  return { groupVertices: shareVertices * Math.max(1, Math.floor(most / shareVertices)), shareVertices }
}

/** @param slabBytes on each device, of which heads take no more than half */
export function headsStay(
  { vertices, front }: ViewHeader,
  sizes: WalkSizes,
  slabBytes: number,
  workers: number,
): boolean {
  const groups = Math.ceil((vertices - front + VERTICES_PER_WORD) / sizes.groupVertices)
  return 4 * HEAD_WIDTH * sizes.groupVertices * Math.ceil(groups / workers) <= slabBytes / 2
}

/** What several devices share. */
export interface WalkSharing {
  readonly workers?: number
  readonly stays?: boolean
}

/** @param states of all vertices to begin with */
export function planWalk(
  { vertices, front }: ViewHeader,
  sizes: WalkSizes,
  states: Uint32Array,
  { workers = 1, stays = false }: WalkSharing = {},
): WalkPlan {
  const { groupVertices, shareVertices } = sizes
  const first = front - (front % VERTICES_PER_WORD)
  const groups = Math.ceil((vertices - first) / groupVertices)
  const plan = {
    vertices,
    front,
    first,
    groupVertices,
    shareVertices,
    groups,
    sharesOfGroup: groupVertices / shareVertices,
  }
  const open = Array.from({ length: groups }, (_, group) => group).filter((group) =>
    hasUndecided(states, groupRange(plan, group)),
  )
  const ahead = AHEAD * workers
  const slots = stays ? Math.max(1, open.length) : ahead + MORE_SLOTS
  return { ...plan, turns: Uint32Array.from(open), workers, ahead, slots, stays }
}

type Cut = Omit<WalkPlan, 'turns' | 'workers' | 'ahead' | 'slots' | 'stays'>

function cut({ vertices }: Cut, first: number, count: number): Range {
  return { first: Math.min(vertices, first), end: Math.min(vertices, first + count) }
}

export function groupRange(plan: Cut, group: number): Range {
  return cut(plan, plan.first + group * plan.groupVertices, plan.groupVertices)
}

export function shareRange(plan: Cut, group: number, share: number): Range {
  return cut(plan, plan.first + group * plan.groupVertices + share * plan.shareVertices, plan.shareVertices)
}

/** The vertices of a piece that stand behind the front. */
export function pieceRange(plan: Cut, group: number, piece: number): Range {
  const { first, end } = groupRange(plan, group)
  const count = VERTICES_PER_WORD * Math.ceil(plan.groupVertices / (PIECES * VERTICES_PER_WORD))
  const from = Math.max(plan.front, Math.min(end, first + piece * count))
  return { first: from, end: Math.max(from, Math.min(end, first + (piece + 1) * count)) }
}

function hasUndecided(states: Uint32Array, { first, end }: Range): boolean {
  for (let p = first; p < end; p++) {
    if (p % VERTICES_PER_WORD === 0 && isDecidedWord(states[p / VERTICES_PER_WORD]!)) p += VERTICES_PER_WORD - 1
    else if (stateOf(states, p) === UNDECIDED) return true
  }
  return false
}
