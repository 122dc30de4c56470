/** A list that is read costs a host as much as this many entries, and hardly one is read further. */
export const MOST_WORK = 16

/** What the list of a vertex with so many entries past its heads costs a host that reads it, in entries. */
export const listWork = (tail: number, most = MOST_WORK): number => (tail === 0 ? 0 : most + Math.min(most, tail))
