import { misHeads } from '../../kernels/mis-heads.ts'
import { misList } from '../../kernels/mis-list.ts'
import type { BatchStore, LoadedBatch } from '../device/batch-store.ts'
import type { Device, DeviceBuffer } from '../device/device.ts'
import type { Batch } from '../graph/batches.ts'
import type { OrientedView } from '../graph/oriented-view.ts'
import { stateWords } from '../graph/vertex-states.ts'
import type { RoundCount } from '../jobs.ts'
import type { JobContext } from '../job.ts'
import { throwIfCancelled } from '../job.ts'
import { finishSerially } from './finish-serially.ts'

/** Sweeps over the undecided vertices of a batch before the host looks at the counters. */
const LIST_SWEEPS = 8
const SWEEPS = 1 + LIST_SWEEPS
/** A list sweep strides over its list; more threads than this only start and stop. */
const LIST_THREADS = 1 << 18

export interface EclMisResult {
  /** 2 bits a vertex; see vertex-states.ts. */
  readonly states: Uint32Array
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
}

/**
 * ECL-MIS (Burtscher et al., TOPC 2018, section 3) on one device: asynchronous sweeps until every vertex is decided. The
 * set is the one that the ranking of the view defines, whatever the device, the batches and the timing. Where the paper
 * pushes "out" to neighbours, each vertex here pulls from its higher neighbours and writes only itself.
 *
 * @param wholeView reads the view into memory; called only when chains are long
 * @param initial states set before the start (vertices to keep or to exclude), or undefined
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
  await device.prepare([misHeads, misList])
  const space = await allocateWorkspace(device, batches, vertices)
  if (batches.length > 0) await store.load(batches[0]!)
  const waitedMs = store.readMs
  const startMs = performance.now()
  device.takeKernelMs()
  await initialise(device, space, vertices, initial)

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
    left = countUndecided(counters, undecided, passes, roundCounts)
    job.progress({
      phase: 'sweep',
      done: vertices - left,
      total: vertices,
      unit: 'vertices',
      round: roundCounts.length,
      decided: vertices - left,
    })
  }
  let computeMs = performance.now() - startMs - (store.readMs - waitedMs)
  const kernelMs = device.takeKernelMs()
  const states = await device.read(space.states, 0, stateWords(vertices))
  if (left > 0) {
    const view = wholeView()
    const finishMs = performance.now()
    finishSerially(view, states, job)
    computeMs += performance.now() - finishMs
  }
  for (const buffer of [space.states, ...space.lists, space.counters]) device.release(buffer)
  return { states, rounds: roundCounts.length, roundCounts, passes, computeMs, kernelMs }
}

/**
 * Long chains of vertices that wait for one another, as on a path whose priorities ascend, make sweeps decide a few vertices
 * each. Then the host finishes: the rest is one walk.
 */
function isStuck(left: number, before: number, passes: number): boolean {
  return passes >= 2 && left > before / 2
}

/** Bytes that eclMis needs on the device beside the slabs. */
export function workspaceBytes(batches: readonly Pick<Batch, 'count'>[], vertices: number): number {
  const largest = Math.max(0, ...batches.map(({ count }) => count))
  return 4 * (stateWords(vertices) + 4 * largest + SWEEPS * batches.length)
}

async function allocateWorkspace(device: Device, batches: readonly Batch[], vertices: number): Promise<Workspace> {
  const listWords = 2 * Math.max(1, ...batches.map(({ count }) => count))
  return {
    states: await device.allocate('states', Math.max(1, stateWords(vertices))),
    lists: [await device.allocate('list a', listWords), await device.allocate('list b', listWords)],
    counters: await device.allocate('counters', Math.max(1, SWEEPS * batches.length)),
  }
}

async function initialise(
  device: Device,
  { states }: Workspace,
  vertices: number,
  initial: Uint32Array | undefined,
): Promise<void> {
  if (initial === undefined) device.clear(states, 0, states.words)
  else
    await device.fill(states, stateWords(vertices), (bytes, at) => {
      bytes.set(new Uint8Array(initial.buffer, initial.byteOffset + at, bytes.length))
    })
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
    { states, heads, tailOffsets, list: lists[0], counters },
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
function countUndecided(counters: Uint32Array, undecided: Uint32Array, passes: number, rounds: RoundCount[]): number {
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let left = 0
    for (let b = 0; b < undecided.length; b++) if (undecided[b] !== 0) left += counters[SWEEPS * b + sweep]!
    rounds.push({ round: passes * SWEEPS + sweep + 1, undecided: left })
    if (left === 0) break
  }
  let total = 0
  for (let b = 0; b < undecided.length; b++) {
    if (undecided[b] !== 0) undecided[b] = counters[SWEEPS * b + SWEEPS - 1]!
    total += undecided[b]!
  }
  return total
}
