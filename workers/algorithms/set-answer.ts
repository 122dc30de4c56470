/**
 * The answer of every algorithm that makes a maximal independent set: lists and checkpoint before it, `--quality` after it (passes of swaps, or
 * a search: quality/), the result and the record, with the gain and the bound. Here is also what all of them refuse in the same words. A set
 * never shrinks by its quality, and an interrupted improvement resumes from the checkpoint of the set.
 */

import { createHash } from 'node:crypto'
import { usageFailure } from '../base/failure.ts'
import type { JobContext } from '../base/job.ts'
import { type PlannedOptions, type Priority, type RunArgs, priorities } from '../contract/jobs.ts'
import { orderName } from '../graph/set-order.ts'
import { degreeColumn } from '../graph/vertex-lists.ts'
import { type VertexSet, IN, OUT, setState, stateOf, stateWords } from '../graph/vertex-set.ts'
import { verifyIndependentSet } from '../verify/verify-independent-set.ts'
import { type Answer, type AnswerRecord, type Run, withBound } from './algorithm.ts'
import { Checkpoint, type Checkpointer } from './checkpoint.ts'
import { type Improvement, type SwapsSoFar, fillUp, improveSet } from './quality/improve-set.ts'
import type { CoolingsSoFar } from './quality/annealed-search.ts'
import type { SearchOutcome } from './quality/near-optimal.ts'
import type { SearchSoFar } from './quality/search-start.ts'
import { searchRoom } from './quality/in-memory-graph.ts'
import { budgetsOf } from './plan-request.ts'
import { type SearchQuality, parseSetQuality, searchQuality } from './quality/quality-option.ts'
import { OutOfTime, TimePlan } from './quality/time-plan.ts'
import {
  type RunLists,
  NO_LISTS,
  columnOfRanks,
  initialStates,
  namesLists,
  readLists,
  statesOfRanks,
  vertexWeights,
} from './run-lists.ts'

/** What comes after a search on one thread, as a part of the time in which one would load the graph: the set is written, and free vertices join. */
const LAST_PASSES = 0.25

/** The set that cools, and the best one of the kernel, are parts of their own. */
type SearchNotes = Omit<SearchSoFar, 'cooling'> & { readonly cooling?: CoolingsSoFar }

/** The states; once the set is maximal, also how far it is improved. */
type SetCheckpoint = Checkpoint<{ readonly swaps: SwapsSoFar } | { readonly search: SearchNotes } | null>

/** A maximal set, before it is improved. */
interface FoundSet extends Pick<Answer, 'workers'> {
  readonly set: VertexSet
  readonly lists: RunLists
  readonly checkpoint: SetCheckpoint | undefined
  /** Called once the set is improved. */
  record(set: VertexSet): AnswerRecord
}

/** Improves a set as the run asks. */
export async function setAnswer(run: Run, found: FoundSet, job: JobContext): Promise<Answer> {
  const { args, graph, labels } = run
  const { set, lists, checkpoint, workers } = found
  const weights = vertexWeights(args, lists, labels)
  const search = searchQuality(args)
  const searched = search && (await searchSet(run, found, weights, search, job))
  const swapped = search === undefined ? swapSet(run, found, job) : undefined
  return {
    bytes: set.bytes,
    workers,
    record: () => withWeight(withImprovement(found.record(set), args, swapped, searched), set, weights),
    verify: async () => {
      const verdict = await verifyIndependentSet(graph, labels(), set, lists.exclude, job)
      // With lists both bounds hold for sets that keep to them.
      if (weights === undefined) return withBound(verdict, searched?.bound)
      return { ...verdict, weight: set.weight(weights), upperBound: searched?.bound ?? null }
    },
    checkpoint,
  }
}

function swapSet({ args, graph }: Run, { set, lists, checkpoint }: FoundSet, job: JobContext): Improvement {
  const notes = checkpoint?.kept?.notes
  const from = notes && 'swaps' in notes ? notes.swaps : undefined
  // The states of the improved set: a run that resumes from them computes nothing.
  return improveSet(graph, set, parseSetQuality(args.quality), lists, job, from, (swaps) => {
    if (checkpoint?.isDue(true) === true) checkpoint.write([statesOf(set)], { swaps })
  })
}

async function searchSet(
  { args, graph, labels, device, waitedMs, openMs }: Run,
  { set, lists, checkpoint }: FoundSet,
  weights: Float64Array | undefined,
  asked: SearchQuality,
  job: JobContext,
): Promise<SearchOutcome> {
  const { vertices } = graph
  const notes = checkpoint?.kept?.notes
  const from = notes && 'search' in notes ? soFarOf(notes.search, checkpoint!.kept!.parts) : undefined
  const quality = new TimePlan({
    ...asked,
    waitedMs,
    lastPasses: LAST_PASSES,
    verifyPasses: args.verify ? 1 : 0,
    loadsAlone: false,
    size: graph,
    firstMs: device.facts.kind === 'cpu' ? waitedMs() - openMs : 0,
    isBegun: from !== undefined,
  })
  const { keep, exclude } = lists
  const states = new Uint8Array(vertices)
  if (keep !== undefined || exclude !== undefined) {
    const packed = initialStates(graph, labels(), keep, exclude)
    for (let v = 0; v < vertices; v++) states[v] = stateOf(packed, v)
  }
  const fits = searchRoom(vertices, args.memoryBytes)
  const [budgetBytes = 0] = budgetsOf([device.facts], args.memoryBytes)
  const gpu = device.facts.kind === 'gpu' ? { device, budgetBytes } : undefined
  const input = {
    set,
    states,
    weights,
    quality,
    seed: args.seed,
    fits,
    from,
    gpu,
    loading: (part: number) => quality.loading(part),
  }
  const checkpointer: Checkpointer<SearchSoFar> | undefined = checkpoint && {
    isDue: () => checkpoint.isDue(true),
    keep: ({ cooling, ...search }) => {
      if (cooling === undefined) return checkpoint.write([statesOf(set)], { search })
      const { members, best, ...coolings } = cooling
      checkpoint.write([statesOf(set), members, best], { search: { ...search, cooling: coolings } })
    },
  }
  const startMs = performance.now()
  // Most runs do not search.
  const { searchLargeSet } = await import('./quality/near-optimal.ts')
  try {
    const outcome = await searchLargeSet(graph, input, job, checkpointer)
    if (outcome.isMaximal) return outcome
    // Vertices that were decided in place of others may be free.
    const added = fillUp(graph, set, lists, job)
    return { ...outcome, gain: outcome.gain + (weights === undefined ? added : 0) }
  } catch (error) {
    if (error instanceof OutOfTime) return notSearched(set, weights, performance.now() - startMs, job)
    throw error
  }
}

/** The set as it is: there is not even time to load the graph. */
function notSearched(
  set: VertexSet,
  weights: Float64Array | undefined,
  elapsedMs: number,
  job: JobContext,
): SearchOutcome {
  job.log('loading the graph takes longer than the time limit leaves: the set was not searched')
  const size = weights === undefined ? set.size : set.weight(weights)
  const none = { steps: 0, elapsedMs, gain: 0, bound: undefined }
  return { before: size, sizes: [size], ...none, exact: false, isMaximal: true, kernelVertices: 0, kernelEdges: 0 }
}

function soFarOf({ cooling, ...search }: SearchNotes, [, members, best]: readonly Uint32Array[]): SearchSoFar {
  if (cooling === undefined || members === undefined || best === undefined) return search
  return { ...search, cooling: { ...cooling, members, best } }
}

function withWeight(record: AnswerRecord, set: VertexSet, weights: Float64Array | undefined): AnswerRecord {
  const { result, options } = record
  if (weights === undefined || result.kind !== 'independent-set') return record
  return {
    ...record,
    options: { ...options, weights: 'column' },
    result: { ...result, weight: set.weight(weights) },
  }
}

export function setResult(set: VertexSet): AnswerRecord['result'] {
  const { size, hash } = set.summary()
  return { kind: 'independent-set', size, fraction: set.vertices === 0 ? 0 : size / set.vertices, hash }
}

/** The options of every set in one pass. @throws Failure (usage) */
export function requireSetOptions(options: PlannedOptions): void {
  const { priority, columnFile, columnName } = options
  requireSetQuality(options)
  if (columnFile !== undefined && columnName !== undefined)
    throw usageFailure(undefined, 'priorities come from a file and from an attribute', '', [
      { action: 'omit', option: 'columnFile' },
      { action: 'omit', option: 'columnName' },
    ])
  requireColumn(requirePriority(priority), options)
  if (options.weights !== undefined) requireWeights(options)
}

/** @throws Failure (usage) */
function requireWeights({ priority, quality }: PlannedOptions): void {
  const where = 'weights column'
  if (priority !== 'column')
    throw usageFailure(
      where,
      `vertices weigh what the column of priorities says, and the priority is ${priority}`,
      'Name a file or an attribute, and the priority "column".',
    )
  if (parseSetQuality(quality).passes > 0)
    throw usageFailure(
      where,
      'passes of swaps count members, and do not weigh them',
      'Use the quality fast, better or best.',
    )
}

/** @throws Failure (usage) where the values of `column` are missing */
export function requireColumn(priority: string | undefined, { columnFile, columnName }: PlannedOptions): void {
  if (priority !== 'column' || (columnFile ?? columnName) !== undefined) return
  throw usageFailure(
    undefined,
    'priority "column" needs a value for every vertex',
    'Name a file of label,value lines.',
    [
      { action: 'choose', option: 'columnFile' },
      { action: 'choose', option: 'columnName' },
    ],
  )
}

/** @throws Failure (usage) */
export function requireSetQuality(options: PlannedOptions): void {
  parseSetQuality(options.quality)
  searchQuality(options)
}

/** The most passes: those asked for, and one that fills up. */
export function improvePasses(options: PlannedOptions): number {
  if (searchQuality(options) !== undefined) return 2
  const { passes } = parseSetQuality(options.quality)
  return passes === 0 ? 0 : passes + 1
}

/** @throws Failure (usage) for a heuristic of TC-MIS */
export function requirePriority(priority: PlannedOptions['priority']): Priority {
  const known = priorities.find((each) => each === priority)
  if (known !== undefined) return known
  throw usageFailure(undefined, `the order ${priority} belongs to tc-mis`, `Use one of ${priorities.join(', ')}.`)
}

/**
 * Lists of a set, and the states to start from, two bits a vertex: those of the last checkpoint, else of the lists; undefined: every vertex is
 * undecided. Other ranks have what the first one read. @param protocol that the states depend on
 */
export async function beginSet({ args, graph, labels, exchange }: Run, protocol = '') {
  const { vertices } = graph
  const priority = requirePriority(args.priority)
  const isRead = namesLists(args) && (exchange === undefined || exchange.rank === 0)
  const columns = { degree: degreeColumn(graph) }
  const read = isRead ? await readLists(args, { folder: args.folder, vertices, labels: labels(), columns }) : NO_LISTS
  const column = priority === 'column' ? await columnOfRanks(exchange, read.column) : undefined
  const lists: RunLists = { ...read, column }
  const { keep, exclude } = lists
  const order = protocol + orderName({ priority, seed: args.seed, column }) + listsName(lists)
  const checkpoint: SetCheckpoint | undefined = Checkpoint.of(args, { order, vertices })
  const kept = checkpoint?.start()?.parts[0]
  const isFree = keep === undefined && exclude === undefined
  const own = kept ?? (isFree ? undefined : initialStates(graph, labels(), keep, exclude))
  return { lists, checkpoint, initial: await statesOfRanks(exchange, own) }
}

/** @param passEnds whether it is asked between passes. Where only swaps are left, their checkpoint says more. */
export function setCheckpointer(checkpoint: SetCheckpoint, passEnds: boolean): Checkpointer<Uint32Array> {
  return {
    isDue: () => checkpoint.isDue(passEnds) && !checkpoint.kept?.notes,
    keep: (states) => checkpoint.write([states], null),
  }
}

/** A digest of the lists, for a checkpoint's identity. */
function listsName({ keep, exclude }: RunLists): string {
  if (keep === undefined && exclude === undefined) return ''
  const digest = createHash('sha256')
  for (const list of [keep, exclude])
    digest.update(list === undefined ? 'none' : 'list').update(list?.bytes ?? new Uint8Array(0))
  return `-lists-${digest.digest('hex').slice(0, 16)}`
}

function statesOf(set: VertexSet): Uint32Array {
  const states = new Uint32Array(stateWords(set.vertices))
  for (let v = 0; v < set.vertices; v++) setState(states, v, set.has(v) ? IN : OUT)
  return states
}

function withImprovement(
  record: AnswerRecord,
  { quality, searchSeconds, searchSteps, weights }: RunArgs,
  swapped: Improvement | undefined,
  searched: SearchOutcome | undefined,
): AnswerRecord {
  if (searched !== undefined) {
    const { steps, sizes, elapsedMs, gain, bound, exact, kernelVertices, kernelEdges } = searched
    const limits = quality === 'best' ? { searchSeconds: searchSeconds ?? null, searchSteps: searchSteps ?? null } : {}
    const kernel = exact ? { kernelVertices, kernelEdges } : {}
    const figures = { ...kernel, searchSteps: steps, searchGain: gain, searchMs: elapsedMs }
    const unit = weights === 'column' ? 'weight' : 'vertices'
    return {
      ...record,
      options: { ...record.options, quality: quality!, ...limits },
      counters: { ...record.counters, ...figures, ...(bound === undefined ? {} : { setBound: bound }) },
      series: [...record.series, { name: 'searchSize', of: 'pass', unit, values: sizes }],
    }
  }
  if (quality === undefined || swapped === undefined) return record
  const { gains, elapsedMs } = swapped
  const gained = gains.reduce((sum, gain) => sum + gain, 0)
  return {
    ...record,
    options: { ...record.options, quality },
    counters: { ...record.counters, swapPasses: gains.length, swapGain: gained, swapMs: elapsedMs },
    series: [...record.series, { name: 'swapGain', unit: 'vertices', values: gains }],
  }
}
