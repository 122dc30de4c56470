import type { Device, DeviceBuffer } from '../device/device.ts'
import { fillWords } from '../device/fill-words.ts'
import type { Batch } from '../graph/batches.ts'
import { stateWords } from '../graph/vertex-states.ts'

/** Sweeps over the undecided vertices of a batch before the host looks at the counters. */
export const LIST_SWEEPS = 10
/** Sweeps of one visit of a batch, that over its heads included; each has its counter. */
export const SWEEPS = 1 + LIST_SWEEPS
/**
 * The lists hold this share of a batch. More than that is rarely left after the first sweep; what does not fit is found
 * again by the next pass.
 */
const LIST_SHARE = 1 / 8
const LEAST_LIST = 4096
/** Vertices whose positions are on the device at a time when the result is gathered: no more than this, and few where memory is. */
const POSITIONS_CHUNK = 1 << 24
const LEAST_POSITIONS = 1024
const POSITIONS_SHARE = 1 / 8

/** What ECL-MIS keeps on a device beside the slabs of its batches. */
export interface MisWorkspace {
  readonly states: DeviceBuffer
  readonly lists: readonly [DeviceBuffer, DeviceBuffer]
  /** SWEEPS words for each batch. */
  readonly counters: DeviceBuffer
}

/**
 * Vertices whose positions are on the device at a time, a multiple of 32 or all: an eighth of what the states and the result leave
 * of the budget.
 */
export function positionsChunk(vertices: number, budgetBytes: number): number {
  const rest = budgetBytes - 4 * (stateWords(vertices) + Math.ceil(vertices / 32))
  const affordable = Math.min(POSITIONS_CHUNK, (POSITIONS_SHARE * Math.max(0, rest)) / 4)
  return Math.min(vertices, Math.max(LEAST_POSITIONS, 32 * Math.floor(affordable / 32)))
}

/** Bytes that eclMis needs on the device beside the slabs. */
export function workspaceBytes(batches: readonly Pick<Batch, 'count'>[], vertices: number, positions: number): number {
  const result = Math.ceil(vertices / 32) + positions
  return 4 * (stateWords(vertices) + 4 * listCapacity(batches) + SWEEPS * batches.length + result)
}

function listCapacity(batches: readonly Pick<Batch, 'count'>[]): number {
  let largest = 0
  for (const { count } of batches) largest = Math.max(largest, count)
  return Math.max(Math.min(largest, LEAST_LIST), Math.ceil(largest * LIST_SHARE), 2)
}

/** @param initial states to start from, or undefined when every vertex is undecided */
export async function allocateWorkspace(
  device: Device,
  batches: readonly Batch[],
  vertices: number,
  initial: Uint32Array | undefined,
): Promise<MisWorkspace> {
  const listWords = 2 * listCapacity(batches)
  const words = Math.max(1, stateWords(vertices))
  return {
    states: await statesOf(device, words, initial),
    lists: [await device.allocate('list a', listWords), await device.allocate('list b', listWords)],
    counters: await device.allocate('counters', Math.max(1, SWEEPS * batches.length)),
  }
}

/** A worker's own copy, also where the device works in the host's memory: others hear of its states by the exchange alone. */
async function statesOf(device: Device, words: number, initial: Uint32Array | undefined): Promise<DeviceBuffer> {
  const states = await device.allocate('states', words)
  if (initial !== undefined) await fillWords(device, states, initial)
  return states
}

export function releaseWorkspace(device: Device, { states, lists, counters }: MisWorkspace): void {
  for (const buffer of [states, ...lists, counters]) device.release(buffer)
}
