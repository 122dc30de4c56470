import { SITES_EACH, latticeEnergy } from '../../../kernels/spin-glass/lattice-energy.ts'
import { ENERGY_THREADS, spinEnergy } from '../../../kernels/spin-glass/spin-energy.ts'
import { spinKeep } from '../../../kernels/spin-glass/spin-keep.ts'
import { FIELDS, spinLattice } from '../../../kernels/spin-glass/spin-lattice.ts'
import { spinMove } from '../../../kernels/spin-glass/spin-move.ts'
import { REPLICAS, spinSweep } from '../../../kernels/spin-glass/spin-sweep.ts'
import { type Buffers, allocateBuffers, releaseBuffers } from '../../device/buffers.ts'
import { fillWords } from '../../device/device.ts'
import type { RangeWorker } from '../range-task.ts'
import { type FieldTable, type SpinModel, isGas, limitsOf, thresholdsOf } from './spin-model.ts'
import { type Group, type SpinLayout, groupsOf } from './spin-layout.ts'
import type { SpinProgram } from './spin-schedule.ts'

/** What the workers share: every array is in shared memory. */
export interface SharedSpins {
  readonly control: Int32Array
  readonly model: SpinModel
  readonly layout: SpinLayout
  readonly program: SpinProgram
  readonly table: FieldTable
  /** What each worker sends after a colour, in odd and even exchanges. */
  readonly boxes: readonly (readonly [Uint32Array, Uint32Array])[]
  /** Of each worker: what its part of each replica costs, and whether the spins are kept. */
  readonly energies: Float64Array
  /** Of each worker: the best spins of its vertices, as bits. */
  readonly best: readonly Uint32Array[]
  /** Of all vertices, where there are checkpoints; else empty. */
  readonly spins: Uint32Array
}

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
    ...{ energies: 2 * REPLICAS, best: Math.ceil(own / 32) },
  }
}

export const spinSpaceBytes = (shared: SharedSpins, vertices: number, own: number): number =>
  4 * Object.values<number>(spinSpace(shared, vertices, own)).reduce((sum, words) => sum + words, 0)

/** Of the words that are drawn in sweeps. */
const SWEEPS = 0

/** The steps of a heat bath on one worker. */
export class SpinWorker {
  exchanged = 0
  readonly #worker: RangeWorker<SharedSpins>
  readonly #space: Buffers<SpinSpace>
  /** Of each batch by colour; empty on a lattice. */
  readonly #groups: readonly (readonly Group[])[]
  #exchanges = 0
  /** Settles when the bulk drawn last is. */
  #bulk = Promise.resolve()

  private constructor(
    worker: RangeWorker<SharedSpins>,
    space: Buffers<SpinSpace>,
    groups: readonly (readonly Group[])[],
  ) {
    this.#worker = worker
    this.#space = space
    this.#groups = groups
  }

  static async open(worker: RangeWorker<SharedSpins>): Promise<SpinWorker> {
    const { device, task, low, high, graph, plan, store } = worker
    const { shared } = task
    await device.prepare(spinKernels)
    const space = await allocateBuffers(device, spinSpace(shared, graph.vertices, high - low))
    device.clear(space.spins, 0, space.spins.words)
    await fillWords(device, space.list, shared.layout.boundary.ids)
    await fillWords(device, space.bonds, shared.layout.bonds)
    const { order, groups } = groupsOf(shared.layout, task.worker, { first: low, end: high }, plan.batches)
    await fillWords(device, space.order, order)
    for (const batch of plan.batches) if (plan.batches.length === 1 || store.hasRoom(batch)) await store.load(batch)
    return new SpinWorker(worker, space, groups)
  }

  async setTemperatures(temperatures: readonly number[]): Promise<void> {
    const { device, task } = this.#worker
    const { model, table, layout } = task.shared
    const thresholds = thresholdsOf(model, table, temperatures)
    if (layout.lattice === undefined) await fillWords(device, this.#space.thresholds, thresholds)
    else await fillWords(device, this.#space.limits, limitsOf(thresholds, table))
  }

  /** Draws all spins anew, colour by colour; the boundary is exchanged while the bulk is drawn (EPJ B 2015, section 2). */
  async sweep(sweep: number): Promise<void> {
    const { layout } = this.#worker.task.shared
    for (let colour = 0; colour < layout.colourCount; colour++) {
      if (layout.lattice === undefined) await this.#drawLists(sweep, colour)
      else await this.#drawPlanes(sweep, colour)
    }
  }

  /** What each replica costs, over all workers, and whether any worker wants to keep the spins. */
  async energies(keeps: boolean): Promise<{ readonly costs: number[]; readonly keeps: boolean }> {
    const { device, task, plan, store, barrier } = this.#worker
    const { shared, worker: index, bounds } = task
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
    const [stride, workers] = [REPLICAS + 1, bounds.length - 1]
    for (let k = 0; k < REPLICAS; k++) shared.energies[stride * index + k] = words[2 * k]! + 2 ** 32 * words[2 * k + 1]!
    shared.energies[stride * index + REPLICAS] = keeps ? 1 : 0
    if (workers > 1) await barrier.arrive()
    const sum = (k: number): number => {
      let total = 0
      for (let worker = 0; worker < workers; worker++) total += shared.energies[stride * worker + k]!
      return total
    }
    const costs = Array.from({ length: REPLICAS }, (_, k) => sum(k))
    const found = { costs, keeps: sum(REPLICAS) > 0 }
    if (workers > 1) await barrier.arrive()
    return found
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
    const { device, task, low, high, barrier } = this.#worker
    const { best, spins } = task.shared
    const own = best[task.worker]!
    if (own.length > 0) await device.read(this.#space.best, 0, own.length, own)
    if (keeps && high > low) await device.read(this.#space.spins, low, high - low, spins.subarray(low, high))
    await barrier.arrive()
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

  async #drawPlanes(sweep: number, colour: number): Promise<void> {
    const { device, task, trace } = this.#worker
    const { layout, program } = task.shared
    const lattice = layout.lattice!
    const { plane, planes, area } = this.#planes()
    const draw = (name: string, first: number, count: number): void => {
      if (count <= 0) return
      const common = {
        ...lattice,
        colour,
        sweep,
        seed: program.seed,
        stream: SWEEPS,
        bondWords: layout.bonds.length / 3,
      }
      const params = { ...common, plane: first, planes: count }
      const buffers = { bonds: this.#space.bonds, limits: this.#space.limits, spins: this.#space.spins }
      trace.span('kernel', name, () => device.launch(spinLattice, (count * area) / 2, params, buffers))
    }
    if (task.bounds.length === 2) return draw('lattice', plane, planes)
    draw('boundary', plane, Math.min(1, planes))
    if (planes > 1) draw('boundary', plane + planes - 1, 1)
    const sent = this.#gather(colour)
    draw('bulk', plane + 1, planes - 2)
    await this.#beside(() => this.#exchange(colour, sent))
  }

  async #drawLists(sweep: number, colour: number): Promise<void> {
    const { task, plan } = this.#worker
    const isAlone = task.bounds.length === 2
    const first = isAlone || plan.batches.length > 1 ? 'all' : 'boundary'
    for (let batch = 0; batch < plan.batches.length; batch++) await this.#drawGroup(sweep, colour, batch, first)
    if (isAlone) return
    const sent = this.#gather(colour)
    if (plan.batches.length === 1) await this.#drawGroup(sweep, colour, 0, 'bulk')
    await this.#beside(() => this.#exchange(colour, sent))
  }

  async #drawGroup(sweep: number, colour: number, index: number, part: 'all' | 'boundary' | 'bulk'): Promise<void> {
    const { device, task, plan, store, trace } = this.#worker
    const { model, program, table } = task.shared
    const { at: first, boundary, count: all } = this.#groups[index]![colour]!
    const at = part === 'bulk' ? first + boundary : first
    const count = part === 'all' ? all : part === 'bulk' ? all - boundary : boundary
    if (count === 0) return
    const batch = plan.batches[index]!
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
    const { device, task, barrier, trace } = this.#worker
    const { list, spins, box } = this.#space
    await trace.span('copy out', 'boundary', () => sent)
    await trace.span('wait', 'for boundaries', () => barrier.arrive())
    const workers = task.bounds.length - 1
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
