/**
 * The plan of MG-MIS under its paper's exchange: lists of equal ranges on each device, in batches where memory is short, with send and receive
 * buffers of a quarter of the memory unless said otherwise, and states of the own range. Every kernel has to see all send buffers. Twice, from
 * sizes alone and from the lists, as plan-arcs.ts. compute-status.ts allocates what is planned here.
 */

import { deviceFailure, usageFailure } from '../../../base/failure.ts'
import type { RunArgs } from '../../../contract/jobs.ts'
import {
  limitsOf,
  allocateBuffers,
  type Buffers,
  type Device,
  type DeviceLimits,
  fillWords,
} from '../../../device/device.ts'
import type { GaloisGr } from '../../../graph/galois-gr.ts'
import { budgetsOf, runHostBytes, type PlanEstimate, type PlanRequest, attempt } from '../../plan-request.ts'
import { type ArcsPlan, estimateArcs, planArcsExactly, planRangeArcs } from '../../plan-arcs.ts'
import { defaultBufferWords, EqualRanges, type PaperShared, type OwnRange } from './paper-shared.ts'
import { VERTICES_PER_WORD, stateWords } from '../../../graph/vertex-set.ts'

/** The share of a device's memory that send and receive buffers take by default. */
const BUFFER_SHARE = 1 / 4
/** A query is two words. */
const LEAST_BUFFER_WORDS = 2

type Asked = Pick<RunArgs, 'batches' | 'bufferWords' | 'priority'>

/** Words of a buffer: as asked for, else what suits the graph and the memory. @throws Failure (usage) when less than 2 */
function bufferWordsOf(asked: number | undefined, vertices: number, budgets: readonly number[]): number {
  const workers = budgets.length
  if (asked === undefined) {
    const room = Math.floor((BUFFER_SHARE * Math.min(...budgets)) / (4 * 2 * workers))
    return Math.max(LEAST_BUFFER_WORDS, Math.min(defaultBufferWords(vertices, workers), room))
  }
  if (asked >= LEAST_BUFFER_WORDS && workers ** 2 * asked < 2 ** 30) return asked
  const remedy = `Use ${LEAST_BUFFER_WORDS} words or more, and ${2 ** 30} in all at most.`
  throw usageFailure(undefined, `${workers ** 2} buffers of ${asked} words cannot be used`, remedy)
}

/** Priorities that are no hash of the id are stored on every device (section 3.1). */
export const isRanked = ({ priority }: Pick<RunArgs, 'priority'>): boolean => priority !== 'hash'

const words = {
  holds: 'states, priorities and buffers take',
  fixes: [
    { action: 'lower', option: 'bufferWords' },
    { action: 'set', option: 'exchange', to: 'replicated' },
  ],
} as const

/** What a worker holds beside its lists. */
export function paperNeeds(worker: number, sizes: Omit<PaperSizes, 'places'>) {
  const { places } = new EqualRanges(sizes.vertices, sizes.workers).of(worker)
  return { spaceBytes: paperWorkspaceBytes({ ...sizes, places }), words }
}

/** @throws Failure (device) where a kernel does not see all buffers */
function needsOf(asked: Asked, devices: readonly DeviceLimits[], vertices: number, bufferWords: number) {
  const workers = devices.length
  const batches = Math.ceil((asked.batches ?? 1) / workers)
  const sizes = { vertices, workers, bufferWords, ranked: isRanked(asked), batches }
  const ranges = new EqualRanges(vertices, workers)
  return (worker: number) => {
    requireKernelsSee(devices[worker]!, ranges.of(worker).places, workers * bufferWords)
    return { batches, ...paperNeeds(worker, sizes) }
  }
}

interface PaperPlan {
  readonly bufferWords: number
  /** The plan of each worker. */
  readonly parts: readonly ArcsPlan[]
}

/** @param budgets of the workers @throws Failure (usage), (device) */
export function planPaper(
  asked: Asked,
  graph: GaloisGr,
  devices: readonly DeviceLimits[],
  budgets: readonly number[],
): PaperPlan {
  const { vertices } = graph
  const bufferWords = bufferWordsOf(asked.bufferWords, vertices, budgets)
  const { bounds } = new EqualRanges(vertices, devices.length)
  const needs = needsOf(asked, devices, vertices, bufferWords)
  return { bufferWords, parts: planRangeArcs(graph, bounds, devices, budgets, needs) }
}

/** The result, and a buffer for each two workers. */
export const paperHostBytes = (vertices: number, workers: number, bufferWords: number): number =>
  runHostBytes(vertices) + 4 * bufferWords * workers ** 2

/** The estimate from the sizes of the graph alone, as if all lists were equally long. */
export function estimatePaper(request: PlanRequest): PlanEstimate {
  const { options, size, devices } = request
  const { vertices } = size
  const limits = devices.map(limitsOf)
  const budgets = budgetsOf(devices, options.memoryBytes)
  const asked = attempt(() => bufferWordsOf(options.bufferWords, vertices, budgets))
  const bufferWords = asked.plan ?? bufferWordsOf(undefined, vertices, budgets)
  const needs = needsOf(options, limits, vertices, bufferWords)
  const own = Math.ceil(vertices / devices.length)
  const tried = attempt(() => devices.map((_, worker) => ({ vertices: own, ...needs(worker) })))
  const hostBytes = paperHostBytes(vertices, devices.length, bufferWords)
  const found = estimateArcs(request, tried.plan ?? [], { hostBytes, resultBytes: Math.ceil(vertices / 8) })
  return { ...found, refusal: asked.refusal ?? tried.refusal ?? found.refusal }
}

/** The estimate from the lists, as the run plans; undefined for a file, and for very many lists. */
export function planPaperExactly(request: PlanRequest): PlanEstimate | undefined {
  const { options, size, devices } = request
  const { vertices } = size
  return planArcsExactly(request, estimatePaper(request), (graph, budgets) => {
    const { bufferWords, parts } = planPaper(options, graph, devices.map(limitsOf), budgets)
    const hostBytes = paperHostBytes(vertices, devices.length, bufferWords)
    return { parts, hostBytes, resultBytes: Math.ceil(vertices / 8) }
  })
}

interface PaperSizes {
  /** Places of a worker. */
  readonly places: number
  readonly workers: number
  readonly bufferWords: number
  readonly ranked: boolean
  readonly vertices: number
  /** Batches of a worker. */
  readonly batches: number
}

/** What a worker keeps on its device beside the arcs. */
export type PaperWorkspace = Buffers<keyof ReturnType<typeof workspaceWords> | 'ranks'>

/** `send`: one buffer for each worker, side by side; `counters`: see mg-round.wgsl. */
const workspaceWords = ({ places, workers, bufferWords, batches }: Omit<PaperSizes, 'ranked' | 'vertices'>) => ({
  states: stateWords(places),
  remoteNbrIndex: places,
  send: workers * bufferWords,
  received: workers * bufferWords,
  counters: 2 * workers + 2 * batches,
})

function paperWorkspaceBytes({ ranked, vertices, ...sizes }: PaperSizes): number {
  const words = Object.values(workspaceWords(sizes)).reduce((sum, each) => sum + each, ranked ? vertices : 1)
  return 4 * words
}

export async function allocatePaperWorkspace(
  device: Device,
  { places, low, origin }: OwnRange,
  { workers, bufferWords, states: initial, ranks }: PaperShared,
  batches: number,
): Promise<PaperWorkspace> {
  const buffers = await allocateBuffers(device, workspaceWords({ places, workers, bufferWords, batches }))
  // Where priorities are hashes of ids: a word that is not read.
  const space = { ...buffers, ranks: await device.share('ranks', ranks ?? new Uint32Array(1)) }
  const firstWord = origin / VERTICES_PER_WORD
  const own = initial.slice(firstWord, firstWord + Math.max(1, stateWords(places)))
  // The places before the first own vertex belong to others.
  if (low > origin) own[0]! &= -(1 << (2 * (low - origin)))
  await fillWords(device, space.states, own)
  device.clear(space.remoteNbrIndex, 0, space.remoteNbrIndex.words)
  return space
}

/** @throws Failure (device) for more places, or words of all send buffers together, than a kernel sees */
function requireKernelsSee({ facts, maxBufferBytes }: DeviceLimits, places: number, sendWords: number): void {
  if (4 * Math.max(sendWords, places) <= maxBufferBytes) return
  const what = `send buffers of ${4 * sendWords} bytes are more than a kernel of this device can see`
  throw deviceFailure(facts.id, what, '', [
    { action: 'lower', option: 'bufferWords' },
    { action: 'raise', option: 'partitions' },
  ])
}
