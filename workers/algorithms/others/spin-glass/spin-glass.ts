/**
 * Spins by simulated heat as an Algorithm (Bernaschi, Bisson, Fatica, EPJ B 2015, section 3.1): heat bath, annealing or parallel tempering of 32
 * replicas, which lie in the bits of a word. Any graph is updated colour by colour; a cubic lattice by words. Random words follow from seed,
 * sweep and vertex, so no partition or device changes a spin. spin-model.ts has what is minimised, spin-schedule.ts the temperatures,
 * spin-worker.ts the steps.
 */

import { REPLICAS } from '../../../../kernels/spin-glass/spin-sweep.ts'
import { usageFailure } from '../../../base/failure.ts'
import { type JobContext, throwIfCancelled } from '../../../base/job.ts'
import { bitWords, sharedWords } from '../../../base/words.ts'
import type { PlannedOptions } from '../../../contract/jobs.ts'
import type { GaloisGr } from '../../../graph/galois-gr.ts'
import { type SpinClaim, checkSpins } from './check-spins.ts'
import {
  type Algorithm,
  type Answer,
  type AnswerRecord,
  type Run,
  type StoredResult,
  valuesAnswer,
  valuesVerifier,
} from '../../algorithm.ts'
import { Checkpoint } from '../../checkpoint.ts'
import { withWeights } from '../../plan-request.ts'
import { onThreads, planRanges, rangeRecord, runRanges } from '../../range-run.ts'
import { percent } from '../../worker-report.ts'
import { type SettledSpins, bitsFrom, joinedBits, settleSpins } from './settle-spins.ts'
import { layOutLattice, spinBounds } from './lattice-layout.ts'
import {
  energyOf,
  layOutSpins,
  weightScale,
  type SpinLayout,
  type SpinModel,
  asksForWeights,
  couplingChoice,
  isWeighted,
  modelOf,
} from './spin-model.ts'
import {
  fieldTable,
  type ScheduleState,
  type SpinProgram,
  type MeanEnergy,
  SpinSchedule,
  hottestOf,
  mostThresholdWords,
  programOf,
} from './spin-schedule.ts'
import {
  type SharedSpins,
  type SpinRangeWorker,
  SpinWorker,
  mostSpinBytes,
  spinKernels,
  spinSpaceBytes,
} from './spin-worker.ts'
import type { RangeWork, RangeWorks } from '../../range-task.ts'

/** Spins by simulated heat (EPJ B 2015, section 3.1): any graph colour by colour, a cubic lattice by words. */
export const spinGlass: Algorithm = {
  requireOptions,
  plan: (request) => {
    const { options, size, devices } = request
    const [workers, model] = [devices.length, { name: options.model ?? 'bimodal', weighted: isWeighted(options, size) }]
    const thresholds = mostThresholdWords(size.vertices, model, programOf(options, size, 1))
    const space = (own: number): number => mostSpinBytes(size.vertices, own, workers, thresholds)
    const found = planRanges(request, space, hostBytesOf(size.vertices, workers, true), WORDS_AN_ARC)
    return withWeights(found, request, (graph) => void asksForWeights(options, graph))
  },
  severalGpus: 'useful',
  kernels: () => spinWorks.kernels,
  compute,
  verifier: valuesVerifier(
    ({ vertices }) => ({ hostBytes: 4 * vertices + (64 << 20), passes: 1 }),
    (spins, { graph, options }, job) => checkSpins(graph, spins, claimOf(graph, options, job), job),
  ),
}

/** What is divided and added up of these is a number, too. */
const [LEAST_TEMPERATURE, MOST_TEMPERATURE] = [1e-100, 1e100]
/** Weights are of 32 bits. */
const MOST_ZERO = 3.4e38

/** Colours, what is beside others, the result and a copy of it, its bits; boundaries and two boxes of every worker; spins that are kept. */
const hostBytesOf = (vertices: number, workers: number, keeps: boolean): number =>
  Math.ceil((11.25 + (workers > 1 ? 12 : 0) + (keeps ? 4 : 0)) * vertices)

function requireOptions({ method, temperature, coldest, hottest, zero = 0 }: PlannedOptions): void {
  for (const [name, value] of Object.entries({ temperature, coldest, hottest }))
    if (value !== undefined && !(value >= LEAST_TEMPERATURE && value <= MOST_TEMPERATURE))
      throw usageFailure(undefined, `${name}: ${value} is no temperature`, 'Use a number above 0, up to 1e100.')
  if (!(Math.abs(zero) <= MOST_ZERO))
    throw usageFailure(undefined, `zero: no edge weighs ${zero}`, 'Use a number from -3.4e38 to 3.4e38.')
  if (method !== 'heat-bath' && hottest !== undefined && coldest !== undefined && hottest < coldest)
    throw usageFailure(
      undefined,
      `the hottest temperature, ${hottest}, is below the coldest, ${coldest}`,
      'Exchange the two.',
    )
}

function claimOf(
  graph: GaloisGr,
  { model, disorder, weights, zero }: StoredResult['options'],
  job: JobContext,
): SpinClaim {
  const weighted = weights === 'column'
  const offset = typeof zero === 'number' ? zero : 0
  return {
    model: model as SpinClaim['model'],
    disorder: typeof disorder === 'number' ? disorder : 0,
    ...{ weighted, zero: offset, quantum: weighted ? weightScale(graph, offset, job).quantum : 1 },
  }
}

async function compute(run: Run, job: JobContext): Promise<Answer> {
  const { args, graph } = run
  const { vertices } = graph
  const fromMs = performance.now()
  const model = modelOf(args, graph, job)
  const program = programOf(args, graph, model.size)
  const { threaded, bounds, layout } = await layOut(run, model, program, job)
  const { devices } = threaded
  const shared = shareSpins(model, layout, program, bounds, args.checkpointFile !== undefined)
  const order = `spins-${JSON.stringify([model, program])}`
  const checkpoint = Checkpoint.of<ScheduleState>(args, { order, vertices })
  const kept = checkpoint?.start()
  shared.spins.set(kept?.parts[0] ?? [])
  shared.best.forEach((own, worker) => own.set(bitsFrom(kept?.parts[1], bounds[worker]!, own.length)))
  const checkpointer = checkpoint && {
    isDue: () => checkpoint.isDue(false),
    keep: (state: ScheduleState) => checkpoint.write([shared.spins, joinedBits(shared.best, bounds)], state),
  }
  const ranges = await runRanges(threaded, job, shared, spinWorks, { bounds, before: kept?.notes, checkpointer })
  const settled = settleSpins(graph, model, layout, joinedBits(shared.best, bounds), job)
  const found = { ...ranges, endMs: performance.now() }
  const { outcome, reports } = found
  const costs = { fromMs, hostBytes: hostBytesOf(vertices, devices.length, shared.spins.length > 0) }
  const record = recordOf(rangeRecord(run, found, costs), shared, outcome, settled)
  const figures = figuresOf(settled, shared)
  return valuesAnswer(run, { values: settled.values, figures, workers: reports, checkpoint, record })
}

/** A lattice has threads in its kernels; of another graph each thread of a processor is a worker. */
async function layOut(run: Run, model: SpinModel, program: SpinProgram, job: JobContext) {
  const { graph, devices } = run
  const bounds = spinBounds(graph, devices.length)
  const lattice = await layOutLattice(graph, model, bounds, job)
  if (lattice !== undefined) return { threaded: run, bounds, layout: lattice }
  const thresholds = mostThresholdWords(graph.vertices, model, program)
  const space = (own: number): number => mostSpinBytes(graph.vertices, own, 2, thresholds)
  const threaded = onThreads(run, space, WORDS_AN_ARC)
  const cut = spinBounds(graph, threaded.devices.length)
  return { threaded, bounds: cut, layout: layOutSpins(graph, model, cut, job) }
}

/** A target and its coupling. */
const WORDS_AN_ARC = 2

function figuresOf({ values, cost, cut, up }: SettledSpins, { model, layout }: SharedSpins) {
  const vertices = values.length
  const energy = energyOf(cost, model, layout, vertices)
  return { energy, perVertex: vertices === 0 ? 0 : energy / vertices, cut: cut * model.quantum, up }
}

function recordOf(
  record: ReturnType<typeof rangeRecord>,
  { model, program, layout }: SharedSpins,
  outcome: SpinOutcome,
  settled: SettledSpins,
): ReturnType<typeof rangeRecord> {
  const { vertices } = record.plan
  const { means, lowest, tried, swapped, swept, sweepMs } = outcome
  const [first] = means
  const each = (value: number): number => (vertices === 0 ? 0 : value / vertices)
  const { method, temperature, coldest, hottest, sweeps, every } = program
  const range = method === 'heat-bath' ? { temperature } : { coldest, hottest }
  return {
    ...record,
    options: {
      ...{ ...record.options, model: model.name, method, ...range, sweeps, every },
      ...(model.name === 'bimodal' ? { disorder: model.seed } : {}),
      ...(model.name === 'max-cut' || model.weighted ? { weights: model.weighted ? 'column' : 'unit' } : {}),
      ...(model.weighted ? { zero: model.zero } : {}),
    },
    rounds: sweeps,
    counters: {
      ...{ meanEnergy: each(first?.mean ?? 0), meanError: each(first?.error ?? 0) },
      swapPercent: percent(swapped, tried),
      updatesPerSecond: sweepMs === 0 ? 0 : (1000 * REPLICAS * vertices * swept) / sweepMs,
      ...{ colours: layout.colourCount, settlingFlips: settled.flips },
    },
    series: [
      lowestByTime(lowest, program),
      {
        ...{ name: 'meanEnergy', of: 'value', unit: '', values: means.map(({ mean }) => each(mean)) },
        at: { name: 'temperature', values: means.map((mean) => mean.temperature) },
        errors: means.map(({ error }) => each(error)),
      },
      ...record.series,
    ],
  }
}

/** Points of a chart. */
const MOST_POINTS = 500

/** The lowest energy of consecutive measurements together, so that there are not too many points. */
function lowestByTime(lowest: readonly number[], { sweeps, every }: SpinProgram): AnswerRecord['series'][number] {
  const step = Math.max(1, Math.ceil(lowest.length / MOST_POINTS))
  const points = Array.from({ length: Math.ceil(lowest.length / step) }, (_, i) => {
    const measured = lowest.slice(i * step, (i + 1) * step)
    return { energy: Math.min(...measured), sweep: Math.min(sweeps, every * (i * step + measured.length)) }
  })
  const at = { name: 'sweep', values: points.map(({ sweep }) => sweep) }
  return { name: 'lowestEnergy', of: 'pass', unit: '', values: points.map(({ energy }) => energy), at }
}

export interface SpinOutcome extends Pick<ScheduleState, 'lowest' | 'tried' | 'swapped'> {
  readonly means: readonly MeanEnergy[]
  /** Sweeps of this attempt. */
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
  const longest = (worker: number): number => {
    const starts = boundary.starts.slice(worker * colourCount, (worker + 1) * colourCount + 1)
    return Math.max(0, ...starts.slice(1).map((end, i) => end - starts[i]!))
  }
  const owns = bounds.slice(1).map((end, worker) => end - bounds[worker]!)
  return {
    ...{ model, layout, program, table: fieldTable(model, layout.largestField, hottestOf(program)) },
    boxes: owns.map((_, worker) => [sharedWords(longest(worker)), sharedWords(longest(worker))] as const),
    best: owns.map((own) => sharedWords(bitWords(own))),
    spins: sharedWords(keeps ? bounds.at(-1)! : 0),
  }
}

export const spinWorks: RangeWorks<SharedSpins, SpinOutcome, ScheduleState> = {
  follow: 'follow-spins',
  kernels: spinKernels,
  needs: ({ shared, bounds, worker }, graph) => {
    const low = bounds[worker]!
    const spaceBytes = spinSpaceBytes(shared, graph.vertices, bounds[worker + 1]! - low)
    if (shared.layout.lattice !== undefined) return { spaceBytes, lists: { first: low, end: low } }
    return { spaceBytes, wordsAnArc: WORDS_AN_ARC, choose: couplingChoice(graph, shared.model) }
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
