import { PIECE_BYTES, piecesOf } from '../../base/sums.ts'
import type { Device, DeviceBuffer } from '../../device/device.ts'
import type { GraphPieces, Range } from '../../graph/graph-pieces.ts'
import { type StopSignal, throwIfCancelled } from '../../base/job.ts'
import type { DeviceStream } from '../../streaming/device-stream.ts'
import type { PieceReader } from '../../streaming/piece-reader.ts'
import type { Trace } from '../../base/trace.ts'
import { type MatchSetup, originsFrom, readsWeights } from './match-setup.ts'
import { BATCH_PIECES } from './match-plan.ts'

/** Vertices with lists in one buffer. */
export interface Segment extends Range {
  readonly targets: DeviceBuffer
  readonly weightBits: DeviceBuffer
  /** Arcs of the first words, modulo 2^32. */
  readonly origin: number
  readonly weightsAt: number
}

export interface ListSource {
  readonly setup: Pick<MatchSetup, 'graph' | 'order'>
  readonly pieces: GraphPieces
  readonly reader: PieceReader
  readonly stream: DeviceStream
  readonly trace: Trace
  readonly signal: StopSignal
}

interface Place extends Segment {
  readonly pieces: Range
}

/** Copies of parts of a segment under way at a time. */
const UNDER_WAY = 3

/** All adjacency lists in a device's memory, in as many buffers as kernels can bind. */
export class DeviceLists {
  readonly segments: Segment[] = []
  readonly #device: Device
  readonly #source: ListSource

  constructor(device: Device, source: ListSource) {
    this.#device = device
    this.#source = source
  }

  /**
   * @param whole called with vertices whose lists are complete, ascending
   * @param afterBatch called with the bytes copied, of how many
   */
  async bring(whole: (part: Segment) => void, afterBatch: (bytes: number, total: number) => void): Promise<void> {
    const places = await this.#layOut()
    const bytesOf = ({ pieces }: Place): number => (pieces.end - pieces.first) * PIECE_BYTES
    const total = places.reduce((sum, place) => sum + bytesOf(place), 0)
    let done = 0
    for (const place of places) {
      await this.#bring(place, (vertices, bytes) => {
        whole({ ...place, ...vertices })
        afterBatch((done += bytes), total)
      })
    }
  }

  release(): void {
    const buffers = this.segments.flatMap(({ targets, weightBits }) => [targets, weightBits])
    for (const buffer of new Set(buffers)) this.#device.release(buffer)
  }

  async #layOut(): Promise<Place[]> {
    const { setup, pieces: all } = this.#source
    const { graph, order } = setup
    const { lists } = all
    const most = Math.floor(this.#device.maxBufferBytes / PIECE_BYTES) - 2
    const places: Place[] = []
    for (let first = lists.first; first < lists.end;) {
      let end = Math.min(lists.end, first + most)
      const vertices = (): Range => all.verticesIn({ first: first - lists.first, end: end - lists.first })
      const lastByte = (at: number): number => graph.targetsAt + 4 * all.endOf(at - 1)
      while (end > first + 1 && lastByte(vertices().end) > (first + most + 2) * PIECE_BYTES) end--
      const { first: v, end: w } = vertices()
      const bytes = Math.min(graph.bytes, Math.max(end * PIECE_BYTES, lastByte(w))) - first * PIECE_BYTES
      const pieces = { first, end: first + piecesOf(bytes) }
      const words = Math.ceil(Math.min(graph.bytes - first * PIECE_BYTES, (pieces.end - first) * PIECE_BYTES) / 4)
      const targets = await this.#device.allocate(`lists ${places.length}`, words)
      const { origin } = originsFrom(graph, first)
      const weights = readsWeights(order) ? await this.#weightsOf(v, w) : { weightBits: targets, weightsAt: origin }
      const place = { first: v, end: w, pieces, targets, origin, ...weights }
      places.push(place)
      this.segments.push(place)
      first = end
    }
    return places
  }

  async #weightsOf(first: number, end: number): Promise<Pick<Segment, 'weightBits' | 'weightsAt'>> {
    const { setup, pieces: all, reader, stream } = this.#source
    const { graph } = setup
    const from = graph.weights!.at + 4 * all.endOf(first - 1)
    const upTo = graph.weights!.at + 4 * all.endOf(end - 1)
    const pieces = { first: Math.floor(from / PIECE_BYTES), end: Math.max(1, piecesOf(upTo)) }
    const { at, bytes } = all.bytesOf(pieces)
    const weightBits = await this.#device.allocate('weights', Math.ceil(bytes / 4))
    await this.#device.upload(weightBits, bytes, reader.beside(at))
    stream.sum(weightBits, pieces)
    return { weightBits, weightsAt: originsFrom(graph, pieces.first).weightsAt }
  }

  /** Copies a segment. @param whole called with the vertices whose lists are complete */
  async #bring({ pieces, targets, first, end }: Place, whole: (vertices: Range, bytes: number) => void): Promise<void> {
    const { pieces: all, reader, stream, trace, signal } = this.#source
    const { at } = all.bytesOf(pieces)
    const parts: Range[] = []
    for (let piece = pieces.first; piece < pieces.end; piece += BATCH_PIECES)
      parts.push({ first: piece, end: Math.min(pieces.end, piece + BATCH_PIECES) })
    const underWay: Promise<void>[] = []
    const begin = (part: Range | undefined): void => {
      if (part === undefined) return
      const place = all.bytesOf(part)
      const copied = trace.span('copy in', `lists ${part.first}`, () =>
        this.#device.upload(targets, place.bytes, reader.beside(place.at), place.at - at),
      )
      // It may fail while an earlier one is awaited.
      copied.catch(() => {})
      underWay.push(copied)
    }
    for (let i = 0; i < UNDER_WAY - 1; i++) begin(parts[i])
    let next = first
    for (const [i, part] of parts.entries()) {
      throwIfCancelled(signal)
      begin(parts[i + UNDER_WAY - 1])
      const startMs = performance.now()
      await underWay[i]
      reader.readMs += performance.now() - startMs
      const isLast = i === parts.length - 1
      // The last list of a part reaches into the next one.
      const vertices = { first: 0, end: part.end - all.lists.first }
      const upTo = isLast ? end : Math.max(next, all.verticesIn(vertices).end - 1)
      whole({ first: next, end: upTo }, all.bytesOf(part).bytes)
      next = upTo
    }
    stream.sum(targets, pieces)
  }
}
