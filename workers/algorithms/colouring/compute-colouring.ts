import { colourPredecessors } from '../../../kernels/colouring/colour-predecessors.ts'
import { colourVisit, COUNTED } from '../../../kernels/colouring/colour-visit.ts'
import { throwIfCancelled } from '../../base/job.ts'
import { idleRound } from '../../graph/galois-gr.ts'
import { MirroredWords, type RangeWork, type RangeWorks } from '../range-task.ts'
import { reportRound } from '../worker-report.ts'
import { colourOnProcessors } from './colour-on-processors.ts'
import {
  type ColouringWorker,
  type Lefts,
  type SharedColouring,
  type ColourBands,
  bandsOf,
  countBands,
  orderBands,
} from './shared-colouring.ts'
import { allocateBuffers, type Buffers, type DeviceBuffer, fillWords, releaseBuffers } from '../../device/device.ts'
import type { ArcBatch, LoadedArcs } from '../arc-store.ts'

/** On a device: keys and colours, and what its own vertices take. */
export const colouringSpaceBytes = (vertices: number, own: number): number => 8 * vertices + batchSpaceBytes(own)

/**
 * Colours by Jones and Plassmann (1993) in rounds over the batches of every worker. A batch is visited until it waits for others, so that one that is
 * read from the file again has its vertices coloured as far as they can be.
 */
async function computeColouring(worker: ColouringWorker): Promise<RangeWork<Lefts>> {
  const { task, device, graph, trace, job, plan, workers } = worker
  const { shared, before = [] } = task
  const keys = await device.share('keys', shared.keys)
  const colours = await MirroredWords.open(worker, 'colours', shared.colours)
  const batches = await ColourBatches.open(worker, { keys, colours: colours.buffer })
  await worker.ready()
  const lefts = [...before]
  const pause = async (): Promise<void> => {
    throwIfCancelled(job.signal)
    if (workers > 1) return
    reportRound(job, 'round', graph.vertices, batches.left, lefts.length + 1)
    // A resumed run has the rounds of one that was not interrupted.
    if (plan.batches.length > 1 || worker.isDue() === 0) return
    await colours.publish()
    worker.keep(lefts)
  }
  for (let left = before.at(-1) ?? graph.vertices; left > 0;) {
    await batches.round(pause)
    await trace.span('exchange', 'publish colours', () => colours.publish())
    const [total = 0, keeps = 0] = await worker.sum('for colours', [batches.left, worker.isDue()])
    if (workers > 1) await trace.span('exchange', 'take colours', () => colours.take())
    if (total >= left) throw idleRound(graph.path, lefts.length + 1)
    left = total
    lefts.push(left)
    reportRound(job, 'round', graph.vertices, left, lefts.length)
    // Until it is written, no worker changes its colours.
    if (keeps > 0) worker.keep(lefts)
    await worker.arrive('for other workers')
  }
  batches.release()
  device.release(keys)
  colours.release()
  return { outcome: lefts, exchanged: colours.exchanged }
}

export const colouringWorks: RangeWorks<SharedColouring, Lefts, Lefts> = {
  follow: 'colour-range',
  kernels: [colourPredecessors, colourVisit],
  needs: ({ bounds, worker }, { vertices }) => ({
    spaceBytes: colouringSpaceBytes(vertices, bounds[worker + 1]! - bounds[worker]!),
  }),
  compute: (worker) => {
    const { lists } = worker.task.shared
    return lists === undefined ? computeColouring(worker) : colourOnProcessors(worker, lists)
  },
}

/** Rounds of a submission, even numbers: the list ends where it began. Twice as many while vertices wait, half as many when none does. */
const LEAST_ROUNDS = 8
const MOST_ROUNDS = 128
/** Twins colour in the order of the list. */
const CPU_ROUNDS = 2
/** Vertices that are visited first; then as many as all before them. */
const FIRST = 1 << 13
/** Threads that a round has at least. */
const LEAST_THREADS = 1 << 14
/** Vertices are admitted when fewer than this share of their number is left of those before them. */
const FEW = 1 / 4

/** On a device, beside keys and colours of all vertices: states and lists of its own. */
const batchSpaceBytes = (own: number): number => 4 * (4 * own + MOST_ROUNDS + 1 + 16)

/** Vertices of a batch without a colour: the first `kept` of its section of the list wait, those from ends [admitted] on were not visited yet. */
interface Pending {
  readonly batch: ArcBatch
  /** Where vertices that are admitted together end, after one for none. */
  readonly ends: readonly number[]
  admitted: number
  kept: number
  rounds: number
}

const isWhole = ({ admitted, ends }: Pending): boolean => admitted === ends.length - 1
const leftOf = ({ kept, admitted, ends }: Pending): number => kept + ends.at(-1)! - ends[admitted]!

type Space = Buffers<'states' | 'list' | 'spare' | 'counters'>

/**
 * The vertices of one worker, batch by batch: those of the largest keys are visited in rounds, then as many as these beside what is left of them, and
 * so on, so that few rounds look at vertices whose turn is far away.
 */
class ColourBatches {
  readonly #worker: ColouringWorker
  readonly #keys: DeviceBuffer
  readonly #colours: DeviceBuffer
  readonly #space: Space
  readonly #pending: readonly Pending[]
  /** Whose lists begin with the predecessors. */
  readonly #prepared = new WeakSet<LoadedArcs>()

  private constructor(
    worker: ColouringWorker,
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
    worker: ColouringWorker,
    buffers: Readonly<Record<'keys' | 'colours', DeviceBuffer>>,
  ): Promise<ColourBatches> {
    const { device, plan, task, low, high } = worker
    const own = high - low
    const spare = plan.batches.reduce((most, { count }) => Math.max(most, count), 0)
    const words = { states: 2 * own, list: own, spare, counters: MOST_ROUNDS + 1 }
    const space = await allocateBuffers(device, words)
    device.clear(space.states, 0, 2 * own)
    const pending: Pending[] = []
    const bands = bandsOf(task.shared.keys)
    for (const batch of plan.batches) {
      const { order, ends } = inOrder(bands, task.shared, batch, low)
      await fillWords(device, space.list, order, batch.first - low)
      pending.push({ batch, ends, admitted: 0, kept: 0, rounds: LEAST_ROUNDS })
    }
    return new ColourBatches(worker, buffers, space, pending)
  }

  /** Vertices without a colour. */
  get left(): number {
    return this.#pending.reduce((sum, each) => sum + leftOf(each), 0)
  }

  /** Visits every batch until all of its vertices have their colours or wait for others. @param pause called between submissions */
  async round(pause: () => Promise<void>): Promise<void> {
    for (const pending of this.#pending) {
      await pause()
      if (leftOf(pending) === 0) continue
      const loaded = await this.#worker.store.load(pending.batch)
      this.#prepare(loaded)
      let isStuck = false
      while (leftOf(pending) > 0 && !(isStuck && isWhole(pending))) {
        isStuck = (await this.#visit(pending, loaded, isStuck)) === 0
        await pause()
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

  /** Some rounds. @param isStuck whether the last ones coloured none @returns how many were coloured */
  async #visit(pending: Pending, { offsets, targets }: LoadedArcs, isStuck: boolean): Promise<number> {
    const { device, task, trace, low } = this.#worker
    const { counters, states, list, spare } = this.#space
    const { batch, ends, kept } = pending
    const base = batch.first - low
    const at = ends[pending.admitted]!
    const next = isWhole(pending) ? 0 : ends[pending.admitted + 1]! - at
    const admitted = isStuck || kept <= FEW * next ? next : 0
    const common = { offsets, targets, keys: this.#keys, colours: this.#colours, states, counters }
    const rounds = device.sharesMemory ? CPU_ROUNDS : pending.rounds
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
    if (admitted > 0) pending.admitted++
    pending.kept = waiting
    pending.rounds = waiting > 0 ? Math.min(MOST_ROUNDS, 2 * rounds) : Math.max(LEAST_ROUNDS, rounds / 2)
    return visited - waiting
  }
}

/** Vertices of a batch without a colour in the order of their bands, as v - low. */
function inOrder(
  bands: ColourBands,
  shared: SharedColouring,
  { first, count }: ArcBatch,
  low: number,
): { readonly order: Uint32Array; readonly ends: readonly number[] } {
  const counts = new Uint32Array(bands.bands)
  const own = { first, end: first + count }
  countBands(bands, shared, own, counts)
  const places = new Uint32Array(bands.bands)
  const ends = [0]
  let total = 0
  for (let band = 0; band < bands.bands; band++) {
    places[band] = total
    total += counts[band]!
    if (total >= Math.max(FIRST, 2 * ends.at(-1)!)) ends.push(total)
  }
  if (total > ends.at(-1)!) ends.push(total)
  const order = new Uint32Array(total)
  orderBands(bands, shared, own, { places, order, low })
  return { order, ends }
}
