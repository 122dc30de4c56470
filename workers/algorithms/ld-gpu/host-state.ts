/** What the hosts know of every vertex while they go on with a matching after its first round; workers share it. */
export interface HostState {
  /** Whom each vertex points at; NO_ENTRY: at nobody. */
  readonly pointers: Uint32Array
  /**
   * Of a matched vertex, the round in which it was matched. Of another, the last round in which an entry was matched that it has gone
   * past: in the next one it points at what it points at. 0: it has gone past none.
   */
  readonly stamps: Uint32Array
  /** A bit for each vertex. */
  readonly matched: Uint32Array
}

export const isSet = (bits: Uint32Array, at: number): boolean => ((bits[at >>> 5]! >>> (at & 31)) & 1) === 1

/** Marks the vertices that point at each other. */
export function markMatched(pointers: Uint32Array, matched: Uint32Array): void {
  for (let v = 0; v < pointers.length; v++) if (pointers[pointers[v]!] === v) matched[v >>> 5]! |= 1 << (v & 31)
}

/** Prepares the stamps of a worker's own vertices after the first round. */
export function stampFirstRound({ stamps, matched }: HostState, own: { first: number; count: number }): void {
  for (let v = own.first; v < own.first + own.count; v++) stamps[v] = isSet(matched, v) ? 1 : 0
}

/** The vertices that were matched in the first round. */
export function matchedFirst({ stamps, matched }: HostState): Uint32Array {
  const first = new Uint32Array(matched.length)
  for (let v = 0; v < stamps.length; v++) if (stamps[v] === 1 && isSet(matched, v)) first[v >>> 5]! |= 1 << (v & 31)
  return first
}

/**
 * Vertices that were open when each round of the paper began, from the end of a matching: one that was matched in a round was open
 * until then, and one that is left until the round after its last neighbour was matched, in which it saw that.
 */
export function openInRounds({ stamps, matched }: HostState): number[] {
  const open: number[] = []
  for (let v = 0; v < stamps.length; v++) {
    const stamp = stamps[v]!
    if (stamp === 0) continue
    const last = isSet(matched, v) ? stamp : stamp + 1
    while (open.length < last) open.push(0)
    open[last - 1]!++
  }
  for (let round = open.length - 1; round > 0; round--) open[round - 1]! += open[round]!
  return open
}
