import { closeSync } from 'node:fs'
import { COUNTERS, LONG, LONGEST, SCAN_COUNTS, keptWords } from '../../../kernels/matching/match-state.ts'
import { matchEnds } from '../../../kernels/matching/match-ends.ts'
import { matchCollect } from '../../../kernels/matching/match-collect.ts'
import { type Device, type DeviceBuffer, fillWords } from '../../device/device.ts'
import type { Range } from '../../graph/graph-pieces.ts'
import type { StopSignal } from '../../base/job.ts'
import { openFile } from '../../base/file-bytes.ts'
import { onFollowingDevice } from '../../streaming/device-stream.ts'
import { Trace } from '../../base/trace.ts'
import { type WorkerReport, idleReport } from '../worker-report.ts'
import { bestKernels, lookAtLists } from './best-kernels.ts'
import { type CollectTask, type CollectedOnDevice, collectOnDevice } from './device-collect.ts'
import { type Segment, type Side, DeviceLists } from './device-lists.ts'
import { HostLists } from './host-lists.ts'
import { type MatchSetup, readsWeights } from './match-setup.ts'
import { SCAN_VERTICES, longLists } from './match-plan.ts'

/** The task of a GPU that streams lists. */
export interface DeviceScanTask {
  readonly setup: MatchSetup
  readonly device: string
  readonly batchPieces: number
  readonly side: Side | undefined
  /** No vertex has a mate yet. */
  readonly allFree: boolean
  /** The free neighbours of waiting vertices, in place of the best of all. */
  readonly collect: CollectTask | undefined
}

/** `exchanged`: bytes of candidates or lists, copied to the processors' memory. */
export interface DeviceScanReport extends Omit<WorkerReport, 'waitMs' | 'sweeps'> {
  /** Whose candidates these are. */
  readonly scanned: readonly Range[]
  /** Vertices whose lists are longer than a batch: they have none yet. */
  readonly deferred: readonly number[]
  readonly collected: CollectedOnDevice | undefined
}

/** In a thread of its own. */
export const deviceScanTask = (task: DeviceScanTask): Promise<DeviceScanReport> =>
  onFollowingDevice(task.setup.board, task.device, (device, signal) => scanOnDevice(task, device, signal, () => {}))

/** Reads of candidates under way. */
const MOST_ARRIVING = 4

/** A scan or a collection, with what it takes on the device. */
export async function scanOnDevice(
  task: DeviceScanTask,
  device: Device,
  signal: StopSignal,
  afterBatch: () => void,
): Promise<DeviceScanReport> {
  const { setup, collect } = task
  const file = openFile(setup.graph.path, 'r')
  const trace = new Trace(setup.traced)
  const before = { ...device.copied }
  const lists = new DeviceLists(device, setup, { ...task, keepsLists: false }, file, trace, signal)
  const hostLists = new HostLists(setup, file, trace, signal)
  try {
    await device.takeKernelMs()
    const kernels = [
      matchEnds,
      ...Object.values(bestKernels(setup.candidates, setup.order)),
      matchCollect(readsWeights(setup.order)),
    ]
    await Promise.all([lists.open(), device.prepare(task.side === undefined ? kernels.slice(0, -1) : kernels)])
    const scan = new DeviceBestScan(device, task, lists)
    const collected =
      collect && (await collectOnDevice(device, setup, collect, { lists, hostLists, afterBatch, signal }))
    const { scanned, deferred } = collect === undefined ? await scan.run(afterBatch) : { scanned: [], deferred: [] }
    await lists.verify()
    return {
      device: device.facts,
      scanned,
      deferred,
      collected,
      bytesRead: lists.reader.bytesRead + hostLists.reader.bytesRead,
      readMs: lists.reader.readMs,
      exchanged: collected === undefined ? scan.exchanged : collected.words.byteLength + collected.entries.byteLength,
      kernelMs: await device.takeKernelMs(),
      toDevice: device.copied.toDevice - before.toDevice,
      fromDevice: device.copied.fromDevice - before.fromDevice,
      spans: trace.spans,
    }
  } finally {
    lists.release()
    closeSync(file)
  }
}

type Buffers = Readonly<Record<'ends' | 'matched' | 'kept' | 'longs' | 'counters', DeviceBuffer>>

/** The candidates of the vertices of batches from the board go to the processors' memory. */
class DeviceBestScan {
  exchanged = 0
  readonly #device: Device
  readonly #setup: MatchSetup
  readonly #allFree: boolean
  readonly #kernels: ReturnType<typeof bestKernels>
  readonly #lists: DeviceLists
  /** Candidates on their way to the processors' memory. */
  readonly #arriving: Promise<void>[] = []
  #buffers: Buffers | undefined

  constructor(device: Device, { setup, allFree }: DeviceScanTask, lists: DeviceLists) {
    this.#device = device
    this.#setup = setup
    this.#allFree = allFree
    this.#lists = lists
    this.#kernels = bestKernels(setup.candidates, setup.order)
  }

  /** Vertices of a launch. */
  get #most(): number {
    return Math.min(this.#setup.graph.vertices, SCAN_VERTICES)
  }

  /** @throws Failure (device) where the device has not the memory */
  async run(afterBatch: () => void): Promise<Pick<DeviceScanReport, 'scanned' | 'deferred'>> {
    const scanned: Range[] = []
    try {
      await this.#open()
      const deferred = await this.#lists.run(async (lists) => {
        await this.#scan(lists)
        scanned.push({ first: lists.first, end: lists.end })
        afterBatch()
      })
      await Promise.all(this.#arriving)
      return { scanned, deferred }
    } finally {
      for (const buffer of Object.values(this.#buffers ?? {}) as DeviceBuffer[]) this.#device.release(buffer)
    }
  }

  async #open(): Promise<void> {
    const { graph, candidates, memory } = this.#setup
    const words = {
      ends: graph.vertices,
      matched: memory.matched.length,
      kept: keptWords(candidates) * this.#most,
      longs: longLists(this.#most, this.#lists.batchWords),
      counters: COUNTERS,
    }
    const made = Object.entries(words).map(
      async ([label, size]) => [label, await this.#device.allocate(label, Math.max(4, size))] as const,
    )
    const buffers = Object.fromEntries(await Promise.all(made)) as unknown as Buffers
    this.#buffers = buffers
    await this.#lists.ends(buffers)
    await fillWords(this.#device, buffers.matched, memory.matched)
  }

  async #scan({ first, end, ...lists }: Segment): Promise<void> {
    const device = this.#device
    const { origin, weightsAt, ...words } = lists
    const buffers = this.#buffers!
    for (let v = first; v < end; v += this.#most) {
      const count = Math.min(this.#most, end - v)
      const range = { first: v, end: v + count, keptFirst: v, origin, weightsAt }
      const looks = { ...range, listed: undefined, allFree: this.#allFree, counts: SCAN_COUNTS, longest: Infinity }
      device.clear(buffers.counters, SCAN_COUNTS + LONG, LONGEST + 1 - LONG)
      lookAtLists(device, this.#kernels, looks, this.#setup.order, { ...buffers, ...words })
      const arrives = this.#bringCandidates(buffers.kept, v, count)
      // Thrown when it is awaited.
      arrives.catch(() => {})
      if (this.#arriving.push(arrives) > MOST_ARRIVING) await this.#arriving.shift()
    }
  }

  /** The device has copied them when it comes to later launches. */
  async #bringCandidates(kept: DeviceBuffer, first: number, count: number): Promise<void> {
    const { candidates, memory } = this.#setup
    const words = keptWords(candidates)
    const into = memory.kept.subarray(words * first, words * (first + count))
    this.exchanged += into.byteLength
    if (this.#allFree) await this.#device.read(kept, 0, into.length, into)
    else mergeFree(await this.#device.read(kept, 0, into.length), into, first, words, memory.matched)
  }
}

/** Candidates of unmatched vertices; the kernel writes none of others. */
function mergeFree(found: Uint32Array, into: Uint32Array, first: number, words: number, matched: Uint32Array): void {
  for (let at = 0; at < found.length; at += words) {
    const v = first + at / words
    if (((matched[v >>> 5]! >>> (v & 31)) & 1) === 0) into.set(found.subarray(at, at + words), at)
  }
}

export function sumOf(scans: readonly DeviceScanReport[]): WorkerReport {
  const sum = (figure: (report: DeviceScanReport) => number): number =>
    scans.reduce((all, each) => all + figure(each), 0)
  return {
    ...idleReport(scans[0]!.device),
    bytesRead: sum(({ bytesRead }) => bytesRead),
    readMs: sum(({ readMs }) => readMs),
    kernelMs: sum(({ kernelMs }) => kernelMs),
    toDevice: sum(({ toDevice }) => toDevice),
    fromDevice: sum(({ fromDevice }) => fromDevice),
    exchanged: sum(({ exchanged }) => exchanged),
    spans: scans.flatMap(({ spans }) => spans),
  }
}
