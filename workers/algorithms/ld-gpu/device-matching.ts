import {
  COUNTERS,
  DAMAGE,
  LONG,
  MOST_QUEUED,
  AGAIN,
  ARCS,
  NONE,
  OPEN,
  keptWords,
} from '../../../kernels/matching/codes.ts'
import { matchBest } from '../../../kernels/matching/match-best.ts'
import { matchBestLong } from '../../../kernels/matching/match-best-long.ts'
import { matchEnds } from '../../../kernels/matching/match-ends.ts'
import { matchPair } from '../../../kernels/matching/match-pair.ts'
import { counted, matchPoint } from '../../../kernels/matching/match-point.ts'
import { PIECE_BYTES, piecesOf } from '../../base/sums.ts'
import type { Device, DeviceBuffer } from '../../device/device.ts'
import { fillWords } from '../../device/fill-words.ts'
import { damagedGraph, idleRound } from '../../graph/galois-gr.ts'
import { GraphPieces } from '../../graph/graph-pieces.ts'
import type { Range } from '../../graph/graph-pieces.ts'
import type { StopSignal } from '../../job.ts'
import { throwIfCancelled } from '../../job.ts'
import { DeviceStream } from '../../streaming/device-stream.ts'
import type { PieceBatch } from '../../streaming/device-stream.ts'
import { PieceReader } from '../../streaming/piece-reader.ts'
import type { Trace } from '../../trace.ts'
import type { MatchSetup } from './match-setup.ts'
import { originsFrom, readsWeights } from './match-setup.ts'
import { BATCH_BUFFERS, BATCH_PIECES, LONGER, longLists } from './plan-match.ts'

/** Threads that stride over lists of vertices whose length only the device knows. */
const STRIDING_THREADS = 1 << 17
const LONG_GROUPS = 2048
/** In a round few lists are looked at, and fewer of them are long. */
const LONG_GROUPS_A_ROUND = 256
/** Rounds that are queued at first before the host looks; then twice as many, and so on. */
const FIRST_QUEUED = 8

/** Vertices whose lists lie together in a buffer, in pieces of the file. */
interface Segment extends Range {
  readonly pieces: Range
  readonly lists: DeviceBuffer
  readonly weights: DeviceBuffer
  readonly origin: number
  readonly weightsAt: number
}

interface Space {
  readonly ends: DeviceBuffer
  readonly kept: DeviceBuffer
  readonly pointers: DeviceBuffer
  readonly matched: DeviceBuffer
  readonly open: readonly [DeviceBuffer, DeviceBuffer]
  readonly again: DeviceBuffer
  readonly longs: DeviceBuffer
  readonly counters: DeviceBuffer
}

/** The kernels of a matching on a device, for so many candidates a vertex. */
export function matchKernels(candidates: number) {
  return {
    ends: matchEnds,
    best: matchBest(candidates),
    bestLong: matchBestLong(candidates),
    point: matchPoint(candidates),
    pair: matchPair,
  }
}

/**
 * A matching on a device that holds the graph: lists are looked at while the next are copied, then rounds follow one another without the
 * host (LD-GPU, SC 2024, Algorithm 1); a vertex whose candidates are all taken looks at its list again within its round.
 */
export class DeviceMatching {
  readonly reader: PieceReader
  readonly open: number[] = []
  readonly arcs: number[] = []
  readonly #device: Device
  readonly #setup: Omit<MatchSetup, 'memory'>
  readonly #kernels: ReturnType<typeof matchKernels>
  readonly #space: Space
  readonly #stream: DeviceStream
  readonly #pieces: GraphPieces
  readonly #signal: StopSignal
  readonly #trace: Trace
  readonly #segments: Segment[] = []
  /** Rounds that were queued. */
  #queued = 0

  private constructor(
    device: Device,
    setup: Omit<MatchSetup, 'memory'>,
    kernels: ReturnType<typeof matchKernels>,
    space: Space,
    stream: DeviceStream,
    pieces: GraphPieces,
    reader: PieceReader,
    trace: Trace,
    signal: StopSignal,
  ) {
    this.#device = device
    this.#setup = setup
    this.#kernels = kernels
    this.#space = space
    this.#stream = stream
    this.#pieces = pieces
    this.reader = reader
    this.#trace = trace
    this.#signal = signal
  }

  /** @param file the graph's, open for reading. @throws Failure (device) where the device has not the memory */
  static async open(
    device: Device,
    setup: Omit<MatchSetup, 'memory'>,
    file: number,
    trace: Trace,
    signal: StopSignal,
  ): Promise<DeviceMatching> {
    const { graph, crcs, candidates } = setup
    const pieces = new GraphPieces(graph, file)
    const reader = new PieceReader(graph, file, crcs)
    const kernels = matchKernels(candidates)
    const batchWords = Math.ceil(Math.min(graph.bytes, BATCH_PIECES * PIECE_BYTES) / 4)
    const layout = { batchWords, buffers: BATCH_BUFFERS }
    const [space, stream] = await Promise.all([
      allocateSpace(device, graph.vertices, graph.arcs, candidates),
      DeviceStream.open(device, { pieces, reader, crcs, trace, signal }, layout),
      device.prepare(Object.values(kernels)),
    ])
    return new DeviceMatching(device, setup, kernels, space, stream, pieces, reader, trace, signal)
  }

  /** Ends of all lists. @throws Failure (input) where they descend, when the counters are read */
  async index(): Promise<void> {
    const { indexEnd, offsetWords } = this.#pieces
    const { ends, counters } = this.#space
    let next = 0
    const take = (): VertexBatch | undefined => {
      if (next >= indexEnd) return undefined
      const pieces = { first: next, end: Math.min(indexEnd, next + BATCH_PIECES) }
      next = pieces.end
      const { first, end } = this.#pieces.verticesIndexedIn(pieces)
      return { ...this.#stream.batch(pieces, 0), first, count: end - first }
    }
    await this.#stream.run('offsets', take, (raw, { at, first, count }) => {
      if (count === 0) return
      const begin = (this.#pieces.endOffsetAt(first) - at) / 4
      const before = this.#pieces.endOf(first - 1) >>> 0
      const params = { first, count, begin, before, words: offsetWords }
      this.#device.launch(this.#kernels.ends, count, params, { raw, ends, counters })
    })
  }

  /**
   * Brings all lists, and every vertex keeps its best free neighbours.
   * @param allFree nobody has a mate yet
   * @param afterBatch told how many bytes have come, of how many
   */
  async scan(allFree: boolean, afterBatch: (bytes: number, total: number) => void): Promise<void> {
    const { lists } = this.#pieces
    const segments = await this.#layOut(lists)
    const total = segments.reduce((sum, { pieces }) => sum + (pieces.end - pieces.first) * PIECE_BYTES, 0)
    let done = 0
    for (const segment of segments) {
      this.#segments.push(segment)
      await this.#bring(segment, (batch) => {
        this.#best({ ...segment, ...batch.vertices }, { isListed: false, allFree })
        afterBatch((done += batch.bytes), total)
      })
    }
  }

  /** Rounds to the end. @param afterRounds awaited between looks at the counters. @returns false where they change so little that others should go on */
  async rounds(mostRounds: number, afterRounds: () => Promise<void>): Promise<boolean> {
    for (let queued = FIRST_QUEUED; ; queued = Math.min(2 * queued, MOST_QUEUED)) {
      throwIfCancelled(this.#signal)
      this.#device.clear(this.#space.counters, OPEN, MOST_QUEUED)
      this.#device.clear(this.#space.counters, ARCS, 1)
      const before = this.open.length
      for (let i = 0; i < queued; i++) this.#round(OPEN + i)
      const counters = await this.#counters()
      for (let i = 0; i < queued; i++) {
        const open = counters[OPEN + i]!
        if (open === 0) return true
        if (open >= (this.open.at(-1) ?? Infinity)) throw idleRound(this.#setup.graph.path, this.open.length + 1)
        this.open.push(open)
        this.arcs.push(i === 0 ? counters[ARCS]! : 0)
      }
      await afterRounds()
      if (this.open.length >= mostRounds && this.open.at(-1)! > this.open[before]! / 2) return false
    }
  }

  /** Goes on from pointers of another attempt. */
  async restore(pointers: Uint32Array, open: readonly number[], arcs: readonly number[]): Promise<void> {
    const matched = new Uint32Array(Math.ceil(pointers.length / 32))
    for (let v = 0; v < pointers.length; v++)
      if (pointers[v] !== NONE && pointers[pointers[v]!] === v) matched[v >>> 5]! |= 1 << (v & 31)
    await fillWords(this.#device, this.#space.matched, matched)
    await fillWords(this.#device, this.#space.pointers, pointers)
    this.open.push(...open)
    this.arcs.push(...arcs)
  }

  /** Whom each vertex points at. */
  pointers(into?: Uint32Array): Promise<Uint32Array> {
    return this.#device.read(this.#space.pointers, 0, this.#setup.graph.vertices, into)
  }

  matched(): Promise<Uint32Array> {
    return this.#device.read(this.#space.matched, 0, Math.ceil(this.#setup.graph.vertices / 32))
  }

  /** @throws Failure (input) where the file is not what was written */
  verify(): Promise<void> {
    return this.#stream.verify()
  }

  release(): void {
    const { open, ...others } = this.#space
    const buffers = [
      ...Object.values(others),
      ...open,
      ...this.#segments.flatMap(({ lists, weights }) => [lists, weights]),
    ]
    for (const buffer of new Set(buffers)) this.#device.release(buffer)
    this.#stream.release()
  }

  /** Cuts the lists into segments that kernels can see whole. */
  async #layOut(lists: Range): Promise<Segment[]> {
    const { graph, order } = this.#setup
    const most = Math.floor(this.#device.maxBufferBytes / PIECE_BYTES) - 2
    const segments: Segment[] = []
    for (let first = lists.first; first < lists.end;) {
      let end = Math.min(lists.end, first + most)
      const vertices = (): Range => this.#pieces.verticesIn({ first: first - lists.first, end: end - lists.first })
      const lastByte = (at: number): number => graph.targetsAt + 4 * this.#pieces.endOf(at - 1)
      while (end > first + 1 && lastByte(vertices().end) > (first + most + 2) * PIECE_BYTES) end--
      const { first: v, end: w } = vertices()
      const bytes = Math.min(graph.bytes, Math.max(end * PIECE_BYTES, lastByte(w))) - first * PIECE_BYTES
      const pieces = { first, end: first + piecesOf(bytes) }
      const words = Math.ceil(Math.min(graph.bytes - first * PIECE_BYTES, (pieces.end - first) * PIECE_BYTES) / 4)
      const place = await this.#device.allocate(`lists ${segments.length}`, words)
      const { origin } = originsFrom(graph, first)
      const weights = readsWeights(order) ? await this.#weightsOf(v, w) : { weights: place, weightsAt: origin }
      segments.push({ first: v, end: w, pieces, lists: place, origin, ...weights })
      first = end
    }
    return segments
  }

  async #weightsOf(first: number, end: number): Promise<Pick<Segment, 'weights' | 'weightsAt'>> {
    const { graph } = this.#setup
    const from = graph.weights!.at + 4 * this.#pieces.endOf(first - 1)
    const upTo = graph.weights!.at + 4 * this.#pieces.endOf(end - 1)
    const pieces = { first: Math.floor(from / PIECE_BYTES), end: Math.max(1, piecesOf(upTo)) }
    const { at, bytes } = this.#pieces.bytesOf(pieces)
    const weights = await this.#device.allocate('weights', Math.ceil(bytes / 4))
    await this.#device.upload(weights, bytes, this.reader.beside(at))
    this.#stream.sum(weights, pieces)
    return { weights, weightsAt: originsFrom(graph, pieces.first).weightsAt }
  }

  /** Copies a segment, several parts under way at a time. @param work called with the vertices whose lists are whole in what has come */
  async #bring(
    { pieces, lists, first, end }: Segment,
    work: (batch: { readonly vertices: Range; readonly bytes: number }) => void,
  ): Promise<void> {
    const { lists: all } = this.#pieces
    const { at } = this.#pieces.bytesOf(pieces)
    const parts: Range[] = []
    for (let piece = pieces.first; piece < pieces.end; piece += BATCH_PIECES)
      parts.push({ first: piece, end: Math.min(pieces.end, piece + BATCH_PIECES) })
    const under: Promise<void>[] = []
    const begin = (part: Range | undefined): void => {
      if (part === undefined) return
      const place = this.#pieces.bytesOf(part)
      const copied = this.#trace.span('copy in', `lists ${part.first}`, () =>
        this.#device.upload(lists, place.bytes, this.reader.beside(place.at), place.at - at),
      )
      // It may fail while one before it is waited for.
      copied.catch(() => {})
      under.push(copied)
    }
    for (let i = 0; i < 2; i++) begin(parts[i])
    let next = first
    for (const [i, part] of parts.entries()) {
      throwIfCancelled(this.#signal)
      begin(parts[i + 2])
      const startMs = performance.now()
      await under[i]
      this.reader.readMs += performance.now() - startMs
      const isLast = i === parts.length - 1
      // The last list of a part reaches into the next one.
      const upTo = isLast
        ? end
        : Math.max(next, this.#pieces.verticesIn({ first: 0, end: part.end - all.first }).end - 1)
      work({ vertices: { first: next, end: upTo }, bytes: this.#pieces.bytesOf(part).bytes })
      next = upTo
    }
    this.#stream.sum(lists, pieces)
  }

  #best(
    { first, end, lists: targets, weights: weightBits, origin, weightsAt }: Segment,
    { isListed, allFree }: { readonly isListed: boolean; readonly allFree: boolean },
  ): void {
    const { ends, kept, matched, again, longs, counters } = this.#space
    const { order } = this.#setup
    const count = end - first
    if (count === 0) return
    const state = { ends, targets, weightBits, matched, kept, longs, counters }
    const params = { origin, weightsAt, allFree: allFree ? 1 : 0, keptFirst: 0, ...order }
    this.#device.clear(counters, LONG, 1)
    const threads = isListed ? Math.min(count, STRIDING_THREADS) : count
    const listed = { first, count, isListed: isListed ? 1 : 0, longer: LONGER }
    this.#device.launch(this.#kernels.best, threads, { ...params, ...listed }, { ...state, list: again })
    const groups = Math.min(isListed ? LONG_GROUPS_A_ROUND : LONG_GROUPS, longs.words, count)
    this.#device.launch(this.#kernels.bestLong, this.#kernels.bestLong.workgroup * groups, params, state)
  }

  /** @param open word of the counters where the round's open vertices are counted */
  #round(open: number): void {
    const { kept, pointers, matched, open: lists, again, longs, counters } = this.#space
    const { vertices } = this.#setup.graph
    const { point, pair } = this.#kernels
    const isFirst = this.#queued === 0
    const counts = this.open.length === 0 && isFirst ? counted.pointing : counted.pointed
    const from = (this.#queued++ % 2) as 0 | 1
    const to = from === 0 ? 1 : 0
    const state = { matched, kept, pointers, next: lists[to], counters }
    const phase = { first: 0, count: vertices, nextLength: to, open }
    const threads = Math.min(vertices, STRIDING_THREADS)
    this.#device.clear(counters, to, 1)
    this.#device.clear(counters, AGAIN, 1)
    this.#device.launch(
      point,
      isFirst ? vertices : threads,
      { ...phase, length: isFirst ? NONE : from, counts },
      { ...state, list: lists[from], again },
    )
    for (const segment of this.#segments) this.#best(segment, { isListed: true, allFree: false })
    // Whoever has looked at its list now knows whom to point at, so nobody is written behind `longs`.
    this.#device.launch(
      point,
      threads,
      { ...phase, length: AGAIN, counts: counted.none },
      { ...state, list: again, again: longs },
    )
    this.#device.launch(pair, threads, { length: to }, { list: lists[to], pointers, matched, counters })
  }

  async #counters(): Promise<Uint32Array> {
    const counters = await this.#device.read(this.#space.counters, 0, COUNTERS)
    if (counters[DAMAGE] !== 0) throw damagedGraph(this.#setup.graph.path, 'the offsets')
    return counters
  }
}

/** Vertices whose offsets are in a batch. */
interface VertexBatch extends PieceBatch {
  readonly first: number
  readonly count: number
}

async function allocateSpace(device: Device, vertices: number, arcs: number, candidates: number): Promise<Space> {
  const words = (label: string, size: number): Promise<DeviceBuffer> => device.allocate(label, Math.max(4, size))
  const [ends, kept, pointers, matched, even, odd, again, longs, counters] = await Promise.all([
    words('ends', vertices),
    words('kept', keptWords(candidates) * vertices),
    words('pointers', vertices),
    words('matched', Math.ceil(vertices / 32)),
    words('open a', vertices),
    words('open b', vertices),
    words('again', vertices),
    words('long lists', longLists(vertices, arcs)),
    words('counters', COUNTERS),
  ])
  device.clear(matched, 0, Math.ceil(vertices / 32))
  device.clear(counters, 0, COUNTERS)
  return { ends, kept, pointers, matched, open: [even, odd], again, longs, counters }
}
