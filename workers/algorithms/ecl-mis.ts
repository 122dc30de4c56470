import { misHeads } from '../../kernels/mis-heads.ts'
import { misList } from '../../kernels/mis-list.ts'
import { misMembers } from '../../kernels/mis-members.ts'
import type { BatchStore, LoadedBatch } from '../device/batch-store.ts'
import type { Device, DeviceBuffer } from '../device/device.ts'
import { fillWords } from '../device/fill-words.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { noExchange } from '../exchange/exchange.ts'
import type { Batch } from '../graph/batches.ts'
import type { PreparedView } from '../graph/prepare-view.ts'
import { readFrontBits } from '../graph/prepare-view.ts'
import { VertexSet } from '../graph/vertex-set.ts'
import { UNDECIDED, stateOf, stateWords } from '../graph/vertex-states.ts'
import type { ViewFile } from '../graph/view-file.ts'
import type { JobContext } from '../job.ts'
import { throwIfCancelled } from '../job.ts'
import type { RoundCount } from '../jobs.ts'
import { finishSerially } from './finish-serially.ts'
import { membersOfFront } from './front-vertices.ts'
import { sweepBeside } from './sweep-beside.ts'
import type { Trace } from '../trace.ts'
import type { Walk } from '../walk/walk.ts'
import type { MisWorkspace } from './mis-workspace.ts'
import { LIST_SWEEPS, SWEEPS, allocateWorkspace, releaseWorkspace } from './mis-workspace.ts'

/** A list sweep strides over its list; more threads than this only start and stop. */
const LIST_THREADS = 1 << 16

/** One worker's share of a run: its device, and the batches that it decides. */
export interface Part {
  readonly device: Device
  readonly store: BatchStore
  /** The worker's own batches, in the order of the view. */
  readonly batches: readonly Batch[]
  /** Vertices of the whole graph. */
  readonly vertices: number
  readonly exchange: Exchange
  /** Where a pass leaves no more vertices undecided than this, the leading worker decides them alone; 0 where there is only one. */
  readonly residual: number
  /** States to start from, by position. Undefined: all undecided. */
  readonly states: Uint32Array | undefined
  readonly trace: Trace
  /** Where the slabs of some worker do not fit its device: threads walk beside all devices of the run. */
  readonly walk?: Walk | undefined
  /** Vertices that are looked up on the device at a time when the result is gathered; of the leading worker only. */
  readonly positions?: number | undefined
  /** Called after each batch and at the end of each pass, with a way to the states as they are; for checkpoints. */
  readonly afterStep?: ((passEnds: boolean, states: () => Promise<Uint32Array>) => Promise<void>) | undefined
}

export interface SweepOutcome {
  readonly rounds: number
  readonly roundCounts: readonly RoundCount[]
  readonly passes: number
  readonly computeMs: number
  readonly kernelMs: number
}

export interface EclMisResult extends SweepOutcome {
  /** The set, in the graph's own order. */
  readonly set: VertexSet
}

/**
 * ECL-MIS (Burtscher et al., TOPC 2018, section 3): asynchronous sweeps until every vertex is decided. The set is the one
 * that the ranking of the view defines, whatever the devices, the batches and the timing. Where the paper pushes "out" to
 * neighbours, each vertex here pulls from its higher neighbours and writes only itself; and as the view stands in priority
 * order, the sweep meets nearly every vertex after the entries that decide it.
 *
 * This is the leading worker's part: it also finishes long chains and gathers the set.
 * @param view what is left is looked up in it
 */
export async function eclMis(part: Part, view: PreparedView, job: JobContext): Promise<EclMisResult> {
  const { device, store, vertices } = part
  if (part.walk !== undefined) return sweepBeside(part, part.walk, view.view, job)
  const behind = vertices - view.view.header.front
  await store.prepare(part.batches)
  const result = await allocateResult(part, view.view)
  const loaded = resultFollows(part) ? 0 : result.chunk
  if (loaded > 0) await store.loadBehind(result.behind, 0, loaded)
  // The first read of a size makes the memory that it goes through.
  const room = await device.read(result.members, 0, result.members.words)
  let set: VertexSet | undefined
  const swept = await sweepPart(part, job, async (space, left) => {
    store.expectBehind(loaded, behind, result.chunk)
    if (left > 0) await part.trace.span('kernel', 'the rest, here', () => finishOnHost(part, space, view, job))
    set = await part.trace.span('copy out', 'members', () =>
      gatherMembers(part, space, { ...result, room }, loaded, job),
    )
  })
  for (const buffer of [result.behind, result.members]) device.release(buffer)
  return { ...swept, set: set ?? new VertexSet(vertices) }
}

/**
 * Sweeps a worker's batches, pass after pass, until no worker has undecided vertices or all of them only wait.
 * @param finish what the leading worker does with the states before the clock stops; `left` vertices are still undecided
 */
export async function sweepPart(
  part: Part,
  job: JobContext,
  finish: (space: MisWorkspace, left: number) => Promise<void> = () => Promise.resolve(),
): Promise<SweepOutcome> {
  const { device, store, batches, vertices, exchange } = part
  // Threads that read get ready while kernels are compiled.
  const first = await store.prepare(batches)
  await device.prepare([misHeads, misList, misMembers])
  await store.opened()
  const space = await allocateWorkspace(device, batches, vertices, part.states)
  const undecided = openBatches(batches, part.states)
  // What fits is on the device before the clock starts; reading is counted apart. What passes through is told of at once.
  store.expect(batches.filter((_, slot) => undecided[slot] !== 0))
  for (const [slot, batch] of first.entries()) if (undecided[slot] !== 0) await store.load(batch)
  const waitedMs = store.readMs
  await device.takeKernelMs()
  await exchange.ready(space.states)
  const startMs = performance.now()
  if (part.states === undefined) device.clear(space.states, 0, space.states.words)
  await exchange.begin(space.states)

  const readStates = (): Promise<Uint32Array> => device.read(space.states, 0, stateWords(vertices))
  const roundCounts: RoundCount[] = []
  let passes = 0
  let before = 0
  let left = vertices
  for (; left > (passes > 0 ? part.residual : 0) && !isStuck(left, before, passes); passes++) {
    before = left
    device.clear(space.counters, 0, space.counters.words)
    if (passes > 0) store.expect(batches.filter((_, slot) => undecided[slot] !== 0))
    if (passes === 0 && part.positions !== undefined && resultFollows(part))
      store.expectBehind(0, vertices - store.front, part.positions)
    for (const [slot, batch] of batches.entries()) {
      throwIfCancelled(job.signal)
      if (undecided[slot] === 0) continue
      const loaded = await store.load(batch)
      await exchange.catchUp(space.states, batch)
      part.trace.span('kernel', `sweep batch ${batch.index}`, () => sweepBatch(device, loaded, space, SWEEPS * slot))
      exchange.give(space.states, batch)
      await part.afterStep?.(false, readStates)
    }
    // The only wait for the device: once a pass, not once a round.
    const counters = await part.trace.span('kernel', 'sweeps', () =>
      device.read(space.counters, 0, space.counters.words),
    )
    const own = countUndecided(counters, space.lists[0].words / 2, undecided, passes, roundCounts)
    left = await exchange.publish(space.states, own)
    await part.afterStep?.(true, readStates)
    const decided = vertices - left
    job.progress({
      phase: 'sweep',
      done: decided,
      total: vertices,
      unit: 'vertices',
      round: roundCounts.length,
      decided,
    })
  }
  await finish(space, left)
  const computeMs = performance.now() - startMs - (store.readMs - waitedMs)
  const kernelMs = await device.takeKernelMs()
  releaseWorkspace(device, space)
  return { rounds: roundCounts.length, roundCounts, passes, computeMs, kernelMs }
}

/**
 * Whether what the result takes is read behind the batches: where a processor alone streams, it goes from front to back and decides
 * everything in one pass.
 */
function resultFollows({ device, exchange, store, positions }: Part): boolean {
  return positions !== undefined && exchange === noExchange && device.sharesMemory && store.readsAhead
}

/**
 * Long chains of vertices that wait for one another, as on a path whose priorities ascend, let a parallel sweep decide only a
 * few of them. Then the host finishes: the rest is one walk.
 */
function isStuck(left: number, before: number, passes: number): boolean {
  return passes >= 2 && left > before / 2
}

/** 1 for a batch with undecided vertices in the states to start from, else 0: that one need not be loaded. */
function openBatches(batches: readonly Batch[], states: Uint32Array | undefined): Uint32Array {
  return Uint32Array.from(batches, ({ first, count }) => {
    if (states === undefined) return 1
    for (let p = first; p < first + count; p++) if (stateOf(states, p) === UNDECIDED) return 1
    return 0
  })
}

/** Queues one visit of a batch: all its vertices by their heads, then what is left, a bounded number of times. */
function sweepBatch(device: Device, loaded: LoadedBatch, space: MisWorkspace, counter: number): void {
  const { batch, heads, tailOffsets, tails } = loaded
  const { states, counters, lists } = space
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

async function finishOnHost(
  { device, exchange, vertices }: Part,
  { states }: MisWorkspace,
  view: PreparedView,
  job: JobContext,
): Promise<void> {
  const words = exchange.known() ?? (await device.read(states, 0, stateWords(vertices)))
  finishSerially(view, words, job)
  await fillWords(device, states, words)
}

interface ResultSpace {
  /** Vertices at the front of the view. */
  readonly front: number
  /** Of the vertices behind it, so many are on the device at a time. */
  readonly chunk: number
  readonly behind: DeviceBuffer
  /** The members at the front to begin with. */
  readonly members: DeviceBuffer
}

async function allocateResult({ device, vertices, positions, states }: Part, view: ViewFile): Promise<ResultSpace> {
  const { front } = view.header
  const chunk = Math.min(positions ?? vertices, vertices - front)
  const behind = await device.allocate('behind', Math.max(1, chunk))
  const members = await device.allocate('members', Math.max(1, Math.ceil(vertices / 32)))
  const bits = membersOfFront(readFrontBits(view), states)
  await device.fill(members, bits.length, (bytes, at) => bytes.set(new Uint8Array(bits.buffer, at, bytes.length)))
  return { front, chunk, behind, members }
}

/** Turns states by position into members by vertex, a chunk of vertices at a time. @param loaded vertices behind the front that are on the device already */
async function gatherMembers(
  { device, store, vertices }: Part,
  { states }: MisWorkspace,
  { front, chunk, behind, members, room }: ResultSpace & { readonly room: Uint32Array },
  loaded: number,
  job: JobContext,
): Promise<VertexSet> {
  for (let first = 0; front + first < vertices; first += chunk) {
    throwIfCancelled(job.signal)
    const count = Math.min(chunk, vertices - front - first)
    if (first >= loaded) await store.loadBehind(behind, first, count)
    device.launch(misMembers, count, { first: front + first, count }, { states, vertices: behind, members })
  }
  const words = await device.read(members, 0, members.words, room)
  return new VertexSet(vertices, new Uint8Array(words.buffer, 0, Math.ceil(vertices / 8)))
}
