import { closeSync } from 'node:fs'
import type { StopSignal } from '../../base/job.ts'
import { Trace } from '../../base/trace.ts'
import type { Device } from '../../device/device.ts'
import { onFollowingDevice } from '../../streaming/device-stream.ts'
import { openFile } from '../../base/file-bytes.ts'
import type { WorkerReport } from '../worker-report.ts'
import { type DeviceLayout, DeviceScan } from './device-scan.ts'
import type { Residual } from './host-kernels.ts'
import type { RankStates } from './rank-states.ts'
import { ReplicatedExchange, type SharedStates } from './replicated-exchange.ts'
import { MANY_LEFT, type ScanSetup } from './scan-setup.ts'

/** The task of a GPU. */
export interface DeviceTask {
  readonly setup: ScanSetup
  readonly device: string
  readonly layout: DeviceLayout
  /** States to start from, two bits a vertex. */
  readonly initial: Uint32Array | undefined
  /** Undefined where it is the only worker. */
  readonly shared: SharedStates | undefined
  /** Among the workers; the first takes over what the others leave. */
  readonly place: number
}

/** What a GPU leaves. */
export interface DeviceScanned {
  readonly report: WorkerReport
  readonly residual: Residual
  /** Deferred vertices. */
  readonly left: number
  readonly prepareMs: number
  /** Of all vertices as the device has them, two bits each; undefined in another thread. */
  readonly states?: Uint32Array
  /** Residual graphs of others that it took over. */
  readonly taken: number
}

/** How a run watches its first device; `afterBatch` is called between batches. */
export interface DeviceWatch {
  readonly signal: StopSignal
  afterBatch(scan: DeviceScan): Promise<void>
  /** The residual graphs of the other workers, once they have ended: the device takes them over. */
  readonly others?: (() => Promise<readonly Residual[]>) | undefined
  /** Of the only device of a rank; several workers leave rounds to the host. */
  readonly ranks?: RankStates | undefined
}

/** In a thread of its own. */
export const deviceTask = (task: DeviceTask): Promise<DeviceScanned> =>
  onFollowingDevice(task.setup.board, task.device, async (device, signal) => {
    const { states: _states, ...scanned } = await scanOnDevice(task, device, {
      signal,
      afterBatch: () => Promise.resolve(),
    })
    return scanned
  })

export async function scanOnDevice(
  { setup, layout, initial, shared, place }: DeviceTask,
  device: Device,
  watch: DeviceWatch,
): Promise<DeviceScanned> {
  const file = openFile(setup.graph.path, 'r')
  const trace = new Trace(setup.traced)
  let scan: DeviceScan | undefined
  let exchange: ReplicatedExchange | undefined
  try {
    await device.takeKernelMs()
    const before = { ...device.copied }
    scan = await DeviceScan.open(device, setup, layout, file, trace, watch.signal)
    const startMs = performance.now()
    await scan.index() //                                   ECL-MIS, section 3.2: priorities
    const prepareMs = performance.now() - startMs
    if (initial !== undefined) await scan.merge(initial)
    exchange = new ReplicatedExchange({ scan, setup, shared, place, trace, signal: watch.signal, ranks: watch.ranks })
    await scan.scan(async (bytes) => {
      exchange!.afterBatch(bytes) //                   MG-MIS, section 3.2
      await watch.afterBatch(scan!)
    })
    await exchange.finish()
    await scan.settle() //                                  ECL-MIS, section 3.1, on the residual graph
    let taken = 0
    // Else all that wait are scanned again.
    if (watch.others !== undefined && (await scan.waiting()).left <= MANY_LEFT) {
      const others = await exchange.wait(watch.others)
      await exchange.pull()
      taken = await scan.take(others)
      await scan.settle()
    }
    if (shared?.kind === 'rank') await settleAcross(scan, exchange, watch.ranks!)
    const { left, ...residual } = await scan.residual()
    const states = await exchange.pushAll()
    const { bytesRead, readMs } = scan.reader
    const kernelMs = await device.takeKernelMs()
    const { waitMs, bytes: exchanged } = exchange
    const { sweeps } = scan
    const figures = { bytesRead, readMs, kernelMs, waitMs, exchanged, sweeps, ...copiedSince(before, device) }
    const report = { device: device.facts, ...figures, spans: trace.spans }
    return { report, residual, left, prepareMs, states, taken }
  } finally {
    await exchange?.idle()
    scan?.release()
    closeSync(file)
  }
}

const copiedSince = (before: Device['copied'], { copied }: Device): Device['copied'] => ({
  toDevice: copied.toDevice - before.toDevice,
  fromDevice: copied.fromDevice - before.fromDevice,
})

/**
 * MG-MIS (ICS 2025, section 3.2) between ranks: fixed points and exchanges, while many wait. Then the first rank takes the residual graphs of the
 * others, as its device does those of its own.
 */
async function settleAcross(scan: DeviceScan, exchange: ReplicatedExchange, ranks: RankStates): Promise<void> {
  while (ranks.next === 'round') {
    const own = await scan.waiting()
    // They are scanned again first.
    if (own.left > MANY_LEFT) return
    await exchange.push()
    await ranks.round(own)
    await exchange.pull()
    await scan.settle()
  }
  if (ranks.next === 'over' || ranks.exchange.rank > 0) return
  const others = await ranks.gather(undefined)
  await exchange.pull()
  ranks.rest = others.slice(await scan.take(others))
  await scan.settle()
}
