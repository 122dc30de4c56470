import { closeSync } from 'node:fs'
import { isFaultDue, throwOutside } from '../../base/fault-injection.ts'
import type { StopSignal } from '../../base/job.ts'
import { openToRead } from '../../streaming/open-to-read.ts'
import { ScanBoard } from '../../threads/scan-board.ts'
import { Trace } from '../../base/trace.ts'
import type { TraceSpan } from '../../base/trace.ts'
import type { FreeLists } from './free-lists.ts'
import type { PointFigures, PointPhase } from './host-match.ts'
import { HostLists } from './host-lists.ts'
import { HostMatch } from './host-match.ts'
import type { MatchSetup } from './match-setup.ts'

/** A phase of a matching on processors. */
export type HostPhase =
  | { readonly kind: 'load' }
  | { readonly kind: 'scan'; readonly allFree: boolean }
  | { readonly kind: 'collect'; readonly lists: FreeLists }
  | { readonly kind: 'point'; readonly phase: PointPhase }
  | { readonly kind: 'pair'; readonly of: 0 | 1 }
  | { readonly kind: 'settle' }

/** One processor's part of a phase. */
export interface HostMatchTask {
  readonly setup: MatchSetup
  readonly phase: HostPhase
}

/** What a processor did in a phase. */
export interface HostMatchReport {
  readonly found: PointFigures | undefined
  readonly bytesRead: number
  readonly readMs: number
  readonly kernelMs: number
  readonly spans: readonly TraceSpan[]
}

/** A processor's part, in a thread of its own. */
export async function hostMatchTask(task: HostMatchTask): Promise<HostMatchReport> {
  if (task.phase.kind === 'scan' && isFaultDue('part-thread')) {
    throwOutside()
    // A small part would be done before the thread is.
    await new Promise(() => {})
  }
  return runPhase(task, new ScanBoard(task.setup.board).signal, () => {})
}

/** Runs a part of a phase on this thread. Whatever goes wrong, the others stop. @param afterUnit called between units of lists */
export function runPhase({ setup, phase }: HostMatchTask, signal: StopSignal, afterUnit: () => void): HostMatchReport {
  let file: number | undefined
  try {
    file = openToRead(setup.graph.path)
    const trace = new Trace(setup.traced)
    const lists = new HostLists(setup, file, trace, signal)
    const host = new HostMatch(setup, lists)
    let found: PointFigures | undefined
    if (phase.kind === 'load') lists.load()
    else if (phase.kind === 'scan') host.scan(phase.allFree, afterUnit)
    else if (phase.kind === 'collect') host.collect(phase.lists, afterUnit)
    else if (phase.kind === 'point') found = host.point(phase.phase)
    else if (phase.kind === 'pair') host.pair(phase.of)
    else host.settle()
    const { bytesRead, readMs } = lists.reader
    return { found, bytesRead, readMs, kernelMs: lists.kernelMs, spans: trace.spans }
  } catch (error) {
    new ScanBoard(setup.board).stop()
    throw error
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
