import { closeSync } from 'node:fs'
import { COUNTERS, LONG, LONGEST, SCAN_COUNTS, keptWords } from '../../../kernels/matching/codes.ts'
import { PIECE_BYTES, piecesOf } from '../../base/sums.ts'
import type { Device, DeviceBuffer } from '../../device/device.ts'
import { fillWords } from '../../device/fill-words.ts'
import { GraphPieces } from '../../graph/graph-pieces.ts'
import type { Range } from '../../graph/graph-pieces.ts'
import type { StopSignal } from '../../base/job.ts'
import { DeviceStream } from '../../streaming/device-stream.ts'
import type { PieceBatch } from '../../streaming/device-stream.ts'
import { onFollowingDevice } from '../../streaming/following-device.ts'
import { openToRead } from '../../streaming/open-to-read.ts'
import { PieceReader } from '../../streaming/piece-reader.ts'
import { ScanBoard } from '../../threads/scan-board.ts'
import { Trace } from '../../base/trace.ts'
import type { WorkerReport } from '../worker-report.ts'
import { bestKernels, lookAtLists } from './best-kernels.ts'
import { HostLists } from './host-lists.ts'
import { HostMatch } from './host-match.ts'
import type { MatchSetup } from './match-setup.ts'
import { originsFrom, readsWeights } from './match-setup.ts'
import { BATCH_BUFFERS, SCAN_PIECES, SCAN_VERTICES, longLists } from './plan-match.ts'

/** A device's part of a scan: it looks at the lists of the units that it gets. */
export interface DeviceScanTask {
  readonly setup: MatchSetup
  readonly device: string
  /** No vertex has a mate yet. */
  readonly allFree: boolean
}

/** `exchanged`: bytes of what its vertices keep, which it gave to the processors. */
export type DeviceScanReport = Omit<WorkerReport, 'waitMs' | 'sweeps'>

/** A following device's part, in a thread of its own. */
export const deviceScanTask = (task: DeviceScanTask): Promise<DeviceScanReport> =>
  onFollowingDevice(task.setup.board, task.device, (device, signal) => scanOnDevice(task, device, signal, () => {}))

/** Lists whose vertices are looked at together. */
interface ListBatch extends PieceBatch {
  readonly vertices: Range
}

/** @param afterBatch called between batches */
export async function scanOnDevice(
  { setup, allFree }: DeviceScanTask,
  device: Device,
  signal: StopSignal,
  afterBatch: () => void,
): Promise<DeviceScanReport> {
  const { graph, crcs, candidates, order, memory, unitsAPiece } = setup
  const file = openToRead(graph.path)
  const trace = new Trace(setup.traced)
  const pieces = new GraphPieces(graph, file, unitsAPiece)
  const reader = new PieceReader(graph, file, crcs)
  const board = new ScanBoard(setup.board)
  const kernels = bestKernels(candidates, order)
  const batchWords = Math.ceil(Math.min(graph.bytes, (SCAN_PIECES + 1) * PIECE_BYTES) / 4)
  const words = keptWords(candidates)
  const before = { ...device.copied }
  const buffers: DeviceBuffer[] = []
  let stream: DeviceStream | undefined
  const allocate = async (label: string, size: number): Promise<DeviceBuffer> => {
    const buffer = await device.allocate(label, Math.max(4, size))
    buffers.push(buffer)
    return buffer
  }
  try {
    await device.takeKernelMs()
    const source = { pieces, reader, crcs, trace, signal }
    stream = await DeviceStream.open(device, source, { batchWords, buffers: BATCH_BUFFERS })
    await device.prepare(Object.values(kernels))
    const { vertices } = graph
    const most = Math.min(vertices, SCAN_VERTICES)
    const [ends, matched, kept, longs, counters, weights] = await Promise.all([
      allocate('ends', vertices),
      allocate('matched', memory.matched.length),
      allocate('kept', words * most),
      allocate('long lists', longLists(most, batchWords)),
      allocate('counters', COUNTERS),
      allocate('weights', readsWeights(order) ? batchWords + PIECE_BYTES / 2 : 0),
    ])
    await fillWords(device, ends, memory.ends)
    await fillWords(device, matched, memory.matched)
    const own = new HostLists(setup, file, trace, signal)
    const host = new HostMatch(setup, own)
    const behind: number[] = []
    const endOf = graph.arcs < 2 ** 32 ? (v: number) => (v < 0 ? 0 : memory.ends[v]!) : (v: number) => pieces.endOf(v)
    const take = (): ListBatch | undefined => {
      const { units } = pieces
      const first = board.take('lists', SCAN_PIECES)
      if (first >= units) return undefined
      const end = Math.min(units, first + SCAN_PIECES)
      const own = { first: pieces.pieceOf(first), end: pieces.pieceOf(end - 1) + 1 }
      const { first: v, end: w } = pieces.verticesIn({ first, end }, endOf)
      const place = pieces.bytesOf(own)
      const room = Math.min(graph.bytes - place.at, 4 * batchWords)
      const lastByte = (upTo: number): number => graph.targetsAt + 4 * endOf(upTo - 1) - place.at
      let last = w
      while (last > v && lastByte(last) > room) behind.push(--last)
      return { ...stream!.batch(own, last > v ? place.at + lastByte(last) : 0), vertices: { first: v, end: last } }
    }
    let exchanged = 0
    await stream.run('lists', take, async (targets, { vertices: { first, end }, pieces: { first: piece } }) => {
      const at = { origin: originsFrom(graph, piece).origin, weightsAt: 0 }
      let weightBits = weights
      if (!readsWeights(order)) weightBits = targets
      else if (end > first) {
        const from = graph.weights!.at + 4 * endOf(first - 1)
        const upTo = graph.weights!.at + 4 * endOf(end - 1)
        const covering = { first: Math.floor(from / PIECE_BYTES), end: Math.max(1, piecesOf(upTo)) }
        const place = pieces.bytesOf(covering)
        await device.upload(weights, place.bytes, reader.beside(place.at))
        stream!.sum(weights, covering)
        at.weightsAt = originsFrom(graph, covering.first).weightsAt
      }
      for (let v = first; v < end; v += most) {
        const count = Math.min(most, end - v)
        const looks = {
          ...at,
          first: v,
          end: v + count,
          listed: undefined,
          allFree,
          keptFirst: v,
          counts: SCAN_COUNTS,
          longest: Infinity,
        }
        device.clear(counters, SCAN_COUNTS + LONG, LONGEST + 1 - LONG)
        lookAtLists(device, kernels, looks, order, { ends, targets, weightBits, matched, kept, longs, counters })
        const into = memory.kept.subarray(words * v, words * (v + count))
        if (allFree) await device.read(kept, 0, words * count, into)
        else mergeFree(await device.read(kept, 0, words * count), into, v, words, memory.matched)
        exchanged += 4 * words * count
      }
      afterBatch()
    })
    for (const v of behind) host.keepLong(v, allFree)
    await stream.verify()
    const bytesRead = reader.bytesRead + own.reader.bytesRead
    const kernelMs = await device.takeKernelMs()
    const toDevice = device.copied.toDevice - before.toDevice
    const fromDevice = device.copied.fromDevice - before.fromDevice
    const { facts } = device
    return {
      device: facts,
      bytesRead,
      readMs: reader.readMs,
      kernelMs,
      toDevice,
      fromDevice,
      exchanged,
      spans: trace.spans,
    }
  } finally {
    stream?.release()
    for (const buffer of buffers) device.release(buffer)
    closeSync(file)
  }
}

/** What a kernel left of vertices that have no mate; of the others it left nothing. */
function mergeFree(found: Uint32Array, into: Uint32Array, first: number, words: number, matched: Uint32Array): void {
  for (let at = 0; at < found.length; at += words) {
    const v = first + at / words
    if (((matched[v >>> 5]! >>> (v & 31)) & 1) === 0) into.set(found.subarray(at, at + words), at)
  }
}
