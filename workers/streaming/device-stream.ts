import { pieceSums, sumTables, sumThreads } from '../../kernels/memory/piece-sums.ts'
import { endThreadIfDue } from '../base/fault-injection.ts'
import { type StopSignal, throwIfCancelled } from '../base/job.ts'
import { agrees, piecesOf } from '../base/sums.ts'
import type { Trace } from '../base/trace.ts'
import { fillWords, type Device, type DeviceBuffer } from '../device/device.ts'
import { openDevice } from '../device/open-device.ts'
import type { GraphPieces } from '../graph/graph-pieces.ts'
import type { Range } from '../base/ranges.ts'
import { ScanBoard, type PieceReader } from './piece-scan.ts'

/** With their bytes of the file, perhaps with some behind them. */
export interface PieceBatch {
  readonly pieces: Range
  readonly at: number
  readonly bytes: number
  /** A buffer in place of the stream's, and the byte where they begin there; the caller sums them. */
  readonly into?: { readonly buffer: DeviceBuffer; readonly at: number }
}

export interface StreamLayout {
  readonly batchWords: number
  readonly buffers: number
}

interface Space {
  readonly batches: readonly DeviceBuffer[]
  readonly sums: DeviceBuffer
  readonly tables: DeviceBuffer
}

export interface StreamSource {
  readonly pieces: GraphPieces
  readonly reader: PieceReader
  /** Of each piece; undefined for a file that is checked besides. */
  readonly crcs: Uint32Array | undefined
  readonly trace: Trace
  readonly signal: StopSignal
}

export class DeviceStream {
  readonly #device: Device
  readonly #source: StreamSource
  readonly #space: Space
  readonly #summed: Uint8Array
  #next = 0

  private constructor(device: Device, source: StreamSource, space: Space) {
    this.#device = device
    this.#source = source
    this.#space = space
    this.#summed = new Uint8Array(piecesOf(source.pieces.graph.bytes))
  }

  /** @throws Failure (device) without the memory */
  static async open(device: Device, source: StreamSource, layout: StreamLayout): Promise<DeviceStream> {
    const tables = sumTables()
    const [batches, sumWords, tableWords] = await Promise.all([
      Promise.all(
        Array.from({ length: layout.buffers }, (_, i) => device.allocate(`batch ${i}`, Math.max(4, layout.batchWords))),
      ),
      device.allocate('sums', Math.max(1, source.crcs?.length ?? 0)),
      device.allocate('tables of sums', tables.length),
      device.prepare([pieceSums]),
    ])
    const space = { batches, sums: sumWords, tables: tableWords }
    await fillWords(device, space.tables, tables)
    return new DeviceStream(device, source, space)
  }

  /** For other uses after the last batch. */
  get spare(): DeviceBuffer {
    return this.#space.batches[0]!
  }

  /** Up to byte `end` of the file, if that is behind the pieces. */
  batch(pieces: Range, end: number): PieceBatch {
    const { at, bytes } = this.#source.pieces.bytesOf(pieces)
    return { pieces, at, bytes: Math.max(bytes, end - at) }
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
    const { batches } = this.#space
    const underWay: { readonly batch: Batch; readonly raw: DeviceBuffer; readonly copied: Promise<void> }[] = []
    const begin = (): void => {
      const batch = take()
      if (batch === undefined) return
      const { buffer: raw, at } = batch.into ?? { buffer: batches[this.#next++ % batches.length]!, at: 0 }
      const upload = (): Promise<void> => this.#device.upload(raw, batch.bytes, reader.beside(batch.at), at)
      const copied = trace.span('copy in', `${name} ${batch.pieces.first}`, upload)
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

  /** @throws Failure (input) */
  async verify(): Promise<void> {
    const { crcs, reader } = this.#source
    if (crcs === undefined) return
    const sums = await this.#device.read(this.#space.sums, 0, crcs.length)
    const wrong = crcs.findIndex((_, piece) => this.#summed[piece] === 1 && !agrees(crcs, piece, ~sums[piece]! >>> 0))
    if (wrong >= 0) throw reader.damaged(wrong)
  }

  release(): void {
    const { batches, sums, tables } = this.#space
    for (const buffer of [...batches, sums, tables]) this.#device.release(buffer)
  }

  /** With which a buffer begins. */
  sum(words: DeviceBuffer, { first, end }: Range): void {
    const { crcs, pieces } = this.#source
    if (crcs === undefined) return
    const { tables, sums } = this.#space
    this.#summed.fill(1, first, end)
    this.#device.clear(sums, first, end - first)
    const last = pieces.bytesOf({ first: end - 1, end }).bytes / 4
    const params = { first, count: end - first, last, begin: 0 }
    this.#device.launch(pieceSums, sumThreads(end - first), params, { words, tables, sums })
  }
}

/** A failure stops the others. @param board of a {@link ScanBoard} */
export async function onFollowingDevice<Report>(
  board: Int32Array,
  id: string,
  work: (device: Device, signal: StopSignal) => Promise<Report>,
): Promise<Report> {
  const shared = new ScanBoard(board)
  try {
    const device = await openDevice(id)
    await endThreadIfDue()
    try {
      return await work(device, shared.signal)
    } finally {
      device.close()
    }
  } catch (error) {
    shared.stop()
    throw error
  }
}
