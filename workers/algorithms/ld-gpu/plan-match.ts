import { processorsHere } from '../../base/host-resources.ts'
import { keptWords } from '../../../kernels/matching/match-state.ts'
import { Failure } from '../../base/failure.ts'
import { PIECE_BYTES, piecesOf } from '../../base/sums.ts'
import type { DeviceFacts } from '../../contract/jobs.ts'
import { cpuFacts } from '../../device/cpu-device.ts'
import { grLayout } from '../../graph/graph-file.ts'
import { requireWeights } from '../../graph/weighed-lists.ts'
import { budgetsOf } from '../budgets.ts'
import {
  type PlanEstimate,
  type PlanRequest,
  attempt,
  boundless,
  estimateOf,
  knownBytes,
  runPlanOf,
  withGraph,
} from '../estimate.ts'
import { shortOfMemory } from '../plan-refusal.ts'
import {
  BATCH_BUFFERS,
  BATCH_PIECES,
  CANDIDATES,
  FIXED_BYTES,
  LEAST_PIECES,
  LONGER,
  MOST_THREADS,
  type MatchPlan,
  type MatchSize,
  type MatchWishes,
  type MatchWorker,
  SCAN_VERTICES,
  batchBytes,
  fileBytes,
  largestOn,
  listsBytes,
  longLists,
  mostPieces,
  tailPieces,
} from './match-plan.ts'
import { matchMemoryBytes, orderOf } from './match-setup.ts'

/** Another thread takes longer to start than these take to scan, or to index. */
const ARCS_A_THREAD = 1 << 18
const VERTICES_A_THREAD = 1 << 20

/**
 * The plan of a matching, from the size of the graph alone.
 * @param devices of each worker
 * @throws Failure (usage) where not even the state of the vertices fits
 */
export const planMatch = (size: MatchSize, wishes: MatchWishes, devices: readonly DeviceFacts[]): MatchPlan =>
  planResident(size, wishes, devices) ??
  // The first GPU of a slice has not the vertices of others.
  (size.wholeVertices === undefined ? planPasses(size, wishes, devices) : undefined) ??
  planProcessors(size, wishes, devices)

function unitsOf({ vertices, arcs }: MatchSize, wishes: MatchWishes): Pick<MatchPlan, 'units' | 'unitsAPiece'> {
  const { targetsAt } = grLayout(vertices, arcs, false)
  const pieces = arcs === 0 ? 0 : piecesOf(targetsAt + 4 * arcs) - Math.floor(targetsAt / PIECE_BYTES)
  const wanted = Math.min(wishes.batches ?? 1, Math.max(1, arcs))
  const unitsAPiece = Math.max(1, Math.ceil(wanted / Math.max(1, pieces)))
  return { units: pieces * unitsAPiece, unitsAPiece }
}

/** Of a rank that points and matches within its slice. */
export function planSlice(
  { vertices, arcs, readsWeights }: MatchSize,
  ranks: number,
  wishes: MatchWishes,
  devices: readonly DeviceFacts[],
): MatchPlan {
  const share = (count: number): number => Math.ceil(count / ranks)
  const slice = { vertices: share(vertices), arcs: share(arcs), wholeVertices: vertices, readsWeights }
  return planMatch(slice, { ...wishes, streams: true }, devices)
}

/**
 * The first device alone where it holds everything: each round between several costs more than it saves (LD-GPU, SC 2024, Figure 5).
 * Processors share one memory, and all compute.
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

/** Of processors that resume what a GPU began. */
export function planOnHost(size: MatchSize, ranks: number): MatchPlan {
  const devices = [cpuFacts('cpu:0')]
  return ranks === 1 ? planMatch(size, {}, devices) : planSlice(size, ranks, {}, devices)
}

/** A GPU alone that holds everything; undefined where it has not the room. */
function planResident(
  size: MatchSize,
  wishes: MatchWishes,
  [lead, ...others]: readonly DeviceFacts[],
): MatchPlan | undefined {
  if (wishes.streams === true || others.length > 0 || lead!.kind !== 'gpu') return undefined
  const { vertices, arcs } = size
  const [budgetBytes] = budgetsOf([lead!], wishes.memoryBytes)
  const state = matchMemoryBytes(vertices, CANDIDATES) + 4 * vertices + 4 * longLists(vertices, arcs)
  const batches = BATCH_BUFFERS * Math.min(fileBytes(size), BATCH_PIECES * PIECE_BYTES)
  const deviceBytes = state + listsBytes(size) + 2 * PIECE_BYTES + batches + FIXED_BYTES
  if (deviceBytes > budgetBytes! || 4 * keptWords(CANDIDATES) * vertices > largestOn(lead!)) return undefined
  const worker: MatchWorker = { device: lead!.id, gpu: 'rounds', deviceBytes, budgetBytes: budgetBytes! }
  return {
    ...unitsOf(size, wishes),
    candidates: CANDIDATES,
    keepsLists: true,
    threads: 1,
    roomBytes: 0,
    workers: [worker],
    hostBytes: 8 * vertices,
  }
}

/**
 * GPUs stream lists, and the first, of all ranks, holds the state of all vertices and what is collected. All plan alike, whichever leads.
 * @returns undefined where the least of them has not the room, or there are processors
 */
export function planPasses(
  size: MatchSize,
  wishes: MatchWishes,
  devices: readonly DeviceFacts[],
): MatchPlan | undefined {
  const { vertices, arcs } = size
  if (arcs === 0 || devices.some(({ kind }) => kind !== 'gpu')) return undefined
  const budgets = budgetsOf(devices, wishes.memoryBytes)
  const tightest = Math.min(...budgets)
  const largest = Math.min(...devices.map(largestOn))
  // Long lists of a batch, or of what is collected, are listed.
  const state = 4 * (2 * vertices + (keptWords(CANDIDATES) + 4) * vertices + 2 * Math.ceil(vertices / 32))
  const fixed = (pieces: number): number =>
    state + batchBytes(size, pieces) + 4 * longLists(vertices, (pieces + tailPieces(pieces)) << 18)
  let batchPieces = mostPieces(size, devices.length)
  const least = 4 * vertices
  while (batchPieces > LEAST_PIECES && fixed(batchPieces) + least > tightest) batchPieces--
  const free = Math.min(tightest - fixed(batchPieces), largest, 2 * listsBytes(size))
  const roomBytes = 4 * Math.floor(free / 4 / (1 + 1 / LONGER))
  const fits =
    roomBytes >= Math.min(least, listsBytes(size)) && Math.max(keptWords(CANDIDATES), 2) * 4 * vertices <= largest
  if (!fits) return undefined
  const deviceBytes = fixed(batchPieces) + roomBytes + Math.ceil(roomBytes / LONGER)
  const workers = devices.map(({ id }, worker): MatchWorker => {
    return {
      device: id,
      gpu: worker === 0 ? 'rounds' : 'scan',
      batchPieces,
      deviceBytes,
      budgetBytes: budgets[worker]!,
    }
  })
  const threads = Math.max(1, Math.min(MOST_THREADS, processorsHere(), Math.ceil(vertices / VERTICES_A_THREAD)))
  const others = devices.length - 1
  const rows = others > 0 ? 4 * keptWords(CANDIDATES) * vertices + others * roomBytes : 0
  return {
    ...unitsOf(size, wishes),
    candidates: CANDIDATES,
    keepsLists: false,
    threads,
    roomBytes,
    workers,
    hostBytes: 8 * vertices + rows,
  }
}

/** A piece, and its weights in two others. */
const threadBytes = (size: MatchSize): number => Math.min(fileBytes(size), (size.readsWeights ? 3 : 1) * PIECE_BYTES)

/** Processors do the rounds, and GPUs scan lists beside them. */
function planProcessors(size: MatchSize, wishes: MatchWishes, devices: readonly DeviceFacts[]): MatchPlan {
  const { vertices, arcs } = size
  const budgets = budgetsOf(devices, wishes.memoryBytes)
  const isHost = ({ kind }: DeviceFacts): boolean => kind === 'cpu'
  const hosts = devices.filter(isHost)
  const given = budgets.filter((_, worker) => isHost(devices[worker]!)).reduce((sum, each) => sum + each, 0)
  const budget = hosts.length === 0 ? budgetsOf([cpuFacts('cpu:0')], undefined)[0]! : given
  const most = Math.min(MOST_THREADS, processorsHere(), Math.ceil(arcs / ARCS_A_THREAD))
  let threads = Math.max(1, hosts.length, most)
  let candidates = CANDIDATES
  const fixed = (): number => matchMemoryBytes(vertices, candidates) + threads * threadBytes(size)
  const waitingBytes = vertices / 4
  while (threads > 1 && fixed() > budget) threads--
  while (candidates > 1 && fixed() > budget) candidates--
  if (fixed() > budget) throw tooSmall(hosts[0]?.id, vertices, fixed(), budget)
  // GPUs cannot read lists in the host's memory.
  const keepsLists =
    wishes.streams !== true && hosts.length === devices.length && fixed() + listsBytes(size) + 2 * PIECE_BYTES <= budget
  const hostBytes = fixed() + (keepsLists ? listsBytes(size) : 0)
  const roomBytes = keepsLists ? 0 : Math.max(0, Math.min(budget - fixed() - waitingBytes, 2 * listsBytes(size)))
  const tightest = Math.min(...budgets.filter((_, worker) => !isHost(devices[worker]!)))
  let batchPieces = mostPieces(size, devices.length)
  while (batchPieces > LEAST_PIECES && scanBytes(size, candidates, batchPieces) > tightest) batchPieces--
  const workers = devices.map((facts, worker): MatchWorker => {
    const budgetBytes = budgets[worker]!
    if (isHost(facts)) {
      const deviceBytes = Math.min(budgetBytes, Math.ceil((hostBytes + roomBytes) / hosts.length))
      return { device: facts.id, gpu: undefined, deviceBytes, budgetBytes }
    }
    const deviceBytes = scanBytes(size, candidates, batchPieces)
    if (deviceBytes > budgetBytes || 4 * (size.wholeVertices ?? vertices) > largestOn(facts))
      throw tooSmall(facts.id, vertices, deviceBytes, budgetBytes)
    return { device: facts.id, gpu: 'scan', batchPieces, deviceBytes, budgetBytes }
  })
  return {
    ...unitsOf(size, wishes),
    candidates,
    keepsLists,
    threads,
    roomBytes,
    workers,
    hostBytes: hosts.length === 0 ? hostBytes : 8 * vertices,
  }
}

/** Of a GPU that streams lists beside processors: ends, matched bits, a batch with its weights, candidates. */
function scanBytes(size: MatchSize, candidates: number, pieces: number): number {
  const { vertices, wholeVertices = vertices } = size
  const kept = 4 * keptWords(candidates) * Math.min(vertices, SCAN_VERTICES)
  return 4 * wholeVertices + wholeVertices / 8 + batchBytes(size, pieces) + kept
}

const tooSmall = (device: string | undefined, vertices: number, needed: number, budget: number): Failure =>
  shortOfMemory(device, `the state of ${vertices} vertices takes`, needed, budget)

/** By the best neighbours of each vertex: the plan of a run follows from the size of its graph. */
export function estimateMatching(request: PlanRequest): PlanEstimate {
  const { options, size: graph, devices } = request
  const { vertices, arcs, whole } = graph
  const size = { vertices, arcs, readsWeights: orderOf(options, graph).weights === 'column' }
  const useful = whole === undefined ? usefulDevices(size, options, devices) : devices
  const planOn = (wishes: MatchWishes, on: readonly DeviceFacts[]): MatchPlan => {
    if (whole === undefined) return planMatch(size, wishes, on)
    const all = { ...size, ...whole }
    return planPasses(all, wishes, on) ?? planSlice(all, whole.ranks, wishes, on)
  }
  const tried = attempt(() => planOn(options, useful))
  // What is refused for its memory would take this much.
  const plan = tried.plan ?? planOn({ batches: options.batches }, useful.map(boundless))
  const budgets = budgetsOf(useful, options.memoryBytes)
  const shareBytes = 8 * vertices + listsBytes(size)
  const holds = plan.keepsLists ? 'share' : 'nothing'
  const lanes = plan.workers.map(({ device, deviceBytes }, worker) => {
    return { device, shareBytes, holds, deviceBytes, availableBytes: knownBytes(budgets[worker]!) } as const
  })
  const planned = { ...runPlanOf(size, plan), lanes, resident: plan.keepsLists }
  const found = estimateOf({ ...request, devices: useful }, planned, 4 * vertices, tried.refusal)
  return { ...found, why: useful.length < devices.length ? aloneWords(useful[0]!.id) : undefined }
}

const aloneWords = (id: string): string =>
  `uses ${id} alone: it holds the whole graph, and others would only wait for it; several partitions share the work all the same`

/** Of a matching by weights of a dataset without any; null for others, and for files. */
export function weightsRefusal({ options, size }: PlanRequest): PlanEstimate['refusal'] {
  const { dataset, weighted } = size
  if (weighted || orderOf(options, size).weights !== 'column' || dataset === undefined) return null
  return withGraph(dataset, (graph) => attempt(() => requireWeights(graph)).refusal)
}
