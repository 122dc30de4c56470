import { Failure } from '../../failure.ts'
import { limitsOf } from '../../device/device-memory.ts'
import type { Batch, BatchLimits } from '../../graph/batches.ts'
import { batchBytes, planBatches } from '../../graph/batches.ts'
import { HEAD_WIDTH } from '../../graph/oriented-view.ts'
import type { PreparedView } from '../../graph/prepare-view.ts'
import { VERTICES_PER_WORD } from '../../graph/vertex-states.ts'
import { viewBytes } from '../../graph/view-file.ts'
import type { WeightOrderedKind } from '../../graph/weight-ordered-view.ts'
import type { DeviceFacts, RunArgs, RunPlan } from '../../jobs.ts'
import { sizeInWords } from '../plan-refusal.ts'
import { commonBudget, launchLimit } from '../plan-run.ts'
import { HEADS_CHUNK } from './from-disk/heads-queue.ts'
import { MOST_WORK, listWork } from './list-work.ts'
import { layOut, workspaceBytes } from './workspace.ts'

/**
 * Where the entries of the lists are while a matching is made: on the devices; the first two of each there and the others on disk; or all on
 * disk. See Entries.
 */
export const residences = ['whole', 'heads', 'none'] as const
export type Residence = (typeof residences)[number]

/** What the entries may be kept as on these devices; on a processor, as many threads as there are go on with the heads at once. */
const residencesOn = (workers: readonly string[]): readonly Residence[] =>
  workers.some((id) => id.startsWith('cpu:')) ? ['whole', 'none'] : residences

/** The view that is made for it. */
export const viewKindOf = (residence: Residence): WeightOrderedKind =>
  residence === 'whole' ? 'weight-ordered' : 'weight-levels'

export interface MatchPlan {
  readonly plan: RunPlan
  /** The batches of each worker, one after another in the order of the vertices. */
  readonly shares: readonly (readonly Batch[])[]
  readonly residence: Residence
}

/**
 * Cuts the vertices into contiguous shares of about equal entries, one a worker (LD-GPU, SC 2024, section III-A), and these into batches
 * (section III-B); and chooses where the entries lie: all on the device, or what the budget allows beside the state of the vertices.
 * @param devices of each worker, the leading one first
 * @throws Failure (usage) where not even that state fits
 */
export function planMatch(
  args: Pick<RunArgs, 'batches' | 'memoryBytes'>,
  { vertices, arcs }: { readonly vertices: number; readonly arcs: number },
  { tailOffsets }: PreparedView,
  devices: readonly DeviceFacts[],
): MatchPlan {
  const { maxBufferBytes } = limitsOf(devices[0]!)
  const workers = devices.map(({ id }) => id)
  const wanted = Math.max(args.batches ?? 1, workers.length)
  const maxBatchBytes = launchLimit(workers)
  const limits = { batches: wanted, maxBufferBytes, maxBatchBytes, mostBatchBytes: Infinity }
  const budget = commonBudget(devices, args.memoryBytes)
  const { batches, shares, residence } = chooseShares(tailOffsets, limits, workers, budget)
  const needed = (where: Residence): number => Math.max(...shares.map((own) => shareBytes(vertices, own, where)))
  if (residence === undefined) throw tooSmall(vertices, needed('none'), budget)
  const plan: RunPlan = {
    vertices,
    arcs,
    batches: batches.length,
    hostBytes: hostBytes(vertices, residence),
    deviceBytes: needed(residence),
    viewBytes: viewBytes(vertices, tailOffsets[vertices]!, viewKindOf(residence)),
  }
  return { plan, shares, residence }
}

interface Shared {
  readonly batches: readonly Batch[]
  readonly shares: readonly (readonly Batch[])[]
  readonly residence: Residence | undefined
}

/**
 * Shares of equal entries where the devices hold them; else shares of equal work for the hosts, which read a few entries of each vertex that
 * has any past its heads, however many these are.
 */
function chooseShares(
  tailOffsets: Uint32Array,
  limits: BatchLimits,
  workers: readonly string[],
  budget: number,
): Shared {
  const vertices = tailOffsets.length - 1
  const possible = residencesOn(workers)
  const shared = (weights: Uint32Array, among: readonly Residence[]): Shared => {
    const batches = planBatches(weights, limits)
    const shares = sharesOf(batches, workers.length)
    return { batches, shares, residence: residenceFor(vertices, shares, budget, among) }
  }
  const byEntries = shared(tailOffsets, possible)
  if (workers.length === 1 || byEntries.residence === 'whole') return byEntries
  // Whole batches are counted by work here: their entries may be more than these figures say.
  const onDisk = possible.filter((each) => each !== 'whole')
  const byWork = shared(hostWork(tailOffsets), onDisk)
  return byWork.residence === undefined ? byEntries : byWork
}

/** Sums of what the vertices cost a host, in the place of offsets. */
function hostWork(tailOffsets: Uint32Array): Uint32Array {
  const vertices = tailOffsets.length - 1
  const most = Math.min(MOST_WORK, Math.floor((2 ** 32 - 1) / (2 * Math.max(1, vertices))))
  const work = new Uint32Array(vertices + 1)
  for (let v = 0; v < vertices; v++) {
    work[v + 1] = work[v]! + listWork((tailOffsets[v + 1]! - tailOffsets[v]!) >>> 0, most)
  }
  return work
}

/** Consecutive batches for each worker, about as many for each. */
export function sharesOf(batches: readonly Batch[], workers: number): Batch[][] {
  const bound = (worker: number): number => Math.round((worker * batches.length) / workers)
  return Array.from({ length: workers }, (_, worker) => batches.slice(bound(worker), bound(worker + 1)))
}

/** What workers of equal shares need on a device, where a view has that many entries behind its heads, or less. */
export function boundOf(
  vertices: number,
  tailEntries: number,
  workers: readonly string[],
  budget: number,
  wanted = 1,
): { readonly residence: Residence | undefined; readonly deviceBytes: number } {
  const share = equalShare(vertices, tailEntries, workers.length, wanted)
  const residence = residenceFor(vertices, [share], budget, residencesOn(workers))
  return { residence, deviceBytes: shareBytes(vertices, share, residence ?? 'none') }
}

/** The batches of one worker if all vertices had equally many entries. */
function equalShare(vertices: number, tailEntries: number, workers: number, wanted: number): Batch[] {
  const count = Math.ceil(vertices / workers)
  const each = Math.max(VERTICES_PER_WORD, Math.ceil(count / Math.ceil(wanted / workers)))
  const tails = Math.ceil(tailEntries / workers)
  const batches: Batch[] = []
  for (let first = 0; first < count; first += each) {
    const tailFirst = Math.floor((tails * first) / count)
    const tailEnd = Math.floor((tails * Math.min(count, first + each)) / count)
    const size = { count: Math.min(each, count - first), tailFirst, tailCount: tailEnd - tailFirst }
    batches.push({ index: batches.length, first, ...size })
  }
  return batches
}

/** The first place for the entries that fits the budget of every worker; undefined where none does. */
function residenceFor(
  vertices: number,
  shares: readonly (readonly Batch[])[],
  budget: number,
  among: readonly Residence[],
): Residence | undefined {
  return among.find((each) => shares.every((own) => shareBytes(vertices, own, each) <= budget))
}

/** Bytes that a worker needs on its device. */
export function shareBytes(vertices: number, own: readonly Batch[], residence: Residence): number {
  const state = workspaceBytes(layOut(vertices, own, residence))
  return state + entriesBytes(own, residence)
}

function entriesBytes(own: readonly Batch[], residence: Residence): number {
  const headBytes = 4 * HEAD_WIDTH * own.reduce((sum, { count }) => sum + count, 0)
  switch (residence) {
    case 'whole':
      return own.reduce((sum, batch) => sum + batchBytes(batch), 0)
    case 'heads':
      return headBytes
    case 'none':
      return Math.min(headBytes, 4 * HEAD_WIDTH * HEADS_CHUNK)
  }
}

/** Words of a vertex on the hosts: pointers, and these once more with a cursor for a checkpoint. */
const WORDS_IN_MEMORY = 2
/** Where they go on from disk: pointers, stamps, second entries, a cursor for a checkpoint and a byte; and what is open, of which 4.5 words were seen. */
const WORDS_FROM_DISK = 9

/** Tail offsets, and what the hosts keep of every vertex. */
export const hostBytes = (vertices: number, residence: Residence): number =>
  4 * (vertices + 1) + 4 * vertices * (residence === 'whole' ? WORDS_IN_MEMORY : WORDS_FROM_DISK)

export function tooSmall(vertices: number, needed: number, budget: number): Failure {
  return new Failure({
    code: 'usage',
    what: `the state of ${vertices} vertices takes ${sizeInWords(needed)} of the device's memory, and ${sizeInWords(budget)} may be used`,
    remedy: 'Give the device more --memory, or use another.',
  })
}
