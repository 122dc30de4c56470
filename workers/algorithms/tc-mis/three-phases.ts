import { tcCandidates } from '../../../kernels/tc-mis/tc-candidates.ts'
import type { TcCounts } from '../../../kernels/tc-mis/tc-counts.ts'
import { tcUpdate } from '../../../kernels/tc-mis/tc-update.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import type { Trace } from '../../base/trace.ts'
import { type Device, type DeviceBuffer, fillWords } from '../../device/device.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import { type DeviceState, type RoundNotes, type TcCheckpoint, type TcState, allVertices } from './tc-state.ts'
import type { TileStore } from './tile-store.ts'

/** What TC-MIS works on: a graph as tiles, and keys that decide between neighbours. */
export interface TcTask {
  readonly device: Device
  readonly graph: GaloisGr
  readonly store: TileStore
  /** Of tiles. */
  readonly batches: number
  readonly seeds: number
  /** Tables that are compared one after another; see keys.ts. */
  readonly keys: readonly Uint32Array[]
  readonly counts: TcCounts
  readonly checkpoint: TcCheckpoint | undefined
  readonly trace: Trace
}

/** Rounds under one table of keys: random ones take about log n; neighbours that wait for one another in a long chain take the host less time. */
const MOST_ROUNDS = 64

/**
 * TC-MIS (Nijhara and Banerjee, arXiv 2605.29604, Algorithm 2), for several seeds at once, which are the columns of C and N. Rounds are
 * synchronous, so nothing depends on timing, batches or the device.
 */
export class ThreePhases {
  readonly #task: TcTask
  readonly #state: DeviceState
  readonly #job: JobContext
  #pass = 0
  #passFrom = 0
  #left: number[] = []
  #tilesRead: number[] = []

  constructor(task: TcTask, state: DeviceState, job: JobContext) {
    this.#task = task
    this.#state = state
    this.#job = job
  }

  get notes(): RoundNotes {
    return { pass: this.#pass, passFrom: this.#passFrom, left: this.#left, tilesRead: this.#tilesRead }
  }

  /** The members under each seed: words of 32 vertices, those of the seeds side by side. @param start of a run that is resumed */
  async run(start: TcState | undefined): Promise<Uint32Array> {
    const { store, keys } = this.#task
    await store.moving('vertices', () => this.#begin(start))
    for (; this.#pass < keys.length; this.#pass++) {
      await this.#rounds(keys[this.#pass]!)
      if (this.#pass < keys.length - 1) await this.#reopenOrphans()
    }
    return this.#finish()
  }

  async #rounds(priorities: Uint32Array): Promise<void> {
    const { device, store, trace } = this.#task
    const keys = await store.moving('keys', () => device.share('keys', priorities))
    try {
      while (this.#undecided > 0 && this.#left.length - this.#passFrom < MOST_ROUNDS) {
        await trace.span('kernel', `round ${this.#left.length + 1}`, async () => {
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
    return this.#left.at(-1) ?? this.#task.graph.vertices * this.#task.seeds
  }

  /** Lines 3-4: all vertices are alive, none is a member. */
  async #begin(start: TcState | undefined): Promise<void> {
    const { device, graph, seeds } = this.#task
    const alive = start?.open ?? allVertices(graph.vertices, seeds)
    await this.#open(alive, alive)
    const { members } = this.#state
    if (start === undefined) return device.clear(members, 0, members.words)
    await fillWords(device, members, start.members)
    const { pass, passFrom, left, tilesRead } = start
    this.#pass = pass
    this.#passFrom = passFrom
    this.#left = [...left]
    this.#tilesRead = [...tilesRead]
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
    device.clear(this.#state.counters, 0, this.#state.counters.words)
    device.phase('counts')
    for (let batch = this.#task.batches - 1; batch >= 0; batch--) {
      const { tiles, count } = await this.#load(batch)
      device.launch(counts, count, { count, seeds }, { ...this.#state, tiles })
    }
  }

  /** Candidates join; they and their neighbours, N(v) > 0, are open no longer. */
  async #update(): Promise<void> {
    const { device, graph, seeds } = this.#task
    const { openAny, counters } = this.#state
    device.phase('update')
    device.launch(tcUpdate, openAny.words, { segments: openAny.words, seeds }, this.#state)
    device.phase('')
    const [left, tilesRead] = await device.read(counters, 0, counters.words)
    this.#left.push(left!)
    this.#tilesRead.push(tilesRead!)
    const decided = graph.vertices - Math.ceil(left! / seeds)
    const round = this.#left.length
    this.#job.progress({ phase: 'round', done: decided, total: graph.vertices, unit: 'vertices', round, decided })
  }

  #load(batch: number): ReturnType<TileStore['batch']> {
    throwIfCancelled(this.#job.signal)
    return this.#task.store.batch(batch)
  }

  /**
   * Where candidates tied (h2), both are out though no neighbour of theirs need be a member: vertices without a member beside them are opened
   * again. One more product tells which, with the members for candidates.
   */
  async #reopenOrphans(): Promise<void> {
    const { graph, seeds } = this.#task
    await this.#open(allVertices(graph.vertices, seeds), await this.#read('members'))
    await this.#counts()
    await this.#update()
    this.#passFrom = this.#left.length
  }

  async #open(open: Uint32Array, cands: Uint32Array): Promise<void> {
    const { device, graph } = this.#task
    await fillWords(device, this.#state.open, open)
    await fillWords(device, this.#state.openAny, allVertices(graph.vertices, 1))
    await fillWords(device, this.#state.cands, cands)
  }

  #read(name: 'open' | 'members'): Promise<Uint32Array> {
    return this.#task.device.read(this.#state[name], 0, this.#state[name].words)
  }

  async #keep(): Promise<void> {
    const { checkpoint } = this.#task
    if (checkpoint?.isDue(false) === true)
      checkpoint.write([await this.#read('open'), await this.#read('members')], this.notes)
  }

  async #finish(): Promise<Uint32Array> {
    const { graph, seeds, keys, checkpoint } = this.#task
    const members = await this.#read('members')
    if (this.#undecided > 0)
      finishSerially(graph, { open: await this.#read('open'), members, keys: keys.at(-1)! }, seeds, this.#job)
    if (checkpoint?.isDue(true) === true) checkpoint.write([new Uint32Array(members.length), members], this.notes)
    return members
  }
}

const LOOK_EVERY = 1 << 12

/**
 * Decides what is left, seed by seed, in one walk by descending key: where neighbours wait for one another in long chains, a
 * round decides a few of them only. `members` is changed in place; words of 32 vertices, those of the seeds side by side.
 */
export function finishSerially(
  graph: GaloisGr,
  { open, members, keys }: Readonly<Record<'open' | 'members' | 'keys', Uint32Array>>,
  seeds: number,
  job: JobContext,
): void {
  for (let seed = 0; seed < seeds; seed++) {
    const left = openVertices(open, seed, seeds)
    left.sort((a, b) => keys[b * seeds + seed]! - keys[a * seeds + seed]!)
    left.forEach((v, i) => {
      if (i % LOOK_EVERY === 0) {
        throwIfCancelled(job.signal)
        job.progress({ phase: 'finish', done: i, total: left.length, unit: 'vertices' })
      }
      const isMember = (u: number): boolean => ((members[(u >>> 5) * seeds + seed]! >>> (u & 31)) & 1) === 1
      const { first, end } = graph.arcsOf(v)
      if (!graph.readTargets(first, end).some(isMember)) members[(v >>> 5) * seeds + seed]! |= 1 << (v & 31)
    })
  }
}

function openVertices(open: Uint32Array, seed: number, seeds: number): Uint32Array {
  const found: number[] = []
  for (let at = seed, segment = 0; at < open.length; at += seeds, segment++)
    for (let word = open[at]!; word !== 0; word &= word - 1) found.push(32 * segment + 31 - Math.clz32(word & -word))
  return Uint32Array.from(found)
}
