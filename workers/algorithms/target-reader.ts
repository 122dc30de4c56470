import { processorsHere } from '../base/host-resources.ts'
import { settleAll } from '../base/job.ts'
import type { Range } from '../base/ranges.ts'
import { PIECE_BYTES } from '../base/sums.ts'
import { sharedWords } from '../base/words.ts'
import type { Trace } from '../base/trace.ts'
import type { Device, DeviceBuffer, Read } from '../device/device.ts'
import { GaloisGr, type GraphHandle } from '../graph/galois-gr.ts'
import { DeviceSums } from '../streaming/device-stream.ts'
import { PieceReader } from '../streaming/piece-scan.ts'
import { runInThread } from '../threads/thread-pool.ts'

/** Arcs that a thread reads at a time: their checksums are compared while they are in the cache. */
const PART_ARCS = 1 << 20
/** Fewer are read before threads have started. */
const LEAST_ARCS = 1 << 23
/** The least pieces that a GPU sums: fewer are summed by the host. */
const LEAST_PIECES = 8
/** One thread copies what they read. */
const MOST_THREADS = 16

/** Threads that read for each of so many workers. */
export const readersOf = (workers: number): number =>
  Math.max(1, Math.floor(Math.min(MOST_THREADS, processorsHere()) / workers))

interface ReadTask {
  readonly graph: GraphHandle
  readonly firstArc: number
  /** The place of the targets, in shared memory. */
  readonly into: Uint32Array
}

/** Reads targets in a thread of its own. */
export function readTargetsTask({ graph: handle, firstArc, into }: ReadTask): Promise<void> {
  const graph = GaloisGr.of(handle)
  try {
    graph.readTargets(firstArc, firstArc + into.length, into)
    return Promise.resolve()
  } finally {
    graph.close()
  }
}

/** Brings targets of a graph to a device, verified: many are read side by side, and a GPU sums them itself. */
export class TargetReader {
  readonly #device: Device
  readonly #graph: GaloisGr
  readonly #trace: Trace
  readonly #threads: number
  /** Sums on the device, if it is a GPU. */
  #sums: DeviceSums | undefined
  /** Spaces of threads without work; as many exist as threads may read. */
  readonly #spaces: Uint32Array[] = []
  readonly #waiting: ((space: Uint32Array) => void)[] = []
  #made = 0

  constructor(device: Device, graph: GaloisGr, trace: Trace, threads: number) {
    this.#device = device
    this.#graph = graph
    this.#trace = trace
    this.#threads = threads
  }

  /** @throws Failure (input) where the file is damaged */
  async bring(targets: DeviceBuffer, firstArc: number, arcs: number): Promise<void> {
    const from = this.#graph.file.targetsAt + 4 * firstArc
    const pieces = { first: Math.ceil(from / PIECE_BYTES), end: Math.floor((from + 4 * arcs) / PIECE_BYTES) }
    if (this.#device.sharesMemory || pieces.end - pieces.first < LEAST_PIECES)
      return this.#bring(targets, firstArc, arcs, 0)
    const begin = (pieces.first * PIECE_BYTES - from) / 4
    const end = (pieces.end * PIECE_BYTES - from) / 4
    // Pieces that others have a part of.
    await this.#bring(targets, firstArc, begin, 0)
    await this.#bring(targets, firstArc + end, arcs - end, end)
    await this.#bringPieces(targets, pieces, begin)
  }

  /** @param at word of the buffer where they begin */
  async #bring(targets: DeviceBuffer, firstArc: number, arcs: number, at: number): Promise<void> {
    const read: Read = (bytes, done) => {
      const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
      return this.#trace.span('disk read', 'targets', () => this.#read(firstArc + done / 4, words, arcs))
    }
    if (arcs > 0) await this.#device.upload(targets, 4 * arcs, read, 4 * at)
  }

  /** Whole pieces, whose words are all targets. */
  async #bringPieces(targets: DeviceBuffer, pieces: Range, begin: number): Promise<void> {
    const device = this.#device
    const { file, checked } = this.#graph
    const { crcs } = checked.handle
    const reader = new PieceReader(file, checked.source, crcs)
    this.#sums ??= await DeviceSums.open(device, crcs)
    await this.#trace.span('disk read', 'targets', () =>
      device.upload(
        targets,
        (pieces.end - pieces.first) * PIECE_BYTES,
        reader.beside(pieces.first * PIECE_BYTES),
        4 * begin,
      ),
    )
    this.#sums.sum(targets, pieces, PIECE_BYTES / 4, begin)
    const piece = await this.#sums.damaged()
    if (piece >= 0) throw reader.damaged(piece)
  }

  release(): void {
    this.#sums?.release()
    this.#sums = undefined
  }

  /** @param arcs in all, of which these are some @throws Failure (input) where the file is damaged */
  async #read(firstArc: number, words: Uint32Array, arcs: number): Promise<void> {
    if (this.#threads === 1 || arcs < LEAST_ARCS) {
      // Not straight into `words`: targets are checked, and mapped memory is slow to read.
      words.set(this.#graph.readTargets(firstArc, firstArc + words.length))
      return
    }
    const parts: Promise<void>[] = []
    for (let at = 0; at < words.length; at += PART_ARCS)
      parts.push(this.#readPart(firstArc + at, words.subarray(at, at + PART_ARCS)))
    // A thread may still write where another one failed.
    await settleAll(parts)
  }

  async #readPart(firstArc: number, words: Uint32Array): Promise<void> {
    const space = await this.#take()
    try {
      const into = words.buffer instanceof SharedArrayBuffer ? words : space.subarray(0, words.length)
      await runInThread<ReadTask, void>('read-targets', { graph: this.#graph.handle, firstArc, into })
      if (into !== words) words.set(into)
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#spaces.push(space)
      else next(space)
    }
  }

  #take(): Promise<Uint32Array> {
    const space = this.#spaces.pop()
    if (space !== undefined) return Promise.resolve(space)
    if (this.#made === this.#threads) return new Promise((resolve) => void this.#waiting.push(resolve))
    this.#made++
    return Promise.resolve(sharedWords(PART_ARCS))
  }
}
