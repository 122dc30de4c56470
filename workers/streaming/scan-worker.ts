/**
 * One worker's part in a pass over a file, on this thread or in one of its own: it opens the file, works, and gives what it found with its
 * figures; a failure stops the other workers of the board. What all workers of a pass share is made once here, too. piece-scan.ts has the board
 * and the reader, device-stream.ts the batches of a GPU; algorithms say what is done with lists.
 */

import { endThreadIfDue } from '../base/fault-injection.ts'
import type { StopSignal } from '../base/job.ts'
import type { Trace, TraceSpan } from '../base/trace.ts'
import { type Device, copiedSince } from '../device/device.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import { GraphPieces, type GraphSlice, sliceOf, slicesOf } from '../graph/graph-pieces.ts'
import { PieceScan, ScanBoard, type ScanSetup } from './piece-scan.ts'

/** What a worker took. */
interface ScanFigures {
  readonly bytesRead: number
  readonly readMs: number
  readonly kernelMs: number
  readonly toDevice: number
  readonly fromDevice: number
  readonly spans: readonly TraceSpan[]
}

/**
 * Works on a file that is opened anew.
 * @param signal undefined in a thread of its own, which stops with the others
 * @param device of a GPU, whose own clock and copies are the figures
 * @throws Failure of the work, which stops the other workers
 */
export async function inScan<Found extends object>(
  setup: Omit<ScanSetup, 'own'>,
  signal: StopSignal | undefined,
  work: (scan: PieceScan) => Found | Promise<Found>,
  { device, trace }: { readonly device?: Device; readonly trace?: Trace } = {},
): Promise<Found & ScanFigures> {
  let scan: PieceScan | undefined
  try {
    if (signal === undefined) await endThreadIfDue()
    scan = PieceScan.open(setup, signal ?? new ScanBoard(setup.board).signal, trace)
    await device?.takeKernelMs()
    const before = device && { ...device.copied }
    const found = await work(scan)
    const { bytesRead, readMs } = scan.reader
    const kernelMs = device === undefined ? scan.kernelMs : await device.takeKernelMs()
    const copied = device === undefined ? { toDevice: 0, fromDevice: 0 } : copiedSince(before, device)
    return { ...found, bytesRead, readMs, kernelMs, ...copied, spans: scan.trace.spans }
  } catch (error) {
    new ScanBoard(setup.board).stop()
    throw error
  } finally {
    scan?.close()
  }
}

/** How a file is cut for several ranks. */
interface RankCut {
  /** Bytes that a rank holds for a vertex, beside its lists. */
  readonly heldBytes?: number
  /** Whether the last vertices are those of the first rank. */
  readonly isReversed?: boolean
}

/** @param unitsAPiece parts of a piece @returns what is shared in a pass, and the slices of all ranks */
export function shareScan(
  { file, checked }: GaloisGr,
  unitsAPiece: number,
  traced: boolean,
  exchange: Exchange | undefined,
  { heldBytes = 0, isReversed = false }: RankCut = {},
): { readonly setup: ScanSetup; readonly pieces: GraphPieces; readonly slices: readonly GraphSlice[] } {
  const pieces = new GraphPieces(file, checked.source, unitsAPiece)
  const slices = exchange === undefined ? [sliceOf(pieces, undefined)] : slicesOf(pieces, exchange.ranks, heldBytes)
  if (isReversed) slices.reverse()
  const own = slices[exchange?.rank ?? 0]!
  const { crcs } = checked.handle
  return { setup: { graph: file, crcs, own, unitsAPiece, board: new ScanBoard().words, traced }, pieces, slices }
}
