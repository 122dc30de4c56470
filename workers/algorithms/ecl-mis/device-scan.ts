/**
 * The part of a GPU in a scan, in a thread of its own but for the first one: open, index, scan, exchange, settle, report. It holds ends and states
 * of all vertices, two bits each, and the residual graph; lists are streamed through its memory in batches of 64 pieces
 * (streaming/device-stream.ts), so that reading, copying and kernels overlap. The host looks at counters once a batch. What it has on the device
 * is planned in plan-set.ts, what workers share is in shared-states.ts, and the kernels are those of kernels/mis.
 */

import { setCounter } from '../../../kernels/mis/priority-codes.ts'
import { misCompact } from '../../../kernels/mis/mis-compact.ts'
import { misIndex } from '../../../kernels/mis/mis-index.ts'
import { misMerge } from '../../../kernels/mis/mis-merge.ts'
import { misPack } from '../../../kernels/mis/mis-pack.ts'
import { misScan } from '../../../kernels/mis/mis-scan.ts'
import { misScanLong } from '../../../kernels/mis/mis-scan-long.ts'
import { misSweep } from '../../../kernels/mis/mis-sweep.ts'
import { VISITED_VERTICES, misVisit } from '../../../kernels/mis/mis-visit.ts'
import { RECORD_WORDS, type Residual } from '../../../kernels/mis/visit-lists.ts'
import { MOST_SHORT } from '../../../kernels/parts/short-list.ts'
import {
  type Device,
  type DeviceBuffer,
  allocateBuffers,
  fillWords,
  readParts,
  releaseBuffers,
} from '../../device/device.ts'
import { stateWords } from '../../graph/vertex-set.ts'
import type { StopSignal } from '../../base/job.ts'
import { DeviceStream, type ListBatch } from '../../streaming/device-stream.ts'
import type { PieceScan } from '../../streaming/piece-scan.ts'
import { onFollowingDevice } from '../../streaming/following-device.ts'
import { inScan } from '../../streaming/scan-worker.ts'
import type { RankStates } from '../residual/rank-states.ts'
import type { WorkerReport } from '../worker-report.ts'
import { type DeviceLayout, scanSpace } from './plan-set.ts'
import { MANY_DEFERRED, ReplicatedExchange, type SetSetup, type SharedStates } from './shared-states.ts'

/** Longer lists wait for the second visit: vertices of low degree decide most of the others. */
const SHORTER = 8
/** The most workgroups for long lists, and threads of a sweep. */
const LONG_GROUPS = 2048
const SWEEP_THREADS = 1 << 17
/** Sweeps once so many vertices were visited; even, so that the records are in the first list again. Each visits all that wait. */
const BATCH_SWEEPS = 2
const SWEPT_PARTS = 16
/** Sweeps between two reads of the counters, at the end. */
const LAST_SWEEPS = 8
/** The host finishes so few as quickly as it reads the counters. */
const FEW = 2048

export const setKernels = [misIndex, misScan, misVisit, misScanLong, misSweep, misCompact, misPack, misMerge] as const

/** The task of a GPU. */
export interface DeviceTask {
  readonly setup: SetSetup
  readonly device: string
  readonly layout: DeviceLayout
  /** States to start from, two bits a vertex. */
  readonly initial: Uint32Array | undefined
  /** Undefined where it is the only worker. */
  readonly shared: SharedStates | undefined
  /** Its index among the workers; the first takes over what the others leave. */
  readonly index: number
}

/** What a GPU leaves. */
export interface DeviceScanned {
  readonly report: WorkerReport
  readonly residual: Residual
  /** Deferred vertices. */
  readonly deferred: number
  readonly prepareMs: number
  /** States of all vertices as the device has them, two bits each; undefined in another thread. */
  readonly states?: Uint32Array
  /** Residual graphs of others that it took over. */
  readonly adopted: number
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
  { setup, layout, initial, shared, index }: DeviceTask,
  device: Device,
  watch: DeviceWatch,
): Promise<DeviceScanned> {
  const { residual, deferred, prepareMs, states, adopted, ...figures } = await inScan(
    setup,
    watch.signal,
    async (source) => {
      let scan: DeviceScan | undefined
      let exchange: ReplicatedExchange | undefined
      try {
        scan = await DeviceScan.open(device, setup, layout, source)
        const startMs = performance.now()
        await scan.index() //                                   ECL-MIS, section 3.2: priorities
        const prepareMs = performance.now() - startMs
        if (initial !== undefined) await scan.merge(initial)
        exchange = new ReplicatedExchange({ states: scan, source, shared, index, ranks: watch.ranks })
        await scan.scan(async (bytes) => {
          exchange!.afterBatch(bytes) //                   MG-MIS, section 3.2
          await watch.afterBatch(scan!)
        })
        await exchange.finish()
        await scan.settle() //                                  ECL-MIS, section 3.1, on the residual graph
        let adopted = 0
        // Else all that wait are scanned again.
        if (watch.others !== undefined && (await scan.waiting()).deferred <= MANY_DEFERRED) {
          const others = await exchange.wait(watch.others)
          await exchange.pull()
          adopted = await scan.adopt(others)
          await scan.settle()
        }
        if (shared?.kind === 'rank') await settleAcross(scan, exchange, watch.ranks!)
        const { deferred, ...residual } = await scan.residual()
        const states = await exchange.pushAll()
        const { waitMs, bytes: exchanged } = exchange
        return { residual, deferred, prepareMs, states, adopted, waitMs, exchanged, sweeps: scan.sweeps }
      } finally {
        await exchange?.idle()
        scan?.release()
      }
    },
    { device },
  )
  return { report: { device: device.facts, ...figures }, residual, deferred, prepareMs, states, adopted }
}

/**
 * MG-MIS (ICS 2025, section 3.2) between ranks: fixed points and exchanges, while many wait. Then the first rank takes the residual graphs of the
 * others, as its device does those of its own.
 */
async function settleAcross(scan: DeviceScan, exchange: ReplicatedExchange, ranks: RankStates): Promise<void> {
  while (ranks.next === 'round') {
    const own = await scan.waiting()
    // They are scanned again first.
    if (own.deferred > MANY_DEFERRED) return
    await exchange.push()
    await ranks.round(own)
    await exchange.pull()
    await scan.settle()
  }
  if (ranks.next === 'over' || ranks.exchange.rank > 0) return
  const others = await ranks.gather(undefined)
  await exchange.pull()
  ranks.rest = others.slice(await scan.adopt(others))
  await scan.settle()
}

/** A GPU of a scan, from its first list to its residual graph. */
export class DeviceScan {
  sweeps = 0
  readonly #device: Device
  readonly #setup: SetSetup
  readonly #layout: DeviceLayout
  readonly #source: PieceScan
  #space!: ScanSpace
  #stream!: DeviceStream
  /** Deferred: vertices with lists longer than a buffer. */
  #cut = 0

  private constructor(device: Device, setup: SetSetup, layout: DeviceLayout, source: PieceScan) {
    this.#device = device
    this.#setup = setup
    this.#layout = layout
    this.#source = source
  }

  /** @throws Failure (device) where the device has not the memory */
  static async open(device: Device, setup: SetSetup, layout: DeviceLayout, source: PieceScan): Promise<DeviceScan> {
    const scan = new DeviceScan(device, setup, layout, source)
    ;[scan.#space, scan.#stream] = await Promise.all([
      allocateScanSpace(device, setup, layout),
      DeviceStream.open(device, source, layout),
      device.prepare(setKernels),
    ])
    return scan
  }

  /** Ends and priority codes of all vertices. @throws Failure (input) where the offsets are damaged */
  async index(): Promise<void> {
    const { order } = this.#setup
    const { ends, states, codes, column, counters } = this.#space
    // States are words of four bytes, which may need offsets of the pieces behind.
    await this.#stream.runOffsets(this.#layout.batchPieces, 4, (raw, { end, ...from }) => {
      const count = end - from.first
      const params = { count, ...from, ...order.params }
      this.#device.launch(misIndex, Math.ceil(count / 4), params, { raw, codes, column, ends, states, counters })
    })
    // Damaged offsets may mean a list of 2^31 arcs.
    await this.#counters()
  }

  /** Visits lists from the task board. @param afterBatch awaited between batches */
  async scan(afterBatch: (bytes: number) => Promise<void>): Promise<void> {
    const sweptAt = Math.min(this.#setup.graph.vertices / SWEPT_PARTS, this.#layout.records / 2)
    let visited = 0
    await this.#stream.run('lists', this.#takeLists, (targets, batch) => {
      this.#visit(targets, batch)
      visited += batch.vertices.end - batch.vertices.first
      for (let sweep = 0; visited >= sweptAt && sweep < BATCH_SWEEPS; sweep++) this.#sweep()
      if (visited >= sweptAt) visited = 0
      return afterBatch(batch.bytes)
    })
  }

  /** Vertices that wait, deferred ones among them, and words that they take at most to publish. */
  async waiting() {
    const { 0: recorded = 0, [setCounter.LEFT]: deferred = 0, [setCounter.POOL]: words = 0 } = await this.#counters()
    return { waiting: recorded + deferred, deferred, words: RECORD_WORDS * (recorded + deferred) + words }
  }

  /** Sweeps until few vertices wait, or most wait in long chains. */
  async settle(): Promise<void> {
    for (let before = Infinity; ;) {
      this.#source.checkStop()
      const waiting = (await this.#counters())[0]!
      if (waiting <= FEW || waiting > before / 2) return
      before = waiting
      for (let sweep = 0; sweep < LAST_SWEEPS; sweep++) this.#sweep()
    }
  }

  /** Residual graphs of other workers join this one. @returns how many found room */
  async adopt(residuals: readonly Residual[]): Promise<number> {
    const { waiting0, pool, counters } = this.#space
    const figures = await this.#counters()
    let record = Math.min(figures[0]!, this.#layout.records)
    let entry = Math.min(figures[setCounter.POOL]!, this.#layout.poolWords)
    let adopted = 0
    for (const residual of residuals) {
      const nextRecord = record + residual.records.length / RECORD_WORDS
      const nextEntry = entry + residual.pool.length
      if (nextRecord > this.#layout.records || nextEntry > this.#layout.poolWords) break
      const moved = residual.records.map((word, i) =>
        i % RECORD_WORDS === 1 || i % RECORD_WORDS === 2 ? word + entry : word,
      )
      await Promise.all([
        fillWords(this.#device, waiting0, moved, RECORD_WORDS * record),
        fillWords(this.#device, pool, residual.pool, entry),
      ])
      ;[record, entry, adopted] = [nextRecord, nextEntry, adopted + 1]
    }
    await fillWords(this.#device, counters, Uint32Array.of(record))
    await fillWords(this.#device, counters, Uint32Array.of(entry), setCounter.POOL)
    return adopted
  }

  /** The residual graph, empty where another pass makes it anew. @throws Failure (input) where the file is not what was written */
  async residual(): Promise<Residual & { readonly deferred: number }> {
    const { waiting0, waiting1, pool, states, counters: figures } = this.#space
    const { spare: entries } = this.#stream
    this.#device.clear(figures, setCounter.ENTRIES, 1)
    const compact = { recordsIn: waiting0, pool, states, recordsOut: waiting1, entries, counters: figures }
    this.#device.launch(misCompact, this.#sweepThreads, { list: 0 }, compact)
    const counters = await this.#counters()
    await this.#stream.verify()
    const deferred = counters[setCounter.LEFT]!
    const words = deferred > MANY_DEFERRED ? 0 : RECORD_WORDS * Math.min(counters[0]!, this.#layout.records)
    const [records, from, count] =
      counters[setCounter.ENTRIES]! <= this.#layout.batchWords
        ? [waiting1, entries, counters[setCounter.ENTRIES]!]
        : [waiting0, pool, Math.min(counters[setCounter.POOL]!, this.#layout.poolWords)]
    return {
      records: await this.#device.read(records, 0, words),
      pool: await this.#device.read(from, 0, words === 0 ? 0 : count),
      deferred,
    }
  }

  /** @param into words of 16 vertices each; absent: of all @param first of them */
  async packed(
    into: Uint32Array = new Uint32Array(stateWords(this.#setup.graph.vertices)),
    first = 0,
  ): Promise<Uint32Array> {
    const { states, packed } = this.#space
    const count = into.length
    if (count > 0) this.#device.launch(misPack, count, { first, count }, { states, packed })
    await readParts(this.#device, packed, into)
    return into
  }

  /** Merges states of other workers, two bits a vertex. @param first word of 16 vertices */
  async merge(words: Uint32Array, first = 0): Promise<void> {
    const { states, packed } = this.#space
    await fillWords(this.#device, packed, words)
    if (words.length > 0)
      this.#device.launch(misMerge, words.length, { first, count: words.length }, { states, packed })
  }

  release(): void {
    releaseBuffers(this.#device, this.#space)
    this.#stream.release()
  }

  readonly #takeLists = (): ListBatch | undefined => {
    const lists = this.#stream.takeLists(this.#setup, this.#layout.batchPieces)
    this.#cut += lists?.cut.length ?? 0
    return lists
  }

  #visit(targets: DeviceBuffer, { vertices: { first, end }, pieces }: ListBatch): void {
    const count = end - first
    const { ends, column, states, waiting0, pool, longs, counters } = this.#space
    const { order, shift } = this.#setup.order.params
    const graph = { ends, targets, column, states, counters }
    const kept = { ...graph, records: waiting0, pool }
    const vertices = { first, count, longer: MOST_SHORT }
    const at = { origin: this.#source.pieces.originOf(pieces.first), order, shift }
    this.#device.clear(counters, setCounter.LONG, 1)
    this.#device.launch(misScan, count, { ...vertices, ...at, shorter: SHORTER }, { ...graph, longs })
    const threads = misVisit.workgroup * Math.ceil(count / VISITED_VERTICES)
    this.#device.launch(misVisit, threads, { ...vertices, ...at, list: 0 }, kept)
    const groups = Math.min(LONG_GROUPS, longs.words)
    this.#device.launch(misScanLong, misScanLong.workgroup * groups, { ...at, list: 0 }, { ...kept, longs })
  }

  #sweep(): void {
    const { waiting0, waiting1, pool, states, counters } = this.#space
    const listIn = this.sweeps++ % 2
    const listOut = 1 - listIn
    this.#device.clear(counters, listOut, 1)
    const [recordsIn, recordsOut] = listIn === 0 ? [waiting0, waiting1] : [waiting1, waiting0]
    const buffers = { recordsIn, pool, states, recordsOut, counters }
    this.#device.launch(misSweep, this.#sweepThreads, { listIn, listOut }, buffers)
  }

  get #sweepThreads(): number {
    return Math.max(1, Math.min(SWEEP_THREADS, this.#layout.records))
  }

  async #counters(): Promise<Uint32Array> {
    const counters = await this.#device.read(this.#space.counters, 0, setCounter.COUNT)
    this.#source.requireAscending(counters[setCounter.DAMAGE] === 0)
    counters[setCounter.LEFT]! += this.#cut
    return counters
  }
}

type ScanSpace = Awaited<ReturnType<typeof allocateScanSpace>>

/** What a scan has on a device beside its batches. @throws Failure (device) where the device has not the memory */
async function allocateScanSpace(
  device: Device,
  { graph: { vertices }, order: { priority, codes, column } }: SetSetup,
  layout: DeviceLayout,
) {
  const space = await allocateBuffers(device, scanSpace({ vertices, hasColumn: priority === 'column' }, layout))
  await Promise.all([fillWords(device, space.codes, codes), fillWords(device, space.column, column)])
  device.clear(space.counters, 0, setCounter.COUNT)
  return space
}
