import { availableParallelism } from 'node:os'
import { keptWords } from '../../../kernels/matching/match-state.ts'
import { PIECE_BYTES, piecesOf } from '../../base/sums.ts'
import { cpuFacts } from '../../device/cpu-device.ts'
import { Failure, MORE_MEMORY } from '../../base/failure.ts'
import { grLayout } from '../../graph/graph-file.ts'
import type { DeviceFacts, PlanLane } from '../../contract/jobs.ts'
import { sizeInWords } from '../plan-refusal.ts'
import { budgetsOf } from '../budgets.ts'
import { matchMemoryBytes, orderOf } from './match-setup.ts'
import { requireWeights } from '../../graph/weighed-lists.ts'
import { type PlanEstimate, type PlanRequest, attempt, boundless, computeStep, withGraph } from '../estimate.ts'

/** What a plan has to know of a graph. */
export interface MatchSize {
  readonly vertices: number
  readonly arcs: number
  /** Whether weights of the file are compared. */
  readonly readsWeights: boolean
}

export interface MatchPlan {
  /** Stretches of the file that are looked at one after another, and how many a piece is cut into. */
  readonly units: number
  readonly unitsAPiece: number
  /** Neighbours that a vertex keeps. */
  readonly candidates: number
  /** Whether the lists stay in memory. */
  readonly keepsLists: boolean
  /** Of the processors, all together; and what they may collect of lists that do not stay in memory. */
  readonly threads: number
  readonly roomBytes: number
  readonly workers: readonly MatchWorker[]
  readonly hostBytes: number
}

export interface MatchWorker {
  readonly device: string
  /** What a GPU is used for; undefined for processors. */
  readonly gpu: 'rounds' | 'scan' | undefined
  readonly deviceBytes: number
  /** That it may use; Infinity where it is not known. */
  readonly budgetBytes: number
}

export interface MatchWishes {
  readonly batches?: number | undefined
  readonly memoryBytes?: number | undefined
  /** Neighbours that a vertex keeps; absent: by measurement (docs/results.md). */
  readonly candidates?: number | undefined
}

/** With four a second look is needed by a tenth of the vertices of real graphs; eight cost more than they save. */
export const CANDIDATES = 4
/** A thread takes longer to start than one that is there takes to go through so many arcs. */
const ARCS_A_THREAD = 1 << 18
const MOST_THREADS = 64
/** A list that is longer is shared by a team of threads, and one longer than a team's longest by a workgroup. */
export const LONGER = 32
export const LONGEST_OF_A_TEAM = 256
/** Of a device's memory, for counters, tables and what its driver takes. */
const FIXED_BYTES = 1 << 16
/** Pieces that pass through a GPU together. */
export const BATCH_PIECES = 64
export const BATCH_BUFFERS = 3

/**
 * What a matching takes, from the size of the graph alone.
 * @param devices of each worker
 * @throws Failure (usage) where not even the state of the vertices fits
 */
export function planMatch(size: MatchSize, wishes: MatchWishes, devices: readonly DeviceFacts[]): MatchPlan {
  const { vertices, arcs } = size
  const { targetsAt } = grLayout(vertices, arcs, false)
  const pieces = arcs === 0 ? 0 : piecesOf(targetsAt + 4 * arcs) - Math.floor(targetsAt / PIECE_BYTES)
  const wanted = Math.min(wishes.batches ?? 1, Math.max(1, arcs))
  const unitsAPiece = Math.max(1, Math.ceil(wanted / Math.max(1, pieces)))
  const budgets = budgetsOf(devices, wishes.memoryBytes)
  const common = { units: pieces * unitsAPiece, unitsAPiece }
  const [lead] = devices
  if (devices.length === 1 && lead!.kind === 'gpu') {
    const candidates = wishes.candidates ?? CANDIDATES
    const deviceBytes = residentBytes(size, candidates)
    const budgetBytes = budgets[0]!
    if (deviceBytes <= budgetBytes && 4 * keptWords(candidates) * vertices <= largestOn(lead!)) {
      const worker: MatchWorker = { device: lead!.id, gpu: 'rounds', deviceBytes, budgetBytes }
      const hostBytes = 8 * vertices
      return { ...common, candidates, keepsLists: true, threads: 1, roomBytes: 0, workers: [worker], hostBytes }
    }
  }
  return { ...common, ...planProcessors(size, wishes, devices, budgets) }
}

/**
 * Several devices are asked for more memory: where the first one holds everything it computes alone, as each round between several costs
 * more than it saves (LD-GPU, SC 2024, Figure 5). Processors share one memory, and all take part.
 */
export function usefulDevices(
  size: MatchSize,
  wishes: MatchWishes & { readonly partitions?: number | undefined },
  devices: readonly DeviceFacts[],
): readonly DeviceFacts[] {
  const [lead, ...others] = devices
  if (wishes.partitions !== undefined || others.length === 0 || devices.every(({ kind }) => kind === 'cpu'))
    return devices
  try {
    return planMatch(size, wishes, [lead!]).keepsLists ? [lead!] : devices
  } catch (error) {
    if (error instanceof Failure) return devices
    throw error
  }
}

/** The plan of processors that go on with what a GPU began. */
export const planOnHost = (size: MatchSize): MatchPlan => planMatch(size, {}, [cpuFacts('cpu:0')])

/** The largest buffer that a kernel sees. */
export const largestOn = ({ maxBindingBytes, maxBufferBytes }: DeviceFacts): number =>
  Math.min(maxBindingBytes ?? Infinity, maxBufferBytes ?? Infinity)

/** Of a GPU that holds everything: state, lists of vertices, lists of neighbours. */
function residentBytes(size: MatchSize, candidates: number): number {
  const { vertices, arcs } = size
  const state = matchMemoryBytes(vertices, candidates) + 4 * vertices + 4 * longLists(vertices, arcs)
  const batches = BATCH_BUFFERS * Math.min(fileBytes(size), BATCH_PIECES * PIECE_BYTES)
  return state + listsBytes(size) + 2 * PIECE_BYTES + batches + FIXED_BYTES
}

export const longLists = (vertices: number, arcs: number): number => Math.min(vertices, Math.ceil(arcs / LONGER)) + 1

const listsBytes = ({ arcs, readsWeights }: MatchSize): number => (readsWeights ? 8 : 4) * arcs

const fileBytes = ({ vertices, arcs, readsWeights }: MatchSize): number =>
  grLayout(vertices, arcs, readsWeights).fileBytes

/** What a thread reads into, with the weights of a piece in two others. */
const threadBytes = (size: MatchSize): number => Math.min(fileBytes(size), (size.readsWeights ? 3 : 1) * PIECE_BYTES)

type HostPlan = Omit<MatchPlan, 'units' | 'unitsAPiece'>

function planProcessors(
  size: MatchSize,
  wishes: MatchWishes,
  devices: readonly DeviceFacts[],
  budgets: readonly number[],
): HostPlan {
  const { vertices, arcs } = size
  const isHost = ({ kind }: DeviceFacts): boolean => kind === 'cpu'
  const hosts = devices.filter(isHost)
  const given = budgets.filter((_, worker) => isHost(devices[worker]!)).reduce((sum, each) => sum + each, 0)
  const budget = hosts.length === 0 ? budgetsOf([cpuFacts('cpu:0')], undefined)[0]! : given
  const most = Math.min(MOST_THREADS, availableParallelism(), Math.ceil(arcs / ARCS_A_THREAD))
  let threads = Math.max(1, hosts.length, most)
  let candidates = wishes.candidates ?? CANDIDATES
  const fixed = (): number => matchMemoryBytes(vertices, candidates) + threads * threadBytes(size)
  const waitingBytes = vertices / 4
  while (threads > 1 && fixed() > budget) threads--
  while (wishes.candidates === undefined && candidates > 1 && fixed() > budget) candidates--
  if (fixed() > budget) throw tooSmall(hosts[0]?.id, vertices, fixed(), budget)
  // Other workers have no share in lists that stay in this one's memory.
  const keepsLists = hosts.length === devices.length && fixed() + listsBytes(size) + 2 * PIECE_BYTES <= budget
  const hostBytes = fixed() + (keepsLists ? listsBytes(size) : 0)
  const roomBytes = keepsLists ? 0 : Math.max(0, Math.min(budget - fixed() - waitingBytes, 2 * listsBytes(size)))
  const workers = devices.map((facts, worker): MatchWorker => {
    const budgetBytes = budgets[worker]!
    if (isHost(facts)) {
      const deviceBytes = Math.min(budgetBytes, Math.ceil((hostBytes + roomBytes) / hosts.length))
      return { device: facts.id, gpu: undefined, deviceBytes, budgetBytes }
    }
    const deviceBytes = scanBytes(size, candidates)
    if (deviceBytes > budgetBytes || 4 * vertices > largestOn(facts))
      throw tooSmall(facts.id, vertices, deviceBytes, budgetBytes)
    return { device: facts.id, gpu: 'scan', deviceBytes, budgetBytes }
  })
  return {
    candidates,
    keepsLists,
    threads,
    roomBytes,
    workers,
    hostBytes: hosts.length === 0 ? hostBytes : 8 * vertices,
  }
}

/** Of a GPU that lists pass through: ends, who is matched, a piece of lists with its weights, and what its vertices keep. */
function scanBytes(size: MatchSize, candidates: number): number {
  const { vertices } = size
  const batch = Math.min(fileBytes(size), SCAN_PIECES * PIECE_BYTES + PIECE_BYTES)
  const kept = 4 * keptWords(candidates) * Math.min(vertices, SCAN_VERTICES)
  return (
    4 * vertices +
    vertices / 8 +
    BATCH_BUFFERS * batch +
    (size.readsWeights ? batch + PIECE_BYTES : 0) +
    kept +
    FIXED_BYTES
  )
}

/** Pieces that a GPU that lists pass through is given at a time, and vertices that it looks at together. */
export const SCAN_PIECES = 4
export const SCAN_VERTICES = 1 << 18

function tooSmall(device: string | undefined, vertices: number, needed: number, budget: number): Failure {
  return new Failure({
    code: 'usage',
    ...(device === undefined ? {} : { where: device }),
    what: `the state of ${vertices} vertices takes ${sizeInWords(needed, budget)} of memory, and ${sizeInWords(budget, needed)} may be used`,
    remedy: 'Use another device.',
    fixes: [MORE_MEMORY],
  })
}

/** LD-GPU: what a run takes follows from the size of its graph, so a plan is what the run does. */
export function estimateMatching({ options, size: graph, devices }: PlanRequest): PlanEstimate {
  const { vertices, arcs, exact } = graph
  const size = { vertices, arcs, readsWeights: orderOf(options, graph).weights === 'column' }
  const useful = usefulDevices(size, options, devices)
  const tried = attempt(() => planMatch(size, options, useful))
  // What is refused for its memory would take this much.
  const plan = tried.plan ?? planMatch(size, { batches: options.batches }, useful.map(boundless))
  const budgets = budgetsOf(useful, options.memoryBytes)
  const lanes = plan.workers.map((worker, i) => laneOf({ ...worker, budgetBytes: budgets[i]! }, plan, size))
  const deviceBytes = Math.max(...plan.workers.map((worker) => worker.deviceBytes))
  const batches = Math.max(1, plan.units)
  const { hostBytes, keepsLists } = plan
  const planned = { batches, hostBytes, deviceBytes, lanes, resident: keepsLists }
  const steps = [computeStep(planned, 4 * vertices)]
  const why = useful.length < devices.length ? aloneWords(useful[0]!.id) : undefined
  return { devices: useful, why, steps, batches, lanes, prepared: false, exact, refusal: tried.refusal }
}

const aloneWords = (id: string): string =>
  `uses ${id} alone: it holds the whole graph, and others would only wait for it; more partitions share the work all the same`

function laneOf(
  { device, deviceBytes, budgetBytes }: MatchPlan['workers'][number],
  { keepsLists }: MatchPlan,
  {
    vertices,
    arcs,
    readsWeights,
  }: { readonly vertices: number; readonly arcs: number; readonly readsWeights: boolean },
): PlanLane {
  const shareBytes = 8 * vertices + (readsWeights ? 8 : 4) * arcs
  const availableBytes = Number.isFinite(budgetBytes) ? budgetBytes : null
  return { device, shareBytes, holds: keepsLists ? 'share' : 'nothing', deviceBytes, availableBytes }
}

/** Why a matching by the weights of a dataset cannot be: it has none. null where it has, or the file is not imported. */
export function weightsRefusal({ options, size }: PlanRequest): PlanEstimate['refusal'] {
  const { dataset, weighted } = size
  if (weighted || orderOf(options, size).weights !== 'column' || dataset === undefined) return null
  return withGraph(dataset, (graph) => attempt(() => requireWeights(graph)).refusal)
}
