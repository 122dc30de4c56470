/**
 * TC-MIS (Nijhara and Banerjee, arXiv 2605.29604, Algorithm 2), for several seeds at once, which are the columns of C and N. Rounds are
 * synchronous, so nothing depends on timing, batches or the device. A round costs the tiles of rows with open vertices; chains that rounds
 * decide slowly are finished by the host (residual/finish-set.ts). tc-mis.ts gives keys, tiles-on-device.ts batches of tiles.
 */

import { tcCandidates } from '../../../kernels/tc-mis/tc-candidates.ts'
import type { TcCounts } from '../../../kernels/tc-mis/tc-counts.ts'
import { tcUpdate } from '../../../kernels/tc-mis/tc-update.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import type { Trace } from '../../base/trace.ts'
import {
  allocateBuffers,
  type Buffers,
  type Device,
  type DeviceBuffer,
  fillWords,
  releaseBuffers,
} from '../../device/device.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import { GraphPieces } from '../../graph/graph-pieces.ts'
import type { SetOrder } from '../../graph/set-order.ts'
import { TILE_COLUMNS } from '../../graph/tiles/tile-file.ts'
import { IN, OUT, UNDECIDED } from '../../graph/vertex-set.ts'
import type { Checkpoint } from '../checkpoint.ts'
import { type StatesByVertex, finishSet } from '../residual/finish-set.ts'
import { reportRound } from '../worker-report.ts'
import { type TileStore, ROUND_COUNTERS, segmentsOf, stateBuffers } from './tiles-on-device.ts'

/** The rounds so far; all that the next one follows from beside open vertices and members, which are the parts of a checkpoint. */
export interface RoundNotes {
  /** The table of keys that is compared; as many as there are: nothing is left to compute. */
  pass: number
  /** Rounds before those of this pass. */
  passFrom: number
  /** Open (vertex, seed) pairs after each round. */
  readonly left: number[]
  /** Tiles whose bits were read in each. */
  readonly tilesRead: number[]
}

export type TcCheckpoint = Checkpoint<RoundNotes>

type DeviceState = Buffers<keyof ReturnType<typeof stateBuffers>>

/** Every vertex, under every seed. */
function allVertices(vertices: number, seeds: number): Uint32Array {
  const words = new Uint32Array(segmentsOf(vertices) * seeds).fill(0xffffffff)
  const last = vertices % TILE_COLUMNS
  if (last > 0 || vertices === 0) words.fill(2 ** last - 1, words.length - seeds)
  return words
}

/** What TC-MIS works on: a graph as tiles, and keys that decide between neighbours. */
interface TcTask {
  readonly device: Device
  readonly graph: GaloisGr
  readonly store: TileStore
  /** Batches of tiles. */
  readonly batches: number
  readonly seeds: number
  /** Tables that are compared one after another; see tc-mis.ts. */
  readonly keys: readonly Uint32Array[]
  /** The order of each seed: that of the last table. */
  readonly orders: readonly SetOrder[]
  readonly counts: TcCounts
  readonly checkpoint: TcCheckpoint | undefined
  readonly trace: Trace
}

/** Rounds under one table of keys: random ones take about log n; neighbours that wait for one another in a long chain take the host less time. */
const MOST_ROUNDS = 64

/** One computation, round by round. */
export class ThreePhases {
  readonly notes: RoundNotes
  readonly #task: TcTask
  readonly #state: DeviceState
  readonly #job: JobContext

  private constructor(task: TcTask, state: DeviceState, notes: RoundNotes, job: JobContext) {
    this.#task = task
    this.#state = state
    this.notes = notes
    this.#job = job
  }

  /** Starts from the task's checkpoint, if it is resumed; else all vertices are alive, none is a member (lines 3-4). */
  static async open(task: TcTask, job: JobContext): Promise<ThreePhases> {
    const { device, graph, seeds, store, checkpoint } = task
    const state = await allocateBuffers(device, stateBuffers(graph.vertices, seeds))
    for (const buffer of [state.hits, state.members]) device.clear(buffer, 0, buffer.words)
    const kept = checkpoint?.start()
    const notes = kept?.notes ?? { pass: 0, passFrom: 0, left: [], tilesRead: [] }
    const phases = new ThreePhases(task, state, notes, job)
    const [alive, members] = kept?.parts ?? [allVertices(graph.vertices, seeds)]
    await store.moving('vertices', async () => {
      await phases.#open(alive!, alive!)
      if (members !== undefined) await fillWords(device, state.members, members)
    })
    return phases
  }

  /** The members under each seed: words of 32 vertices, those of the seeds side by side. */
  async run(): Promise<Uint32Array> {
    const { keys } = this.#task
    for (; this.notes.pass < keys.length; this.notes.pass++) {
      await this.#rounds(keys[this.notes.pass]!)
      if (this.notes.pass < keys.length - 1) await this.#reopenOrphans()
    }
    return this.#finish()
  }

  release(): void {
    releaseBuffers(this.#task.device, this.#state)
  }

  async #rounds(priorities: Uint32Array): Promise<void> {
    const { device, store, trace } = this.#task
    const { left, passFrom } = this.notes
    const keys = await store.moving('keys', () => device.share('keys', priorities))
    try {
      while (this.#undecided > 0 && left.length - passFrom < MOST_ROUNDS) {
        await trace.span('kernel', `round ${left.length + 1}`, async () => {
          await this.#candidates(keys) // phase 1, lines 5-9
          await this.#counts() // phase 2, lines 10-12
          await this.#update() // phase 3, lines 13-16
        })
        await this.#keep()
      }
    } finally {
      device.release(keys)
    }
  }

  get #undecided(): number {
    return this.notes.left.at(-1) ?? this.#task.graph.vertices * this.#task.seeds
  }

  /** C(v) = [P(v) > max P(u)] over the open neighbours u of each open v. */
  async #candidates(keys: DeviceBuffer): Promise<void> {
    const { device, seeds } = this.#task
    device.phase('candidates')
    for (let batch = 0; batch < this.#task.batches; batch++) {
      const { tiles, count } = await this.#load(batch)
      device.launch(tcCandidates, count, { count, seeds }, { ...this.#state, tiles, keys })
    }
  }

  /** N = A x C over the tiles that are not empty, in the other direction, as the last batch is at hand. */
  async #counts(): Promise<void> {
    const { device, seeds, counts } = this.#task
    device.clear(this.#state.counters, 0, ROUND_COUNTERS)
    device.phase('counts')
    for (let batch = this.#task.batches - 1; batch >= 0; batch--) {
      const { tiles, count } = await this.#load(batch)
      device.launch(counts, count, { count, seeds }, { ...this.#state, tiles })
    }
  }

  /** Candidates join; they and their neighbours, N(v) > 0, are open no longer. */
  async #update(): Promise<void> {
    const { device, graph, seeds } = this.#task
    const { left, tilesRead } = this.notes
    const segments = segmentsOf(graph.vertices)
    device.phase('update')
    device.launch(tcUpdate, segments, { segments, seeds }, this.#state)
    device.phase('')
    const [pairs, tiles] = await device.read(this.#state.counters, 0, ROUND_COUNTERS)
    left.push(pairs!)
    tilesRead.push(tiles!)
    reportRound(this.#job, 'round', graph.vertices, Math.ceil(pairs! / seeds), left.length)
  }

  #load(batch: number): ReturnType<TileStore['batch']> {
    throwIfCancelled(this.#job.signal)
    return this.#task.store.batch(batch)
  }

  /**
   * Both of two candidates that tied (h2) are out though no neighbour of theirs need be a member: vertices without a member beside them are opened
   * again. One more product tells which, with the members for candidates.
   */
  async #reopenOrphans(): Promise<void> {
    const { graph, seeds } = this.#task
    await this.#open(allVertices(graph.vertices, seeds), await this.#read('members'))
    await this.#counts()
    await this.#update()
    this.notes.passFrom = this.notes.left.length
  }

  async #open(open: Uint32Array, cands: Uint32Array): Promise<void> {
    const { device, graph } = this.#task
    await fillWords(device, this.#state.open, open)
    await fillWords(device, this.#state.openAny, allVertices(graph.vertices, 1))
    await fillWords(device, this.#state.cands, cands)
  }

  #read(name: 'open' | 'members'): Promise<Uint32Array> {
    const { device, graph, seeds } = this.#task
    return device.read(this.#state[name], 0, segmentsOf(graph.vertices) * seeds)
  }

  async #keep(): Promise<void> {
    const { checkpoint } = this.#task
    if (checkpoint?.isDue(false) === true)
      checkpoint.write([await this.#read('open'), await this.#read('members')], this.notes)
  }

  async #finish(): Promise<Uint32Array> {
    const { checkpoint } = this.#task
    const members = await this.#read('members')
    if (this.#undecided > 0) finishSeeds(this.#task, await this.#read('open'), members, this.#job)
    if (checkpoint?.isDue(true) === true) checkpoint.write([new Uint32Array(members.length), members], this.notes)
    return members
  }
}

/**
 * Decides what is left, seed by seed, in order of priority: where neighbours wait for one another in long chains, a round decides a few of
 * them only. Both are changed in place; words of 32 vertices, those of the seeds side by side.
 */
function finishSeeds({ graph, orders }: TcTask, open: Uint32Array, members: Uint32Array, job: JobContext): void {
  const ends = new GraphPieces(graph.file, graph.checked.source)
  const pieces = {
    graph: graph.file,
    endOf: (v: number): number => ends.endOf(v),
    readTargets: (first: number, end: number): Uint32Array => graph.readTargets(first, end),
  }
  for (const [seed, order] of orders.entries()) {
    const wordOf = (v: number): number => (v >>> 5) * orders.length + seed
    const has = (words: Uint32Array, v: number): boolean => ((words[wordOf(v)]! >>> (v & 31)) & 1) === 1
    const states: StatesByVertex = {
      get: (v) => (has(members, v) ? IN : has(open, v) ? UNDECIDED : OUT),
      set: (v, state) => {
        open[wordOf(v)]! &= ~(1 << (v & 31))
        if (state === IN) members[wordOf(v)]! |= 1 << (v & 31)
      },
    }
    finishSet(states, { residuals: [], deferred: graph.vertices, order, pieces }, job)
  }
}
