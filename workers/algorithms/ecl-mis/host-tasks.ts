import { closeSync } from 'node:fs'
import { isFaultDue, throwOutside } from '../../fault-injection.ts'
import type { StopSignal } from '../../job.ts'
import { Trace } from '../../trace.ts'
import type { TraceSpan } from '../../trace.ts'
import { HostScan } from './host-scan.ts'
import type { Residual, ResidualLimits } from './residual.ts'
import { openToRead } from '../../streaming/open-to-read.ts'
import { ScanBoard } from '../../streaming/scan-board.ts'
import type { HostMemory, ScanSetup } from './scan-setup.ts'

/** One processor's part of a scan. */
export interface HostTask {
  readonly setup: ScanSetup
  readonly memory: HostMemory
  readonly limits: ResidualLimits
}

/** What a processor did. */
export interface HostReport {
  readonly residual: Residual
  /** Vertices that wait without a record. */
  readonly left: number
  readonly bytesRead: number
  readonly readMs: number
  readonly kernelMs: number
  readonly spans: readonly TraceSpan[]
}

export const indexTask = (task: HostTask): Promise<HostReport> => inThread(() => withScan(task, stopOf(task), index))

export const scanTask = (task: HostTask): Promise<HostReport> =>
  inThread(() => withScan(task, stopOf(task), (scan) => scan.scan(() => {})))

const NOTHING: Residual = { records: new Uint32Array(0), pool: new Uint32Array(0) }

/** The first part of a scan, for {@link withScan}. */
export function index(scan: HostScan): Residual {
  scan.index()
  return NOTHING
}

/** Runs a part of a scan on this thread. Whatever goes wrong, the others stop. */
export function withScan(task: HostTask, signal: StopSignal, work: (scan: HostScan) => Residual): HostReport {
  const { setup, memory, limits } = task
  let file: number | undefined
  try {
    file = openToRead(setup.graph.path)
    const trace = new Trace(setup.traced)
    const scan = new HostScan(setup, memory, limits, file, trace, signal)
    const residual = work(scan)
    const { bytesRead, readMs } = scan.reader
    return { residual, left: scan.left, bytesRead, readMs, kernelMs: scan.kernelMs, spans: trace.spans }
  } catch (error) {
    new ScanBoard(setup.board).stop()
    throw error
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

async function inThread(work: () => HostReport): Promise<HostReport> {
  if (isFaultDue('part-thread')) {
    throwOutside()
    // A small part would be done before the thread is.
    await new Promise(() => {})
  }
  return work()
}

const stopOf = ({ setup }: HostTask): StopSignal => {
  const board = new ScanBoard(setup.board)
  return {
    get aborted() {
      return board.isStopped
    },
  }
}
