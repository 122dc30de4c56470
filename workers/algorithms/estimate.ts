import { type FailureValue, Failure } from '../base/failure.ts'
import { quietJob } from '../base/job.ts'
import { preparingBytes } from '../base/host-resources.ts'
import type { DeviceFacts, PlanArgs, PlanLane, PlanStep, PlannedOptions, RunArgs, RunPlan } from '../contract/jobs.ts'
import { type GaloisGr, openGraph } from '../graph/galois-gr.ts'
import { importStep, sampleGraphFile } from '../import/estimate.ts'

/** The size of a graph, exact or estimated from a sample. */
export interface GraphSize {
  readonly vertices: number
  readonly arcs: number
  readonly weighted: boolean
  readonly exact: boolean
  readonly basis: string
  /** Undefined for a file that is to be imported. */
  readonly dataset: { readonly folder: string; readonly checksum: string } | undefined
  /** What comes before the run. */
  readonly steps: readonly PlanStep[]
  /** Of several ranks, one of which has the vertices and arcs above: the whole graph. */
  readonly whole?: { readonly vertices: number; readonly arcs: number; readonly ranks: number }
}

export interface PlanEstimate {
  /** Of each worker that will compute, the coordinator's first. */
  readonly devices: readonly DeviceFacts[]
  /** Why these are fewer than were named. */
  readonly why?: string | undefined
  readonly steps: readonly PlanStep[]
  readonly batches: number
  readonly lanes: readonly PlanLane[]
  /** Whether what is read was found prepared. */
  readonly prepared: boolean
  /** Whether batches and memory are those that the run will report. */
  readonly exact: boolean
  /** Of the disk in `steps`, what no run is refused for: a bound that is seldom reached. */
  readonly spareDiskBytes?: number | undefined
  readonly refusal: FailureValue | null
}

export interface PlanRequest {
  readonly options: PlannedOptions
  readonly size: GraphSize
  /** Of each worker. */
  readonly devices: readonly DeviceFacts[]
}

/** Above this, reading all offsets whenever a form changes takes too long: bounds have to do. */
export const MOST_EXACT_VERTICES = 1 << 24

export const idsOf = (devices: readonly DeviceFacts[]): string[] => devices.map(({ id }) => id)

/** null where it is not known */
export const knownBytes = (budgetBytes: number): number | null => (Number.isFinite(budgetBytes) ? budgetBytes : null)

export function attempt<T>(plan: () => T): { readonly plan: T; readonly refusal: null } | Refused {
  try {
    return { plan: plan(), refusal: null }
  } catch (error) {
    if (error instanceof Failure) return { plan: undefined, refusal: error.toValue() }
    throw error
  }
}

interface Refused {
  readonly plan: undefined
  readonly refusal: FailureValue
}

/** A device whose limits are not known. */
export const boundless = (facts: DeviceFacts): DeviceFacts => ({
  ...facts,
  memoryBytes: null,
  memoryFreeBytes: null,
  maxBindingBytes: null,
  maxBufferBytes: null,
})

/** A run with nothing to prepare. */
interface Planned extends Pick<PlanEstimate, 'batches' | 'lanes'> {
  readonly hostBytes: number
  /** Whether nothing is read twice. */
  readonly resident: boolean
}

/** @param resultBytes of the result file */
export function estimateOf(
  { size, devices }: PlanRequest,
  { batches, hostBytes, lanes, resident }: Planned,
  resultBytes: number,
  refusal: PlanEstimate['refusal'],
): PlanEstimate {
  const deviceBytes = Math.max(0, ...lanes.map((lane) => lane.deviceBytes))
  const memory = { hostBytes, deviceBytes, scratchBytes: 0, diskBytes: resultBytes }
  const steps = [{ name: 'run', ...memory, passes: resident ? 1 : 2 } as const]
  return { devices, steps, batches, lanes, prepared: false, exact: size.exact, refusal }
}

/** A plan by units of the file. */
interface UnitPlan {
  readonly units: number
  readonly hostBytes: number
  readonly workers: readonly { readonly deviceBytes: number }[]
}

export function runPlanOf(
  { vertices, arcs }: { readonly vertices: number; readonly arcs: number },
  { units, workers, hostBytes }: UnitPlan,
): RunPlan {
  const deviceBytes = Math.max(...workers.map((worker) => worker.deviceBytes))
  return { vertices, arcs, batches: Math.max(1, units), hostBytes, deviceBytes }
}

/** @throws Failure (input) for a file that is no graph */
export function sizeOfTarget({ target, hostBytes }: Pick<PlanArgs, 'target' | 'hostBytes'>): GraphSize {
  if (target.kind === 'file') {
    const file = sampleGraphFile(target.source, target.format)
    const { vertices, arcs, weighted, exact } = file
    const basis = `${file.format}, ${file.basis}`
    const steps = [importStep(file, hostBytes ?? preparingBytes())]
    return { vertices, arcs, weighted, exact, basis, dataset: undefined, steps }
  }
  const { folder, checksum } = target
  return withGraph({ folder, checksum }, (graph) => sizeOfGraph({ folder, checksum }, graph))
}

export function sizeOfGraph(
  { folder, checksum, unchecked }: Pick<RunArgs, 'folder' | 'checksum' | 'unchecked'>,
  graph: GaloisGr,
): GraphSize {
  const { vertices, arcs, weighted } = graph
  const dataset = unchecked === undefined ? { folder, checksum } : undefined
  return { vertices, arcs, weighted, exact: true, basis: 'the dataset', dataset, steps: [] }
}

/** What each of several ranks has of a graph. */
export function sizeOfRank(size: GraphSize, ranks: number): GraphSize {
  const { vertices, arcs } = size
  const share = (count: number): number => Math.ceil(count / ranks)
  return ranks === 1
    ? size
    : { ...size, vertices: share(vertices), arcs: share(arcs), whole: { vertices, arcs, ranks } }
}

export function withGraph<T>(
  { folder, checksum }: { readonly folder: string; readonly checksum: string },
  look: (graph: GaloisGr) => T,
): T {
  const graph = openGraph(folder, checksum, quietJob)
  try {
    return look(graph)
  } finally {
    graph.close()
  }
}

/** Refused as the run is where a dataset has no weights. @param require of the run, which throws a Failure */
export function withWeights(
  estimate: PlanEstimate,
  { size: { dataset, weighted } }: PlanRequest,
  require: (graph: GaloisGr) => void,
): PlanEstimate {
  if (estimate.refusal !== null || weighted || dataset === undefined) return estimate
  return { ...estimate, refusal: withGraph(dataset, (graph) => attempt(() => require(graph)).refusal) }
}
