import { closeSync } from 'node:fs'
import type { Device } from '../../device/device.ts'
import type { StopSignal } from '../../base/job.ts'
import { Trace } from '../../base/trace.ts'
import type { WorkerReport } from '../worker-report.ts'
import { type DeviceLayout, DeviceScan } from './device-scan.ts'
import { type HostStates, PackedStates, ByteStates } from './host-states.ts'
import type { Residual } from './host-kernels.ts'
import { onFollowingDevice } from '../../streaming/device-stream.ts'
import { ScanBoard } from '../../threads/scan-board.ts'
import type { ScanSetup } from './scan-setup.ts'
import { openToRead } from '../../base/file-bytes.ts'

/** States that several workers share: a state byte each where processors take part, else two bits each. */
export interface SharedStates {
  readonly kind: 'bytes' | 'packed'
  readonly words: Uint32Array
}

export function statesOf(vertices: number, { kind, words }: SharedStates): HostStates {
  return kind === 'bytes' ? new ByteStates(vertices, words) : new PackedStates(vertices, words)
}

/** One device's part of a scan. */
export interface DeviceTask {
  readonly setup: ScanSetup
  readonly device: string
  readonly layout: DeviceLayout
  /** States to start from, two bits a vertex. */
  readonly initial: Uint32Array | undefined
  /** What all workers know; undefined where there is only one. */
  readonly shared: SharedStates | undefined
}

/** What a device did. */
export interface DeviceReport extends WorkerReport {
  readonly residual: Residual
  /** Vertices that wait without a record. */
  readonly left: number
  readonly prepareMs: number
}

/** How a run watches its leading device. */
export interface DeviceWatch {
  readonly signal: StopSignal
  /** Called between batches. */
  afterBatch(scan: DeviceScan): Promise<void>
}

/** Between two exchanges a device scans so many times the bytes that an exchange moves. */
const BYTES_AN_EXCHANGE = 16

/** A following device's part, in a thread of its own. */
export const deviceTask = (task: DeviceTask): Promise<DeviceReport> =>
  onFollowingDevice(task.setup.board, task.device, async (device, signal) => {
    const { report } = await scanOnDevice(task, device, { signal, afterBatch: () => Promise.resolve() })
    return report
  })

/** @returns what it did, and the states of all vertices as it knows them, two bits each */
export async function scanOnDevice(
  { setup, layout, initial, shared }: DeviceTask,
  device: Device,
  watch: DeviceWatch,
): Promise<{ readonly report: DeviceReport; readonly states: Uint32Array }> {
  const file = openToRead(setup.graph.path)
  const trace = new Trace(setup.traced)
  let scan: DeviceScan | undefined
  try {
    await device.takeKernelMs()
    scan = await DeviceScan.open(device, setup, layout, file, trace, watch.signal)
    const startMs = performance.now()
    await scan.index()
    const prepareMs = performance.now() - startMs
    if (initial !== undefined) await scan.merge(initial)
    const exchange = new Exchange(scan, setup, shared, watch.signal, trace)
    await scan.scan(async (bytes) => {
      await exchange.afterBatch(bytes)
      await watch.afterBatch(scan!)
    })
    await exchange.meet()
    await scan.settle()
    const { left, ...residual } = await scan.residual()
    const states = await scan.packed()
    if (shared !== undefined) statesOf(setup.graph.vertices, shared).merge(states)
    const { bytesRead, readMs } = scan.reader
    const kernelMs = await device.takeKernelMs()
    const { waitMs, bytes: exchanged } = exchange
    const figures = { bytesRead, readMs, kernelMs, waitMs, exchanged, sweeps: scan.sweeps, prepareMs }
    return {
      report: { device: device.facts, residual, left, ...figures, ...device.copied, spans: trace.spans },
      states,
    }
  } finally {
    scan?.release()
    closeSync(file)
  }
}

/** What a device and the other workers tell each other of the states. */
class Exchange {
  bytes = 0
  waitMs = 0
  readonly #scan: DeviceScan
  readonly #board: ScanBoard
  readonly #states: HostStates | undefined
  readonly #signal: StopSignal
  readonly #trace: Trace
  readonly #everyBytes: number
  readonly #waitsForIndex: boolean
  #scanned = 0

  constructor(
    scan: DeviceScan,
    { graph, board }: ScanSetup,
    shared: SharedStates | undefined,
    signal: StopSignal,
    trace: Trace,
  ) {
    this.#scan = scan
    this.#board = new ScanBoard(board)
    this.#states = shared && statesOf(graph.vertices, shared)
    this.#signal = signal
    this.#trace = trace
    this.#everyBytes = (BYTES_AN_EXCHANGE * graph.vertices) / 4
    this.#waitsForIndex = shared?.kind === 'bytes'
  }

  /** States are 0, which is OUT, until processors have made them. */
  get #isShared(): boolean {
    return !this.#waitsForIndex || this.#board.isIndexed
  }

  async afterBatch(bytes: number): Promise<void> {
    this.#scanned += bytes
    if (this.#states === undefined || this.#scanned < this.#everyBytes || !this.#isShared) return
    this.#scanned = 0
    await this.#push(this.#states)
    await this.#pull(this.#states)
  }

  /** When all lists were visited: takes what all others decided. */
  async meet(): Promise<void> {
    if (this.#states === undefined) return
    if (this.#waitsForIndex) await this.#board.untilIndexed(this.#signal)
    await this.#push(this.#states)
    this.#board.arrive()
    const startMs = performance.now()
    await this.#trace.span('wait', 'for other workers', () => this.#board.untilAll(this.#signal))
    this.waitMs += performance.now() - startMs
    await this.#pull(this.#states)
  }

  async #push(states: HostStates): Promise<void> {
    await this.#trace.span('exchange', 'push', async () => {
      const packed = await this.#scan.packed()
      this.bytes += packed.byteLength
      states.merge(packed)
    })
  }

  async #pull(states: HostStates): Promise<void> {
    await this.#trace.span('exchange', 'pull', async () => {
      const packed = states.packed()
      this.bytes += packed.byteLength
      await this.#scan.merge(packed)
    })
  }
}
