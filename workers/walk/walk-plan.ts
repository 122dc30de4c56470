import { HEAD_WIDTH } from '../graph/oriented-view.ts'
import type { ViewHeader } from '../graph/view-file.ts'
import { UNDECIDED, VERTICES_PER_WORD, isDecidedWord, stateOf } from '../graph/vertex-states.ts'

/** Vertices whose heads are read, taken to the device and walked together: at most so many, and about so many groups. */
const MOST_GROUP = 1 << 20
const GROUPS = 16
const LEAST_GROUP = 1 << 10
/** Vertices that a thread walks at a time. */
const MOST_SHARE = 1 << 14
/** Groups that the device may be ahead of the threads that walk: it answers late, and where it is further ahead more is undecided. */
export const AHEAD = 3
/** Groups whose heads are in memory: one is walked, some are on the device, two are being read. */
export const SLOTS = AHEAD + 3
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
export function walkSizes({ vertices, front }: ViewHeader, slabBytes: number): WalkSizes {
  const behind = vertices - front
  const affordable = slabBytes / (4 * HEAD_WIDTH * SLOTS)
  const most = Math.min(MOST_GROUP, affordable, Math.max(LEAST_GROUP, behind / GROUPS))
  const share = Math.min(MOST_SHARE, most)
  const shareVertices = VERTICES_PER_WORD * Math.max(1, Math.floor(share / VERTICES_PER_WORD))
  return { groupVertices: shareVertices * Math.max(1, Math.floor(most / shareVertices)), shareVertices }
}

export function planWalk({ vertices, front }: ViewHeader, sizes: WalkSizes, states: Uint32Array): WalkPlan {
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
  return { ...plan, turns: Uint32Array.from(open) }
}

type Cut = Omit<WalkPlan, 'turns'>

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
