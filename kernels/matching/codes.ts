/** Words of `counters`: not 0 where offsets descend. */
export const DAMAGE = 0
/** Arcs of the longest list. */
export const LONGEST_LIST = 1
/** Arcs that were scanned in rounds, modulo 2^32. */
export const ARCS = 2

/** Words that a scan or a round has of its own, from `counts` on: vertices that point at a neighbour. */
export const POINTING = 0
/** Vertices whose lists are scanned again. */
export const AGAIN = 1
/** Of these, vertices whose lists a team of threads shares. */
export const LONG = 2
/** And those whose lists a workgroup shares. */
export const LONGEST = 3
/** Vertices that were open when the round began. */
export const OPEN = 4
const COUNTS = 8

/** Rounds that are queued at a time at most. */
export const MOST_QUEUED = 8
/** Words of twice as many: what is queued begins with the last round before it. */
const ROUNDS_COUNTED = 2 * MOST_QUEUED
export const SCAN_COUNTS = COUNTS
/** The words of a round, for rounds that are queued from a multiple of 4 on. */
export const countsOf = (round: number): number => COUNTS * (2 + (round % ROUNDS_COUNTED))
export const COUNTERS = COUNTS * (2 + ROUNDS_COUNTED)

/** Stands for no vertex, in candidates and pointers. */
export const NONE = 0xffffffff

/** The first word of what a vertex keeps: how many candidates it has passed, and two flags. */
export const PASSED = 0xff
/** It had more free neighbours than it keeps when its list was looked at last. */
export const MORE = 0x100
/** No neighbour is left for it to point at. */
export const ENDED = 0x200

/** Words of a vertex that keeps so many candidates. */
export const keptWords = (candidates: number): number => candidates + 1

/** Whether a vertex has a mate. @param matched a bit for each */
export const isMatched = (matched: Uint32Array, v: number): boolean => ((matched[v >>> 5]! >>> (v & 31)) & 1) === 1
