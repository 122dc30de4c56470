import type { SharedHeads } from '../algorithms/ld-gpu/from-disk/heads-queue.ts'
import type { ShareReport } from '../algorithms/ld-gpu/from-disk/host-share.ts'
import type { HostBoard } from '../algorithms/ld-gpu/from-disk/host-state.ts'
import type { Residence } from '../algorithms/ld-gpu/plan-match.ts'
import type { SharedPointers } from '../algorithms/ld-gpu/pointer-exchange.ts'
import type { PaperShared } from '../exchange/paper-mail.ts'
import type { ReadSection } from '../device/read-ahead.ts'
import type { FailureValue } from '../failure.ts'
import type { Batch } from '../graph/batches.ts'
import type { GraphHandle } from '../graph/galois-gr.ts'
import type { SectionSum } from '../graph/section-sums.ts'
import type { EdgeOrder } from '../graph/views/edge-order.ts'
import type { DeviceFacts } from '../jobs.ts'
import type { TraceSpan } from '../trace.ts'
import type { MatchingFindings, MatchingWork } from '../verification/matching-share.ts'
import type { SetFindings, SetWork } from '../verification/set-share.ts'

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

/** What a following worker of a matching is given. */
export interface MatchTask {
  readonly kind: 'match'
  readonly device: string
  readonly worker: number
  readonly viewPath: string
  readonly graph: string
  readonly order: string
  readonly vertices: number
  readonly own: readonly Batch[]
  readonly tailOffsets: Uint32Array
  readonly residence: Residence
  readonly shared: SharedPointers
  readonly traced: boolean
  /** Whether the time of each phase is measured apart. */
  readonly timed: boolean
}

/** The same for the method `rescan`, which needs no view. */
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

/** What a thread of a host is given, once lists are read from disk: see HostShare. */
export interface HostTask {
  readonly kind: 'host'
  /** None; such threads are kept apart from those that have one open. */
  readonly device: 'host'
  readonly shared: SharedControl
  readonly member: number
  readonly viewPath: string
  readonly graph: string
  readonly order: string
  readonly tailOffsets: Uint32Array
  readonly own: { readonly first: number; readonly count: number }
  readonly heads: SharedHeads
  readonly readsHeads: boolean
  readonly board: HostBoard
  readonly resumes: boolean
  readonly traced: boolean
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
export type DeviceTask = PaperTask | MatchTask | ScanTask

/** What a thread does that needs none. */
export type LooseTask = HostTask | VerifyTask

export type WorkerTask = DeviceTask | LooseTask

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
  /** Checksums of what it read of a view: no worker alone reads a whole section. */
  readonly sums?: readonly SectionSum<ReadSection>[] | undefined
}

/** What a thread without a device did. */
export interface HostReport extends ShareReport {
  readonly bytesRead: number
  readonly spans: readonly TraceSpan[]
}

export type WorkerReport = PartReport | HostReport | SetFindings | MatchingFindings

export type PartReply =
  | { readonly type: 'done'; readonly report: WorkerReport }
  | { readonly type: 'failed'; readonly failure: FailureValue; readonly stack?: string | undefined }
