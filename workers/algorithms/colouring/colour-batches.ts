import { setImmediate as nextTurn, setTimeout as rest } from 'node:timers/promises'
import { colourPredecessors } from '../../../kernels/colouring/colour-predecessors.ts'
import { COUNTED, colourVisit } from '../../../kernels/colouring/colour-visit.ts'
import { type Buffers, allocateBuffers, releaseBuffers } from '../../device/buffers.ts'
import { type DeviceBuffer, fillWords } from '../../device/device.ts'
import type { ArcBatch, LoadedArcs } from '../arc-store.ts'
import type { RangeWorker } from '../range-task.ts'
import { ColourBands } from './colour-bands.ts'
import type { SharedColouring } from './compute-colouring.ts'

/** Rounds of a submission, an even number: the list ends where it began. */
const GPU_ROUNDS = 64
const CPU_ROUNDS = 2
/** Threads that a round has at least. */
const LEAST_THREADS = 1 << 13
/** A band is visited when fewer than this share of its vertices are left of those before it. */
const FEW = 1 / 4
/** So long a processor that waits for others looks at every turn. */
const EAGER_MS = 1

/** On a device, beside keys and colours of all vertices: states and lists of its own. */
export const batchSpaceBytes = (own: number): number => 4 * (4 * own + GPU_ROUNDS + 1 + 16)

/** Vertices of a batch without a colour: the first `kept` of its section of the list wait, those from ends [band] on were not visited yet. */
interface Pending {
  readonly batch: ArcBatch
  /** Of each band, after one for none. */
  readonly ends: readonly number[]
  band: number
  kept: number
}

const isWhole = ({ band, ends }: Pending): boolean => band === ends.length - 1
const leftOf = ({ kept, band, ends }: Pending): number => kept + ends.at(-1)! - ends[band]!

type Space = Buffers<'states' | 'list' | 'spare' | 'counters'>

/**
 * The vertices of one worker, batch by batch, in bands of falling keys: a band is visited in rounds beside what is left of those before it, so that no
 * round looks at vertices whose turn is far away.
 */
export class ColourBatches {
  readonly #worker: RangeWorker<SharedColouring>
  readonly #keys: DeviceBuffer
  readonly #colours: DeviceBuffer
  readonly #space: Space
  readonly #pending: readonly Pending[]
  /** Whose lists begin with the predecessors. */
  readonly #prepared = new WeakSet<LoadedArcs>()

  private constructor(
    worker: RangeWorker<SharedColouring>,
    { keys, colours }: Readonly<Record<'keys' | 'colours', DeviceBuffer>>,
    space: Space,
    pending: readonly Pending[],
  ) {
    this.#worker = worker
    this.#keys = keys
    this.#colours = colours
    this.#space = space
    this.#pending = pending
  }

  /** Those that have no colour yet. */
  static async open(
    worker: RangeWorker<SharedColouring>,
    buffers: Readonly<Record<'keys' | 'colours', DeviceBuffer>>,
  ): Promise<ColourBatches> {
    const { device, plan, task, low, high } = worker
    const own = high - low
    const spare = plan.batches.reduce((most, { count }) => Math.max(most, count), 0)
    const words = { states: 2 * own, list: own, spare, counters: GPU_ROUNDS + 1 }
    const space = await allocateBuffers(device, words)
    device.clear(space.states, 0, 2 * own)
    const pending: Pending[] = []
    const bands = new ColourBands(task.shared)
    for (const batch of plan.batches) {
      const { order, ends } = bands.order(batch, low)
      await fillWords(device, space.list, order, batch.first - low)
      pending.push({ batch, ends, band: 0, kept: 0 })
    }
    return new ColourBatches(worker, buffers, space, pending)
  }

  /** Vertices without a colour. */
  get left(): number {
    return this.#pending.reduce((sum, each) => sum + leftOf(each), 0)
  }

  /**
   * Visits every batch until all of its vertices have their colours or wait for others; and waits for these where they appear meanwhile.
   * @param pause called between submissions
   */
  async round(isLive: boolean, pause: () => Promise<void>): Promise<void> {
    for (const pending of this.#pending) {
      await pause()
      if (leftOf(pending) === 0) continue
      const loaded = await this.#worker.store.load(pending.batch)
      this.#prepare(loaded)
      let idleMs = 0
      while (leftOf(pending) > 0) {
        if (idleMs > 0 && !isLive && isWhole(pending)) break
        const startMs = performance.now()
        const coloured = await this.#visit(pending, loaded, idleMs > 0 && !isLive)
        await pause()
        if (coloured > 0) idleMs = 0
        else {
          if (isLive) await (idleMs > EAGER_MS ? rest(1) : nextTurn())
          idleMs += performance.now() - startMs
        }
      }
    }
  }

  release(): void {
    releaseBuffers(this.#worker.device, this.#space)
  }

  #prepare(loaded: LoadedArcs): void {
    if (this.#prepared.has(loaded)) return
    this.#prepared.add(loaded)
    const { device, task, trace, low } = this.#worker
    const { batch, offsets, targets } = loaded
    const { states } = this.#space
    const params = { first: batch.first, rows: batch.count, low, shift: task.shared.shift }
    const buffers = { offsets, targets, keys: this.#keys, colours: this.#colours, states }
    trace.span('kernel', 'predecessors', () => device.launch(colourPredecessors, batch.count, params, buffers))
  }

  /** Some rounds. @param isStuck whether those that wait cannot be coloured without others of the batch @returns how many were coloured */
  async #visit(pending: Pending, { offsets, targets }: LoadedArcs, isStuck: boolean): Promise<number> {
    const { device, task, trace, low } = this.#worker
    const { counters, states, list, spare } = this.#space
    const { batch, ends, band, kept } = pending
    const base = batch.first - low
    const at = ends[band]!
    const next = isWhole(pending) ? 0 : ends[band + 1]! - at
    const isAdmitted = !isWhole(pending) && (isStuck || kept <= FEW * next)
    const admitted = isAdmitted ? next : 0
    const common = { offsets, targets, keys: this.#keys, colours: this.#colours, states, counters }
    const rounds = device.sharesMemory ? CPU_ROUNDS : GPU_ROUNDS
    const visited = kept + admitted
    device.clear(counters, 0, rounds + 1)
    for (let slot = 0; slot < rounds; slot++) {
      const [from, to] = slot % 2 === 0 ? [base, 0] : [0, base]
      const buffers = slot % 2 === 0 ? { list, rest: spare } : { list: spare, rest: list }
      const first = slot === 0 ? { kept, at, admitted } : { kept: COUNTED, at: 0, admitted: 0 }
      const params = { first: batch.first, low, shift: task.shared.shift, base: from, to, slot, ...first }
      const threads = Math.max(Math.min(visited, LEAST_THREADS), Math.ceil(visited / 2 ** slot))
      trace.span('kernel', 'colour', () => device.launch(colourVisit, threads, params, { ...common, ...buffers }))
    }
    const [waiting = 0] = await device.read(counters, rounds, 1)
    if (isAdmitted) pending.band++
    pending.kept = waiting
    return visited - waiting
  }
}
