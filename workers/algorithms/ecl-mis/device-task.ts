/**
 * A GPU's way through a scan, in a thread of its own but for the first one: open, index, scan, exchange, settle, report. Several devices
 * exchange bitmaps of states as MG-MIS does (ICS 2025, section 3.2), but with the states of all vertices on each in place of queries and
 * responses; decisions are final, so that none waits for another. device-scan.ts has the kernels' side, shared-scan.ts what is shared.
 */

import type { StopSignal } from '../../base/job.ts'
import type { Trace } from '../../base/trace.ts'
import { type Device, copiedSince } from '../../device/device.ts'
import { onFollowingDevice } from '../../streaming/device-stream.ts'
import type { WorkerReport } from '../worker-report.ts'
import { DeviceScan } from './device-scan.ts'
import type { DeviceLayout } from './plan-set.ts'
import { type ScanSetup, type SharedStates, knownStates, MANY_LEFT } from './shared-scan.ts'
import { type HostStates } from './host-states.ts'
import type { Residual } from './host-kernels.ts'
import type { RankStates } from './rank-states.ts'
import { PieceScan, ScanBoard } from '../../streaming/piece-scan.ts'

/** The task of a GPU. */
export interface DeviceTask {
  readonly setup: ScanSetup
  readonly device: string
  readonly layout: DeviceLayout
  /** States to start from, two bits a vertex. */
  readonly initial: Uint32Array | undefined
  /** Undefined where it is the only worker. */
  readonly shared: SharedStates | undefined
  /** Its place among the workers; the first takes over what the others leave. */
  readonly place: number
}

/** What a GPU leaves. */
export interface DeviceScanned {
  readonly report: WorkerReport
  readonly residual: Residual
  /** Deferred vertices. */
  readonly left: number
  readonly prepareMs: number
  /** States of all vertices as the device has them, two bits each; undefined in another thread. */
  readonly states?: Uint32Array
  /** Residual graphs of others that it took over. */
  readonly taken: number
}

/** How a run watches its first device; `afterBatch` is called between batches. */
interface DeviceWatch {
  readonly signal: StopSignal
  afterBatch(scan: DeviceScan): Promise<void>
  /** The residual graphs of the other workers, once they have ended: the device takes them over. */
  readonly others?: (() => Promise<readonly Residual[]>) | undefined
  /** The states of other ranks, for the only device of a rank; several workers leave rounds to the host. */
  readonly ranks?: RankStates | undefined
}

/** Scans on a device, in a thread of its own. */
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
  const pieces = PieceScan.open(setup, watch.signal)
  const { trace } = pieces
  let scan: DeviceScan | undefined
  let exchange: ReplicatedExchange | undefined
  try {
    await device.takeKernelMs()
    const before = { ...device.copied }
    scan = await DeviceScan.open(device, setup, layout, pieces)
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
    const { bytesRead, readMs } = pieces.reader
    const kernelMs = await device.takeKernelMs()
    const { waitMs, bytes: exchanged } = exchange
    const { sweeps } = scan
    const figures = { bytesRead, readMs, kernelMs, waitMs, exchanged, sweeps, ...copiedSince(before, device) }
    const report = { device: device.facts, ...figures, spans: trace.spans }
    return { report, residual, left, prepareMs, states, taken }
  } finally {
    await exchange?.idle()
    scan?.release()
    pieces.close()
  }
}

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

/** Times the bytes that an exchange moves which a device scans between two of them. */
const SCANNED_PER_EXCHANGED = 64

/** A device that exchanges its states, and the place of these. */
interface ExchangePlace {
  readonly scan: DeviceScan
  readonly setup: ScanSetup
  /** Undefined: the device is alone. */
  readonly shared: SharedStates | undefined
  /** Its place among the devices. */
  readonly place: number
  readonly signal: StopSignal
  readonly trace: Trace
  /** The ranks that it exchanges states with. */
  readonly ranks?: RankStates | undefined
}

/**
 * Where states are exchanged: MG-MIS (ICS 2025, section 3.2) with replicated states in place of queries and responses. Every device has the
 * states of all vertices, pushes its own into shared memory and pulls those of the others.
 */
class ReplicatedExchange {
  bytes = 0
  waitMs = 0
  readonly #of: ExchangePlace
  readonly #board: ScanBoard
  readonly #known: HostStates | undefined
  readonly #everyBytes: number
  #scanned = 0
  #isUnderWay = false
  #underWay: Promise<void> = Promise.resolve()

  constructor(of: ExchangePlace) {
    const { graph, board } = of.setup
    this.#of = of
    this.#board = new ScanBoard(board)
    this.#known = knownStates(graph.vertices, of.shared)
    this.#everyBytes = (SCANNED_PER_EXCHANGED * graph.vertices) / 4
  }

  /** Begins an exchange where enough was scanned since the last one. The scan continues meanwhile: states only gain. */
  afterBatch(bytes: number): void {
    this.#scanned += bytes
    if (this.#of.shared === undefined || this.#isUnderWay) return
    if (this.#scanned < this.#everyBytes && this.#of.ranks?.isLate !== true) return
    // State bytes are 0, which is OUT, until processors have indexed.
    if (this.#of.shared.kind === 'bytes' && !this.#board.isReady) return
    this.#scanned = 0
    this.#isUnderWay = true
    this.#underWay = this.push()
      .then(() => this.#of.ranks?.publish())
      .then(() => this.pull())
      .finally(() => (this.#isUnderWay = false))
    // Thrown by the last exchange.
    this.#underWay.catch(() => {})
  }

  /** Settles when no exchange uses the device. */
  async idle(): Promise<void> {
    await this.#underWay.catch(() => {})
  }

  /** The last exchange, once every worker has visited its lists. @throws Failure (cancelled) */
  async finish(): Promise<void> {
    if (this.#of.shared === undefined) return
    await this.#underWay
    if (this.#of.shared.kind === 'bytes') await this.#board.untilReady(this.#of.signal)
    await this.push()
    this.#board.arrive()
    await this.wait(() => this.#board.untilAll(this.#of.signal))
    await this.pull()
  }

  async wait<T>(others: () => Promise<T>): Promise<T> {
    const startMs = performance.now()
    const value = await this.#of.trace.span('wait', 'for other workers', others)
    this.waitMs += performance.now() - startMs
    return value
  }

  /** States as the device has them, two bits each. @returns those of all vertices, or of the rank's slice */
  async push(): Promise<Uint32Array> {
    const shared = this.#of.shared
    if (shared === undefined) return this.#of.scan.packed()
    return this.#of.trace.span('exchange', 'push', async () => {
      const packed = await this.#packed(shared)
      this.bytes += packed.byteLength
      return packed
    })
  }

  async #packed(shared: SharedStates): Promise<Uint32Array> {
    if (shared.kind === 'published') return this.#of.scan.packed(shared.ofDevices[this.#of.place])
    const own = this.#of.ranks?.own
    if (shared.kind === 'rank') return this.#of.scan.packed(shared.words.subarray(own!.first, own!.end), own!.first)
    const packed = await this.#of.scan.packed(own && new Uint32Array(own.end - own.first), own?.first)
    this.#known!.merge(packed, own?.first)
    return packed
  }

  /** All of them, once the first rank has decided what waited on others. */
  async pushAll(): Promise<Uint32Array> {
    const isFirst = this.#of.ranks?.exchange.rank === 0
    return isFirst && this.#of.shared?.kind === 'rank' ? this.#of.scan.packed(this.#of.shared.words) : this.push()
  }

  async pull(): Promise<void> {
    const shared = this.#of.shared
    if (shared === undefined) return
    await this.#of.trace.span('exchange', 'pull', async () => {
      for (const { words, first } of this.#others(shared)) {
        this.bytes += words.byteLength
        await this.#of.scan.merge(words, first)
      }
    })
  }

  #others(shared: SharedStates): readonly { readonly words: Uint32Array; readonly first: number }[] {
    if (shared.kind === 'published')
      return shared.ofDevices.filter((_, i) => i !== this.#of.place).map((words) => ({ words, first: 0 }))
    if (shared.kind !== 'rank') return [{ words: this.#known!.packed(), first: 0 }]
    const { first, end } = this.#of.ranks!.own
    return [
      { words: shared.words.subarray(0, first), first: 0 },
      { words: shared.words.subarray(end), first: end },
    ]
  }
}
