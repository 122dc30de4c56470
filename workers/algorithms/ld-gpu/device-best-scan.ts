import { closeSync } from 'node:fs'
import { COUNTERS, LONG, LONGEST, SCAN_COUNTS, keptWords } from '../../../kernels/matching/match-state.ts'
import { PIECE_BYTES, piecesOf } from '../../base/sums.ts'
import { type Device, type DeviceBuffer, fillWords } from '../../device/device.ts'
import { type Range, GraphPieces } from '../../graph/graph-pieces.ts'
import { within } from '../../graph/graph-slice.ts'
import type { StopSignal } from '../../base/job.ts'
import { type PieceBatch, DeviceStream, onFollowingDevice } from '../../streaming/device-stream.ts'
import { openFile } from '../../base/file-bytes.ts'
import { PieceReader } from '../../streaming/piece-reader.ts'
import { ScanBoard } from '../../threads/scan-board.ts'
import { Trace } from '../../base/trace.ts'
import type { WorkerReport } from '../worker-report.ts'
import { bestKernels, lookAtLists } from './best-kernels.ts'
import { HostLists } from './host-lists.ts'
import { HostMatch } from './host-match.ts'
import { type MatchSetup, originsFrom, readsWeights } from './match-setup.ts'
import { BATCH_BUFFERS, SCAN_VERTICES, longLists } from './plan-match.ts'

/** The task of a GPU that streams lists. */
export interface DeviceScanTask {
  readonly setup: MatchSetup
  readonly device: string
  readonly batchPieces: number
  /** No vertex has a mate yet. */
  readonly allFree: boolean
}

/** `exchanged`: bytes of candidates, copied to the processors. */
export type DeviceScanReport = Omit<WorkerReport, 'waitMs' | 'sweeps'>

/** In a thread of its own. */
export const deviceScanTask = (task: DeviceScanTask): Promise<DeviceScanReport> =>
  onFollowingDevice(task.setup.board, task.device, (device, signal) => scanOnDevice(task, device, signal, () => {}))

/** Reads of candidates under way. */
const MOST_ARRIVING = 4

interface ListBatch extends PieceBatch {
  readonly vertices: Range
}

export async function scanOnDevice(
  task: DeviceScanTask,
  device: Device,
  signal: StopSignal,
  afterBatch: () => void,
): Promise<DeviceScanReport> {
  const file = openFile(task.setup.graph.path, 'r')
  const trace = new Trace(task.setup.traced)
  const before = { ...device.copied }
  const scan = new DeviceBestScan(device, task, file, trace, signal)
  try {
    await device.takeKernelMs()
    await scan.open()
    await scan.run(afterBatch)
    return {
      device: device.facts,
      ...scan.figures,
      kernelMs: await device.takeKernelMs(),
      toDevice: device.copied.toDevice - before.toDevice,
      fromDevice: device.copied.fromDevice - before.fromDevice,
      spans: trace.spans,
    }
  } finally {
    scan.release()
    closeSync(file)
  }
}

type Buffers = Readonly<Record<'ends' | 'matched' | 'kept' | 'longs' | 'counters' | 'weights', DeviceBuffer>>

/** Batches of units from the board; the candidates of their vertices go to the processors' memory. */
class DeviceBestScan {
  readonly #device: Device
  readonly #setup: MatchSetup
  readonly #allFree: boolean
  readonly #pieces: GraphPieces
  readonly #reader: PieceReader
  readonly #board: ScanBoard
  readonly #kernels: ReturnType<typeof bestKernels>
  readonly #source: Parameters<typeof DeviceStream.open>[1]
  readonly #lists: HostLists
  readonly #batchPieces: number
  readonly #batchWords: number
  /** Candidates on their way to the processors' memory. */
  readonly #arriving: Promise<void>[] = []
  /** Vertices with lists longer than a batch: the host scans them. */
  readonly #deferred: number[] = []
  #stream: DeviceStream | undefined
  #buffers: Buffers | undefined
  #exchanged = 0

  constructor(device: Device, task: DeviceScanTask, file: number, trace: Trace, signal: StopSignal) {
    const { setup, allFree, batchPieces } = task
    const { graph, crcs, candidates, order, unitsAPiece } = setup
    this.#device = device
    this.#setup = setup
    this.#allFree = allFree
    this.#batchPieces = batchPieces
    this.#pieces = new GraphPieces(graph, file, unitsAPiece)
    this.#reader = new PieceReader(graph, file, crcs)
    this.#board = new ScanBoard(setup.board)
    this.#kernels = bestKernels(candidates, order)
    this.#source = { pieces: this.#pieces, reader: this.#reader, crcs, trace, signal }
    this.#lists = new HostLists(setup, file, trace, signal)
    this.#batchWords = Math.ceil(Math.min(graph.bytes, (batchPieces + 1) * PIECE_BYTES) / 4)
  }

  get figures(): Pick<DeviceScanReport, 'bytesRead' | 'readMs' | 'exchanged'> {
    const bytesRead = this.#reader.bytesRead + this.#lists.reader.bytesRead
    return { bytesRead, readMs: this.#reader.readMs, exchanged: this.#exchanged }
  }

  /** Vertices of a launch. */
  get #most(): number {
    return Math.min(this.#setup.graph.vertices, SCAN_VERTICES)
  }

  /** @throws Failure (device) where the device has not the memory */
  async open(): Promise<void> {
    const { graph, order, candidates, memory } = this.#setup
    const layout = { batchWords: this.#batchWords, buffers: BATCH_BUFFERS }
    this.#stream = await DeviceStream.open(this.#device, this.#source, layout)
    await this.#device.prepare(Object.values(this.#kernels))
    const words = {
      ends: graph.vertices,
      matched: memory.matched.length,
      kept: keptWords(candidates) * this.#most,
      longs: longLists(this.#most, this.#batchWords),
      counters: COUNTERS,
      weights: readsWeights(order) ? this.#batchWords + PIECE_BYTES / 2 : 0,
    }
    const made = Object.entries(words).map(
      async ([label, size]) => [label, await this.#device.allocate(label, Math.max(4, size))] as const,
    )
    const buffers = Object.fromEntries(await Promise.all(made)) as unknown as Buffers
    this.#buffers = buffers
    await fillWords(this.#device, buffers.ends, memory.ends)
    await fillWords(this.#device, buffers.matched, memory.matched)
  }

  async run(afterBatch: () => void): Promise<void> {
    const stream = this.#stream!
    await stream.run(
      'lists',
      () => this.#take(stream),
      async (targets, batch) => {
        await this.#scan(targets, batch)
        afterBatch()
      },
    )
    await Promise.all(this.#arriving)
    const host = new HostMatch(this.#setup, this.#lists)
    for (const v of this.#deferred) host.keepLong(v, this.#allFree)
    await stream.verify()
  }

  release(): void {
    this.#stream?.release()
    for (const buffer of Object.values(this.#buffers ?? {}) as DeviceBuffer[]) this.#device.release(buffer)
  }

  #endOf(v: number): number {
    const { graph, memory, own } = this.#setup
    // Those of other ranks are not in memory.
    if (graph.arcs >= 2 ** 32 || v < own.vertices.first || v >= own.vertices.end) return this.#pieces.endOf(v)
    return memory.ends[v]!
  }

  /** The next units of the board, without lists that a batch has no room for. */
  #take(stream: DeviceStream): ListBatch | undefined {
    const { graph, own: slice } = this.#setup
    const { end: units } = slice.units
    const first = this.#board.take('lists', this.#batchPieces)
    if (first >= units) return undefined
    const end = Math.min(units, first + this.#batchPieces)
    const own = { first: this.#pieces.pieceOf(first), end: this.#pieces.pieceOf(end - 1) + 1 }
    const { first: v, end: w } = within(
      this.#pieces.verticesIn({ first, end }, (u) => this.#endOf(u)),
      slice.vertices,
    )
    const place = this.#pieces.bytesOf(own)
    const room = Math.min(graph.bytes - place.at, 4 * this.#batchWords)
    const lastByte = (upTo: number): number => graph.targetsAt + 4 * this.#endOf(upTo - 1) - place.at
    let last = w
    while (last > v && lastByte(last) > room) this.#deferred.push(--last)
    return { ...stream.batch(own, last > v ? place.at + lastByte(last) : 0), vertices: { first: v, end: last } }
  }

  async #scan(targets: DeviceBuffer, { vertices: { first, end }, pieces }: ListBatch): Promise<void> {
    const { graph, order } = this.#setup
    const device = this.#device
    const { weights, ...buffers } = this.#buffers!
    const at = { origin: originsFrom(graph, pieces.first).origin, weightsAt: 0 }
    const weightBits = readsWeights(order) ? weights : targets
    if (readsWeights(order) && end > first) at.weightsAt = await this.#bringWeights({ first, end }, weights)
    for (let v = first; v < end; v += this.#most) {
      const count = Math.min(this.#most, end - v)
      const range = { first: v, end: v + count, keptFirst: v }
      const looks = {
        ...at,
        ...range,
        listed: undefined,
        allFree: this.#allFree,
        counts: SCAN_COUNTS,
        longest: Infinity,
      }
      device.clear(buffers.counters, SCAN_COUNTS + LONG, LONGEST + 1 - LONG)
      lookAtLists(device, this.#kernels, looks, order, { ...buffers, targets, weightBits })
      const arrives = this.#bringCandidates(buffers.kept, v, count)
      // Thrown when it is awaited.
      arrives.catch(() => {})
      if (this.#arriving.push(arrives) > MOST_ARRIVING) await this.#arriving.shift()
    }
  }

  /** The device has copied them when it comes to later launches. */
  async #bringCandidates(kept: DeviceBuffer, first: number, count: number): Promise<void> {
    const { candidates, memory } = this.#setup
    const words = keptWords(candidates)
    const into = memory.kept.subarray(words * first, words * (first + count))
    this.#exchanged += into.byteLength
    if (this.#allFree) await this.#device.read(kept, 0, into.length, into)
    else mergeFree(await this.#device.read(kept, 0, into.length), into, first, words, memory.matched)
  }

  /** Copies the weights of some lists. @returns the arc of the first word, modulo 2^32 */
  async #bringWeights({ first, end }: Range, weights: DeviceBuffer): Promise<number> {
    const { graph } = this.#setup
    const from = graph.weights!.at + 4 * this.#endOf(first - 1)
    const upTo = graph.weights!.at + 4 * this.#endOf(end - 1)
    const covering = { first: Math.floor(from / PIECE_BYTES), end: Math.max(1, piecesOf(upTo)) }
    const place = this.#pieces.bytesOf(covering)
    await this.#device.upload(weights, place.bytes, this.#reader.beside(place.at))
    this.#stream!.sum(weights, covering)
    return originsFrom(graph, covering.first).weightsAt
  }
}

/** Candidates of unmatched vertices; the kernel writes none of others. */
function mergeFree(found: Uint32Array, into: Uint32Array, first: number, words: number, matched: Uint32Array): void {
  for (let at = 0; at < found.length; at += words) {
    const v = first + at / words
    if (((matched[v >>> 5]! >>> (v & 31)) & 1) === 0) into.set(found.subarray(at, at + words), at)
  }
}
