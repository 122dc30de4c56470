import type { SharedPointers } from '../algorithms/reproductions/ld-gpu/pointer-exchange.ts'
import type { PaperShared } from '../algorithms/reproductions/mg-mis/paper-mail.ts'
import type { FailureValue } from '../base/failure.ts'
import type { GraphHandle } from '../graph/galois-gr.ts'
import type { EdgeOrder } from '../graph/edge-order.ts'
import type { DeviceFacts } from '../contract/jobs.ts'
import type { TraceSpan } from '../base/trace.ts'
import type { MatchingFindings, MatchingWork } from '../verify/matching-share.ts'
import type { SetFindings, SetWork } from '../verify/set-share.ts'

/** What a following worker is given under the exchange of the MG-MIS paper: its range follows from its number. */
export interface PaperTask {
  readonly kind: 'paper'
  readonly device: string
  readonly worker: number
  readonly graph: GraphHandle
  readonly shared: PaperShared
  /** Batches that each worker's range is cut into at least, and bytes that it may use on its device. */
  readonly batches: number
  readonly memoryBytes: number | undefined
  /** Priorities by vertex in shared memory; absent: the hash of the id under the seed. */
  readonly ranks: Uint32Array | undefined
  readonly seed: number
  readonly traced: boolean
}

/** What a following worker of the method `rescan` is given. */
export interface ScanTask {
  readonly kind: 'scan'
  readonly device: string
  readonly worker: number
  readonly graph: GraphHandle
  readonly order: EdgeOrder
  /** Of the worker's batches, in vertices. */
  readonly bounds: readonly number[]
  readonly shared: SharedPointers
  readonly traced: boolean
}

/** The words of a barrier between so many workers. */
export interface SharedControl {
  readonly control: Int32Array
  readonly workers: number
}

/** What a thread is given that verifies a result together with others. */
export interface VerifyTask {
  readonly kind: 'verify'
  readonly device: 'host'
  readonly shared: SharedControl
  readonly graph: GraphHandle
  readonly arcsPerPiece: number
  readonly work: SetWork | MatchingWork
  /** Whether the thread ends with it: one that waits holds on to what it shared. */
  readonly ends: boolean
}

/** What a thread does that drives a device. */
export type DeviceTask = PaperTask | ScanTask

export type WorkerTask = DeviceTask | VerifyTask

/** What a worker did, for the run's record. */
export interface PartReport {
  readonly device: DeviceFacts
  readonly kernelMs: number
  readonly readMs: number
  readonly waitMs: number
  readonly bytesRead: number
  readonly toDevice: number
  readonly fromDevice: number
  readonly exchanged: number
  readonly spans: readonly TraceSpan[]
  /** Under the exchange of the paper: bulk transfers that it sent, its batches, its bytes on the device. */
  readonly paper?: { readonly transfers: number; readonly batches: number; readonly deviceBytes: number } | undefined
}

export type WorkerReport = PartReport | SetFindings | MatchingFindings

export type PartReply =
  | { readonly type: 'done'; readonly report: WorkerReport }
  | { readonly type: 'failed'; readonly failure: FailureValue; readonly stack?: string | undefined }
