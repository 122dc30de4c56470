/**
 * The part of a GPU in a scan: it holds ends and states of all vertices, two bits each, and the residual graph; lists are streamed through its
 * memory in batches of 64 pieces (streaming/device-stream.ts), so that reading, copying and kernels overlap. The host looks at counters once a
 * batch. What it has on the device is planned in plan-set.ts; device-task.ts drives it, and the kernels are those of kernels/mis.
 */

import { COUNTERS, DAMAGE, ENTRIES, LEFT, LONG, POOL } from '../../../kernels/mis/priority-codes.ts'
import { misCompact } from '../../../kernels/mis/mis-compact.ts'
import { misIndex } from '../../../kernels/mis/mis-index.ts'
import { misMerge } from '../../../kernels/mis/mis-merge.ts'
import { misPack } from '../../../kernels/mis/mis-pack.ts'
import { misScan } from '../../../kernels/mis/mis-scan.ts'
import { misScanLong } from '../../../kernels/mis/mis-scan-long.ts'
import { misSweep } from '../../../kernels/mis/mis-sweep.ts'
import { VISITED_VERTICES, misVisit } from '../../../kernels/mis/mis-visit.ts'
import { RECORD_WORDS } from '../../../kernels/mis/visit-lists.ts'
import { MOST_SHORT } from '../../../kernels/parts/short-list.ts'
import {
  type Device,
  type DeviceBuffer,
  allocateBuffers,
  fillWords,
  readParts,
  releaseBuffers,
} from '../../device/device.ts'
import { damagedGraph } from '../../graph/galois-gr.ts'
import { within } from '../../base/ranges.ts'
import { stateWords } from '../../graph/vertex-set.ts'
import { throwIfCancelled } from '../../base/job.ts'
import { DeviceStream, type PieceBatch } from '../../streaming/device-stream.ts'
import type { PieceScan } from '../../streaming/piece-scan.ts'
import type { Residual } from './host-kernels.ts'
import type { DeviceLayout } from './plan-set.ts'
import { MANY_LEFT, type ScanSetup, takeUnits } from './shared-scan.ts'

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

/** A GPU of a scan, from its first list to its residual graph. */
export class DeviceScan {
  sweeps = 0
  readonly #device: Device
  readonly #setup: ScanSetup
  readonly #layout: DeviceLayout
  readonly #source: PieceScan
  #space!: ScanSpace
  #stream!: DeviceStream
  /** Deferred: vertices with lists longer than a buffer. */
  #cut = 0

  private constructor(device: Device, setup: ScanSetup, layout: DeviceLayout, source: PieceScan) {
    this.#device = device
    this.#setup = setup
    this.#layout = layout
    this.#source = source
  }

  /** @throws Failure (device) where the device has not the memory */
  static async open(device: Device, setup: ScanSetup, layout: DeviceLayout, source: PieceScan): Promise<DeviceScan> {
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
      visited += batch.count
      for (let sweep = 0; visited >= sweptAt && sweep < BATCH_SWEEPS; sweep++) this.#sweep()
      if (visited >= sweptAt) visited = 0
      return afterBatch(batch.bytes)
    })
  }

  /** Vertices that wait, deferred ones among them, and words that they take at most to publish. */
  async waiting() {
    const { 0: recorded = 0, [LEFT]: left = 0, [POOL]: words = 0 } = await this.#counters()
    return { waiting: recorded + left, left, words: RECORD_WORDS * (recorded + left) + words }
  }

  /** Sweeps until few vertices wait, or most wait in long chains. */
  async settle(): Promise<void> {
    for (let before = Infinity; ;) {
      throwIfCancelled(this.#source.signal)
      const waiting = (await this.#counters())[0]!
      if (waiting <= FEW || waiting > before / 2) return
      before = waiting
      for (let sweep = 0; sweep < LAST_SWEEPS; sweep++) this.#sweep()
    }
  }

  /** Residual graphs of other workers join this one. @returns how many found room */
  async take(residuals: readonly Residual[]): Promise<number> {
    const { waiting0, pool, counters } = this.#space
    const figures = await this.#counters()
    let record = Math.min(figures[0]!, this.#layout.records)
    let entry = Math.min(figures[POOL]!, this.#layout.poolWords)
    let taken = 0
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
      ;[record, entry, taken] = [nextRecord, nextEntry, taken + 1]
    }
    await fillWords(this.#device, counters, Uint32Array.of(record))
    await fillWords(this.#device, counters, Uint32Array.of(entry), POOL)
    return taken
  }

  /** The residual graph, empty where another pass makes it anew. @throws Failure (input) where the file is not what was written */
  async residual(): Promise<Residual & { readonly left: number }> {
    const { waiting0, waiting1, pool, states, counters: figures } = this.#space
    const { spare: entries } = this.#stream
    this.#device.clear(figures, ENTRIES, 1)
    const compact = { recordsIn: waiting0, pool, states, recordsOut: waiting1, entries, counters: figures }
    this.#device.launch(misCompact, this.#sweepThreads, { list: 0 }, compact)
    const counters = await this.#counters()
    await this.#stream.verify()
    const left = counters[LEFT]!
    const words = left > MANY_LEFT ? 0 : RECORD_WORDS * Math.min(counters[0]!, this.#layout.records)
    const [records, from, count] =
      counters[ENTRIES]! <= this.#layout.batchWords
        ? [waiting1, entries, counters[ENTRIES]!]
        : [waiting0, pool, Math.min(counters[POOL]!, this.#layout.poolWords)]
    return {
      records: await this.#device.read(records, 0, words),
      pool: await this.#device.read(from, 0, words === 0 ? 0 : count),
      left,
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

  readonly #takeLists = (): VertexBatch | undefined => {
    const { own } = this.#setup
    const { pieces: file } = this.#source
    const units = takeUnits(this.#source.board, this.#setup, this.#layout.batchPieces)
    if (units === undefined) return undefined
    const { first, end } = units
    const pieces = { first: file.pieceOf(first), end: file.pieceOf(end - 1) + 1 }
    const vertices = within(file.verticesIn({ first, end }), own.vertices)
    const last = this.#setup.graph.targetsAt + 4 * file.endOf(vertices.end - 1)
    const whole = this.#stream.batch(pieces, last)
    const isWhole = whole.bytes <= 4 * this.#layout.batchWords
    // Only the last list can reach so far: it is deferred.
    if (!isWhole) this.#cut++
    const count = vertices.end - vertices.first - (isWhole ? 0 : 1)
    return { ...(isWhole ? whole : this.#stream.batch(pieces, 0)), first: vertices.first, count }
  }

  #visit(targets: DeviceBuffer, { first, count, pieces }: VertexBatch): void {
    const { ends, column, states, waiting0, pool, longs, counters } = this.#space
    const { order, shift } = this.#setup.order.params
    const graph = { ends, targets, column, states, counters }
    const kept = { ...graph, records: waiting0, pool }
    const vertices = { first, count, longer: MOST_SHORT }
    const at = { origin: this.#source.pieces.originOf(pieces.first), order, shift }
    this.#device.clear(counters, LONG, 1)
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
    const counters = await this.#device.read(this.#space.counters, 0, COUNTERS)
    if (counters[DAMAGE] !== 0) throw damagedGraph(this.#setup.graph.path, 'the offsets')
    counters[LEFT]! += this.#cut
    return counters
  }
}

interface VertexBatch extends PieceBatch {
  readonly first: number
  readonly count: number
}

type ScanSpace = Awaited<ReturnType<typeof allocateScanSpace>>

/** What a scan has on a device beside its batches. @throws Failure (device) where the device has not the memory */
async function allocateScanSpace(
  device: Device,
  { graph: { vertices }, order: { codes, column } }: ScanSetup,
  { records, poolWords, batchWords }: DeviceLayout,
) {
  const space = await allocateBuffers(device, {
    ends: vertices,
    states: Math.ceil(vertices / 4),
    packed: stateWords(vertices),
    codes: codes.length,
    column: column.length,
    waiting0: RECORD_WORDS * records,
    waiting1: RECORD_WORDS * records,
    pool: poolWords,
    longs: Math.min(vertices, Math.ceil(batchWords / MOST_SHORT) + 1),
    counters: COUNTERS,
  })
  await Promise.all([fillWords(device, space.codes, codes), fillWords(device, space.column, column)])
  device.clear(space.counters, 0, COUNTERS)
  return space
}
