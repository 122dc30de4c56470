import { tcBegin } from '../../../kernels/tc-begin.ts'
import { tcCandidates } from '../../../kernels/tc-candidates.ts'
import { tcCountsMatrix } from '../../../kernels/tc-counts-matrix.ts'
import type { TcCounts } from '../../../kernels/tc-counts.ts'
import { tcCounts } from '../../../kernels/tc-counts.ts'
import { tcUpdate } from '../../../kernels/tc-update.ts'
import type { Device } from '../../device/device.ts'
import type { TileFile } from '../../graph/tiles/tile-file.ts'
import { TILE_COLUMNS } from '../../graph/tiles/tile-format.ts'
import type { JobContext } from '../../job.ts'
import { throwIfCancelled } from '../../job.ts'
import { Failure } from '../../failure.ts'
import type { Counting, DeviceFacts, RoundCount } from '../../jobs.ts'
import type { Trace } from '../../trace.ts'
import type { ListBatch, TileBatch } from './batches.ts'
import { finishSerially } from './finish.ts'
import type { Keys } from './keys.ts'
import type { PieceStore } from './piece-store.ts'
import type { Workspace } from './workspace.ts'
import { MOST_ROUNDS, RECORD_WORDS, allocateWorkspace, releaseWorkspace } from './workspace.ts'

/** Rounds that are queued before the host looks at the counters; those after the last one find nothing to do. */
const ROUNDS_AT_ONCE = 4
/** Where fewer than half of the open pairs are decided in so many rounds, chains are long and the host is faster. */
const PATIENCE_ROUNDS = 32
/** Workgroups that stride over pieces of vertices or chunks of tiles: 16 for each multiprocessor of the largest GPUs. */
const MOST_GROUPS = 2112

/** What TC-MIS works on: a device, and the graph as lists and tiles. */
export interface TcTask {
  readonly device: Device
  readonly store: PieceStore
  readonly view: TileFile
  readonly listOffsets: Uint32Array
  readonly listBatches: readonly ListBatch[]
  readonly tileBatches: readonly TileBatch[]
  readonly vertices: number
  readonly seeds: number
  readonly keys: Keys
  readonly counting?: Counting | undefined
  /** Whether all batches stay on the device. */
  readonly isResident: boolean
  readonly trace: Trace
}

export interface TcResult {
  /** Members by position, words of 32, those of the seeds side by side. */
  readonly members: Uint32Array
  readonly rounds: number
  /** Open (vertex, seed) pairs after each round. */
  readonly roundCounts: readonly RoundCount[]
  /** Tiles whose index was looked at, and whose bits were read, in each round. */
  readonly tilesLookedAt: readonly number[]
  readonly tilesRead: readonly number[]
  readonly isOnTensorCores: boolean
  readonly computeMs: number
  readonly kernelMs: number
  /** Milliseconds of the phases `candidates`, `counts` and `update`; empty where the device has no clock for them. */
  readonly phaseMs: Readonly<Record<string, number>>
}

/** Whether a device multiplies 16 x 32 by 32 x 16 bytes exactly. */
export function hasTensorCores({ features, subgroupMatrices }: DeviceFacts): boolean {
  const fits = (subgroupMatrices ?? []).some(
    ({ component, result, m, n, k }) => component === 'u8' && result === 'u32' && m === 16 && n === 16 && k === 32,
  )
  return fits && (tcCountsMatrix.features ?? []).every((feature) => features.includes(feature))
}

/**
 * The kernel of phase 2: as asked; left open, plain integers, which are faster on every graph measured (docs/decisions/0008):
 * tiles of real graphs hold so few arcs that a matrix product mostly multiplies zeros.
 * @throws Failure (usage) for tensor cores on a device without them
 */
export function countsKernel(facts: DeviceFacts, counting: Counting = 'auto'): TcCounts {
  const has = hasTensorCores(facts)
  if (counting === 'tensor' && !has)
    throw new Failure({
      code: 'usage',
      where: '--counting tensor',
      what: `${facts.id} (${facts.name}) does not multiply matrices of bytes`,
      remedy: 'Leave it out, or use --counting integer: the set is the same.',
    })
  return counting === 'tensor' ? tcCountsMatrix : tcCounts
}

/**
 * TC-MIS (Nijhara and Banerjee, arXiv 2605.29604, Algorithm 2), for several seeds at once. Each round: the open vertices that no
 * open neighbour precedes are candidates; a product over the tiles of the adjacency matrix tells who has a candidate beside it;
 * candidates join, and their neighbours are out. Rounds are synchronous, so nothing depends on timing, batches or the device.
 */
export async function tcMis(task: TcTask, job: JobContext): Promise<TcResult> {
  const { device, vertices, seeds, keys, store } = task
  const counts = countsKernel(device.facts, task.counting)
  await device.prepare([tcBegin, tcCandidates, counts, tcUpdate])
  const space = await allocateWorkspace(device, { vertices, seeds }, keys.keys)
  if (task.isResident) await loadAll(task)
  const settling = keys.settling === undefined ? undefined : await device.share('settling keys', keys.settling)
  const waitedMs = store.readMs
  await device.takeKernelMs()
  await device.takePhaseMs()
  const startMs = performance.now()
  const rounds = new Rounds(task, space, counts, job)
  rounds.begin()
  await rounds.run()
  if (settling !== undefined) {
    await rounds.reopenOrphans()
    await rounds.run({ ...space, keys: settling })
  }
  const members = await device.read(space.members, 0, space.members.words)
  if (rounds.left > 0) {
    const open = await device.read(space.open, 0, space.open.words)
    const left = { open, members, keys: keys.settling ?? keys.keys }
    finishSerially(task.view, task.listOffsets, left, seeds, job)
  }
  const computeMs = performance.now() - startMs - (store.readMs - waitedMs)
  const [kernelMs, phaseMs] = [await device.takeKernelMs(), await device.takePhaseMs()]
  if (settling !== undefined) device.release(settling)
  releaseWorkspace(device, space)
  return { members, ...rounds.figures, isOnTensorCores: counts === tcCountsMatrix, computeMs, kernelMs, phaseMs }
}

async function loadAll({ store, listBatches, tileBatches }: TcTask): Promise<void> {
  for (const batch of listBatches) await store.lists(batch)
  for (const batch of tileBatches) await store.tiles(batch)
}

/** The rounds of a run, one after another, with their counters. */
class Rounds {
  /** Open pairs after the last round. */
  left: number
  readonly #task: TcTask
  readonly #counts: TcCounts
  readonly #job: JobContext
  readonly #width: number
  readonly #segments: number
  readonly #history: number[] = []
  readonly #lookedAt: number[] = []
  readonly #read: number[] = []
  #space: Workspace
  #round = 0

  constructor(task: TcTask, space: Workspace, counts: TcCounts, job: JobContext) {
    this.#task = task
    this.#space = space
    this.#counts = counts
    this.#job = job
    this.#width = RECORD_WORDS
    this.#segments = Math.ceil(task.vertices / TILE_COLUMNS)
    this.left = task.vertices * task.seeds
  }

  get figures() {
    const roundCounts = this.#history.map((undecided, i) => ({ round: i + 1, undecided }))
    return { rounds: this.#history.length, roundCounts, tilesLookedAt: this.#lookedAt, tilesRead: this.#read }
  }

  /** Opens all vertices; nobody is a member. */
  begin(): void {
    const { device } = this.#task
    const { members, hits, cursors, counters } = this.#space
    for (const buffer of [members, hits, cursors, counters]) device.clear(buffer, 0, buffer.words)
    this.#launchBegin()
  }

  /** Rounds until nothing is open, or too little gets decided. */
  async run(space: Workspace = this.#space): Promise<void> {
    this.#space = space
    const first = this.#history.length
    while (this.left > 0 && !this.#isStuck(first)) {
      const last = Math.min(MOST_ROUNDS, this.#round + (this.#task.isResident ? ROUNDS_AT_ONCE : 1))
      const mayBeOpen = this.#task.isResident ? undefined : await this.#readOpen()
      const name = `rounds ${this.#round + 1} to ${last}`
      await this.#task.trace.span('kernel', name, async () => {
        while (this.#round < last) {
          throwIfCancelled(this.#job.signal)
          await this.#queueRound(mayBeOpen)
        }
        await this.#look()
      })
    }
  }

  /**
   * Where candidates tied, vertices were put aside though no neighbour of theirs is a member: those are opened again. One more
   * product, with the members for candidates, tells which.
   */
  async reopenOrphans(): Promise<void> {
    const { device } = this.#task
    this.#launchBegin()
    device.clear(this.#space.cursors, 0, this.#space.cursors.words)
    this.#round++
    await this.#queueProduct(undefined)
    this.#queueUpdate()
    await this.#look()
  }

  #launchBegin(): void {
    const { device, vertices, seeds } = this.#task
    device.phase('')
    device.launch(tcBegin, this.#segments, { vertices, seeds, record: this.#recordOf(this.#round) }, this.#space)
  }

  #recordOf(round: number): number {
    return this.#width * round
  }

  #isStuck(first: number): boolean {
    if (this.#round >= MOST_ROUNDS) return true
    const before = this.#history.length - 1 - PATIENCE_ROUNDS
    return before >= first && this.left > this.#history[before]! / 2
  }

  /** Which words of 32 vertices have an open one, where not all batches are on the device. */
  #readOpen(): Promise<Uint32Array> {
    return this.#task.device.read(this.#space.openAny, 0, this.#segments)
  }

  async #queueRound(open: Uint32Array | undefined): Promise<void> {
    const { device, store, listBatches, seeds } = this.#task
    const previous = this.#recordOf(this.#round++)
    device.phase('candidates')
    for (const batch of listBatches) {
      const { first, count } = batch
      if (!hasOpen(open, first >>> 5, (first + count - 1) >>> 5)) continue
      const loaded = await store.lists(batch)
      const params = { first, count, seeds, previous }
      const threads = Math.min(count * seeds, MOST_GROUPS * tcCandidates.workgroup)
      device.launch(tcCandidates, threads, params, { ...this.#space, ...loaded })
    }
    await this.#queueProduct(open)
    this.#queueUpdate()
  }

  async #queueProduct(open: Uint32Array | undefined): Promise<void> {
    const { device, store, tileBatches, seeds } = this.#task
    const record = this.#recordOf(this.#round)
    device.phase('counts')
    for (const batch of tileBatches) {
      if (!hasOpen(open, batch.firstRow >>> 1, batch.lastRow >>> 1)) continue
      const bound = { ...this.#space, ...(await store.tiles(batch)) }
      const groups = Math.min(batch.chunks, MOST_GROUPS)
      const params = { chunks: batch.chunks, seeds, previous: record - this.#width, statistics: record + 1 }
      device.launch(this.#counts, groups * this.#counts.workgroup, params, bound)
    }
  }

  #queueUpdate(): void {
    const { device, seeds } = this.#task
    const record = this.#recordOf(this.#round)
    device.phase('update')
    const params = { segments: this.#segments, seeds, previous: record - this.#width, record }
    const groups = Math.ceil(this.#segments / Math.floor(tcUpdate.workgroup / seeds))
    device.launch(tcUpdate, groups * tcUpdate.workgroup, params, this.#space)
    device.phase('')
  }

  /** Waits for what is queued and takes the counters of the rounds that did something. */
  async #look(): Promise<void> {
    const { device, vertices, seeds } = this.#task
    const width = this.#width
    const first = this.#history.length + 1
    const records = await device.read(this.#space.counters, width * first, width * (this.#round + 1 - first))
    for (let at = 0; at < records.length; at += width) {
      this.left = records[at]!
      this.#history.push(this.left)
      this.#lookedAt.push(records[at + 1]!)
      this.#read.push(records[at + 2]!)
      // Rounds queued past the last one did nothing; the next one begins here.
      if (this.left === 0) break
    }
    this.#round = this.#history.length
    const decided = vertices - Math.ceil(this.left / seeds)
    this.#job.progress({
      phase: 'round',
      done: decided,
      total: vertices,
      unit: 'vertices',
      round: this.#round,
      decided,
    })
  }
}

/** Whether a word of `open` in [first, last] is not 0; true where nobody knows. */
function hasOpen(open: Uint32Array | undefined, first: number, last: number): boolean {
  if (open === undefined) return true
  for (let word = first; word <= last; word++) if (open[word] !== 0) return true
  return false
}
