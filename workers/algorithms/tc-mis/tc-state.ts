import type { Checkpoint } from '../checkpoint.ts'
import type { Device, DeviceBuffer } from '../../device/device.ts'
import { TILE_COLUMNS } from '../../graph/tiles/tile-file.ts'

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

/** What TC-MIS keeps on a device beside tiles and keys. Bits are in words of 32 vertices, those of the seeds side by side. */
export interface DeviceState {
  /** The alive vertices of the paper: undecided. */
  readonly open: DeviceBuffer
  /** Over all seeds. */
  readonly openAny: DeviceBuffer
  readonly members: DeviceBuffer
  /** The candidate vector C; all that is open between rounds. */
  readonly cands: DeviceBuffer
  /** Where the neighbour count N is above 0. */
  readonly hits: DeviceBuffer
  /** Of a round: open (vertex, seed) pairs, and tiles read. */
  readonly counters: DeviceBuffer
}

const COUNTERS = 2

const wordsOfBits = (vertices: number, seeds: number): number => Math.max(1, Math.ceil(vertices / TILE_COLUMNS)) * seeds

/** Every vertex, under every seed. */
export function allVertices(vertices: number, seeds: number): Uint32Array {
  const words = new Uint32Array(wordsOfBits(vertices, seeds)).fill(0xffffffff)
  const last = vertices % TILE_COLUMNS
  if (last > 0 || vertices === 0) words.fill(2 ** last - 1, words.length - seeds)
  return words
}

/** Bytes that TC-MIS needs on the device beside tiles: its state, and a key for each vertex and seed. */
export const stateBytes = (vertices: number, seeds: number): number =>
  4 * (4 * wordsOfBits(vertices, seeds) + wordsOfBits(vertices, 1) + COUNTERS + Math.max(1, vertices * seeds))

export async function allocateState(device: Device, vertices: number, seeds: number): Promise<DeviceState> {
  const words = wordsOfBits(vertices, seeds)
  const state = {
    open: await device.allocate('open', words),
    openAny: await device.allocate('openAny', wordsOfBits(vertices, 1)),
    members: await device.allocate('members', words),
    cands: await device.allocate('cands', words),
    hits: await device.allocate('hits', words),
    counters: await device.allocate('counters', COUNTERS),
  }
  device.clear(state.hits, 0, words)
  return state
}

export function releaseState(device: Device, state: DeviceState): void {
  for (const buffer of Object.values(state) as DeviceBuffer[]) device.release(buffer)
}
