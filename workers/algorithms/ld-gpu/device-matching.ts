import {
  AGAIN,
  ARCS,
  COUNTERS,
  DAMAGE,
  LONG,
  LONGEST,
  LONGEST_LIST,
  MOST_QUEUED,
  NONE,
  OPEN,
  POINTING,
  SCAN_COUNTS,
  countsOf,
} from '../../../kernels/matching/match-state.ts'
import { matchFirst } from '../../../kernels/matching/match-first.ts'
import { matchEnds } from '../../../kernels/matching/match-ends.ts'
import { matchPair } from '../../../kernels/matching/match-pair.ts'
import { counted, matchPoint } from '../../../kernels/matching/match-point.ts'
import type { EdgeRule } from '../../../kernels/parts/edge-order.ts'
import { PIECE_BYTES } from '../../base/sums.ts'
import { type Device, type DeviceBuffer, fillWords } from '../../device/device.ts'
import { damagedGraph, idleRound } from '../../graph/galois-gr.ts'
import { GraphPieces } from '../../graph/graph-pieces.ts'
import { type StopSignal, throwIfCancelled } from '../../base/job.ts'
import { type PieceBatch, DeviceStream } from '../../streaming/device-stream.ts'
import { PieceReader } from '../../streaming/piece-reader.ts'
import type { Trace } from '../../base/trace.ts'
import { bestKernels, lookAtLists } from './best-kernels.ts'
import { type ListSource, type Segment, DeviceLists } from './device-lists.ts'
import { type MatchSetup, markMutual } from './match-setup.ts'
import { type MatchSpace, allocateSpace } from './match-space.ts'
import { BATCH_BUFFERS, BATCH_PIECES } from './plan-match.ts'

/** Threads that stride over lists that only the device has counted. */
const STRIDING_THREADS = 1 << 18
/** Rounds queued after the first read of the counters; an empty round takes its launches all the same. */
const NEXT_QUEUED = 4

/** Pointers are read in parts: pinning memory for all takes longer than the copy. */
const READ_WORDS = 1 << 21
const READS = 3

type Setup = Omit<MatchSetup, 'memory'>

export const matchKernels = (candidates: number, rule: EdgeRule) => ({
  ...bestKernels(candidates, rule),
  ends: matchEnds,
  first: matchFirst(candidates),
  point: matchPoint(candidates),
  pair: matchPair,
})

/**
 * LD-GPU (SC 2024, Algorithm 1) on a device that holds the graph: lists are scanned while the next are copied, then rounds are queued ahead of the
 * host. A vertex whose candidates are all matched scans its list again within the round.
 */
export class DeviceMatching {
  readonly reader: PieceReader
  readonly open: number[] = []
  readonly arcs: number[] = []
  readonly #device: Device
  readonly #setup: Setup
  readonly #kernels: ReturnType<typeof matchKernels>
  readonly #space: MatchSpace
  readonly #source: ListSource
  readonly #lists: DeviceLists
  /** Queued rounds, and whether the active vertices are in a list. */
  #queued = 0
  #isListed = false
  #longest = Infinity

  private constructor(
    device: Device,
    setup: Setup,
    kernels: ReturnType<typeof matchKernels>,
    space: MatchSpace,
    source: ListSource,
  ) {
    this.#device = device
    this.#setup = setup
    this.#kernels = kernels
    this.#space = space
    this.#source = source
    this.#lists = new DeviceLists(device, source)
    this.reader = source.reader
  }

  /** @param file the graph's, open for reading. @throws Failure (device) where the device has not the memory */
  static async open(
    device: Device,
    setup: Setup,
    file: number,
    trace: Trace,
    signal: StopSignal,
  ): Promise<DeviceMatching> {
    const { graph, crcs, candidates, order } = setup
    const pieces = new GraphPieces(graph, file)
    const reader = new PieceReader(graph, file, crcs)
    const kernels = matchKernels(candidates, order)
    const batchWords = Math.ceil(Math.min(graph.bytes, BATCH_PIECES * PIECE_BYTES) / 4)
    const layout = { batchWords, buffers: BATCH_BUFFERS }
    const [space, stream] = await Promise.all([
      allocateSpace(device, graph.vertices, graph.arcs, candidates),
      DeviceStream.open(device, { pieces, reader, crcs, trace, signal }, layout),
      device.prepare(Object.values(kernels)),
    ])
    return new DeviceMatching(device, setup, kernels, space, { setup, pieces, reader, stream, trace, signal })
  }

  /** Ends of all lists. @throws Failure (input) where they descend */
  async index(): Promise<void> {
    const { pieces: all, stream } = this.#source
    const { indexEnd, offsetWords } = all
    const { ends, counters } = this.#space
    let next = 0
    const take = (): VertexBatch | undefined => {
      if (next >= indexEnd) return undefined
      const pieces = { first: next, end: Math.min(indexEnd, next + BATCH_PIECES) }
      next = pieces.end
      const { first, end } = all.verticesIndexedIn(pieces)
      return { ...stream.batch(pieces, 0), first, count: end - first }
    }
    await stream.run('offsets', take, (raw, { at, first, count }) => {
      if (count === 0) return
      const begin = (all.endOffsetAt(first) - at) / 4
      const before = all.endOf(first - 1) >>> 0
      const params = { first, count, begin, before, words: offsetWords }
      this.#device.launch(this.#kernels.ends, count, params, { raw, ends, counters })
    })
    // Damaged offsets may mean a list of 2^31 arcs.
    this.#longest = (await this.#counters())[LONGEST_LIST]!
  }

  /**
   * Copies all lists, and every vertex keeps its candidates.
   * @param allFree no vertex has a mate yet
   * @param afterBatch called with the bytes copied, of how many
   */
  async scan(allFree: boolean, afterBatch: (bytes: number, total: number) => void): Promise<void> {
    await this.#lists.bring((part) => this.#scan(part, allFree), afterBatch)
  }

  /** @param afterRounds awaited between reads of the counters. @returns false where rounds change so little that the host should resume */
  async rounds(mostRounds: number, afterRounds: () => Promise<void>): Promise<boolean> {
    for (let queued = MOST_QUEUED; ; queued = NEXT_QUEUED) {
      throwIfCancelled(this.#source.signal)
      const counts = Array.from({ length: queued }, (_, i) => countsOf(this.#queued + i))
      this.#device.clear(this.#space.counters, counts[0]!, queued * (countsOf(1) - countsOf(0)))
      this.#device.clear(this.#space.counters, ARCS, 1)
      const before = this.open.length
      for (const at of counts) this.#round(at)
      const counters = await this.#counters()
      for (const [i, at] of counts.entries()) {
        const open = counters[at + OPEN]!
        if (open === 0) return true
        if (open >= (this.open.at(-1) ?? Infinity)) throw idleRound(this.#setup.graph.path, this.open.length + 1)
        this.open.push(open)
        this.arcs.push(i === 0 ? counters[ARCS]! : 0)
      }
      await afterRounds()
      if (this.open.length >= mostRounds && this.open.at(-1)! > this.open[before]! / 2) return false
    }
  }

  /** Resumes from the pointers of another attempt. */
  async restore(pointers: Uint32Array, open: readonly number[], arcs: readonly number[]): Promise<void> {
    const matched = new Uint32Array(Math.ceil(pointers.length / 32))
    markMutual(pointers, matched)
    await fillWords(this.#device, this.#space.matched, matched)
    await fillWords(this.#device, this.#space.pointers, pointers)
    this.open.push(...open)
    this.arcs.push(...arcs)
  }

  /** After the last round: the mates, or NONE. */
  async pointers(into: Uint32Array): Promise<void> {
    const parts: Promise<unknown>[] = []
    for (let first = 0; first < into.length; first += READ_WORDS) {
      const part = into.subarray(first, first + READ_WORDS)
      const read = this.#device.read(this.#space.pointers, first, part.length, part)
      // It may fail while an earlier one is awaited.
      read.catch(() => {})
      parts.push(read)
      if (parts.length >= READS) await parts[parts.length - READS]
    }
    await Promise.all(parts)
  }

  /** @throws Failure (input) where the file is not what was written */
  verify(): Promise<void> {
    return this.#source.stream.verify()
  }

  release(): void {
    const { open, ...others } = this.#space
    for (const buffer of [...Object.values(others), ...open]) this.#device.release(buffer)
    this.#lists.release()
    this.#source.stream.release()
  }

  #scan(segment: Segment, allFree: boolean): void {
    this.#device.clear(this.#space.counters, SCAN_COUNTS + LONG, LONGEST + 1 - LONG)
    this.#look(segment, SCAN_COUNTS, allFree)
  }

  #look(segment: Segment, counts: number, allFree: boolean, again?: DeviceBuffer): void {
    const { first, end, targets, weightBits, origin, weightsAt } = segment
    const { ends, kept, matched, longs, counters } = this.#space
    const listed = again && { buffer: again, most: end - first }
    const longest = this.#longest
    const looks = { first, end, origin, weightsAt, listed, allFree, keptFirst: 0, counts, longest }
    const buffers = { ends, targets, weightBits, matched, kept, longs, counters }
    lookAtLists(this.#device, this.#kernels, looks, this.#setup.order, buffers)
  }

  /** @param counts words of the counters of this round */
  #round(counts: number): void {
    const { kept, pointers, matched, open: lists, again, longs, counters } = this.#space
    const { graph, candidates } = this.#setup
    const { vertices } = graph
    const { point, pair } = this.#kernels
    const round = this.#queued++
    if (round === 0 && this.open.length === 0) return this.#first(counts + OPEN)
    // In the second round, and the first one of another attempt, any vertex may be active.
    const isFirst = !this.#isListed
    this.#isListed = true
    const [list, next] = round % 2 === 0 ? [lists[0], lists[1]] : [lists[1], lists[0]]
    const state = { matched, kept, pointers, next, counters }
    const threads = Math.min(vertices, STRIDING_THREADS)
    const phase = { first: 0, count: vertices, counts }
    const length = isFirst ? NONE : countsOf(round - 1) + POINTING
    const pointed = { ...phase, length, counted: counted.pointed }
    this.#device.launch(point, isFirst ? vertices : threads, pointed, { ...state, list, again })
    // No list is longer than the candidates: none is scanned again.
    if (this.#longest > candidates) {
      for (const [i, segment] of this.#lists.segments.entries()) {
        if (i > 0) this.#device.clear(counters, counts + LONG, LONGEST + 1 - LONG)
        this.#look(segment, counts, false, again)
      }
      const scanned = { ...phase, length: counts + AGAIN, counted: counted.none }
      // A vertex that was just scanned has a pointer or ends: nothing is written into `longs`.
      this.#device.launch(point, threads, scanned, { ...state, list: again, again: longs })
    }
    this.#device.launch(pair, threads, { length: counts + POINTING }, { list: next, pointers, matched, counters })
  }

  #first(open: number): void {
    const { kept, pointers, matched, counters } = this.#space
    const { vertices: count } = this.#setup.graph
    this.#device.launch(this.#kernels.first, count, { count, open }, { kept, pointers, matched, counters })
  }

  async #counters(): Promise<Uint32Array> {
    const counters = await this.#device.read(this.#space.counters, 0, COUNTERS)
    if (counters[DAMAGE] !== 0) throw damagedGraph(this.#setup.graph.path, 'the offsets')
    return counters
  }
}

interface VertexBatch extends PieceBatch {
  readonly first: number
  readonly count: number
}
