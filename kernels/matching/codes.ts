/** Words of `counters`, first those of lists by their length: vertices that point at somebody in even and odd rounds, and so on. */
export const AGAIN = 2
export const LONG = 3
/** Vertices whose lists a workgroup shares; of the others of LONG some threads share one. */
export const LONGEST = 4
export const DAMAGE = 5
/** Arcs that were looked at, modulo 2^32. */
export const ARCS = 6
/** From here on a word for each of the rounds that were queued: vertices that were open when it began. */
export const OPEN = 8
/** Rounds that are queued at a time at most. */
export const MOST_QUEUED = 8
export const COUNTERS = OPEN + MOST_QUEUED

/** Stands for no vertex, in candidates and pointers. */
export const NONE = 0xffffffff

/** The first word of what a vertex keeps: how many candidates it has passed, and two flags. */
export const PASSED = 0xff
/** It had more free neighbours than it keeps when its list was looked at last. */
export const MORE = 0x100
/** Nobody is left for it to point at. */
export const ENDED = 0x200

/** Words of a vertex that keeps so many candidates. */
export const keptWords = (candidates: number): number => candidates + 1

/** Whether a vertex has a mate. @param matched a bit for each */
export const isMatched = (matched: Uint32Array, v: number): boolean => ((matched[v >>> 5]! >>> (v & 31)) & 1) === 1
