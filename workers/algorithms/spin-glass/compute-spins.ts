import { REPLICAS } from '../../../kernels/spin-glass/spin-sweep.ts'
import { throwIfCancelled } from '../../base/job.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import { BARRIER_WORDS } from '../../threads/barrier.ts'
import type { Checkpointer } from '../checkpoint.ts'
import { type RangeTask, type RangeWork, type RangeWorker, type RangeWorks, followRange } from '../range-task.ts'
import type { SpinLayout } from './spin-layout.ts'
import { type SpinModel, couplingChoice, fieldTable, isGas } from './spin-model.ts'
import { type MeanEnergy, type ScheduleState, type SpinProgram, SpinSchedule } from './spin-schedule.ts'
import { type SharedSpins, SpinWorker, spinSpaceBytes } from './spin-worker.ts'

export interface SpinOutcome {
  readonly means: readonly MeanEnergy[]
  /** Of each measurement. */
  readonly lowest: readonly number[]
  readonly tried: number
  readonly swapped: number
  /** Of this attempt. */
  readonly swept: number
  readonly sweepMs: number
}

export function shareSpins(
  model: SpinModel,
  layout: SpinLayout,
  program: SpinProgram,
  bounds: readonly number[],
  keeps: boolean,
): SharedSpins {
  const shared = (words: number): Uint32Array => new Uint32Array(new SharedArrayBuffer(4 * words))
  const vertices = bounds.at(-1)!
  const { colourCount, boundary } = layout
  const hottest = program.method === 'heat-bath' ? program.temperature : program.hottest
  const longest = (worker: number): number => {
    const starts = boundary.starts.slice(worker * colourCount, (worker + 1) * colourCount + 1)
    return Math.max(0, ...starts.slice(1).map((end, i) => end - starts[i]!))
  }
  const owns = bounds.slice(1).map((end, worker) => end - bounds[worker]!)
  return {
    control: new Int32Array(new SharedArrayBuffer(4 * BARRIER_WORDS)),
    ...{ model, layout, program, table: fieldTable(model, layout.largestField, hottest) },
    boxes: owns.map((_, worker) => [shared(longest(worker)), shared(longest(worker))] as const),
    energies: new Float64Array(new SharedArrayBuffer(8 * (REPLICAS + 1) * owns.length)),
    best: owns.map((own) => shared(Math.ceil(own / 32))),
    spins: shared(keeps ? vertices : 0),
  }
}

/** From a cost, as spin-energy counts it, to an energy in units of the couplings. */
export function energyOf(cost: number, model: SpinModel, { allCouplings }: SpinLayout, vertices: number): number {
  return (cost - (isGas(model) ? vertices : allCouplings)) * (isGas(model) ? 1 : model.quantum)
}

/** What the coordinator alone has; `before` goes to all. */
export const spinWorks = (
  before?: ScheduleState,
  checkpointer?: Checkpointer<ScheduleState>,
): RangeWorks<SharedSpins & { readonly before?: ScheduleState | undefined }, SpinOutcome> => ({
  needs: ({ shared, bounds, worker }, graph: GaloisGr) => {
    const own = bounds[worker + 1]! - bounds[worker]!
    const spaceBytes = spinSpaceBytes(shared, graph.vertices, own)
    if (shared.layout.lattice !== undefined) return { spaceBytes, withoutLists: true }
    return { spaceBytes, wordsAnArc: 2, choose: couplingChoice(graph, shared.model) }
  },
  compute: (worker) => anneal(worker, worker.task.shared.before ?? before, checkpointer),
})

/** A worker in a thread of its own. */
export const spinsTask = (task: RangeTask<SharedSpins & { readonly before?: ScheduleState | undefined }>) =>
  followRange(task, spinWorks())

/** Sweeps after which a device is waited for, so that its queue stays short. */
const MOST_QUEUED = 32

/** Sweeps of a heat bath as the schedule has it (EPJ B 2015, section 3.1); the best spins are in shared memory afterwards. */
async function anneal(
  worker: RangeWorker<SharedSpins>,
  before: ScheduleState | undefined,
  checkpointer: Checkpointer<ScheduleState> | undefined,
): Promise<RangeWork<SpinOutcome>> {
  const { task, device, graph, barrier, job } = worker
  const { program, model, layout } = task.shared
  const startMs = performance.now()
  const spins = await SpinWorker.open(worker)
  const schedule = new SpinSchedule(program)
  if (before !== undefined) {
    schedule.resume(before)
    await spins.resume()
  }
  await device.takeKernelMs()
  await barrier.arrive()
  const startedMs = performance.now()
  const prepareMs = startedMs - startMs
  let temperatures = ''
  for (let sweep = (before?.sweep ?? -1) + 1; sweep <= program.sweeps; sweep++) {
    throwIfCancelled(job.signal)
    const wanted = schedule.temperatures(sweep)
    if (wanted.join() !== temperatures) await spins.setTemperatures(wanted)
    temperatures = wanted.join()
    await spins.sweep(sweep)
    const { vertices } = graph
    const done = { done: sweep * vertices, total: program.sweeps * vertices, unit: 'vertices' } as const
    job.progress({ phase: 'sweep', ...done, round: sweep })
    // Several devices wait for one another.
    if (task.bounds.length === 2 && sweep % MOST_QUEUED === 0) await spins.settle()
    if (!schedule.isMeasured(sweep)) continue
    const { costs, keeps } = await spins.energies(checkpointer?.isDue() === true)
    const energies = costs.map((cost) => energyOf(cost, model, layout, graph.vertices))
    const replica = schedule.measure(sweep, energies)
    if (replica !== undefined) spins.keepBest(replica)
    if (!keeps) continue
    await spins.publish(true)
    checkpointer?.keep(schedule.state(sweep))
    await barrier.arrive()
  }
  const sweepMs = performance.now() - startedMs
  await spins.publish(false)
  spins.release()
  const { lowest, tried, swapped } = schedule
  return {
    outcome: { means: schedule.means(), lowest, tried, swapped, swept: program.sweeps - (before?.sweep ?? 0), sweepMs },
    prepareMs,
    exchanged: spins.exchanged,
  }
}
