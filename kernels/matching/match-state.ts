/** Word of `counters`: not 0 where offsets descend. */
export const DAMAGE = 0
/** Arcs of the longest list. */
export const LONGEST_LIST = 1
/** Arcs that were scanned in rounds, modulo 2^32. */
export const ARCS = 2

/** Words of a scan or a round, from `counts` on: vertices with a pointer. */
export const POINTING = 0
/** Vertices to scan again. */
export const AGAIN = 1
/** Of these, vertices with a list for a team of threads, and for a workgroup. */
export const LONG = 2
export const LONGEST = 3
/** Active vertices when the round began. */
export const OPEN = 4
const COUNTS = 8

/** Rounds queued at a time, at most. */
export const MOST_QUEUED = 8
/** Twice as many: queued rounds read the last one before them. */
const ROUNDS_COUNTED = 2 * MOST_QUEUED
export const SCAN_COUNTS = COUNTS
export const countsOf = (round: number): number => COUNTS * (2 + (round % ROUNDS_COUNTED))
export const COUNTERS = COUNTS * (2 + ROUNDS_COUNTED)

/** No vertex, in candidates and pointers. */
export const NONE = 0xffffffff

/** The first word of a vertex: candidates that its cursor passed, and two flags. */
export const PASSED = 0xff
/** The last scan found more free neighbours than candidates. */
export const MORE = 0x100
/** No neighbour is left. */
export const ENDED = 0x200

export const keptWords = (candidates: number): number => candidates + 1

/** @param matched a bit for each vertex */
export const isMatched = (matched: Uint32Array, v: number): boolean => ((matched[v >>> 5]! >>> (v & 31)) & 1) === 1
