/**
 * What an algorithm is to the rest of the program: the run pipeline (run.ts), the plan (plan.ts) and the choice of devices know it by this
 * alone. Its name, options and counters are data in workers/contract/catalogue. Beside the interface: what a run gives to an algorithm (Run),
 * what it returns (Answer), and how results with a value for each vertex answer and verify, which most of the other algorithms share.
 * luby/luby.ts is the smallest one.
 */

import type {
  DeviceFacts,
  OptionValues,
  PlannedOptions,
  ResultClaim,
  RunArgs,
  RunOutcome,
  RunTimes,
  Verdict,
  ValuesResult,
} from '../contract/jobs.ts'
import type { Device } from '../device/device.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import type { Labels } from '../graph/labels.ts'
import type { JobContext } from '../base/job.ts'
import { bytesOf } from '../base/words.ts'
import type { GraphSize, PlanEstimate, PlanRequest } from './plan-request.ts'
import type { WorkerReport } from './worker-report.ts'
import { algorithmEntry } from '../contract/catalogue.ts'
import { hashOfValues } from '../graph/result-file.ts'
import { type Checked, type Witness, witnessAt } from '../verify/witness.ts'

/** One algorithm, as its folder exports it. */
export interface Algorithm {
  /** The options by themselves, whatever the graph and the devices; absent: it takes all. @throws Failure (usage) for what it does not take */
  requireOptions?(options: PlannedOptions): void
  /** What preparing and computing take, from sizes alone, exact or estimated; refusals are part of it. */
  plan(request: PlanRequest): PlanEstimate
  /** The same from the graph itself, where that says more and is quick to look at; undefined where not all is prepared. */
  planExactly?(request: PlanRequest): PlanEstimate | undefined
  /** Whether several ranks can compute it together; absent: one process alone. */
  worksAcross?(options: PlannedOptions): boolean
  /** Passes over the graph that improving the result takes at most; absent: none. */
  improvePasses?(options: PlannedOptions, size: GraphSize): number
  /** Host memory that it takes; absent: what improving a set does. */
  improveBytes?(options: PlannedOptions, size: GraphSize): number
  /** What several GPUs are to it where one cannot hold the graph: of no use, not needed, or a gain. */
  readonly severalGpus: 'impossible' | 'needless' | 'useful'
  /** What is compiled while the graph is opened. */
  kernels(args: RunArgs, graph: GaloisGr): Parameters<Device['prepare']>[0]
  compute(run: Run, job: JobContext): Promise<Answer>
  /** Checks a result that is neither a maximal independent set nor a matching, by code of its own, with a witness. */
  readonly verifier?: ResultVerifier | undefined
}

/** Checks results of one algorithm, right after a run and at any time later. */
export interface ResultVerifier {
  /** What checking takes of the host, and passes over the graph. */
  plan(size: GraphSize, options: PlannedOptions): { readonly hostBytes: number; readonly passes: number }
  verify(stored: StoredResult, job: JobContext): Promise<Verdict>
  /** Prices of vertices that prove the bound of the verdict to others; absent: nothing does. */
  prices?(stored: StoredResult, job: JobContext): Promise<Float64Array>
}

/** What a run left and says of it. */
export interface StoredResult {
  readonly graph: GaloisGr
  readonly labels: Labels
  /** The content of the result file. */
  readonly bytes: Uint8Array
  readonly result: ResultClaim['result']
  readonly options: OptionValues
  /** Numbers of the vertices that the run was given, if it was given any. */
  readonly column?: (() => Promise<Float64Array | undefined>) | undefined
}

/** The graph of a run. */
export interface RunGraph {
  readonly graph: GaloisGr
  /**
   * Settles when all that was read of the graph is known to be sound.
   * @throws Failure (input) where it is not; (cancelled)
   */
  checked(): Promise<void>
}

/** A run whose graph and leading device are open, and which fits them. */
export interface Run extends RunGraph {
  readonly args: RunArgs
  /** The device of the leading worker. */
  readonly device: Device
  /** The device of each worker, the leading one first. */
  readonly devices: readonly DeviceFacts[]
  labels(): Labels
  /** The exchange with other ranks, which make this call, too; undefined: there are none. */
  readonly exchange: Exchange | undefined
  /** Milliseconds since the run began. */
  waitedMs(): number
  /** What it took of these until device and graph were open. */
  readonly openMs: number
}

/** What the record of a run says, but for what the pipeline adds. */
export type AnswerRecord = Omit<RunOutcome, 'algorithm' | 'verification' | 'resumed' | 'time'> & {
  readonly time: Omit<RunTimes, 'totalMs'>
}

/** A computed and improved result. */
export interface Answer {
  /** The content of the result file: a bit for each vertex of a set, or the mate or value of every vertex. */
  readonly bytes: Uint8Array
  readonly workers: readonly Pick<WorkerReport, 'device' | 'spans'>[]
  record(): AnswerRecord | Promise<AnswerRecord>
  /** Absent: as the algorithm's verifier does. */
  verify?(): Promise<Verdict>
  /** The checkpoint of this run, if it keeps any. */
  readonly checkpoint?: { remove(): void; readonly resumed: string | undefined } | undefined
}

/** The answer of a rank whose result the first one keeps. */
export const answerElsewhere = (workers: Answer['workers']): Answer => ({
  bytes: new Uint8Array(0),
  workers,
  record: () => Promise.reject(new Error('rank 0 has the record')),
})

/** The bound of a search holds for the graph as well as the verifier's own. */
export function withBound(verdict: Verdict, bound: number | undefined): Verdict {
  if (bound === undefined) return verdict
  // Both are rounded: no bound is below what the answer weighs.
  const least = verdict.weight ?? 0
  return { ...verdict, upperBound: Math.min(verdict.upperBound ?? bound, Math.max(bound, least)) }
}

interface FoundValues extends Pick<Answer, 'workers' | 'checkpoint'> {
  readonly values: Uint32Array
  /** Figures by the names of the entry's, but for those of the verifier. */
  readonly figures: Readonly<Record<string, number>>
  readonly record: Omit<AnswerRecord, 'result'>
}

/** The answer of an algorithm that gives every vertex a value. */
export function valuesAnswer({ args }: Run, found: FoundValues): Answer {
  const { values, workers, checkpoint } = found
  const { devices, options, ...record } = found.record
  const result = valuesResult(args, found)
  return {
    bytes: bytesOf(values),
    workers,
    record: () => ({ devices, options, result, ...record }),
    checkpoint,
  }
}

function valuesResult({ algorithm }: Pick<RunArgs, 'algorithm'>, { values, figures }: FoundValues): ValuesResult {
  const [first] = algorithmEntry(algorithm)?.values?.figures ?? []
  const size = first && figures[first.name]
  if (size === undefined) throw new Error(`${algorithm} has no first figure`)
  return { kind: 'values', size, figures, hash: hashOfValues(values) }
}

/** @param check the values of a result, by code of its own; a figure that the run reported otherwise is a broken law, too */
export const valuesVerifier = (
  plan: ResultVerifier['plan'],
  check: (values: Uint32Array, stored: StoredResult, job: JobContext) => Checked | Promise<Checked>,
): ResultVerifier => ({
  plan,
  verify: async (stored, job) => {
    const startMs = performance.now()
    const { buffer, byteOffset, byteLength } = stored.bytes
    const values = new Uint32Array(buffer, byteOffset, byteLength / 4)
    return verdictOn(values, stored, await check(values, stored, job), startMs)
  },
})

function verdictOn(
  values: Uint32Array,
  { result, labels }: StoredResult,
  { witness, figures }: Checked,
  startMs: number,
): Verdict {
  const isClaimed = result.kind === 'values'
  const claimed = isClaimed ? result.figures : {}
  const other = Object.keys(figures).find((name) => claimed[name] !== undefined && claimed[name] !== figures[name])
  // It repeats the first of them.
  const isSized = !isClaimed || Object.values(claimed).includes(result.size)
  const wrong =
    other === undefined
      ? `no figure of the run is its size, ${isClaimed ? result.size : 0}`
      : `${other} is ${figures[other]}, and the run says ${claimed[other]}`
  const broken = other === undefined && isSized ? undefined : witnessAt([], () => wrong)
  const common = { size: isClaimed ? result.size : 0, hash: hashOfValues(values), upperBound: null, figures }
  return verdictBy(witness ?? broken, labels, { ...common, elapsedMs: performance.now() - startMs })
}

/** @param witness undefined: the result is what it should be */
export function verdictBy(
  witness: Witness | undefined,
  labels: Labels,
  common: Omit<Extract<Verdict, { verified: true }>, 'verified'>,
): Verdict {
  if (witness === undefined) return { ...common, verified: true }
  const vertices = witness.vertices.map((v) => labels.of(v))
  return { ...common, verified: false, law: 'as claimed', vertices, sentence: witness.sentence(vertices) }
}

export const sizeFigures = (sizes: Uint32Array) => ({
  largest: sizes.reduce((a, b) => Math.max(a, b), 0),
  smallest: sizes.length === 0 ? 0 : sizes.reduce((a, b) => Math.min(a, b)),
})
