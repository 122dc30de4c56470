/**
 * The steps of a heat bath on one worker: a sweep draws the spins of each colour in turn, those on the boundary first, so that they go to the
 * other workers while the bulk is drawn; energies are summed on the device, and the best spins are kept there. It holds the spins of all
 * vertices, a word each, and the couplings of its own. spin-glass.ts has the order of sweeps, kernels/spin-glass the kernels.
 */

import { SITES_EACH, latticeEnergy } from '../../../../kernels/spin-glass/lattice-energy.ts'
import { ENERGY_THREADS, spinEnergy } from '../../../../kernels/spin-glass/spin-energy.ts'
import { spinKeep } from '../../../../kernels/spin-glass/spin-keep.ts'
import { FIELDS, spinLattice } from '../../../../kernels/spin-glass/spin-lattice.ts'
import { spinMove } from '../../../../kernels/spin-glass/spin-move.ts'
import { REPLICAS, spinSweep } from '../../../../kernels/spin-glass/spin-sweep.ts'
import { bitWords } from '../../../base/words.ts'
import { allocateBuffers, type Buffers, bytesOfBuffers, fillWords, releaseBuffers } from '../../../device/device.ts'
import type { ArcBatch } from '../../arc-store.ts'
import type { RangeWorker } from '../../range-task.ts'
import { type SpinModel, isGas, type Group, type SpinLayout, groupsOf } from './spin-model.ts'
import { type FieldTable, latticeLimits, thresholdsOf, type ScheduleState, type SpinProgram } from './spin-schedule.ts'

/** What the workers share: every array is in shared memory. */
export interface SharedSpins {
  readonly model: SpinModel
  readonly layout: SpinLayout
  readonly program: SpinProgram
  readonly table: FieldTable
  /** What each worker sends after a colour, in odd and even exchanges. */
  readonly boxes: readonly (readonly [Uint32Array, Uint32Array])[]
  /** The best spins of each worker's vertices, as bits. */
  readonly best: readonly Uint32Array[]
  /** The spins of all vertices, if there are checkpoints; else empty. */
  readonly spins: Uint32Array
}

export type SpinRangeWorker = RangeWorker<SharedSpins, ScheduleState>

export const spinKernels = [latticeEnergy, spinEnergy, spinKeep, spinLattice, spinMove, spinSweep]

type SpinSpace = 'spins' | 'order' | 'list' | 'box' | 'thresholds' | 'limits' | 'bonds' | 'energies' | 'best'

/** Words of a worker's buffers. */
function spinSpace(shared: SharedSpins, vertices: number, own: number): Readonly<Record<SpinSpace, number>> {
  const { layout, table, boxes } = shared
  const isLattice = layout.lattice !== undefined
  const box = Math.max(0, ...boxes.map(([even]) => even.length))
  return {
    ...{ spins: vertices, order: isLattice ? 0 : own, list: layout.boundary.ids.length, box },
    ...{ thresholds: isLattice ? 0 : REPLICAS * (2 * table.half + 1), limits: 32 * FIELDS, bonds: layout.bonds.length },
    ...{ energies: 2 * REPLICAS, best: bitWords(own) },
  }
}

export const spinSpaceBytes = (shared: SharedSpins, vertices: number, own: number): number =>
  bytesOfBuffers(spinSpace(shared, vertices, own))

/** The same from sizes alone, at most: order or bonds; where there are others, boundaries of all and a box. */
export function mostSpinBytes(vertices: number, own: number, workers: number, thresholds: number): number {
  const ofOthers = workers > 1 ? vertices + own : 0
  return 4 * (vertices + Math.max(own, 3 * bitWords(vertices)) + bitWords(own) + ofOthers + thresholds + FEW_WORDS)
}

/** Limits, energies, and what buffers have at least. */
const FEW_WORDS = 1 << 10

/** Parts of the own vertices: those beside vertices of other workers, and the others. */
type Part = 'all' | 'boundary' | 'bulk'

/** The stream of the words that are drawn in sweeps. */
const SWEEPS = 0

/** The steps of a heat bath on one worker. */
export class SpinWorker {
  exchanged = 0
  readonly #worker: SpinRangeWorker
  readonly #space: Buffers<SpinSpace>
  /** The vertices of each batch by colour; empty on a lattice. */
  readonly #groups: readonly (readonly Group[])[]
  #exchanges = 0
  /** Settles when the bulk drawn last is. */
  #bulk = Promise.resolve()

  private constructor(worker: SpinRangeWorker, space: Buffers<SpinSpace>, groups: readonly (readonly Group[])[]) {
    this.#worker = worker
    this.#space = space
    this.#groups = groups
  }

  static async open(worker: SpinRangeWorker): Promise<SpinWorker> {
    const { device, task, low, high, graph, plan, store } = worker
    const { shared } = task
    const space = await allocateBuffers(device, spinSpace(shared, graph.vertices, high - low))
    device.clear(space.spins, 0, space.spins.words)
    await fillWords(device, space.list, shared.layout.boundary.ids)
    await fillWords(device, space.bonds, shared.layout.bonds)
    const { order, groups } = groupsOf(shared.layout, task.worker, { first: low, end: high }, plan.batches)
    await fillWords(device, space.order, order)
    await store.loadAll(plan.batches)
    return new SpinWorker(worker, space, groups)
  }

  async setTemperatures(temperatures: readonly number[]): Promise<void> {
    const { device, task } = this.#worker
    const { model, table, layout } = task.shared
    const thresholds = thresholdsOf(model, table, temperatures)
    if (layout.lattice === undefined) await fillWords(device, this.#space.thresholds, thresholds)
    else await fillWords(device, this.#space.limits, latticeLimits(thresholds, table))
  }

  /** Draws all spins anew, colour by colour; the boundary is exchanged while the bulk is drawn (EPJ B 2015, section 2). */
  async sweep(sweep: number): Promise<void> {
    const { task, plan, workers } = this.#worker
    const { layout } = task.shared
    const isSplit = workers > 1 && plan.batches.length <= 1
    for (let colour = 0; colour < layout.colourCount; colour++) {
      const draw = async (part: Part): Promise<void> => {
        if (layout.lattice !== undefined) this.#drawPlanes(sweep, colour, part)
        else for (const batch of plan.batches) await this.#drawLists(sweep, colour, batch, part)
      }
      await draw(isSplit ? 'boundary' : 'all')
      if (workers === 1) continue
      const sent = this.#gather(colour)
      if (isSplit) await draw('bulk')
      await this.#beside(() => this.#exchange(colour, sent))
    }
  }

  /** What each replica costs, over all workers, and whether the spins are to be kept. */
  async energies(): Promise<{ readonly costs: readonly number[]; readonly keeps: boolean }> {
    const { device, task, plan, store } = this.#worker
    const { shared } = task
    const { spins, energies, bonds } = this.#space
    device.clear(energies, 0, energies.words)
    const { lattice } = shared.layout
    if (lattice !== undefined) {
      const { plane, planes, area } = this.#planes()
      const threads = Math.ceil((planes * area) / SITES_EACH)
      const params = { ...lattice, plane, planes, bondWords: shared.layout.bonds.length / 3 }
      if (planes > 0) device.launch(latticeEnergy, threads, params, { bonds, spins, energies })
    }
    for (const batch of plan.batches) {
      const { offsets, targets, values } = await store.load(batch)
      const threads = Math.min(ENERGY_THREADS, REPLICAS * batch.count)
      const params = { first: batch.first, rows: batch.count, isGas: isGas(shared.model) ? 1 : 0 }
      device.launch(spinEnergy, threads, params, { offsets, targets, couplings: values!, spins, energies })
    }
    const words = await device.read(energies, 0, 2 * REPLICAS)
    const own = Array.from({ length: REPLICAS }, (_, k) => words[2 * k]! + 2 ** 32 * words[2 * k + 1]!)
    const all = await this.#worker.sum('for energies', [...own, this.#worker.isDue()])
    return { costs: all.slice(0, REPLICAS), keeps: all[REPLICAS]! > 0 }
  }

  /** Waits for what is queued. */
  async settle(): Promise<void> {
    await this.#worker.device.read(this.#space.energies, 0, 1)
  }

  /** Keeps the spins of one replica as the best. */
  keepBest(replica: number): void {
    const { device, low, high } = this.#worker
    const { spins, best } = this.#space
    const count = high - low
    if (count > 0) device.launch(spinKeep, Math.ceil(count / 32), { first: low, count, replica }, { spins, best })
  }

  /** Copies the best spins to shared memory. @param keeps with those of all replicas */
  async publish(keeps: boolean): Promise<void> {
    const { device, task, low, high } = this.#worker
    const { best, spins } = task.shared
    const own = best[task.worker]!
    if (own.length > 0) await device.read(this.#space.best, 0, own.length, own)
    if (keeps && high > low) await device.read(this.#space.spins, low, high - low, spins.subarray(low, high))
    await this.#worker.arrive('for spins')
  }

  /** Takes the spins of another attempt. */
  async resume(): Promise<void> {
    const { device, task } = this.#worker
    const { best, spins } = task.shared
    await fillWords(device, this.#space.spins, spins)
    await fillWords(device, this.#space.best, best[task.worker]!)
  }

  release(): void {
    releaseBuffers(this.#worker.device, this.#space)
  }

  /** The planes of a lattice that are this worker's. */
  #planes() {
    const { low, high, task } = this.#worker
    const { width, height } = task.shared.layout.lattice!
    const area = width * height
    return { plane: low / area, planes: (high - low) / area, area }
  }

  #drawPlanes(sweep: number, colour: number, part: Part): void {
    const { device, task, trace } = this.#worker
    const { layout, program } = task.shared
    const { plane, planes, area } = this.#planes()
    const last = { plane: plane + planes - 1, planes: planes > 1 ? 1 : 0 }
    const ranges = {
      all: [{ plane, planes }],
      boundary: [{ plane, planes: Math.min(1, planes) }, last],
      bulk: [{ plane: plane + 1, planes: planes - 2 }],
    }[part]
    const { bonds, limits, spins } = this.#space
    const common = { colour, sweep, seed: program.seed, stream: SWEEPS, bondWords: layout.bonds.length / 3 }
    for (const range of ranges.filter((each) => each.planes > 0))
      trace.span('kernel', part, () =>
        device.launch(
          spinLattice,
          (range.planes * area) / 2,
          { ...layout.lattice!, ...common, ...range },
          { bonds, limits, spins },
        ),
      )
  }

  async #drawLists(sweep: number, colour: number, batch: ArcBatch, part: Part): Promise<void> {
    const { device, task, store, trace } = this.#worker
    const { model, program, table } = task.shared
    const { at: first, boundary, count: all } = this.#groups[batch.index]![colour]!
    const at = part === 'bulk' ? first + boundary : first
    const count = part === 'all' ? all : part === 'bulk' ? all - boundary : boundary
    if (count === 0) return
    const { offsets, targets, values } = await store.load(batch)
    const { order, thresholds, spins } = this.#space
    const params = {
      ...{ at, count, first: batch.first, sweep, seed: program.seed, stream: SWEEPS, ...table },
      isGas: isGas(model) ? 1 : 0,
    }
    const buffers = { order, offsets, targets, couplings: values!, thresholds, spins }
    trace.span('kernel', part, () => device.launch(spinSweep, REPLICAS * count, params, buffers))
  }

  /** Works while the device draws the bulk of a colour, and has it draw that of one colour beyond at most. */
  async #beside(work: () => Promise<void>): Promise<void> {
    const { device, trace } = this.#worker
    const before = this.#bulk
    this.#bulk = trace.span('kernel', 'bulk until done', () => device.submit())
    // Awaited with the next one, or by whatever reads.
    this.#bulk.catch(() => {})
    await work()
    await before
  }

  /** Has the boundary of a colour copied to the box of this exchange; what is queued afterwards does not delay it. */
  #gather(colour: number): Promise<unknown> {
    const { device, task } = this.#worker
    const { list, spins, box } = this.#space
    const { at, count } = this.#boundary(task.worker, colour)
    if (count === 0) return Promise.resolve()
    device.launch(spinMove, count, { at, count, isReceived: 0 }, { list, spins, box })
    return device.read(box, 0, count, this.#box(task.worker).subarray(0, count))
  }

  async #exchange(colour: number, sent: Promise<unknown>): Promise<void> {
    const { device, task, trace, workers } = this.#worker
    const { list, spins, box } = this.#space
    await trace.span('copy out', 'boundary', () => sent)
    await this.#worker.arrive('for boundaries')
    for (let other = 0; other < workers; other++) {
      const { at, count } = this.#boundary(other, colour)
      const isBeside = task.shared.layout.beside[task.worker * workers + other] === 1
      if (other === task.worker || !isBeside || count === 0) continue
      await trace.span('exchange', 'boundary', () => fillWords(device, box, this.#box(other).subarray(0, count)))
      device.launch(spinMove, count, { at, count, isReceived: 1 }, { list, spins, box })
      this.exchanged += 4 * count
    }
    this.#exchanges++
  }

  #box(worker: number): Uint32Array {
    return this.#worker.task.shared.boxes[worker]![(this.#exchanges & 1) as 0 | 1]
  }

  #boundary(worker: number, colour: number): { readonly at: number; readonly count: number } {
    const { boundary, colourCount } = this.#worker.task.shared.layout
    const group = worker * colourCount + colour
    const at = boundary.starts[group]!
    return { at, count: boundary.starts[group + 1]! - at }
  }
}
