/**
 * How a search for a large or heavy set starts: the graph is loaded as far as it fits (in-memory-graph.ts), reduced (reduction.ts,
 * reduced-graph.ts), and the largest of several starts is taken, by minimum degrees (greedy-set.ts) and by peeling (set-bounds.ts), with the
 * least bound; each has its share of the time left. A search that was interrupted starts where it was. near-optimal.ts runs what is begun here.
 */

import { Failure, MORE_MEMORY } from '../../base/failure.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import { bitWords, bytesOf } from '../../base/words.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import { type VertexSet, IN } from '../../graph/vertex-set.ts'
import type { AnnealingTime, KeptCooling } from './annealed-search.ts'
import { joinFree, packMembers, unpackMembers } from './annealing.ts'
import { type AnnealingDevice, sweepsOf } from './device-annealing.ts'
import { weightedGreedySet, minDegreeSet } from './greedy-set.ts'
import { reduceWeighted, type ReducedGraph, unreducedGraph } from './reduced-graph.ts'
import { WeightedSearches } from './weighted-searches.ts'
import {
  type Adjacency,
  type Fits,
  type Loading,
  type ResidualGraph,
  loadOpenGraph,
  residualGraph,
} from './in-memory-graph.ts'
import type { SearchQuality } from './quality-option.ts'
import { Reduction, isReducible } from './reduction.ts'
import { SetSearch } from './set-search.ts'
import { type PeeledSet, cliqueCover, peeledSet, relaxation, smallCliqueCover } from './set-bounds.ts'
import { OutOfTime } from './time-plan.ts'

/** The most steps of "better". */
const BETTER_STEPS = 1 << 20
/** The share of the time left that peeling and each bound may take: on large graphs steps are worth more. */
const SHARE_OF_TIME = 1 / 32
/** The share of the time left that minimum degrees may take. */
const GREEDY_SHARE = 1 / 8
const GREEDY_ARCS_PER_MS = 12_000
/** The share of the time left that reductions may take, once there is time to make a reduced graph of all arcs. */
const REDUCTIONS_SHARE = 3 / 4
const LISTED_ARCS_PER_MS = 50_000
/** Vertices of a graph whose cover by cliques is made again and again, at most. */
const MOST_COVERED = 1 << 14
/** The share of a graph's vertices that a reduced graph may have: minimum degrees of a larger one say little else than those of the graph. */
const LARGE_REST = 15 / 16

/** How far a search has come; with the best set, all that the rest of it follows from. For a heavy set weights stand in place of members. */
export interface SearchSoFar {
  /** Members before the first attempt. */
  readonly before: number
  readonly steps: number
  /** Sizes of the best set after each epoch. */
  readonly sizes: readonly number[]
  readonly elapsedMs: number
  /** The best bound of all attempts: no set has more members. */
  readonly bound?: number | undefined
  /** The cooling of a search for a large set. */
  readonly cooling?: KeptCooling | undefined
}

export interface SearchInput {
  /** A maximal set, which is replaced by a larger one. */
  readonly set: VertexSet
  /** One byte a vertex: in or out where lists of the user's decide. */
  readonly states: Uint8Array
  /** Weights of the vertices, none negative: the set is to be heavy; undefined: it is to be large. */
  readonly weights?: Float64Array | undefined
  readonly quality: SearchQuality
  readonly seed: number
  readonly fits: Fits
  /** The GPU, if it may search, too. */
  readonly gpu?: AnnealingDevice | undefined
  /** The place where another attempt left the set. */
  readonly from: SearchSoFar | undefined
  readonly loading?: Loading
}

/** What a search begins from. */
interface SearchStart {
  /** Members before the first attempt. */
  readonly before: number
  /** No set has more members; undefined where vertices were decided without proof, or there was no time. */
  readonly bound: number | undefined
  /** Whether all that is not in the reduced graph was decided with proof. */
  readonly exact: boolean
  /** Whether the reduced graph is the graph. */
  readonly isWhole: boolean
  /** The lists of the reduced graph. */
  readonly adjacency: Adjacency
  readonly search: Pick<SetSearch, 'best' | 'epochSteps'> & {
    run(...call: Parameters<SetSearch['run']>): Promise<number> | number
    kept?(): Promise<Omit<KeptCooling, 'best'>>
    writeBest?(members: Uint8Array): void
    end?(): void
  }
  /** Members of the reduced graph to begin with, one byte a vertex. */
  readonly members: Uint8Array
  /** Size or weight of members of the reduced graph. */
  readonly valueOf: (members: Uint8Array) => number
  /** Size or weight of the members besides. */
  readonly fixed: number
  /** Size or weight of the set that is there before the search. */
  readonly least: number
  /** Makes the set the one that follows from a set of the reduced graph. */
  readonly expand: (members: Uint8Array) => void
}

/** Steps of a search; one a vertex for "better". */
export const stepsOf = ({ steps }: SearchQuality, vertices: number): number => steps ?? Math.min(BETTER_STEPS, vertices)

/** @param elapsedMs of the search so far */
function annealingTime(quality: SearchQuality, vertices: number, elapsedMs: () => number): AnnealingTime {
  const begunMs = elapsedMs()
  const { limitMs } = quality
  const steps = stepsOf(quality, vertices)
  const share = (): number => Math.min(1, (elapsedMs() - begunMs) / Math.max(1, limitMs - begunMs))
  const leftMs = (): number => Math.max(0, quality.limitMs - elapsedMs())
  return { steps, leftMs, share: steps < Infinity ? () => 0 : share }
}

export async function startSearch(
  graph: GaloisGr,
  input: SearchInput,
  job: JobContext,
  elapsedMs: () => number,
): Promise<SearchStart> {
  const { set, states, quality, from } = input
  const pause = (): void => throwIfCancelled(job.signal)
  const leftOf = (): number => Math.max(0, quality.limitMs - elapsedMs())
  const startMs = performance.now()
  const part = residualGraph(graph, states, input.fits, job, input.loading)
  const msAnArc = (performance.now() - startMs) / Math.max(1, graph.arcs)
  const { ids, exact } = part
  const { reduced, isLarge, isQuick, ...begun } = reduceGraph(graph, input, part, leftOf, job)
  const { adjacency } = reduced
  const fixed = begun.decided + reduced.gain
  // Not a set of the reduced graph where paths of degree two became edges.
  const members = membersOf(reduced.ids, { ids }, set)
  const isWhole = adjacency.vertices === graph.vertices
  const isKept = isWhole || isIndependent(adjacency, members)
  const leftMs = leftOf()
  // Peeling and the bounds of a reduced graph as large as the graph would take longer still; each of them looks at all vertices before the clock.
  const isTried = (isQuick || !isLarge) && SHARE_OF_TIME * leftMs > (msAnArc * adjacency.targets.length) / 2
  const limits = { greedyMs: GREEDY_SHARE * leftMs, partMs: isTried ? SHARE_OF_TIME * leftMs : 0 }
  const found = startingSet(reduced, { members, isKept, isLarge }, pause, limits)
  const cooling = keptCooling(adjacency, from)
  const sweeps = await sweepsOf(adjacency, input.gpu)
  const before = cooling === undefined ? isKept && members : unpackMembers(cooling.best, adjacency.vertices)
  return {
    ...{ adjacency, valueOf: count, fixed },
    search: new SetSearch(adjacency, sweeps, annealingTime(quality, adjacency.vertices, elapsedMs), cooling),
    ...{ before: begun.before, least: begun.least, members: (from && before) || found.members },
    ...{ isWhole, exact, bound: exact && found.bound < Infinity ? fixed + found.bound : undefined },
    expand: (members) => replaceSet(set, states, { ids }, reduced.expand(members)),
  }
}

/** The members of a set among some vertices of what is left; one byte each. */
function membersOf(some: Uint32Array, { ids }: Pick<ResidualGraph, 'ids'>, set: VertexSet): Uint8Array {
  if (some.length === set.vertices) return unpackMembers(packedSet(set), some.length)
  const members = new Uint8Array(some.length)
  for (let i = 0; i < some.length; i++) members[i] = set.has(ids?.[some[i]!] ?? some[i]!) ? 1 : 0
  return members
}

function packedSet({ vertices, bytes }: VertexSet): Uint32Array {
  const bits = new Uint32Array(bitWords(vertices))
  bytesOf(bits).set(bytes)
  return bits
}

/** Makes a set the one of what was decided before, and of members of what is left. */
function replaceSet(
  set: VertexSet,
  states: Uint8Array,
  { ids }: Pick<ResidualGraph, 'ids'>,
  members: Uint8Array,
): void {
  // All vertices are in memory.
  if (ids === undefined) return set.bytes.set(bytesOf(packMembers(members)).subarray(0, set.bytes.length))
  set.bytes.fill(0)
  for (let v = 0; v < states.length; v++) if (states[v] === IN) set.add(v)
  for (let i = 0; i < members.length; i++) if (members[i] === 1) set.add(ids[i]!)
}

/** The cooling that an attempt kept, unless reductions that end by time left another reduced graph. */
function keptCooling(adjacency: Adjacency, from: SearchSoFar | undefined): KeptCooling | undefined {
  const cooling = from?.cooling
  if (cooling?.members.length !== bitWords(adjacency.vertices)) return undefined
  const sets = [cooling.members, cooling.best].map((bits) => unpackMembers(bits, adjacency.vertices))
  return sets.every((members) => isIndependent(adjacency, members)) ? cooling : undefined
}

/** A set by minimum degrees, and what reductions leave to search. The reduced graph takes the place of the lists. */
function reduceGraph(
  graph: GaloisGr,
  { set, states, from }: SearchInput,
  { adjacency, ids }: ResidualGraph,
  leftOf: () => number,
  job: JobContext,
) {
  const pause = (): void => throwIfCancelled(job.signal)
  const before = set.size
  const decided = ids === undefined ? 0 : states.reduce((sum, state) => sum + (state === IN ? 1 : 0), 0)
  job.progress({ phase: 'reduce', done: 0, total: graph.vertices, unit: 'vertices' })
  // Where these take long, search makes more of the time.
  const greedyMs = GREEDY_SHARE * leftOf()
  const isTried = adjacency.targets.length < GREEDY_ARCS_PER_MS * greedyMs
  const greedy = isTried ? inTime(greedyMs, pause, (end) => minDegreeSet(adjacency, end)) : undefined
  const least = Math.max(before, greedy === undefined ? 0 : decided + count(greedy))
  // A resumed search continues with the set that is there.
  if (greedy !== undefined && from === undefined && least === decided + count(greedy))
    replaceSet(set, states, { ids }, greedy)
  const listingMs = adjacency.targets.length / LISTED_ARCS_PER_MS
  const reduced = reduceInTime(adjacency, REDUCTIONS_SHARE * (leftOf() - listingMs), pause)
  const isLarge = reduced.ids.length > LARGE_REST * adjacency.vertices
  return { before, decided, least, reduced, isLarge, isQuick: greedy !== undefined }
}

/**
 * As for a largest set, but for the weight in place of the number of members; with all lists in memory, as a pass over the graph decides no vertex
 * by its degree. @throws Failure (usage) where they do not fit
 */
export function startWeightedSearch(
  graph: GaloisGr,
  { set, states, quality, fits, from, loading }: SearchInput,
  weights: Float64Array,
  job: JobContext,
): SearchStart {
  if (!fits(graph.vertices, graph.arcs))
    throw new Failure({
      code: 'usage',
      where: 'weights column',
      what: 'a search for a heavy set holds all lists of the graph, and they do not fit',
      remedy: '',
      fixes: [MORE_MEMORY],
    })
  const pause = (): void => throwIfCancelled(job.signal)
  const before = set.weight(weights)
  const startMs = performance.now()
  const part = loadOpenGraph(graph, states, job, loading)
  const ids = part.ids ?? Uint32Array.from(states.keys())
  const decided = states.reduce((sum, state, v) => (state === IN ? sum + weights[v]! : sum), 0)
  job.progress({ phase: 'reduce', done: 0, total: graph.vertices, unit: 'vertices' })
  const leftMs = Math.max(0, quality.limitMs - (from?.elapsedMs ?? 0) - (performance.now() - startMs))
  const open = Float64Array.from(ids, (v) => weights[v]!)
  const greedySet = (lists: Adjacency, own: Float64Array): Uint8Array =>
    weightedGreedySet(lists, own, endOf(GREEDY_SHARE * leftMs, pause))
  const greedy = greedySet(part.adjacency, open)
  const least = Math.max(before, decided + weightOf(greedy, open))
  if (from === undefined && least > before) replaceSet(set, states, part, greedy)
  const reduced = reduceWeighted(part.adjacency, open, endOf(REDUCTIONS_SHARE * leftMs, pause))
  const { adjacency } = reduced
  const fixed = decided + reduced.gain
  const bound = inTime(SHARE_OF_TIME * leftMs, pause, (end) => cliqueCover(adjacency, end, reduced.weights).bound)
  return {
    adjacency,
    search: new WeightedSearches(adjacency, reduced.weights, quality),
    members: from === undefined ? greedySet(adjacency, reduced.weights) : membersOf(reduced.ids, part, set),
    valueOf: (members) => weightOf(members, reduced.weights),
    before,
    fixed,
    least,
    ...{ isWhole: false, exact: true, bound: bound === undefined ? undefined : fixed + bound },
    expand: (members) => replaceSet(set, states, part, reduced.expand(members)),
  }
}

const weightOf = (members: Uint8Array, weights: Float64Array): number =>
  members.reduce((sum, bit, v) => (bit === 1 ? sum + weights[v]! : sum), 0)

function reduceInTime(adjacency: Adjacency, limitMs: number, pause: () => void): ReducedGraph {
  if (limitMs <= 0 || !isReducible(adjacency)) return unreducedGraph(adjacency)
  const end = endOf(limitMs, pause)
  const reduction = new Reduction(adjacency)
  reduction.run(end)
  return reduction.reduced()
}

/**
 * The largest one of several ways, and the least bound; of what is done in the time. Infinity: none was.
 * @param members that are there; kept: they are independent @param limits of the time: for minimum degrees; for peeling and for each bound, 0 to leave them out
 */
function startingSet(
  { adjacency }: ReducedGraph,
  { members, isKept, isLarge }: { readonly members: Uint8Array; readonly isKept: boolean; readonly isLarge: boolean },
  pause: () => void,
  { greedyMs, partMs }: { readonly greedyMs: number; readonly partMs: number },
): PeeledSet {
  const greedy = isKept && isLarge ? members : inTime(greedyMs, pause, (end) => minDegreeSet(adjacency, end))
  const part = <T>(work: (pauseOrEnd: () => void) => T): T | undefined =>
    partMs > 0 ? inTime(partMs, pause, work) : undefined
  const peeled = part((end) => peeledSet(adjacency, end))
  const cover = adjacency.vertices > MOST_COVERED ? cliqueCover : smallCliqueCover
  const covered = part((end) => cover(adjacency, end).bound)
  const bounds = [peeled?.bound, covered, part((end) => relaxation(adjacency, end))]
  const sets = [greedy, peeled?.members, isKept ? members : undefined].filter((set) => set !== undefined)
  // Without time those of the members that are independent are better than none.
  if (sets.length === 0) sets.push(completedSet(adjacency, members))
  const sizes = sets.map(count)
  return {
    members: sets[sizes.indexOf(Math.max(...sizes))]!,
    bound: Math.min(...bounds.map((bound) => bound ?? Infinity)),
  }
}

/** What calls `pause`, and is true after so many milliseconds from now. */
function endOf(limitMs: number, pause: () => void): () => boolean {
  const endMs = performance.now() + limitMs
  return () => {
    pause()
    return performance.now() > endMs
  }
}

/** Undefined where it takes longer. */
function inTime<T>(limitMs: number, pause: () => void, work: (pause: () => void) => T): T | undefined {
  const isOver = endOf(limitMs, pause)
  try {
    return work(() => {
      if (isOver()) throw new OutOfTime()
    })
  } catch (error) {
    if (error instanceof OutOfTime) return undefined
    throw error
  }
}

/** Members no two of which are neighbours, the lowest first, and then what may join. */
function completedSet(adjacency: Adjacency, members: Uint8Array): Uint8Array {
  const set = new Uint32Array(bitWords(members.length))
  joinFree(adjacency, set, packMembers(members))
  joinFree(adjacency, set)
  return unpackMembers(set, members.length)
}

function isIndependent({ vertices, starts, targets }: Adjacency, members: Uint8Array): boolean {
  for (let v = 0; v < vertices; v++) {
    if (members[v] === 0) continue
    for (let i = starts[v]!; i < starts[v + 1]!; i++) if (members[targets[i]!] === 1) return false
  }
  return true
}

function count(members: Uint8Array): number {
  let size = 0
  for (let i = 0; i < members.length; i++) size += members[i]!
  return size
}
