import { PIECE_BYTES, piecesOf } from '../../base/sums.ts'
import type { StopSignal } from '../../base/job.ts'
import type { Trace } from '../../base/trace.ts'
import { type Device, type DeviceBuffer, fillWords } from '../../device/device.ts'
import { type Range, GraphPieces } from '../../graph/graph-pieces.ts'
import { within } from '../../graph/graph-slice.ts'
import { type PieceBatch, DeviceStream } from '../../streaming/device-stream.ts'
import { PieceReader } from '../../streaming/piece-reader.ts'
import { ScanBoard } from '../../threads/scan-board.ts'
import { indexEnds } from './device-ends.ts'
import type { Segment } from './device-lists.ts'
import { type MatchSetup, originsFrom, readsWeights } from './match-setup.ts'
import { BATCH_BUFFERS } from './match-plan.ts'

/**
 * From where a device takes units, if all that do take batches of the same size. Where hubs come first, those at the front have few vertices, whose
 * candidates are soon published.
 */
export type Side = 'front' | 'back'

interface ListBatch extends PieceBatch {
  readonly vertices: Range
}

/** Lists of units from the board in a device's memory, one batch after another. */
export class ScannedBatches {
  readonly reader: PieceReader
  readonly batchWords: number
  readonly #device: Device
  readonly #setup: MatchSetup
  readonly #pieces: GraphPieces
  readonly #board: ScanBoard
  readonly #source: Parameters<typeof DeviceStream.open>[1]
  readonly #batchPieces: number
  readonly #side: Side | undefined
  /** Batches taken from the back. */
  #taken = 0
  #deferred: number[] = []
  #stream: DeviceStream | undefined
  #weights: DeviceBuffer | undefined

  /** @param file the graph's, open for reading */
  constructor(
    device: Device,
    setup: MatchSetup,
    { batchPieces, side }: { readonly batchPieces: number; readonly side?: Side | undefined },
    file: number,
    trace: Trace,
    signal: StopSignal,
  ) {
    const { graph, crcs, unitsAPiece } = setup
    this.#device = device
    this.#setup = setup
    this.#batchPieces = batchPieces
    this.#side = side
    this.#pieces = new GraphPieces(graph, file, unitsAPiece)
    this.#board = new ScanBoard(setup.board)
    this.reader = new PieceReader(graph, file, crcs)
    this.#source = { pieces: this.#pieces, reader: this.reader, crcs, trace, signal }
    this.batchWords = Math.ceil(Math.min(graph.bytes, (batchPieces + 1) * PIECE_BYTES) / 4)
  }

  /** @throws Failure (device) where the device has not the memory */
  async open(): Promise<void> {
    const layout = { batchWords: this.batchWords, buffers: BATCH_BUFFERS }
    this.#stream = await DeviceStream.open(this.#device, this.#source, layout)
    if (readsWeights(this.#setup.order))
      this.#weights = await this.#device.allocate('weights', this.batchWords + PIECE_BYTES / 2)
  }

  /** Ends of all lists, where processors have not indexed them. @throws Failure (input) where the offsets descend */
  async ends(buffers: Parameters<typeof indexEnds>[2]): Promise<void> {
    if (this.#side === undefined) return fillWords(this.#device, buffers.ends, this.#setup.memory.ends)
    const source = { pieces: this.#pieces, stream: this.#stream! }
    await indexEnds(this.#device, source, buffers, this.#batchPieces)
  }

  /** @param work queues the work on some lists @returns vertices whose lists are longer than a batch */
  async run(work: (lists: Segment) => void | Promise<void>): Promise<readonly number[]> {
    const stream = this.#stream!
    this.#deferred = []
    this.#taken = 0
    await stream.run(
      'lists',
      () => this.#take(stream),
      async (targets, batch) => work(await this.#listsOf(targets, batch)),
    )
    return this.#deferred
  }

  /** @throws Failure (input) where the file is not what was written */
  verify(): Promise<void> {
    return this.#stream!.verify()
  }

  release(): void {
    this.#stream?.release()
    if (this.#weights !== undefined) this.#device.release(this.#weights)
  }

  /** The next units of the board, without lists that a batch has no room for. */
  #take(stream: DeviceStream): ListBatch | undefined {
    const { graph, own: slice } = this.#setup
    const first = this.#firstUnit(slice.units)
    if (first === undefined) return undefined
    const end = Math.min(slice.units.end, first + this.#batchPieces)
    const own = { first: this.#pieces.pieceOf(first), end: this.#pieces.pieceOf(end - 1) + 1 }
    const { first: v, end: w } = within(this.#pieces.verticesIn({ first, end }), slice.vertices)
    const place = this.#pieces.bytesOf(own)
    const room = Math.min(graph.bytes - place.at, 4 * this.batchWords)
    const lastByte = (upTo: number): number => graph.targetsAt + 4 * this.#pieces.endOf(upTo - 1) - place.at
    let last = w
    while (last > v && lastByte(last) > room) this.#deferred.push(--last)
    return { ...stream.batch(own, last > v ? place.at + lastByte(last) : 0), vertices: { first: v, end: last } }
  }

  /** The board counts all units: as long as some are left, front and back do not meet. */
  #firstUnit({ first, end }: Range): number | undefined {
    const most = this.#batchPieces
    const before = this.#board.take('lists', most)
    if (before >= end) return undefined
    if (this.#side === undefined) return before
    if (this.#side === 'front') return first + this.#board.take('index', most)
    return first + most * (Math.ceil((end - first) / most) - ++this.#taken)
  }

  async #listsOf(targets: DeviceBuffer, { vertices: { first, end }, pieces }: ListBatch): Promise<Segment> {
    const { origin } = originsFrom(this.#setup.graph, pieces.first)
    const lists = { first, end, targets, origin }
    if (this.#weights === undefined || first === end) return { ...lists, weightBits: targets, weightsAt: 0 }
    return { ...lists, weightBits: this.#weights, weightsAt: await this.#bringWeights({ first, end }, this.#weights) }
  }

  /** Copies the weights of some lists. @returns the arc of the first word, modulo 2^32 */
  async #bringWeights({ first, end }: Range, weights: DeviceBuffer): Promise<number> {
    const { graph } = this.#setup
    const from = graph.weights!.at + 4 * this.#pieces.endOf(first - 1)
    const upTo = graph.weights!.at + 4 * this.#pieces.endOf(end - 1)
    const covering = { first: Math.floor(from / PIECE_BYTES), end: Math.max(1, piecesOf(upTo)) }
    const place = this.#pieces.bytesOf(covering)
    await this.#device.upload(weights, place.bytes, this.reader.beside(place.at))
    this.#stream!.sum(weights, covering)
    return originsFrom(graph, covering.first).weightsAt
  }
}
