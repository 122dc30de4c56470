/**
 * Core numbers by falling bounds (Lu, Zhou, Zhang, Stanley, Nature Communications 7, 2016; Montresor and others, PODC 2011) as an
 * Algorithm: the bound of a vertex, at first its degree, becomes the h-index of its neighbours' bounds, in sweeps over the vertices beside those
 * whose bound fell. All see the bounds of the sweep before; no order, partition or batch changes what a sweep finds. peel-cores.ts is faster on
 * processors that hold all lists.
 */

import { type JobContext, throwIfCancelled } from '../../../base/job.ts'
import { degreesOf } from '../../../graph/degrees.ts'
import { checkCores } from './check-cores.ts'
import { type Algorithm, type Answer, type Run, valuesAnswer, valuesVerifier } from '../../algorithm.ts'
import { resumeStates } from '../../checkpoint.ts'
import { onThreads, planRanges, rangeRecord, boundsOf, runRanges } from '../../range-run.ts'
import { coreBound } from '../../../../kernels/k-core/core-bound.ts'
import { coreCommit } from '../../../../kernels/k-core/core-commit.ts'
import { coreSet } from '../../../../kernels/k-core/core-set.ts'
import { bitWords, sharedWords } from '../../../base/words.ts'
import { allocateBuffers, type Buffers, bytesOfBuffers, fillWords, releaseBuffers } from '../../../device/device.ts'
import type { ArcBatch } from '../../arc-store.ts'
import type { RangeWork, RangeWorker, RangeWorks } from '../../range-task.ts'
import { reportRound } from '../../worker-report.ts'
import { type HeldLists, peelOnProcessors, shareHeldLists } from './peel-cores.ts'

/** Core numbers by falling bounds (Lu et al., Nature Communications 2016), or by peeling on processors that hold all lists. */
export const kCore: Algorithm = {
  plan: (request) => {
    const { size, devices } = request
    return planRanges(request, (own) => coreSpaceBytes(size.vertices, own), hostBytesFor(size.vertices, devices.length))
  },
  severalGpus: 'useful',
  kernels: () => coreWorks.kernels,
  compute,
  verifier: valuesVerifier(
    ({ vertices }) => ({ hostBytes: 16 * vertices + (512 << 20), passes: 3 }),
    (cores, { graph }, job) => checkCores(graph, cores, job),
  ),
}

/** Bounds, what fell of them, and the bits of every worker. */
const hostBytesFor = (vertices: number, workers: number): number => 8 * vertices + (workers * vertices) / 8

async function compute(run: Run, job: JobContext): Promise<Answer> {
  const { args, graph } = run
  const { vertices, arcs } = graph
  const fromMs = performance.now()
  const space = (own: number): number => coreSpaceBytes(vertices, own)
  // Places in the lists are words.
  const threaded = arcs >= 2 ** 32 ? { ...run, holdsLists: false } : onThreads(run, space)
  const { devices, holdsLists: peels } = threaded
  const bounds = boundsOf(threaded)
  const lists = peels ? shareHeldLists(vertices, arcs, devices.length) : undefined
  const shared = { ...shareCores(vertices, bounds), lists }
  const degrees = degreesOf(graph)
  shared.cores.set(degrees)
  const identity = { order: 'core-bounds', vertices }
  const { checkpoint, ...kept } = resumeStates<CoreSweeps>(args, identity, true, [shared.cores])
  // Peeling has no use for bounds.
  if (peels) shared.cores.set(degrees)
  const found = await runRanges(threaded, job, shared, coreWorks, { bounds, ...kept })
  const { outcome: sweeps, reports } = found
  const record = rangeRecord(run, found, { hostBytes: hostBytesFor(vertices, devices.length), fromMs })
  return valuesAnswer(run, {
    ...{ values: shared.cores, figures: coreFigures(shared.cores), workers: reports, checkpoint },
    record: {
      ...record,
      rounds: sweeps.length,
      passes: sweeps.length,
      counters: { fallen: sweeps.reduce((sum, fell) => sum + fell, 0) },
      series: [{ name: 'fell', unit: 'vertices', values: sweeps }, ...record.series],
    },
  })
}

/** The largest core number, and how many have it. */
export function coreFigures(cores: Uint32Array) {
  let [degeneracy, inmost] = [0, 0]
  for (const core of cores) degeneracy = Math.max(degeneracy, core)
  for (const core of cores) if (core === degeneracy) inmost++
  return { degeneracy, inmost }
}

/** What the workers share: every word is in shared memory. */
interface SharedCores {
  /** Bounds that fell, by worker. */
  readonly fell: Uint32Array
  /** Changes of each worker: a vertex and its bound for each that fell, else all bounds of its range. */
  readonly changes: readonly Uint32Array[]
  /** Marks of each worker: a bit for each vertex that has to be looked at. */
  readonly marks: readonly Uint32Array[]
  /** Bounds of all vertices to begin with, at first the degrees, and the result. */
  readonly cores: Uint32Array
  /** All lists, if all workers are processors that hold every list. */
  readonly lists?: HeldLists | undefined
}

export function shareCores(vertices: number, bounds: readonly number[]): SharedCores {
  const workers = bounds.length - 1
  return {
    fell: sharedWords(workers),
    changes: Array.from({ length: workers }, (_, w) => sharedWords(workers === 1 ? 0 : bounds[w + 1]! - bounds[w]!)),
    marks: Array.from({ length: workers }, () => sharedWords(bitWords(vertices))),
    cores: sharedWords(vertices),
  }
}

type CoreSpace = 'cores' | 'drafts' | 'due' | 'marks' | 'changes' | 'counters'

function coreSpace(vertices: number, own: number): Readonly<Record<CoreSpace, number>> {
  const bits = bitWords(vertices)
  return { cores: vertices, drafts: own, due: bits, marks: bits, changes: 2 * own, counters: 4 }
}

const coreSpaceBytes = (vertices: number, own: number): number => bytesOfBuffers(coreSpace(vertices, own))

/** Vertices whose bound fell, of each sweep. */
type CoreSweeps = readonly number[]

type CoreWorker = RangeWorker<SharedCores, CoreSweeps>

/** One worker's part in all sweeps. */
async function computeCores(worker: CoreWorker): Promise<RangeWork<CoreSweeps>> {
  const { task, device, graph, job, low, high } = worker
  const space = await allocateBuffers(device, coreSpace(graph.vertices, high - low))
  const steps = new CoreSteps(worker, space)
  await steps.begin()
  await worker.ready()
  const sweeps = [...(task.before ?? [])]
  for (let fell = Infinity; fell > 0;) {
    throwIfCancelled(job.signal)
    await steps.sweep()
    const total = await steps.exchange()
    fell = total.fell
    sweeps.push(fell)
    reportRound(job, 'sweep', graph.vertices, fell, sweeps.length)
    if (fell === 0 || !total.keeps || task.worker !== 0) continue
    await steps.publish()
    worker.keep(sweeps)
  }
  if (task.worker === 0) await steps.publish()
  releaseBuffers(device, space)
  return { outcome: sweeps, exchanged: steps.exchanged }
}

class CoreSteps {
  exchanged = 0
  readonly #worker: CoreWorker
  readonly #space: Buffers<CoreSpace>
  /** Which of the two bitmaps has the active vertices. */
  #isSwapped = false
  /** Active ones of the own vertices, if the host has them: else undefined. */
  #active: Uint32Array | undefined
  #fell = 0

  constructor(worker: CoreWorker, space: Buffers<CoreSpace>) {
    this.#worker = worker
    this.#space = space
  }

  async begin(): Promise<void> {
    const { device, task, low, high } = this.#worker
    await fillWords(device, this.#space.cores, task.shared.cores)
    await fillWords(device, this.#space.due, new Uint32Array(bitWords(high - low)).fill(0xffffffff))
  }

  async sweep(): Promise<void> {
    const { device, plan, store, trace, low, high } = this.#worker
    const { cores, drafts, changes, counters } = this.#space
    const { due, marks } = this.#bits
    device.clear(marks, 0, marks.words)
    device.clear(counters, 0, counters.words)
    for (const batch of plan.batches) {
      if (!this.#isActive(batch)) continue
      const { offsets, targets } = await store.load(batch)
      const params = { first: batch.first, rows: batch.count, low }
      const buffers = { offsets, targets, cores, due, drafts, marks }
      trace.span('kernel', 'bounds', () => device.launch(coreBound, batch.count, params, buffers))
    }
    const params = { low, count: high - low }
    if (high > low) device.launch(coreCommit, high - low, params, { due, drafts, cores, changes, counters })
    this.#fell = (await device.read(counters, 0, 1))[0]!
  }

  /** Publishes what fell and what is to be looked at, and takes it from the others. */
  async exchange(): Promise<{ readonly fell: number; readonly keeps: boolean }> {
    const { device, task, plan, trace, low, high, workers } = this.#worker
    const { shared, worker: index } = task
    const { marks } = this.#bits
    if (workers === 1 && plan.batches.length <= 1) {
      this.#isSwapped = !this.#isSwapped
      return { fell: this.#fell, keeps: this.#worker.isDue() > 0 }
    }
    const box = shared.marks[index]!
    if (box.length > 0) await device.read(marks, 0, box.length, box)
    await trace.span('exchange', 'publish bounds', () => this.#send())
    shared.fell[index] = this.#fell
    const [fell = 0, keeps = 0] = await this.#worker.sum('for bounds', [this.#fell, this.#worker.isDue()])
    for (let other = 0; other < workers; other++)
      if (other !== index) await trace.span('exchange', 'take bounds', () => this.#take(other))
    const own = new Uint32Array(bitWords(high - low))
    const at = bitWords(low)
    for (const others of shared.marks) for (let i = 0; i < own.length; i++) own[i]! |= others[at + i]!
    this.exchanged += 4 * own.length * (workers - 1)
    await fillWords(device, this.#bits.due, own)
    this.#active = own
    await this.#worker.arrive('for other workers')
    return { fell, keeps: keeps > 0 }
  }

  /** Copies the bounds of all vertices to shared memory. */
  async publish(): Promise<void> {
    const { device, task, graph } = this.#worker
    if (graph.vertices > 0) await device.read(this.#space.cores, 0, graph.vertices, task.shared.cores)
  }

  get #bits() {
    const { due, marks } = this.#space
    return this.#isSwapped ? { due: marks, marks: due } : { due, marks }
  }

  #isActive({ first, count }: ArcBatch): boolean {
    if (this.#active === undefined) return true
    const [begin, end] = [first - this.#worker.low, first - this.#worker.low + count]
    return this.#active.subarray(begin >>> 5, bitWords(end)).some((word) => word !== 0)
  }

  /** A list of what fell while that is shorter, else all bounds. */
  async #send(): Promise<void> {
    const { device, task, low, high } = this.#worker
    const { changes, cores } = this.#space
    const box = task.shared.changes[task.worker]!
    if (this.#fell === 0 || box.length === 0) return
    if (isListed(this.#fell, high - low)) await device.read(changes, 0, 2 * this.#fell, box.subarray(0, 2 * this.#fell))
    else await device.read(cores, low, high - low, box)
  }

  async #take(other: number): Promise<void> {
    const { device, task } = this.#worker
    const { shared, bounds } = task
    const { cores, drafts } = this.#space
    const count = shared.fell[other]!
    const box = shared.changes[other]!
    if (count === 0) return
    if (isListed(count, box.length)) {
      const pairs = box.subarray(0, 2 * count)
      const changes = pairs.length <= drafts.words ? drafts : await device.allocate('changes of others', pairs.length)
      await fillWords(device, changes, pairs)
      device.launch(coreSet, count, { count }, { changes, cores })
      if (changes !== drafts) device.release(changes)
      this.exchanged += pairs.byteLength
    } else {
      await fillWords(device, cores, box, bounds[other]!)
      this.exchanged += box.byteLength
    }
  }
}

const isListed = (fell: number, own: number): boolean => 2 * fell <= own

export const coreWorks: RangeWorks<SharedCores, CoreSweeps, CoreSweeps> = {
  follow: 'follow-cores',
  kernels: [coreBound, coreCommit, coreSet],
  needs: ({ bounds, worker }, { vertices }) => ({
    spaceBytes: coreSpaceBytes(vertices, bounds[worker + 1]! - bounds[worker]!),
  }),
  compute: (worker) => {
    const { lists, cores } = worker.task.shared
    return lists === undefined ? computeCores(worker) : peelOnProcessors(worker, cores, lists)
  },
}
