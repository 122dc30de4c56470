/**
 * Batches of a graph file through a device's memory: up to three buffers in turn, so that the next batches are read and copied while kernels
 * work on this one, and a GPU computes the checksums of what was copied itself, which are compared at the end. A batch is some pieces with the
 * rest of their last list. piece-scan.ts gives batches from the board and is the way of processors; ecl-mis and ld-gpu say what is done with a
 * batch.
 */

import { SUM_TABLE_WORDS, pieceSums, sumTables, sumThreads } from '../../kernels/memory/piece-sums.ts'
import { throwIfCancelled } from '../base/job.ts'
import { agrees, piecesOf } from '../base/sums.ts'
import { type Device, type DeviceBuffer, allocateBuffers, fillWords } from '../device/device.ts'
import type { GraphPieces } from '../graph/graph-pieces.ts'
import { type Range, within } from '../base/ranges.ts'
import { type BlockRoom, DeviceUnpacker } from './device-unpacker.ts'
import { type PieceScan, type ScanSetup, takeUnits } from './piece-scan.ts'

/** A batch of pieces with their bytes of the file, perhaps with some behind them. */
interface PieceBatch {
  readonly pieces: Range
  readonly at: number
  readonly bytes: number
  /** A buffer in place of the stream's, and the byte where they begin there; the caller sums them. */
  readonly into?: { readonly buffer: DeviceBuffer; readonly at: number }
}

/** Lists of some vertices. */
export interface ListBatch extends PieceBatch {
  readonly vertices: Range
  /** Vertices behind them, whose lists a buffer has no room for. */
  readonly cut: readonly number[]
}

export interface StreamLayout {
  readonly batchWords: number
  readonly buffers: number
  /** Words of a buffer for packed blocks; 0: the processors unpack, if anything is packed (device-unpacker.ts). */
  readonly packedWords: number
}

type StreamSource = Pick<PieceScan, 'pieces' | 'reader' | 'crcs' | 'trace' | 'signal' | 'board'>

/** CRC-32 of pieces that are on a device, by the device. */
export class DeviceSums {
  readonly #device: Device
  readonly #crcs: Uint32Array
  readonly #buffers: Readonly<Record<'sums' | 'tables', DeviceBuffer>>
  readonly #summed: Uint8Array

  private constructor(device: Device, crcs: Uint32Array, buffers: Record<'sums' | 'tables', DeviceBuffer>) {
    this.#device = device
    this.#crcs = crcs
    this.#buffers = buffers
    this.#summed = new Uint8Array(crcs.length)
  }

  /** Words of its buffers; of no pieces there are none. */
  static space(pieces: number): Readonly<Partial<Record<'sums' | 'tables', number>>> {
    return pieces === 0 ? {} : { sums: pieces, tables: SUM_TABLE_WORDS }
  }

  /** @param crcs of each piece of the file @throws Failure (device) without the memory */
  static async open(device: Device, crcs: Uint32Array): Promise<DeviceSums> {
    const [{ sums, tables }] = await Promise.all([
      allocateBuffers(device, { sums: crcs.length, tables: SUM_TABLE_WORDS }),
      device.prepare([pieceSums]),
    ])
    await fillWords(device, tables, sumTables())
    return new DeviceSums(device, crcs, { sums, tables })
  }

  /** @param last words of the last piece @param begin word where they begin in the buffer */
  sum(words: DeviceBuffer, { first, end }: Range, last: number, begin = 0): void {
    const { sums, tables } = this.#buffers
    const count = end - first
    this.#summed.fill(1, first, end)
    this.#device.clear(sums, first, count)
    this.#device.launch(pieceSums, sumThreads(count), { first, count, last, begin }, { words, tables, sums })
  }

  /** The first piece of those summed that is not what was written, or -1. */
  async damaged(): Promise<number> {
    const crcs = this.#crcs
    const sums = await this.#device.read(this.#buffers.sums, 0, crcs.length)
    return crcs.findIndex((_, piece) => this.#summed[piece] === 1 && !agrees(crcs, piece, ~sums[piece]! >>> 0))
  }

  release(): void {
    for (const buffer of Object.values(this.#buffers)) this.#device.release(buffer)
  }
}

export class DeviceStream {
  /** The share of what batches leave that packed blocks may take on their way, beside what waits there. */
  static readonly BLOCK_SHARE = 1 / 4
  readonly #device: Device
  readonly #source: StreamSource
  readonly #batches: readonly DeviceBuffer[]
  readonly #batchWords: number
  readonly #sums: DeviceSums | undefined
  readonly #unpacker: DeviceUnpacker | undefined
  #next = 0

  private constructor(
    device: Device,
    source: StreamSource,
    batches: readonly DeviceBuffer[],
    batchWords: number,
    sums: DeviceSums | undefined,
    unpacker: DeviceUnpacker | undefined,
  ) {
    this.#batchWords = batchWords
    this.#device = device
    this.#source = source
    this.#batches = batches
    this.#sums = sums
    this.#unpacker = unpacker
  }

  /** Words of its buffers, with a checksum of each piece of the file; of no bytes there are none. */
  static space(
    { buffers, batchWords, packedWords }: StreamLayout,
    fileBytes: number,
  ): Readonly<Record<string, number>> {
    const batches = Array.from({ length: buffers }, (_, i) => [`batch ${i}`, batchWords] as const)
    const blocks = DeviceUnpacker.space(packedWords, fileBytes)
    return { ...Object.fromEntries(batches), ...DeviceSums.space(piecesOf(fileBytes)), ...blocks }
  }

  /** What packed blocks take on their way. @param roomBytes for them */
  static roomForBlocks(roomBytes: number, isPacked: boolean | undefined, fileBytes: number): BlockRoom {
    return DeviceUnpacker.room(roomBytes, isPacked, fileBytes)
  }

  /** @throws Failure (device) without the memory */
  static async open(device: Device, source: StreamSource, layout: StreamLayout): Promise<DeviceStream> {
    const { crcs } = source
    const { packed } = source.reader
    const { buffers, batchWords, packedWords } = layout
    const unpacks = packed !== undefined && packedWords > 0 && crcs !== undefined
    const [batches, sums, unpacker] = await Promise.all([
      allocateBuffers(device, DeviceStream.space({ buffers, batchWords, packedWords: 0 }, 0)),
      crcs && DeviceSums.open(device, crcs),
      unpacks ? DeviceUnpacker.open(device, packed, packedWords) : undefined,
    ])
    return new DeviceStream(device, source, Object.values(batches), batchWords, sums, unpacker)
  }

  /** A buffer for other uses after the last batch. */
  get spare(): DeviceBuffer {
    return this.#batches[0]!
  }

  /** A batch up to byte `end` of the file, if that is behind the pieces. */
  batch(pieces: Range, end: number): PieceBatch {
    const { at, bytes } = this.#source.pieces.bytesOf(pieces)
    return { pieces, at, bytes: Math.max(bytes, end - at) }
  }

  /** The lists of the next units from the board. @returns undefined behind the last */
  takeLists(setup: Pick<ScanSetup, 'own' | 'isBackward'>, count: number): ListBatch | undefined {
    const units = takeUnits(this.#source.board, setup, count)
    return units && this.lists(units, setup.own.vertices)
  }

  /** The lists that begin in some units, as far as a buffer has room for them. @param own vertices of this rank */
  lists(units: Range, own: Range): ListBatch {
    const { pieces: file } = this.#source
    const { bytes: fileBytes, targetsAt } = file.graph
    const pieces = { first: file.pieceOf(units.first), end: file.pieceOf(units.end - 1) + 1 }
    const { first, end } = within(file.verticesIn(units), own)
    const { at } = file.bytesOf(pieces)
    const room = Math.min(fileBytes - at, 4 * this.#batchWords)
    const lastByte = (v: number): number => targetsAt + 4 * file.endOf(v - 1)
    const cut: number[] = []
    let last = end
    while (last > first && lastByte(last) - at > room) cut.push(--last)
    return { ...this.batch(pieces, last > first ? lastByte(last) : 0), vertices: { first, end: last }, cut }
  }

  /**
   * The next batches are read and copied meanwhile; none of that is under way once it settles, so that file and device may be closed.
   * @param take undefined behind the last
   * @param work queues the work on a batch in the buffer
   */
  async run<Batch extends PieceBatch>(
    name: string,
    take: () => Batch | undefined,
    work: (raw: DeviceBuffer, batch: Batch) => void | Promise<void>,
  ): Promise<void> {
    const { reader, signal, trace } = this.#source
    const batches = this.#batches
    const underWay: { readonly batch: Batch; readonly raw: DeviceBuffer; readonly copied: Promise<void> }[] = []
    const begin = (): void => {
      const batch = take()
      if (batch === undefined) return
      const { buffer: raw, at } = batch.into ?? { buffer: batches[this.#next++ % batches.length]!, at: 0 }
      const bring = (): Promise<void> => this.bring(raw, batch.bytes, batch.at, at)
      const copied = trace.span('copy in', `${name} ${batch.pieces.first}`, bring)
      // Awaited later.
      copied.catch(() => {})
      underWay.push({ batch, raw, copied })
    }
    try {
      for (let i = 1; i < batches.length; i++) begin()
      for (let head = underWay[0]; head !== undefined; head = underWay[0]) {
        throwIfCancelled(signal)
        begin()
        const startMs = performance.now()
        await head.copied
        underWay.shift()
        reader.readMs += performance.now() - startMs
        if (head.batch.into === undefined) this.sum(head.raw, head.batch.pieces)
        await work(head.raw, head.batch)
      }
    } finally {
      await Promise.allSettled(underWay.map(({ copied }) => copied))
    }
  }

  /** Brings bytes of the file, from a piece's first one on, to a buffer, from byte `into` on. */
  async bring(buffer: DeviceBuffer, bytes: number, at: number, into = 0): Promise<void> {
    const { reader } = this.#source
    if (this.#unpacker === undefined) return this.#device.upload(buffer, bytes, reader.beside(at), into)
    await this.#unpacker.bring(buffer, bytes, at, into)
    reader.bytesRead += bytes
  }

  /** All end offsets. @param step vertices of a batch begin at a multiple of it @param index queues the work on some */
  async runOffsets(
    batchPieces: number,
    step: number,
    index: (raw: DeviceBuffer, ends: Range & ReturnType<GraphPieces['endsFrom']>) => void,
  ): Promise<void> {
    const { pieces } = this.#source
    let next = 0
    const take = (): (PieceBatch & Range) | undefined => {
      if (next >= pieces.indexEnd) return undefined
      const some = { first: next, end: Math.min(pieces.indexEnd, next + batchPieces) }
      next = some.end
      const vertices = pieces.verticesIndexedIn(some, step)
      return { ...this.batch(some, pieces.endOffsetAt(vertices.end)), ...vertices }
    }
    await this.run('offsets', take, (raw, { at, first, end }) => {
      if (first < end) index(raw, { first, end, ...pieces.endsFrom(first, at) })
    })
  }

  /** @throws Failure (input) */
  async verify(): Promise<void> {
    const piece = (await this.#sums?.damaged()) ?? -1
    if (piece >= 0) throw this.#source.reader.damaged(piece)
  }

  release(): void {
    for (const buffer of this.#batches) this.#device.release(buffer)
    this.#sums?.release()
    this.#unpacker?.release()
  }

  /** Sums the pieces with which a buffer begins. */
  sum(words: DeviceBuffer, pieces: Range): void {
    const { end } = pieces
    this.#sums?.sum(words, pieces, this.#source.pieces.bytesOf({ first: end - 1, end }).bytes / 4)
  }
}
