/**
 * b-matchings (Khan, Pothen, Patwary and others, SIAM J. Sci. Comput. 38(5), 2016) as an Algorithm: pairs of neighbours, in which a vertex may occur
 * as often as it has room. The one that is found is locally dominant: it follows from the total order of the edges (workers/graph/edge-order.ts),
 * and is what taking the greatest edge first finds, one after another; it weighs at least half of the best one. In a round each vertex picks the
 * best of its neighbours that have room (b-select), two that picked each other become partners (b-pair), and picks without room are forgotten
 * (b-drop). A round is a pass over the lists of the vertices that lost a pick; of a vertex a word for each partner that it may have is kept, twice.
 * finish-pairs.ts ends long chains, check-b-matching.ts verifies, ld-gpu/ is the case of one partner.
 */

import { bDrop } from '../../../../kernels/b-matching/b-drop.ts'
import { bPair } from '../../../../kernels/b-matching/b-pair.ts'
import { bSelect } from '../../../../kernels/b-matching/b-select.ts'
import { type JobContext, throwIfCancelled } from '../../../base/job.ts'
import { sharedWords } from '../../../base/words.ts'
import { type Buffers, type DeviceBuffer, allocateBuffers, releaseBuffers } from '../../../device/device.ts'
import { degreesOf } from '../../../graph/degrees.ts'
import { type EdgeOrder, ListSorter, edgeOrderName, edgeOrderOf } from '../../../graph/edge-order.ts'
import { type GaloisGr, idleRound } from '../../../graph/galois-gr.ts'
import { pairsOfPartners } from '../../../graph/pair-list.ts'
import { keyedOrder, requireWeights } from '../../../graph/scan-lists.ts'
import { usageFailure } from '../../../base/failure.ts'
import { type OptionValues, type PlannedOptions, edgeTies, edgeWeights } from '../../../contract/jobs.ts'
import type { Algorithm, Answer, Run, StoredResult } from '../../algorithm.ts'
import type { ArcChoice } from '../../arc-store.ts'
import { resumeStates } from '../../checkpoint.ts'
import { type GraphSize, withWeights } from '../../plan-request.ts'
import { onThreads, planRanges, roundsRecord, runRanges } from '../../range-run.ts'
import { MirroredWords, type RangeWork, type RangeWorker, type RangeWorks } from '../../range-task.ts'
import { readLists } from '../../run-lists.ts'
import { reportRound } from '../../worker-report.ts'
import {
  type Capacities,
  DEFAULT_CAPACITY,
  capacitiesFrom,
  capacitiesName,
  roomOf,
  requireCounts,
} from '../../../graph/capacities.ts'
import { type BMatchingClaim, bMatchingPrices, checkBytes, pairsWeight, verifyBMatching } from './check-b-matching.ts'
import { type PartnerSlots, finishPairs } from './finish-pairs.ts'

/** A locally dominant b-matching (Khan and others 2016), on any devices. */
export const bSuitor: Algorithm = {
  requireOptions: ({ capacity, columnFile, columnName }) => {
    if ([capacity, columnFile, columnName].filter((given) => given !== undefined).length < 2) return
    throw usageFailure(
      undefined,
      'there is more than one number of partners',
      'Give one for all vertices, or a column.',
      [
        { action: 'omit', option: 'columnFile' },
        { action: 'omit', option: 'columnName' },
      ],
    )
  },
  plan: (request) => {
    const { options, size } = request
    const slots = slotsOf(options, size)
    const found = planRanges(request, (own) => spaceBytes(size.vertices, slots, own), hostBytesOf(size.vertices, slots))
    const { weights } = edgeOrderOf(options, size)
    const planned = hasColumn(options) ? { ...found, exact: false } : found
    return weights === 'column' ? withWeights(planned, request, requireWeights) : planned
  },
  severalGpus: 'useful',
  kernels: () => pairWorks.kernels,
  compute,
  verifier: {
    plan: ({ vertices, arcs }, options) => ({
      hostBytes: checkBytes(vertices, slotsOf(options, { vertices, arcs })),
      passes: 2,
    }),
    verify: async (stored, job) => verifyBMatching(await claimOf(stored), job),
    prices: async (stored, job) => bMatchingPrices(await claimOf(stored), job),
  },
}

async function claimOf({ graph, labels, bytes, options, column }: StoredResult): Promise<BMatchingClaim> {
  const { capacity } = options
  const capacities = capacitiesFrom(await column?.(), typeof capacity === 'number' ? capacity : undefined)
  return { graph, labels, bytes, capacities, order: recordedOrder(options) }
}

/** The order of edges as a record names it. */
function recordedOrder({ weights, ties, seed, threshold }: OptionValues): EdgeOrder {
  return {
    weights: edgeWeights.find((name) => name === weights) ?? 'unit',
    ties: edgeTies.find((name) => name === ties) ?? 'hash',
    seed: typeof seed === 'number' ? seed : 0,
    threshold: typeof threshold === 'number' ? threshold : undefined,
  }
}

const hasColumn = ({ columnFile, columnName }: Pick<PlannedOptions, 'columnFile' | 'columnName'>): boolean =>
  (columnFile ?? columnName) !== undefined

/** Partners that all vertices together may have at most. */
const slotsOf = (
  options: Pick<PlannedOptions, 'capacity' | 'columnFile' | 'columnName'>,
  { vertices, arcs }: Pick<GraphSize, 'vertices' | 'arcs'>,
): number => (hasColumn(options) ? arcs : Math.min(arcs, vertices * (options.capacity ?? DEFAULT_CAPACITY)))

const COUNTERS = 3

/** Starts, room, counts and cursors of all vertices, picks and partners, and what comes new to the own ones. */
const spaceBytes = (vertices: number, slots: number, own: number): number =>
  4 * (4 * vertices + 1 + 2 * slots + own + COUNTERS)

/** The same, numbers of partners, the pairs, and edges that are left. */
const hostBytesOf = (vertices: number, slots: number): number => 8 * vertices + 12 * slots + 32 * mostLeft(vertices)

async function compute(run: Run, job: JobContext): Promise<Answer> {
  const { args, graph } = run
  const { vertices } = graph
  const fromMs = performance.now()
  const order = edgeOrderOf(args, graph)
  if (order.weights === 'column') requireWeights(graph)
  const capacities = await capacitiesOf(run)
  const shared = sharePairs(graph, capacities, order)
  const { starts, residual, counts, pending, partners, cursors } = shared
  const states = { order: `b-matching-${edgeOrderName(order)}-${capacitiesName(capacities)}`, vertices }
  const parts = [residual, counts, pending, partners, cursors]
  const { checkpoint, ...kept } = resumeStates<Rounds>(args, states, false, parts)
  const slots = pending.length
  const threaded = onThreads(run, (own) => spaceBytes(vertices, slots, own))
  const found = await runRanges(threaded, job, shared, pairWorks, kept)
  const list = pairsOfPartners(starts, partners, residual)
  const weight = pairsWeight(graph, list, order, job)
  const { devices, options, ...record } = roundsRecord(run, found, { hostBytes: hostBytesOf(vertices, slots), fromMs })
  const chosen = {
    ...{ capacity: capacities.all ?? null, weights: order.weights, ties: order.ties },
    ...{ threshold: order.threshold ?? null, ...options },
  }
  const full = residual.reduce((sum, room, v) => (room === 0 && starts[v + 1]! > starts[v]! ? sum + 1 : sum), 0)
  const bytes = new Uint8Array(list.words.buffer)
  return {
    bytes,
    workers: found.reports,
    record: () => ({
      ...{ devices, options: chosen, ...record },
      result: { kind: 'b-matching', pairs: list.count, weight, hash: list.hash },
      counters: { ...record.counters, full },
    }),
    verify: () => verifyBMatching({ graph, labels: run.labels(), bytes, capacities, order }, job),
    checkpoint,
  }
}

/** @throws Failure (input) for a column that has no counts */
async function capacitiesOf({ args, graph, labels }: Run): Promise<Capacities> {
  const { columnFile, columnName, capacity, folder } = args
  if (!hasColumn(args)) return capacitiesFrom(undefined, capacity)
  const place = { folder, vertices: graph.vertices, labels: labels() }
  const capacities = capacitiesFrom((await readLists({ columnFile, columnName }, place)).column)
  requireCounts(capacities, labels)
  return capacities
}

/** What the workers share: every word is in shared memory. */
interface SharedPairs extends PartnerSlots {
  readonly order: EdgeOrder
  /** Picks of each vertex, ascending, from its first slot on; and how many there are. */
  readonly pending: Uint32Array
  readonly counts: Uint32Array
  /** How much of its list a vertex has looked at. */
  readonly cursors: Uint32Array
}

/** A vertex has as many slots as it may have partners. */
export function sharePairs(graph: GaloisGr, capacities: Capacities, order: EdgeOrder): SharedPairs {
  const { vertices } = graph
  const starts = sharedWords(vertices + 1)
  const residual = sharedWords(vertices)
  for (const [v, degree] of degreesOf(graph).entries()) {
    residual[v] = Math.min(degree, roomOf(capacities, v))
    starts[v + 1] = starts[v]! + residual[v]!
  }
  const slots = starts[vertices]!
  return {
    ...{ order, starts, residual },
    ...{ pending: sharedWords(slots), partners: sharedWords(slots) },
    ...{ counts: sharedWords(vertices), cursors: sharedWords(vertices) },
  }
}

/** The greatest edge first; those are left out that weigh too little. */
function sortedLists(graph: GaloisGr, order: EdgeOrder): ArcChoice {
  const degrees = order.ties === 'degree' ? degreesOf(graph) : new Uint32Array(0)
  const sorter = new ListSorter(keyedOrder(order, graph), degrees)
  return (offsets, targets, { first, firstArc }) => {
    const stored =
      order.weights === 'column' ? graph.readWeights(firstArc, firstArc + targets.length) : new Float32Array(0)
    const bits = new Uint32Array(stored.buffer, stored.byteOffset, stored.length)
    const kept = { offsets: new Uint32Array(offsets.length), targets: new Uint32Array(targets.length) }
    let count = 0
    for (let row = 0; row + 1 < offsets.length; row++) {
      const degree = offsets[row + 1]! - offsets[row]!
      const sorted = sorter.sort(first + row, targets, bits, offsets[row]!, degree)
      for (let i = 0; i < degree && sorted[i] !== NO_NEIGHBOUR; i++) kept.targets[count++] = sorted[i]!
      kept.offsets[row + 1] = count
    }
    return { offsets: kept.offsets, targets: kept.targets.subarray(0, count) }
  }
}

const NO_NEIGHBOUR = 0xffffffff

/** Vertices that continue after each round. */
type Rounds = readonly number[]
type PairWorker = RangeWorker<SharedPairs, Rounds>

/** The first round after which what is left may be paired one after another; then after twice as many, and so on. */
const FIRST_FINISH = 8
/** Edges that may be left then. */
const mostLeft = (vertices: number): number => Math.max(1 << 20, 2 * vertices)

const mayFinish = (rounds: number): boolean => rounds >= FIRST_FINISH && (rounds & (rounds - 1)) === 0

/** One worker's part in all rounds. */
async function computePairs(worker: PairWorker): Promise<RangeWork<Rounds>> {
  const { task, graph, job } = worker
  const steps = await PairRounds.open(worker)
  await worker.ready()
  const rounds = [...(task.before ?? [])]
  for (let left = rounds.at(-1) ?? Infinity; left > 0;) {
    throwIfCancelled(job.signal)
    const [open, pairs] = await steps.round()
    const isDue = worker.isDue()
    const [total = 0, found = 0, keeps = 0] = await worker.sum('for totals', [open, pairs, isDue])
    // The greatest edge that is left was picked from both its ends.
    if (found === 0 && total > 0) throw idleRound(graph.path, rounds.length + 1)
    left = total
    rounds.push(left)
    reportRound(job, 'round', graph.vertices, left, rounds.length)
    const finishes = left > 0 && mayFinish(rounds.length)
    if (keeps > 0 || finishes || left === 0) await steps.publishAll()
    // Until all is published and written, no worker changes anything.
    await worker.arrive('for other workers')
    if (keeps > 0) worker.keep(rounds)
    const isFinished = finishes && task.worker === 0 && finishHere(worker)
    const [ended = 0] = await worker.sum('for the last pairs', [isFinished ? 1 : 0])
    if (ended === 0) continue
    left = 0
    rounds.push(0)
  }
  steps.release()
  return { outcome: rounds, exchanged: steps.exchanged }
}

function finishHere({ task: { shared }, graph, job }: PairWorker): boolean {
  const degrees = shared.order.ties === 'degree' ? degreesOf(graph) : new Uint32Array(0)
  return finishPairs(graph, shared.order, shared, degrees, mostLeft(graph.vertices), job)
}

interface PairWords {
  readonly residual: MirroredWords
  readonly counts: MirroredWords
  readonly cursors: MirroredWords
  readonly pending: MirroredWords
  readonly partners: MirroredWords
}

/** The three steps of a round on one worker. */
class PairRounds {
  readonly #worker: PairWorker
  readonly #space: Buffers<'fresh' | 'counters'>
  readonly #starts: DeviceBuffer
  readonly #words: PairWords
  /** Vertices of each batch that look at their lists in the next round. */
  readonly #due: number[]

  private constructor(
    worker: PairWorker,
    space: Buffers<'fresh' | 'counters'>,
    starts: DeviceBuffer,
    words: PairWords,
  ) {
    this.#worker = worker
    this.#space = space
    this.#starts = starts
    this.#words = words
    this.#due = worker.plan.batches.map(({ count }) => count)
  }

  static async open(worker: PairWorker): Promise<PairRounds> {
    const { task, device, low, high } = worker
    const { starts, residual, counts, cursors, pending, partners } = task.shared
    const space = await allocateBuffers(device, { fresh: Math.max(1, high - low), counters: COUNTERS })
    const slots = { device, low: starts[low]!, high: starts[high]! }
    return new PairRounds(worker, space, await device.share('starts', starts), {
      residual: await MirroredWords.open(worker, 'residual', residual),
      counts: await MirroredWords.open(worker, 'counts', counts),
      cursors: await MirroredWords.open(worker, 'cursors', cursors),
      pending: await MirroredWords.open(slots, 'pending', pending),
      partners: await MirroredWords.open(slots, 'partners', partners),
    })
  }

  get exchanged(): number {
    return Object.values(this.#words).reduce((sum, words: MirroredWords) => sum + words.exchanged, 0)
  }

  /** @returns own vertices that continue, and ends that found a partner */
  async round(): Promise<[open: number, found: number]> {
    const { device, plan, store, trace, low, high, job } = this.#worker
    const { fresh, counters } = this.#space
    const { residual, counts, cursors, pending, partners } = this.#buffers
    const starts = this.#starts
    for (const batch of plan.batches.filter(({ index }) => this.#due[index]! > 0)) {
      throwIfCancelled(job.signal)
      const { offsets, targets } = await store.load(batch)
      const params = { first: batch.first, rows: batch.count }
      const buffers = { offsets, targets, starts, residual, counts, pending, cursors }
      trace.span('kernel', 'select', () => device.launch(bSelect, batch.count, params, buffers))
    }
    await this.#exchange(this.#words.counts, this.#words.pending)
    device.clear(counters, 0, COUNTERS)
    const own = { low, count: high - low }
    const pairing = { starts, counts, pending, residual, partners, fresh, counters }
    if (high > low) trace.span('kernel', 'pair', () => device.launch(bPair, high - low, own, pairing))
    const [found = 0] = await device.read(counters, 0, 1)
    await this.#exchange(this.#words.residual)
    const dropping = { starts, residual, partners, fresh, cursors, counts, pending, counters }
    let open = 0
    for (const { index, first, count } of plan.batches) {
      device.clear(counters, 0, COUNTERS)
      trace.span('kernel', 'drop', () => device.launch(bDrop, count, { first, rows: count, low }, dropping))
      const [, going = 0, looking = 0] = await device.read(counters, 0, COUNTERS)
      open += going
      this.#due[index] = looking
    }
    return [open, found]
  }

  /** Copies what this worker has to shared memory. */
  async publishAll(): Promise<void> {
    for (const words of Object.values(this.#words) as MirroredWords[]) await words.publish()
  }

  release(): void {
    const { device } = this.#worker
    for (const words of Object.values(this.#words) as MirroredWords[]) words.release()
    device.release(this.#starts)
    releaseBuffers(device, this.#space)
  }

  get #buffers() {
    const { residual, counts, cursors, pending, partners } = this.#words
    return {
      ...{ residual: residual.buffer, counts: counts.buffer, cursors: cursors.buffer },
      ...{ pending: pending.buffer, partners: partners.buffer },
    }
  }

  /** Own words to the others, and theirs from them. */
  async #exchange(...all: readonly MirroredWords[]): Promise<void> {
    const { trace, workers } = this.#worker
    if (workers === 1) return
    for (const words of all) await trace.span('exchange', 'publish words', () => words.publish())
    await this.#worker.arrive('for words')
    for (const words of all) await trace.span('exchange', 'take words', () => words.take())
  }
}

export const pairWorks: RangeWorks<SharedPairs, Rounds, Rounds> = {
  follow: 'follow-pairs',
  kernels: [bSelect, bPair, bDrop],
  needs: ({ shared: { order, pending }, bounds, worker }, graph) => {
    const own = bounds[worker + 1]! - bounds[worker]!
    return {
      spaceBytes: spaceBytes(graph.vertices, pending.length, own),
      sharedBytes: spaceBytes(graph.vertices, pending.length, 0),
      choose: sortedLists(graph, order),
    }
  },
  compute: computePairs,
}
