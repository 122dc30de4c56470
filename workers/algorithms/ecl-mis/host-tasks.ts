import { closeSync } from 'node:fs'
import { isFaultDue, throwOutside } from '../../base/fault-injection.ts'
import type { StopSignal } from '../../base/job.ts'
import { Trace } from '../../base/trace.ts'
import type { TraceSpan } from '../../base/trace.ts'
import { HostScan } from './host-scan.ts'
import type { Residual, ResidualLimits } from './residual.ts'
import { openToRead } from '../../streaming/open-to-read.ts'
import { ScanBoard } from '../../threads/scan-board.ts'
import type { HostMemory, ScanSetup } from './scan-setup.ts'

/** One processor's part of a scan. */
export interface HostTask {
  readonly setup: ScanSetup
  readonly memory: HostMemory
  readonly limits: ResidualLimits
  /** States to start from, two bits a vertex, in shared memory; undefined: all undecided. */
  readonly initial: Uint32Array | undefined
}

/** What a processor did. */
export interface HostReport {
  readonly residual: Residual
  /** Vertices that wait without a record. */
  readonly left: number
  /** Until all vertices had ends and codes. */
  readonly prepareMs: number
  readonly bytesRead: number
  readonly readMs: number
  readonly kernelMs: number
  readonly spans: readonly TraceSpan[]
}

export const scanTask = (task: HostTask): Promise<HostReport> =>
  inThread(() => scanOnProcessor(task, new ScanBoard(task.setup.board).signal, () => {}))

/**
 * One processor's part on this thread: ends and codes first, then lists. Whatever goes wrong, the others stop.
 * @param afterUnit called between units of lists
 */
export async function scanOnProcessor(task: HostTask, signal: StopSignal, afterUnit: () => void): Promise<HostReport> {
  const startMs = performance.now()
  const { setup, memory, limits } = task
  const board = new ScanBoard(setup.board)
  let file: number | undefined
  try {
    file = openToRead(setup.graph.path)
    const trace = new Trace(setup.traced)
    const scan = new HostScan(setup, memory, limits, file, trace, signal)
    scan.index(task.initial)
    await board.untilIndexed(signal)
    const prepareMs = performance.now() - startMs
    const residual = scan.scan(afterUnit)
    const { bytesRead, readMs } = scan.reader
    return { residual, left: scan.left, prepareMs, bytesRead, readMs, kernelMs: scan.kernelMs, spans: trace.spans }
  } catch (error) {
    board.stop()
    throw error
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

async function inThread(work: () => Promise<HostReport>): Promise<HostReport> {
  if (isFaultDue('part-thread')) {
    throwOutside()
    // A small part would be done before the thread is.
    await new Promise(() => {})
  }
  return work()
}
