/**
 * What plans of all algorithms are made from and what they say: the size of a graph, exact or estimated; the estimate with its batches, memory
 * and refusal; budgets of devices, which workers on one device share; threads by arcs; and the words of a refusal, with both sizes. It allocates
 * nothing and opens no device. plan.ts makes a plan from them, and the folders of algorithms have an `estimate` each.
 */

import {
  type FailureValue,
  Failure,
  type Fix,
  MORE_MEMORY,
  ON_PROCESSOR,
  OTHER_LIBRARY,
  usageFailure,
} from '../base/failure.ts'
import { quietJob } from '../base/job.ts'
import { hostMemory, processorsHere } from '../base/host-resources.ts'
import type {
  DeviceFacts,
  PlanArgs,
  PlanLane,
  PlanStep,
  PlannedOptions,
  ResourcePlan,
  RunArgs,
  RunPlan,
} from '../contract/jobs.ts'
import { type GaloisGr, openGraph } from '../graph/galois-gr.ts'
import { defaultBudgetBytes, limitsOf } from '../device/device.ts'
import { PIECE_BYTES, piecesOf } from '../base/sums.ts'
import { grLayout } from '../graph/graph-file.ts'
import type { ValuesPlace } from '../graph/weight-values.ts'

/** The size of a graph, exact or estimated from a sample. */
export interface GraphSize {
  readonly vertices: number
  readonly arcs: number
  readonly weighted: boolean
  /** Whether the graph is packed; blocks are brought to a GPU as they are. */
  readonly isPacked?: boolean | undefined
  /** Behind the weights of a dataset that has some. */
  readonly values?: ValuesPlace | undefined
  readonly exact: boolean
  readonly basis: string
  /** Undefined for a file that is to be imported. */
  readonly dataset: { readonly folder: string; readonly checksum: string } | undefined
  /** What comes before the run. */
  readonly steps: readonly PlanStep[]
  /** The whole graph of several ranks, one of which has the vertices and arcs above. */
  readonly whole?: { readonly vertices: number; readonly arcs: number; readonly ranks: number }
}

export interface PlanEstimate {
  /** The device of each worker that will compute, the coordinator's first. */
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
  /** The part of the disk in `steps` that no run is refused for: a bound that is seldom reached. */
  readonly spareDiskBytes?: number | undefined
  readonly refusal: FailureValue | null
}

export interface PlanRequest {
  readonly options: PlannedOptions
  readonly size: GraphSize
  /** The device of each worker. */
  readonly devices: readonly DeviceFacts[]
}

/** Above this, reading all offsets whenever a form changes takes too long: bounds have to do. */
export const MOST_EXACT_VERTICES = 1 << 24

export const deviceIds = (devices: readonly DeviceFacts[]): string[] => devices.map(({ id }) => id)

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
const boundless = (facts: DeviceFacts): DeviceFacts => ({
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
export interface UnitPlan {
  readonly units: number
  readonly hostBytes: number
  readonly workers: readonly { readonly device: string; readonly deviceBytes: number }[]
  /** Whether the lists stay in memory; absent: none does, and all are read once. */
  readonly keepsLists?: boolean
}

export function runPlanOf(
  { vertices, arcs }: { readonly vertices: number; readonly arcs: number },
  { units, workers, hostBytes }: UnitPlan,
): RunPlan {
  const deviceBytes = Math.max(...workers.map((worker) => worker.deviceBytes))
  return { vertices, arcs, batches: Math.max(1, units), hostBytes, deviceBytes }
}

/**
 * The estimate of a run that streams a file by units.
 * @param planOn the plan as the run makes it, for the limits and on the devices that are given
 * @param sizes bytes of the graph that a worker shares, and of the result file
 */
export function estimateByUnits(
  request: PlanRequest,
  planOn: (wishes: Pick<PlannedOptions, 'batches' | 'memoryBytes'>, devices: readonly DeviceFacts[]) => UnitPlan,
  { shareBytes, resultBytes }: { readonly shareBytes: number; readonly resultBytes: number },
): PlanEstimate {
  const { options, size, devices } = request
  const tried = attempt(() => planOn(options, devices))
  // What is refused for its memory would take this much.
  const plan = tried.plan ?? planOn({ batches: options.batches }, devices.map(boundless))
  const budgets = budgetsOf(devices, options.memoryBytes)
  const { keepsLists } = plan
  const holds = keepsLists === true ? 'share' : 'nothing'
  const lanes = plan.workers.map(({ device, deviceBytes }, worker) => {
    return { device, shareBytes, holds, deviceBytes, availableBytes: knownBytes(budgets[worker]!) } as const
  })
  const planned = { ...runPlanOf(size, plan), lanes, resident: keepsLists !== false }
  return estimateOf(request, planned, resultBytes, tried.refusal)
}

/** Bytes of the canonical file of a graph, as far as they are read. @param weighted whether weights stand behind the lists, and values behind these */
export const fileBytesOf = (
  {
    vertices,
    arcs,
    values,
  }: Pick<GraphSize, 'vertices' | 'arcs'> & { readonly values?: { readonly fileBytes: number } | undefined },
  weighted: boolean,
): number => values?.fileBytes ?? grLayout(vertices, arcs, weighted).fileBytes

/** The largest buffer of a device, which has to hold a word for each vertex. @throws Failure (usage) where it does not */
export function requireWords(facts: DeviceFacts, vertices: number): number {
  const largest = limitsOf(facts).maxBufferBytes
  const neededBytes = 4 * vertices
  if (neededBytes <= largest) return largest
  const what = `a kernel sees ${sizeInWords(largest, neededBytes)} at a time, and one word for each of ${vertices} vertices takes ${sizeInWords(neededBytes, largest)}`
  throw usageFailure(facts.id, what, '', [ON_PROCESSOR])
}

/** Units that workers take: pieces with lists, or parts of a piece where more batches are wanted than there are pieces. */
export function unitsOfFile(
  { vertices, arcs }: { readonly vertices: number; readonly arcs: number },
  batches = 1,
): { readonly units: number; readonly unitsAPiece: number } {
  const { targetsAt } = grLayout(vertices, arcs, false)
  const pieces = arcs === 0 ? 0 : piecesOf(targetsAt + 4 * arcs) - Math.floor(targetsAt / PIECE_BYTES)
  const unitsAPiece = Math.max(1, Math.ceil(Math.min(batches, Math.max(1, arcs)) / Math.max(1, pieces)))
  return { units: pieces * unitsAPiece, unitsAPiece }
}

export function sizeOfGraph(
  { folder, checksum, unchecked }: Pick<RunArgs, 'folder' | 'checksum' | 'unchecked'>,
  graph: GaloisGr,
): GraphSize {
  const { vertices, arcs, weighted, file } = graph
  const dataset = unchecked === undefined ? { folder, checksum } : undefined
  const { values, isPacked } = file
  return { vertices, arcs, weighted, values, isPacked, exact: true, basis: 'the dataset', dataset, steps: [] }
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

/** Bytes of the host beside the device's memory: offsets, the result, and states that are read back. */
export function runHostBytes(vertices: number): number {
  return 4 * (vertices + 1) + Math.ceil(vertices / 4) * 2
}

/** The budget of each of `sharers` workers: what was asked for, else the default of device.ts. Infinity: not known until memory is allocated. */
export function deviceBudget(facts: DeviceFacts, askedBytes: number | undefined, sharers = 1): number {
  const known = facts.kind === 'cpu' ? { ...facts, ...hostMemory() } : facts
  return Math.floor((askedBytes ?? defaultBudgetBytes(known) ?? Infinity) / sharers)
}

/** The budget of each worker: those on one device share its memory, and so do all processors if none was given its own. */
export function budgetsOf(devices: readonly DeviceFacts[], askedBytes: number | undefined): number[] {
  const placeOf = ({ id, kind }: DeviceFacts): string => (askedBytes === undefined && kind === 'cpu' ? 'cpu' : id)
  const places = devices.map(placeOf)
  return devices.map((facts, worker) => {
    const sharers = places.filter((place) => place === places[worker]).length
    return deviceBudget(facts, askedBytes, sharers)
  })
}

/** The budget of each worker if all have equal partitions. */
export const commonBudget = (devices: readonly DeviceFacts[], askedBytes: number | undefined): number =>
  Math.min(...budgetsOf(devices, askedBytes))

/** The device of each worker: the named ones in turn. */
export function workersOf({ device, partitions }: Pick<RunArgs, 'device' | 'partitions'>): string[] {
  const devices = device.split(',')
  return Array.from({ length: partitions ?? devices.length }, (_, worker) => devices[worker % devices.length]!)
}

/** Another thread takes longer to start than these take to visit. */
const ARCS_A_THREAD = 1 << 19
const MOST_THREADS = 64

/** Threads of each of so many processors that compute side by side. */
export function threadsOf({ arcs }: { readonly arcs: number }, processors: number): number {
  const most = Math.max(1, Math.floor(processorsHere() / Math.max(1, processors)))
  return Math.max(1, Math.min(MOST_THREADS, most, Math.ceil(arcs / ARCS_A_THREAD)))
}

/** A device without the memory. @param what with its verb: "the graph takes" */
export function shortOfMemory(
  where: string | undefined,
  what: string,
  neededBytes: number,
  budgetBytes: number,
  remedy = 'Use another device.',
  fixes: readonly Fix[] = [MORE_MEMORY],
): Failure {
  const [needed, budget] = [sizeInWords(neededBytes, budgetBytes), sizeInWords(budgetBytes, neededBytes)]
  return usageFailure(where, `${what} ${needed} of the device's memory, and ${budget} may be used`, remedy, fixes)
}

/** The rest is left to other programs. */
const HOST_SHARE = 0.9

/** Why the plan does not fit this machine, with both figures; null where it does. */
export function planRefusal(
  { folder, target }: Pick<PlanArgs, 'folder' | 'target'>,
  needed: ResourcePlan['needed'],
  available: ResourcePlan['available'],
): FailureValue | null {
  const what = target.kind === 'file' ? 'importing and computing this' : 'preparing and computing this'
  if (needed.peakDiskBytes > available.diskBytes)
    return {
      code: 'storage',
      where: folder,
      what: `${what} takes up to ${sizeInWords(needed.peakDiskBytes, available.diskBytes)} of disk, and ${sizeInWords(available.diskBytes, needed.peakDiskBytes)} are free`,
      remedy: 'Free some space; nothing was written.',
      fixes: [OTHER_LIBRARY],
    }
  const mayUse = Math.floor(HOST_SHARE * available.hostBytes)
  if (needed.hostBytes > mayUse)
    return {
      code: 'usage',
      what: `${what} takes up to ${sizeInWords(needed.hostBytes, mayUse)} of memory, and ${sizeInWords(mayUse, needed.hostBytes)} of the machine's ${sizeInWords(available.hostBytes)} may be used`,
      remedy: 'Use a machine with more memory; with a smaller limit more goes through the disk.',
      fixes: [{ action: 'lower', option: 'memoryBytes' }],
    }
  return null
}

/** @param beside another size of the same sentence: where rounding would make both the same, bytes are told apart */
export function sizeInWords(bytes: number, beside = bytes): string {
  const isSame = beside !== bytes && rounded(beside) === rounded(bytes)
  return isSame ? `${bytes} bytes` : rounded(bytes)
}

function rounded(bytes: number): string {
  if (bytes < 2 ** 10) return `${bytes} bytes`
  if (bytes < 2 ** 20) return `${(bytes / 2 ** 10).toFixed(1)} KiB`
  return bytes < 2 ** 30 ? `${(bytes / 2 ** 20).toFixed(1)} MiB` : `${(bytes / 2 ** 30).toFixed(1)} GiB`
}

/** Refused as the run is where a dataset has no weights. @param require of the run, which throws a Failure */
export function withWeights(
  estimate: PlanEstimate,
  { size: { dataset, weighted } }: PlanRequest,
  require: (graph: Pick<GaloisGr, 'weighted'>) => void,
): PlanEstimate {
  if (weighted || dataset === undefined) return estimate
  const { refusal } = attempt(() => require({ weighted }))
  return { ...estimate, refusal: refusal ?? estimate.refusal }
}
