import { setImmediate as nextTurn, setTimeout as rest } from 'node:timers/promises'
import { UNCOLOURED } from '../../../kernels/parts/colour-order.ts'
import { colourPredecessors } from '../../../kernels/colouring/colour-predecessors.ts'
import { COUNTED, colourVisit } from '../../../kernels/colouring/colour-visit.ts'
import { type Buffers, allocateBuffers, releaseBuffers } from '../../device/buffers.ts'
import { type DeviceBuffer, fillWords } from '../../device/device.ts'
import type { ArcBatch, LoadedArcs } from '../arc-store.ts'
import type { RangeWorker } from '../range-task.ts'
import type { SharedColouring } from './compute-colouring.ts'

/** Rounds of a submission, an even number: the list ends where it began. */
const GPU_ROUNDS = 64
const CPU_ROUNDS = 2
/** Vertices that are visited in each round; twice as many whenever a submission coloured half of them. */
const FIRST_WINDOW = 1 << 13
/** So long a processor waits for others alone, before it visits more vertices. */
const PATIENCE_MS = 1

/** On a device, beside keys and colours of all vertices: states and lists of its own. */
export const batchSpaceBytes = (own: number): number => 4 * (4 * own + GPU_ROUNDS + 1 + 16)

/** Vertices of a batch without a colour: the first `kept` of its section of the list wait, those from `at` to `end` were not visited yet. */
interface Pending {
  readonly batch: ArcBatch
  /** Of the section. */
  readonly base: number
  readonly end: number
  at: number
  kept: number
  window: number
}

const leftOf = ({ kept, at, end }: Pending): number => kept + end - at

type Space = Buffers<'states' | 'list' | 'spare' | 'counters'>

/**
 * The vertices of one worker, batch by batch in the order of their keys: a window of them is visited in rounds until each has its colour. As all that
 * come before a vertex were admitted before it, no round looks at vertices whose turn is far away.
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
    for (const batch of plan.batches) {
      const order = inOrder(task.shared, batch, low)
      const base = batch.first - low
      await fillWords(device, space.list, order, base)
      pending.push({ batch, base, end: order.length, at: 0, kept: 0, window: FIRST_WINDOW })
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
        const isStuck = idleMs > 0
        if (isStuck && !isLive && pending.at === pending.end) break
        const startMs = performance.now()
        const coloured = await this.#visit(pending, loaded, isStuck && (!isLive || idleMs > PATIENCE_MS))
        await pause()
        if (coloured > 0) idleMs = 0
        else {
          if (isLive) await (idleMs > PATIENCE_MS ? rest(1) : nextTurn())
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

  /** Some rounds. @param isStuck whether none of those that wait was coloured by the last ones @returns how many were coloured */
  async #visit(pending: Pending, { offsets, targets }: LoadedArcs, isStuck: boolean): Promise<number> {
    const { device, task, trace, low } = this.#worker
    const { counters, states, list, spare } = this.#space
    const { batch, base, at, kept, end } = pending
    if (isStuck) pending.window *= 2
    const half = pending.window / 2
    const room = isStuck || kept < half ? Math.max(half, pending.window - kept) : 0
    const admitted = Math.min(end - at, room)
    const common = { offsets, targets, keys: this.#keys, colours: this.#colours, states, counters }
    const rounds = device.sharesMemory ? CPU_ROUNDS : GPU_ROUNDS
    const visited = kept + admitted
    device.clear(counters, 0, rounds + 1)
    for (let slot = 0; slot < rounds; slot++) {
      const [from, to] = slot % 2 === 0 ? [base, 0] : [0, base]
      const buffers = slot % 2 === 0 ? { list, rest: spare } : { list: spare, rest: list }
      const first = slot === 0 ? { kept, at, admitted } : { kept: COUNTED, at: 0, admitted: 0 }
      const params = { first: batch.first, low, shift: task.shared.shift, base: from, to, slot, ...first }
      const threads = Math.max(Math.min(visited, FIRST_WINDOW), Math.ceil(visited / 2 ** slot))
      trace.span('kernel', 'colour', () => device.launch(colourVisit, threads, params, { ...common, ...buffers }))
    }
    const [waiting = 0] = await device.read(counters, rounds, 1)
    pending.at += admitted
    pending.kept = waiting
    if (2 * waiting <= visited) pending.window *= 2
    return visited - waiting
  }
}

/** Vertices of a batch without a colour by falling keys, as v - low. */
function inOrder({ keys, colours }: SharedColouring, { first, count }: ArcBatch, low: number): Uint32Array {
  let [largest, found] = [0, 0]
  for (let v = first; v < first + count; v++) {
    if (colours[v] !== UNCOLOURED) continue
    if (keys[v]! > largest) largest = keys[v]!
    found++
  }
  /** Of each key, where the next vertex that has it goes. */
  const places = new Uint32Array(largest + 2)
  for (let v = first; v < first + count; v++) if (colours[v] === UNCOLOURED) places[largest - keys[v]! + 1]!++
  for (let key = 1; key <= largest; key++) places[key]! += places[key - 1]!
  const order = new Uint32Array(found)
  for (let v = first; v < first + count; v++)
    if (colours[v] === UNCOLOURED) order[places[largest - keys[v]!]!++] = v - low
  return order
}
