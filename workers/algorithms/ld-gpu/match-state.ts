import { fillWords } from '../../device/fill-words.ts'
import { NO_MATE } from '../../graph/matching.ts'
import type { DeviceFacts } from '../../jobs.ts'
import type { Checkpoint } from '../checkpoint.ts'
import type { AugmentState } from './augment.ts'
import type { MatchPart } from './part.ts'
import type { Layout, MatchWorkspace } from './workspace.ts'

/** Where a matching stands between two rounds; all that the next one follows from. */
export interface MatchState {
  /** Whom each vertex of the graph points at. Those that point at each other are matched for good. */
  readonly pointers: Uint32Array
  /**
   * Where in its list that entry stands, of each own vertex that points at somebody; empty where lists are scanned again each round.
   * Where lists are read from disk: how many of its entries were looked at, ENDED where these are all.
   */
  readonly cursors: Uint32Array
  /** Vertices that were open when each round began, and arcs that were looked at in it, those of all workers. */
  readonly open: readonly number[]
  readonly arcs: readonly number[]
  /** Where lists are read from disk, between two of their levels: those of host-state.ts. The rounds follow from them; `open` is empty. */
  readonly stamps?: Uint32Array | undefined
}

/** The leading worker's part in keeping checkpoints: asked between rounds, and given the state where it is time. */
export interface RoundKeeper {
  isDue(): boolean
  keep(state: MatchState): void
}

/** What a checkpoint holds beside pointers and cursors; or beside the mates, once they are made. */
export interface MatchNotes {
  readonly open: readonly number[]
  readonly arcs: readonly number[]
  readonly made?: MadeNotes | undefined
}

/** Of a matching that is made: on what, and how far it was augmented, the arms of all vertices being further parts. */
export interface MadeNotes {
  readonly devices: readonly DeviceFacts[]
  readonly augmented?: Omit<AugmentState, 'targets' | 'weights'> | undefined
}

/** The cursor of a vertex that points at nobody any more, where it has been told to others. */
export const ENDED = 0xffffffff

export type MatchCheckpoint = Checkpoint<MatchNotes>

export function keeperOf(checkpoint: MatchCheckpoint): RoundKeeper {
  return {
    isDue: () => checkpoint.isDue(false),
    keep: ({ pointers, cursors, stamps, open, arcs }) =>
      checkpoint.write([pointers, cursors, ...(stamps === undefined ? [] : [stamps])], { open, arcs }),
  }
}

/** The rounds that a run goes on from; undefined: it starts anew, or there is nothing left for rounds to do. */
export function startOf(checkpoint: MatchCheckpoint | undefined): MatchState | undefined {
  const kept = checkpoint?.kept
  if (kept === undefined || kept.notes.made !== undefined) return undefined
  const [pointers, cursors, stamps] = kept.parts
  return { pointers: pointers!, cursors: cursors!, stamps, open: kept.notes.open, arcs: kept.notes.arcs }
}

/** Puts pointers and cursors where rounds find them. Who is matched follows from the pointers, and is left to the matching phase. */
export async function restoreState(
  { device }: MatchPart,
  { vertices, count }: Layout,
  { pointers, cursors }: MatchWorkspace,
  start: MatchState,
): Promise<void> {
  await fillWords(device, pointers, start.pointers.subarray(0, vertices))
  await fillWords(device, cursors, start.cursors.subarray(0, count))
}

/**
 * Hands the state to the keeper. All workers call it after the same round, each with its own cursors.
 * @param room memory for the pointers of all vertices
 */
export async function keepState(
  { device, exchange, keeper, vertices }: MatchPart,
  { first, count }: Layout,
  space: MatchWorkspace,
  { open, allArcs }: { readonly open: readonly number[]; readonly allArcs: readonly number[] },
  room: Uint32Array | undefined,
): Promise<void> {
  const own = count === 0 ? new Uint32Array(0) : await device.read(space.cursors, 0, count)
  const keep = async (cursors: Uint32Array): Promise<void> => {
    if (keeper === undefined) return
    const pointers = await device.read(space.pointers, 0, vertices, room)
    for (let v = 0; v < vertices; v++) if (cursors[v] === ENDED) pointers[v] = NO_MATE
    keeper.keep({ pointers, cursors, open, arcs: allArcs })
  }
  if (exchange === undefined) return keep(own)
  // Nobody tells the others that a list is at its end: it makes no pair. But whoever goes on must not take it for open.
  const ends = count === 0 ? own : await device.read(space.pointers, first, count)
  for (let i = 0; i < count; i++) if (ends[i] === NO_MATE) own[i] = ENDED
  await exchange.gather(own, keep)
}
