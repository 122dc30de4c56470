import { throwIfCancelled } from '../../base/job.ts'
import { bitWords, sharedWords } from '../../base/words.ts'
import type { RangeWork, RangeWorks } from '../range-task.ts'
import type { SpinLayout } from './spin-layout.ts'
import { type SpinModel, couplingChoice, fieldTable, isGas } from './spin-model.ts'
import { type MeanEnergy, type ScheduleState, type SpinProgram, SpinSchedule } from './spin-schedule.ts'
import { type SharedSpins, type SpinRangeWorker, SpinWorker, spinKernels, spinSpaceBytes } from './spin-worker.ts'

export interface SpinOutcome extends Pick<ScheduleState, 'lowest' | 'tried' | 'swapped'> {
  readonly means: readonly MeanEnergy[]
  /** Of this attempt. */
  readonly swept: number
  readonly sweepMs: number
}

/** @param keeps whether there are checkpoints */
export function shareSpins(
  model: SpinModel,
  layout: SpinLayout,
  program: SpinProgram,
  bounds: readonly number[],
  keeps: boolean,
): SharedSpins {
  const { colourCount, boundary } = layout
  const hottest = program.method === 'heat-bath' ? program.temperature : program.hottest
  const longest = (worker: number): number => {
    const starts = boundary.starts.slice(worker * colourCount, (worker + 1) * colourCount + 1)
    return Math.max(0, ...starts.slice(1).map((end, i) => end - starts[i]!))
  }
  const owns = bounds.slice(1).map((end, worker) => end - bounds[worker]!)
  return {
    ...{ model, layout, program, table: fieldTable(model, layout.largestField, hottest) },
    boxes: owns.map((_, worker) => [sharedWords(longest(worker)), sharedWords(longest(worker))] as const),
    best: owns.map((own) => sharedWords(bitWords(own))),
    spins: sharedWords(keeps ? bounds.at(-1)! : 0),
  }
}

/** From a cost, as spin-energy counts it, to an energy in units of the couplings. */
export function energyOf(cost: number, model: SpinModel, { allCouplings }: SpinLayout, vertices: number): number {
  return (cost - (isGas(model) ? vertices : allCouplings)) * (isGas(model) ? 1 : model.quantum)
}

export const spinWorks: RangeWorks<SharedSpins, SpinOutcome, ScheduleState> = {
  follow: 'follow-spins',
  kernels: spinKernels,
  needs: ({ shared, bounds, worker }, graph) => {
    const low = bounds[worker]!
    const spaceBytes = spinSpaceBytes(shared, graph.vertices, bounds[worker + 1]! - low)
    if (shared.layout.lattice !== undefined) return { spaceBytes, lists: { first: low, end: low } }
    return { spaceBytes, wordsAnArc: 2, choose: couplingChoice(graph, shared.model) }
  },
  compute: anneal,
}

/** Sweeps after which a device is waited for, so that its queue stays short. */
const MOST_QUEUED = 32

/** Sweeps of a heat bath as the schedule has it (EPJ B 2015, section 3.1); the best spins are in shared memory afterwards. */
async function anneal(worker: SpinRangeWorker): Promise<RangeWork<SpinOutcome>> {
  const { task, graph, job, workers } = worker
  const { before } = task
  const { program, model, layout } = task.shared
  const { vertices } = graph
  const spins = await SpinWorker.open(worker)
  const schedule = new SpinSchedule(program, before)
  if (before !== undefined) await spins.resume()
  await worker.ready()
  const startedMs = performance.now()
  let temperatures = ''
  for (let sweep = before === undefined ? 0 : before.sweep + 1; sweep <= program.sweeps; sweep++) {
    throwIfCancelled(job.signal)
    const wanted = schedule.temperatures(sweep)
    if (wanted.join() !== temperatures) await spins.setTemperatures(wanted)
    temperatures = wanted.join()
    await spins.sweep(sweep)
    const done = { done: sweep * vertices, total: program.sweeps * vertices, unit: 'vertices' } as const
    job.progress({ phase: 'sweep', ...done, round: sweep })
    // Several devices wait for one another.
    if (workers === 1 && sweep % MOST_QUEUED === 0) await spins.settle()
    if (!schedule.isMeasured(sweep)) continue
    const { costs, keeps } = await spins.energies()
    const energies = costs.map((cost) => energyOf(cost, model, layout, vertices))
    const replica = schedule.measure(sweep, energies)
    if (replica !== undefined) spins.keepBest(replica)
    if (!keeps) continue
    await spins.publish(true)
    worker.keep(schedule.state)
    await worker.arrive('for other workers')
  }
  const sweepMs = performance.now() - startedMs
  await spins.publish(false)
  spins.release()
  const { lowest, tried, swapped } = schedule.state
  return {
    outcome: { means: schedule.means(), lowest, tried, swapped, swept: program.sweeps - (before?.sweep ?? 0), sweepMs },
    exchanged: spins.exchanged,
  }
}
