import type { Checkpoint } from '../checkpoint.ts'

/** The rounds so far; all that the next one follows from beside open vertices and members. */
export interface RoundNotes {
  /** Of the tables of keys, the one that is compared; as many as there are: nothing is left to compute. */
  readonly pass: number
  /** Rounds before those of this pass. */
  readonly passFrom: number
  /** Open (vertex, seed) pairs after each round. */
  readonly left: readonly number[]
  /** Tiles whose bits were read in each. */
  readonly tilesRead: readonly number[]
}

/** A state of TC-MIS between two rounds. Words of 32 vertices, those of the seeds side by side. */
export interface TcState extends RoundNotes {
  readonly open: Uint32Array
  readonly members: Uint32Array
}

/** A checkpoint of TC-MIS: the open vertices and the members; the rest is small. */
export type TcCheckpoint = Checkpoint<RoundNotes>

/** The state that a run resumes from; undefined: it starts anew. */
export function startOf(checkpoint: TcCheckpoint | undefined): TcState | undefined {
  const kept = checkpoint?.start()
  return kept === undefined ? undefined : { ...kept.notes, open: kept.parts[0]!, members: kept.parts[1]! }
}
