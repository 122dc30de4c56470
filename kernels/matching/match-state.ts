/** Not 0 where offsets descend. */
export const DAMAGE = 0
export const LONGEST_LIST = 1
/** Scanned in rounds, modulo 2^32. */
export const ARCS = 2
/** Words of collected lists in use; these lists by vertex and place; vertices whose lists may be needed; those that may yet find a mate; lists without room. */
export const TAKEN = 3
export const ENTRIES = 4
export const WAITING = 5
export const UNDECIDED = 6
export const LACKING = 7

/** Counter of vertices with a pointer, from `counts` on. */
export const POINTING = 0
/** Vertices to scan again. */
export const AGAIN = 1
/** Counters of long lists, for a virtual warp, and for a workgroup. */
export const LONG = 2
export const LONGEST = 3
/** Counter of vertices that were active when the round began. */
export const OPEN = 4
const COUNTS = 8

export const MOST_QUEUED = 8
/** Queued rounds read the last one before them. */
export const ROUNDS_COUNTED = 2 * MOST_QUEUED
export const SCAN_COUNTS = COUNTS
/** Arcs of waiting vertices, in units of {@link ARCS_A_UNIT}, rounded up for each. */
export const WAITING_UNITS = SCAN_COUNTS + COUNTS - 1
export const ARCS_A_UNIT = 16
export const countsOf = (round: number): number => COUNTS * (2 + (round % ROUNDS_COUNTED))
export const COUNTERS = COUNTS * (2 + ROUNDS_COUNTED)

/** No vertex, in candidates and pointers. */
export const NONE = 0xffffffff

/** Candidates that the cursor passed, and three flags. */
export const PASSED = 0xff
/** Free neighbours are left beside the candidates. */
export const MORE = 0x100
export const ENDED = 0x200
/** The list is not in memory. */
export const DEFERRED = 0x400

export const keptWords = (candidates: number): number => candidates + 1

/** @param matched a bit for each vertex */
export const isMatched = (matched: Uint32Array, v: number): boolean => ((matched[v >>> 5]! >>> (v & 31)) & 1) === 1
