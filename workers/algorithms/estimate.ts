import { type FailureValue, Failure } from '../base/failure.ts'
import { deviceBudget } from './budgets.ts'
import type { DeviceFacts, PlanArgs, PlanLane, PlanStep, PlannedOptions, RunArgs } from '../contract/jobs.ts'
import { GaloisGr } from '../graph/galois-gr.ts'
import { openGraph } from '../graph/open-graph.ts'
import { preparingBytes } from '../base/host-resources.ts'
import { quietJob } from '../base/job.ts'
import { importStep, sampleGraphFile } from '../import/estimate.ts'

/** The size of a graph as far as it is known. */
export interface GraphSize {
  readonly vertices: number
  readonly arcs: number
  readonly weighted: boolean
  /** Whether vertices and arcs are known, and not estimated from a sample. */
  readonly exact: boolean
  readonly basis: string
  /** Where the dataset lies; undefined for a file that is to be imported. */
  readonly dataset: { readonly folder: string; readonly checksum: string } | undefined
  /** What comes before the run. */
  readonly steps: readonly PlanStep[]
  /** Of the host, for preparing. */
  readonly hostBudget: number
}

/** What preparing and computing would take. */
export interface PlanEstimate {
  /** The device of each worker that will really be there; the leading one first. */
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
  /** Of the disk in `steps`, what the run may well do without: a bound that no run should be refused for. */
  readonly spareDiskBytes?: number | undefined
  readonly refusal: FailureValue | null
}

/** What a forecast is made of. */
export interface PlanRequest {
  readonly options: PlannedOptions
  readonly size: GraphSize
  /** Of each worker. */
  readonly devices: readonly DeviceFacts[]
}

/** What the run plans when all is prepared. */
export interface Planned {
  readonly batches: number
  readonly hostBytes: number
  readonly deviceBytes: number
  readonly lanes: readonly PlanLane[]
  /** Whether no part is read twice. */
  readonly resident: boolean
}

/** Above this, reading the offsets of all vertices whenever a form changes takes too long: bounds have to do. */
export const MOST_EXACT_VERTICES = 1 << 24

export const idsOf = (devices: readonly DeviceFacts[]): string[] => devices.map(({ id }) => id)

/** What a device lets a run have, as far as it is known. */
export function availableOn(facts: DeviceFacts, options: number | undefined, sharers = 1): number | null {
  const budget = deviceBudget(facts, options, sharers)
  return Number.isFinite(budget) ? budget : null
}

/** What is planned, or why it cannot be. Whatever else is thrown is a bug. */
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

/** The step that computes. */
export function computeStep({ hostBytes, deviceBytes, resident }: Planned, resultBytes: number): PlanStep {
  const passes = resident ? 1 : 2
  return { name: 'run', hostBytes, deviceBytes, scratchBytes: 0, diskBytes: resultBytes, passes }
}

/** @throws Failure (input) for a file that is no graph */
export function sizeOfTarget({ target, hostBytes }: Pick<PlanArgs, 'target' | 'hostBytes'>): GraphSize {
  const hostBudget = hostBytes ?? preparingBytes()
  if (target.kind === 'file') {
    const file = sampleGraphFile(target.source, target.format)
    const { vertices, arcs, weighted, exact } = file
    const basis = `${file.format}, ${file.basis}`
    const steps = [importStep(file, hostBudget)]
    return { vertices, arcs, weighted, exact, basis, dataset: undefined, steps, hostBudget }
  }
  const { folder, checksum } = target
  const { vertices, arcs, weighted } = withGraph({ folder, checksum }, (graph) => graph)
  const known = { vertices, arcs, weighted, exact: true, basis: 'the dataset' }
  return { ...known, dataset: { folder, checksum }, steps: [], hostBudget }
}

/** That of a run whose graph is open. */
export function sizeOfGraph({ folder, checksum, unchecked }: RunArgs, graph: GaloisGr): GraphSize {
  const { vertices, arcs, weighted } = graph
  const dataset = unchecked === undefined ? { folder, checksum } : undefined
  const hostBudget = preparingBytes()
  return { vertices, arcs, weighted, exact: true, basis: 'the dataset', dataset, steps: [], hostBudget }
}

/** Looks into the graph of a dataset. */
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
