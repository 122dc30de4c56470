/** Words of `counters` that all rounds and scans have in common. */
export const counter = {
  /** Not 0 where offsets descend. */
  DAMAGE: 0,
  LONGEST_LIST: 1,
  /** Arcs scanned in rounds, modulo 2^32. */
  ARCS: 2,
  /** Words of collected lists in use; these lists by vertex and place. */
  TAKEN: 3,
  ENTRIES: 4,
  /** Vertices whose lists may be needed; those that may yet find a mate; lists without room. */
  WAITING: 5,
  UNDECIDED: 6,
  LACKING: 7,
  /** Arcs of waiting vertices, in units of {@link ARCS_A_UNIT}, rounded up for each. */
  WAITING_UNITS: 15,
  /** The first counter of a scan; those of rounds follow. */
  SCAN: 8,
  /** All of them. */
  COUNT: 144,
} as const

/** Counters of a round or of a scan, behind its first word (`counts`). */
export const roundCounter = {
  /** Vertices with a pointer. */
  POINTING: 0,
  /** Vertices to scan again. */
  AGAIN: 1,
  /** Long lists, for a virtual warp, and for a workgroup. */
  LONG: 2,
  LONGEST: 3,
  /** Vertices that were active when the round began. */
  OPEN: 4,
} as const

const COUNTS = 8

const MOST_QUEUED = 8
/** Queued rounds read the last one before them. */
const ROUNDS_COUNTED = 2 * MOST_QUEUED
export const ARCS_A_UNIT = 16
export const countsOf = (round: number): number => COUNTS * (2 + (round % ROUNDS_COUNTED))

/** How many rounds may be queued at once behind so many, whose counters lie side by side. */
export const queueable = (rounds: number, most = MOST_QUEUED): number =>
  Math.min(most, ROUNDS_COUNTED - (rounds % ROUNDS_COUNTED))

/** No vertex, in candidates and pointers. */
export const NONE = 0xffffffff

/** Parts of the first word of a vertex's candidates. */
export const cursor = {
  /** How many candidates were passed. */
  PASSED: 0xff,
  /** Free neighbours are left beside the candidates. */
  MORE: 0x100,
  ENDED: 0x200,
  /** The list is not in memory. */
  DEFERRED: 0x400,
} as const

export const keptWords = (candidates: number): number => candidates + 1

/** @param matched a bit for each vertex */
export const isMatched = (matched: Uint32Array, v: number): boolean => ((matched[v >>> 5]! >>> (v & 31)) & 1) === 1
