import type { GaloisGr } from '../../graph/galois-gr.ts'
import type { Device } from '../../device/device.ts'
import type { Counting } from '../../contract/jobs.ts'
import type { Trace } from '../../base/trace.ts'
import type { ListBatch, TileBatch } from './batches.ts'
import type { Keys } from './keys.ts'
import type { PieceStore } from './piece-store.ts'
import { tcBegin } from '../../../kernels/tc-mis/tc-begin.ts'
import { tcCandidates } from '../../../kernels/tc-mis/tc-candidates.ts'
import type { TcCounts } from '../../../kernels/tc-mis/tc-counts.ts'
import { tcUpdate } from '../../../kernels/tc-mis/tc-update.ts'
import { TILE_COLUMNS } from '../../graph/tiles/tile-format.ts'
import type { DeviceBuffer } from '../../device/device.ts'
import { fillWords } from '../../device/fill-words.ts'
import type { JobContext } from '../../base/job.ts'
import { throwIfCancelled } from '../../base/job.ts'
import type { StateKeeper, TcState } from './tc-state.ts'
import { openAnyOf, recordsOf } from './tc-state.ts'
import type { Workspace } from './workspace.ts'
import { MOST_ROUNDS, RECORD_WORDS } from './workspace.ts'

/** What TC-MIS works on: a device, and the graph as lists and tiles. */
export interface TcTask {
  readonly device: Device
  readonly store: PieceStore
  readonly graph: GaloisGr
  readonly listBatches: readonly ListBatch[]
  readonly tileBatches: readonly TileBatch[]
  readonly vertices: number
  readonly seeds: number
  readonly keys: Keys
  readonly counting?: Counting | undefined
  /** Whether all batches stay on the device. */
  readonly isResident: boolean
  readonly trace: Trace
  /** Where another attempt at the same run stood; absent: every vertex is open. */
  readonly start?: TcState | undefined
  readonly keeper?: StateKeeper | undefined
}

/** Rounds that are queued at most before the host looks at the counters; those after the last one find nothing to do. */
const ROUNDS_AT_ONCE = 4
/** Where fewer than half of the open pairs are decided in so many rounds, chains are long and the host is faster. */
const PATIENCE_ROUNDS = 32
/** Workgroups that stride over pieces of vertices or chunks of tiles: 16 for each multiprocessor of the largest GPUs. */
const MOST_GROUPS = 2112

/** The kernels of a round but for the product. */
export const roundKernels = [tcBegin, tcCandidates, tcUpdate]

/** The rounds of a run, one after another, with their counters. */
export class Rounds {
  /** Open pairs after the last round. */
  left: number
  readonly #task: TcTask
  readonly #counts: TcCounts
  readonly #job: JobContext
  readonly #segments: number
  readonly #history: number[]
  readonly #lookedAt: number[]
  readonly #read: number[]
  #space: Workspace
  #round: number
  /** Rounds before those under keys without ties; undefined while there were none of these. */
  #settledFrom: number | undefined

  constructor(task: TcTask, space: Workspace, counts: TcCounts, job: JobContext) {
    this.#task = task
    this.#space = space
    this.#counts = counts
    this.#job = job
    this.#segments = Math.ceil(task.vertices / TILE_COLUMNS)
    const { left = [], lookedAt = [], read = [], settledFrom } = task.start ?? {}
    this.#history = [...left]
    this.#lookedAt = [...lookedAt]
    this.#read = [...read]
    this.#round = left.length
    this.#settledFrom = settledFrom
    this.left = left.at(-1) ?? task.vertices * task.seeds
  }

  /** What a state has beside open pairs and members. */
  get notes(): Omit<TcState, 'open' | 'members'> {
    const [left, lookedAt, read, settledFrom] = [this.#history, this.#lookedAt, this.#read, this.#settledFrom]
    return { left, lookedAt, read, settledFrom, isOver: false }
  }

  /** Opens all vertices, and nobody is a member; or takes what another attempt left, whose lists are walked from the front again. */
  async begin(): Promise<void> {
    const { device, start } = this.#task
    const { members, hits, cursors, counters } = this.#space
    for (const buffer of [members, hits, cursors, counters]) device.clear(buffer, 0, buffer.words)
    if (start === undefined) this.#launchBegin()
    else await this.#goOnFrom(start)
  }

  async #goOnFrom(start: TcState): Promise<void> {
    const { device, seeds, vertices } = this.#task
    const { members, cands, candsAny, open, openAny, counters } = this.#space
    for (const buffer of [cands, candsAny]) device.clear(buffer, 0, buffer.words)
    await fillWords(device, open, start.open)
    await fillWords(device, members, start.members)
    await fillWords(device, openAny, openAnyOf(start.open, seeds))
    await fillWords(device, counters, recordsOf(start, vertices * seeds))
  }

  /** Compares these keys from now on, which have no ties. */
  settle(keys: DeviceBuffer): void {
    this.#space = { ...this.#space, keys }
  }

  /** Rounds until nothing is open, or too little gets decided. */
  async run(): Promise<void> {
    const first = this.#settledFrom ?? 0
    const { isResident, keeper, trace } = this.#task
    while (this.left > 0 && !this.#isStuck(first)) {
      const atOnce = isResident && keeper?.isDue(false) !== true ? ROUNDS_AT_ONCE : 1
      const last = Math.min(MOST_ROUNDS, this.#round + atOnce)
      const mayBeOpen = isResident ? undefined : await this.#readOpen()
      await trace.span('kernel', `rounds ${this.#round + 1} to ${last}`, async () => {
        while (this.#round < last) await this.#queueRound(mayBeOpen)
        await this.#look()
      })
      await this.#keep()
    }
  }

  async #keep(): Promise<void> {
    const { keeper, device } = this.#task
    if (keeper?.isDue(false) !== true) return
    const open = await device.read(this.#space.open, 0, this.#space.open.words)
    const members = await device.read(this.#space.members, 0, this.#space.members.words)
    keeper.keep({ ...this.notes, open, members })
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
    this.#settledFrom = this.#history.length
  }

  #launchBegin(): void {
    const { device, vertices, seeds } = this.#task
    device.phase('')
    device.launch(tcBegin, this.#segments, { vertices, seeds, record: this.#recordOf(this.#round) }, this.#space)
  }

  #recordOf(round: number): number {
    return RECORD_WORDS * round
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
      throwIfCancelled(this.#job.signal)
      const loaded = await store.lists(batch)
      const threads = Math.min(count * seeds, MOST_GROUPS * tcCandidates.workgroup)
      const bound = { ...this.#space, ...loaded }
      device.launch(tcCandidates, threads, { first, count, seeds, previous }, bound)
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
      throwIfCancelled(this.#job.signal)
      const bound = { ...this.#space, ...(await store.tiles(batch)) }
      const groups = Math.min(batch.chunks, MOST_GROUPS)
      const params = { chunks: batch.chunks, seeds, previous: record - RECORD_WORDS, statistics: record + 1 }
      device.launch(this.#counts, groups * this.#counts.workgroup, params, bound)
    }
  }

  #queueUpdate(): void {
    const { device, seeds } = this.#task
    const record = this.#recordOf(this.#round)
    device.phase('update')
    const params = { segments: this.#segments, seeds, previous: record - RECORD_WORDS, record }
    const groups = Math.ceil(this.#segments / Math.floor(tcUpdate.workgroup / seeds))
    const threads = groups * tcUpdate.workgroup
    device.launch(tcUpdate, threads, params, this.#space)
    device.phase('')
  }

  /** Waits for what is queued and takes the counters of the rounds that did something. */
  async #look(): Promise<void> {
    const { device, vertices, seeds } = this.#task
    const first = this.#history.length + 1
    const words = RECORD_WORDS * (this.#round + 1 - first)
    const records = await device.read(this.#space.counters, this.#recordOf(first), words)
    for (let at = 0; at < words; at += RECORD_WORDS) {
      const [left, lookedAt, read] = records.subarray(at, at + RECORD_WORDS)
      this.left = left!
      this.#history.push(left!)
      this.#lookedAt.push(lookedAt!)
      this.#read.push(read!)
      // Rounds queued past the last one did nothing; the next one begins here.
      if (left === 0) break
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
