import { NO_ENTRY } from '../../../graph/oriented-view.ts'
import { ENDED } from '../match-state.ts'
import type { Begins } from './host-share.ts'
import type { HostBoard } from './host-state.ts'
import { isSet } from './host-state.ts'

/** What a worker's open lists begin with. */
export interface OpenStart {
  readonly own: { readonly first: number; readonly count: number }
  /** The second entries of the own vertices. */
  readonly seconds: Uint32Array
  /** How many entries each own vertex has looked at, ENDED where these are all; undefined after the first round. */
  readonly cursors: Uint32Array | undefined
  readonly begins: Begins
  /** Entries looked at in each round so far, for the first worker. */
  readonly arcs: readonly number[]
}

/** Whether a vertex is neither matched nor at the end of its list. */
export function isOpenAt(v: number, { pointers, matched }: HostBoard, { own, cursors }: OpenStart): boolean {
  if (isSet(matched, v)) return false
  return cursors === undefined ? pointers[v] !== NO_ENTRY : cursors[v - own.first] !== ENDED
}
