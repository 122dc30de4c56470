import { REPLICAS } from '../../../kernels/spin-glass/spin-sweep.ts'
import { UNIT_WEIGHTS, inputFailure, usageFailure } from '../../base/failure.ts'
import type { JobContext } from '../../base/job.ts'
import { bitWords } from '../../base/words.ts'
import type { PlannedOptions, RunArgs } from '../../contract/jobs.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import { type SpinClaim, checkSpins } from '../../verify/verify-values.ts'
import type { Algorithm, Answer, AnswerRecord, Run, StoredResult } from '../algorithm.ts'
import { Checkpoint } from '../checkpoint.ts'
import { withWeights } from '../estimate.ts'
import { planRanges, rangeRecord, runRanges } from '../range-run.ts'
import { valuesAnswer, valuesVerifier } from '../values-answer.ts'
import { percent } from '../worker-report.ts'
import { type SpinOutcome, energyOf, shareSpins, spinWorks } from './compute-spins.ts'
import { type SettledSpins, settleSpins } from './settle-spins.ts'
import { layOutLattice, spinBounds } from './lattice-layout.ts'
import { layOutSpins, weightScale } from './spin-layout.ts'
import type { SpinModel } from './spin-model.ts'
import type { ScheduleState, SpinProgram } from './spin-schedule.ts'
import type { SharedSpins } from './spin-worker.ts'

/** Spins by simulated heat (EPJ B 2015, section 3.1): any graph colour by colour, a cubic lattice by words. */
export const spinGlass: Algorithm = {
  requireOptions,
  plan: (request) => {
    const { size, devices } = request
    // Spins, order, boundaries at most, best; thresholds are few.
    const spaceBytes = (own: number): number => 4 * (2 * size.vertices + 2 * own) + (1 << 20)
    const keeps = 4 * size.vertices
    const found = planRanges(request, spaceBytes, keeps + (9 + 8 / devices.length) * size.vertices, 2)
    return withWeights(found, request, (graph) => void asksForWeights(request.options, graph))
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

/** @throws Failure (input) where there are none */
function asksForWeights({ model, weights }: Pick<PlannedOptions, 'model' | 'weights'>, graph: GaloisGr): boolean {
  const isCut = model === 'max-cut' && weights === 'column'
  if (model !== 'couplings' && !isCut) return false
  if (graph.weighted) return true
  const [remedy, fixes] = isCut ? ['', [UNIT_WEIGHTS]] : ['Import weights, or use another model.', undefined]
  throw inputFailure(graph.path, 'this graph has no weights', remedy, fixes)
}

function modelOf(
  { model = 'bimodal', weights, disorder = 0, zero = 0 }: RunArgs,
  graph: GaloisGr,
  job: JobContext,
): SpinModel {
  const weighted =
    asksForWeights({ model, weights }, graph) || (model === 'max-cut' && weights !== 'unit' && graph.weighted)
  const scale = weighted ? weightScale(graph, zero, job) : { quantum: 1, size: 1 }
  return { name: model, seed: disorder, weighted, zero: weighted ? zero : 0, ...scale }
}

function programOf({ args, graph }: Run, model: SpinModel): SpinProgram {
  const { method, temperature = 1.1019, sweeps = 1000, every = 4, seed } = args
  const meanDegree = graph.vertices === 0 ? 0 : graph.arcs / graph.vertices
  // Fields grow with the root of the degree.
  const usual = 1.7 * model.size * Math.max(1, Math.sqrt(meanDegree / 6))
  const coldest = args.coldest ?? Math.min(0.3 * model.size, args.hottest ?? Infinity)
  const hottest = args.hottest ?? Math.max(usual, coldest)
  const chosen = method === 'annealing' || method === 'heat-bath' ? method : 'tempering'
  return { method: chosen, temperature, coldest, hottest, sweeps, every, seed }
}

async function compute(run: Run, job: JobContext): Promise<Answer> {
  const { args, graph, devices } = run
  const { vertices } = graph
  const fromMs = performance.now()
  const model = modelOf(args, graph, job)
  const program = programOf(run, model)
  const bounds = spinBounds(graph, devices.length)
  const layout = (await layOutLattice(graph, model, bounds, job)) ?? layOutSpins(graph, model, bounds, job)
  const shared = shareSpins(model, layout, program, bounds, args.checkpointFile !== undefined)
  const order = `spins-${JSON.stringify([model, program])}`
  const checkpoint = Checkpoint.of<ScheduleState>(args, { order, vertices })
  const kept = checkpoint?.start()
  shared.spins.set(kept?.parts[0] ?? [])
  shared.best.forEach((own, worker) => own.set(bitsFrom(kept?.parts[1], bounds[worker]!, own.length)))
  const checkpointer = checkpoint && {
    isDue: () => checkpoint.isDue(false),
    keep: (state: ScheduleState) => checkpoint.write([shared.spins, joined(shared.best, bounds)], state),
  }
  const ranges = await runRanges(run, job, shared, spinWorks, { bounds, before: kept?.notes, checkpointer })
  const settled = settleSpins(graph, model, layout, joined(shared.best, bounds), job)
  const found = { ...ranges, endMs: performance.now() }
  const { outcome, reports } = found
  const costs = { fromMs, hostBytes: 12 * vertices + 4 * shared.spins.length }
  const record = recordOf(rangeRecord(run, found, costs), shared, outcome, settled)
  const figures = figuresOf(settled, shared)
  return valuesAnswer(run, { values: settled.values, figures, workers: reports, checkpoint, record })
}

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

/** Of consecutive measurements the lowest energy, so that there are not too many. */
function lowestByTime(lowest: readonly number[], { sweeps, every }: SpinProgram): AnswerRecord['series'][number] {
  const step = Math.max(1, Math.ceil(lowest.length / MOST_POINTS))
  const points = Array.from({ length: Math.ceil(lowest.length / step) }, (_, i) => {
    const measured = lowest.slice(i * step, (i + 1) * step)
    return { energy: Math.min(...measured), sweep: Math.min(sweeps, every * (i * step + measured.length)) }
  })
  const at = { name: 'sweep', values: points.map(({ sweep }) => sweep) }
  return { name: 'lowestEnergy', of: 'pass', unit: '', values: points.map(({ energy }) => energy), at }
}

/** The bits of all workers. */
function joined(best: readonly Uint32Array[], bounds: readonly number[]): Uint32Array {
  const bits = new Uint32Array(bitWords(bounds.at(-1)!))
  best.forEach((words, worker) => {
    const first = bounds[worker]! >>> 5
    const shift = bounds[worker]! & 31
    for (let i = 0; i < words.length; i++) {
      bits[first + i]! |= words[i]! << shift
      // Beyond the end where all of these bits are 0.
      if (shift > 0) bits[first + i + 1]! |= words[i]! >>> (32 - shift)
    }
  })
  return bits
}

/** Bits from a vertex on, of bits from the first on. */
function bitsFrom(all: Uint32Array | undefined, first: number, words: number): Uint32Array {
  const bits = new Uint32Array(words)
  if (all === undefined) return bits
  for (let i = 0; i < 32 * words && first + i < 32 * all.length; i++)
    bits[i >>> 5]! |= ((all[(first + i) >>> 5]! >>> ((first + i) & 31)) & 1) << (i & 31)
  return bits
}
