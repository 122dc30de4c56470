import { misHeads } from '../../kernels/mis-heads.ts'
import { misList } from '../../kernels/mis-list.ts'
import { misMembers } from '../../kernels/mis-members.ts'
import type { BatchStore, LoadedBatch } from '../device/batch-store.ts'
import type { Device, DeviceBuffer } from '../device/device.ts'
import type { Batch } from '../graph/batches.ts'
import type { OrientedView } from '../graph/oriented-view.ts'
import { VertexSet } from '../graph/vertex-set.ts'
import { stateWords } from '../graph/vertex-states.ts'
import type { RoundCount } from '../jobs.ts'
import type { JobContext } from '../job.ts'
import { throwIfCancelled } from '../job.ts'
import { finishSerially } from './finish-serially.ts'

/** Sweeps over the undecided vertices of a batch before the host looks at the counters. */
const LIST_SWEEPS = 10
const SWEEPS = 1 + LIST_SWEEPS
/** A list sweep strides over its list; more threads than this only start and stop. */
const LIST_THREADS = 1 << 16
/**
 * The lists hold this share of a batch. More than that is rarely left after the first sweep; what does not fit is found
 * again by the next pass.
 */
const LIST_SHARE = 1 / 8
const LEAST_LIST = 4096
/** Vertices whose positions are on the device at a time when the result is gathered. */
const POSITIONS_CHUNK = 1 << 24

export interface EclMisResult {
  /** The set, in the graph's own order. */
  readonly set: VertexSet
  readonly rounds: number
  readonly roundCounts: readonly RoundCount[]
  readonly passes: number
  readonly computeMs: number
  readonly kernelMs: number
}

interface Workspace {
  readonly states: DeviceBuffer
  readonly lists: readonly [DeviceBuffer, DeviceBuffer]
  readonly counters: DeviceBuffer
  readonly positions: DeviceBuffer
  readonly members: DeviceBuffer
}

/**
 * ECL-MIS (Burtscher et al., TOPC 2018, section 3) on one device: asynchronous sweeps until every vertex is decided. The
 * set is the one that the ranking of the view defines, whatever the device, the batches and the timing. Where the paper
 * pushes "out" to neighbours, each vertex here pulls from its higher neighbours and writes only itself; and as the view
 * stands in priority order, the sweep meets nearly every vertex after the entries that decide it.
 *
 * @param wholeView reads the view into memory; called only when chains are long
 * @param initial states set before the start (vertices to keep or to exclude), by position, or undefined
 */
export async function eclMis(
  device: Device,
  store: BatchStore,
  batches: readonly Batch[],
  vertices: number,
  initial: Uint32Array | undefined,
  wholeView: () => OrientedView,
  job: JobContext,
): Promise<EclMisResult> {
  await device.prepare([misHeads, misList, misMembers])
  const space = await allocateWorkspace(device, batches, vertices)
  // What fits is on the device before the clock starts; reading is counted apart.
  for (const batch of batches) if (store.hasRoom(batch)) await store.load(batch)
  await store.loadPositions(space.positions, 0, Math.min(vertices, POSITIONS_CHUNK))
  const waitedMs = store.readMs
  await device.takeKernelMs()
  const startMs = performance.now()
  await initialise(device, space, initial)

  const undecided = new Uint32Array(batches.length).fill(1)
  const roundCounts: RoundCount[] = []
  let passes = 0
  let before = 0
  let left = vertices
  for (; left > 0 && !isStuck(left, before, passes); passes++) {
    throwIfCancelled(job.signal)
    before = left
    device.clear(space.counters, 0, space.counters.words)
    for (const batch of batches) {
      if (undecided[batch.index] === 0) continue
      sweepBatch(device, await store.load(batch), space)
    }
    // The only wait for the device: once a pass, not once a round.
    const counters = await device.read(space.counters, 0, space.counters.words)
    left = countUndecided(counters, space.lists[0].words / 2, undecided, passes, roundCounts)
    job.progress({
      phase: 'sweep',
      done: vertices - left,
      total: vertices,
      unit: 'vertices',
      round: roundCounts.length,
      decided: vertices - left,
    })
  }
  if (left > 0) await finishOnHost(device, space, vertices, wholeView, job)
  const set = await gatherMembers(device, store, space, vertices)
  const computeMs = performance.now() - startMs - (store.readMs - waitedMs)
  const kernelMs = await device.takeKernelMs()
  for (const buffer of [space.states, ...space.lists, space.counters, space.positions, space.members])
    device.release(buffer)
  return { set, rounds: roundCounts.length, roundCounts, passes, computeMs, kernelMs }
}

/**
 * Long chains of vertices that wait for one another, as on a path whose priorities ascend, let a parallel sweep decide only a
 * few of them. Then the host finishes: the rest is one walk.
 */
function isStuck(left: number, before: number, passes: number): boolean {
  return passes >= 2 && left > before / 2
}

/** Bytes that eclMis needs on the device beside the slabs. */
export function workspaceBytes(batches: readonly Pick<Batch, 'count'>[], vertices: number): number {
  const result = Math.ceil(vertices / 32) + Math.min(vertices, POSITIONS_CHUNK)
  return 4 * (stateWords(vertices) + 4 * listCapacity(batches) + SWEEPS * batches.length + result)
}

function listCapacity(batches: readonly Pick<Batch, 'count'>[]): number {
  let largest = 0
  for (const { count } of batches) largest = Math.max(largest, count)
  return Math.max(Math.min(largest, LEAST_LIST), Math.ceil(largest * LIST_SHARE), 2)
}

async function allocateWorkspace(device: Device, batches: readonly Batch[], vertices: number): Promise<Workspace> {
  const listWords = 2 * listCapacity(batches)
  return {
    states: await device.allocate('states', Math.max(1, stateWords(vertices))),
    lists: [await device.allocate('list a', listWords), await device.allocate('list b', listWords)],
    counters: await device.allocate('counters', Math.max(1, SWEEPS * batches.length)),
    positions: await device.allocate('positions', Math.max(1, Math.min(vertices, POSITIONS_CHUNK))),
    members: await device.allocate('members', Math.max(1, Math.ceil(vertices / 32))),
  }
}

async function initialise(device: Device, { states }: Workspace, initial: Uint32Array | undefined): Promise<void> {
  if (initial === undefined) device.clear(states, 0, states.words)
  else await fillFrom(device, states, initial)
}

function fillFrom(device: Device, buffer: DeviceBuffer, words: Uint32Array): Promise<void> {
  return device.fill(buffer, words.length, (bytes, at) => {
    bytes.set(new Uint8Array(words.buffer, words.byteOffset + at, bytes.length))
  })
}

async function finishOnHost(
  device: Device,
  { states }: Workspace,
  vertices: number,
  wholeView: () => OrientedView,
  job: JobContext,
): Promise<void> {
  const words = await device.read(states, 0, stateWords(vertices))
  finishSerially(wholeView(), words, job)
  await fillFrom(device, states, words)
}

/** Turns states by position into members by vertex, a chunk of vertices at a time. */
async function gatherMembers(
  device: Device,
  store: BatchStore,
  space: Workspace,
  vertices: number,
): Promise<VertexSet> {
  const { states, positions, members } = space
  for (let first = 0; first < vertices; first += POSITIONS_CHUNK) {
    const count = Math.min(POSITIONS_CHUNK, vertices - first)
    if (first > 0) await store.loadPositions(positions, first, count)
    device.launch(misMembers, count, { first, count }, { states, positions, members })
  }
  const words = await device.read(members, 0, Math.ceil(vertices / 32))
  return new VertexSet(vertices, new Uint8Array(words.buffer, 0, Math.ceil(vertices / 8)))
}

/** Queues one visit of a batch: all its vertices by their heads, then what is left, a bounded number of times. */
function sweepBatch(device: Device, loaded: LoadedBatch, space: Workspace): void {
  const { batch, heads, tailOffsets, tails } = loaded
  const { states, counters, lists } = space
  const counter = SWEEPS * batch.index
  device.launch(
    misHeads,
    batch.count,
    { first: batch.first, count: batch.count, counter },
    { states, heads, tailOffsets, tails, list: lists[0], counters },
  )
  for (let sweep = 0; sweep < LIST_SWEEPS; sweep++) {
    const [listIn, listOut] = sweep % 2 === 0 ? lists : [lists[1], lists[0]]
    device.launch(
      misList,
      Math.min(batch.count, LIST_THREADS),
      { first: batch.first, counterIn: counter + sweep, counterOut: counter + sweep + 1 },
      { states, heads, tailOffsets, tails, listIn, listOut, counters },
    )
  }
}

/**
 * Takes the counters of a pass (one after each sweep of each batch) into the round counts; returns how many vertices are
 * undecided. `undecided` holds a figure for each batch: what it had left after its last visit.
 */
function countUndecided(
  counters: Uint32Array,
  capacity: number,
  undecided: Uint32Array,
  passes: number,
  rounds: RoundCount[],
): number {
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let left = 0
    for (let b = 0; b < undecided.length; b++) if (undecided[b] !== 0) left += counters[SWEEPS * b + sweep]!
    rounds.push({ round: passes * SWEEPS + sweep + 1, undecided: left })
    if (left === 0) break
  }
  let total = 0
  for (let b = 0; b < undecided.length; b++) {
    if (undecided[b] !== 0) undecided[b] = leftOf(counters.subarray(SWEEPS * b, SWEEPS * (b + 1)), capacity)
    total += undecided[b]!
  }
  return total
}

/** What one batch has left: the rest of its list, and what had no place in the list to begin with. */
function leftOf(counters: Uint32Array, capacity: number): number {
  return counters[SWEEPS - 1]! + Math.max(0, counters[0]! - capacity)
}
