/**
 * Graphs in the host's memory, for searches: as much of a graph as fits. Passes over the streamed file decide vertices by few open neighbours
 * until the rest fits the memory limit; then its lists are loaded by all threads, into memory that they share. For matchings weights come along,
 * in units of the order of edges, rounded such that sums are exact. It costs 8 bytes an arc and 48 a vertex. Sets (near-optimal.ts) and
 * matchings (heavy-matching.ts) begin here.
 */

import { totalmem } from 'node:os'
import { Failure } from '../../base/failure.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import { lowestBit, sharedWords } from '../../base/words.ts'
import type { EdgeOrder } from '../../graph/edge-order.ts'
import { type GraphHandle, GaloisGr } from '../../graph/galois-gr.ts'
import type { RunArgs } from '../../contract/jobs.ts'
import type { WeightArray } from '../../graph/weight-values.ts'
import { eachList, scanLists, unitsOf, weighedLists } from '../../graph/scan-lists.ts'
import { IN, OUT, UNDECIDED as OPEN } from '../../graph/vertex-set.ts'
import { WorkBoard, followBoard, takeChunk } from '../../threads/work-board.ts'
import { type GraphSize, threadsOf } from '../plan-request.ts'

const NONE = 0xffffffff
/** The share of the host's memory that a search takes if no limit is given. */
const SHARE_OF_MEMORY = 0.5
/** Bytes for each vertex of the whole graph: states, members, numbers. */
const STATE_BYTES = 6
/** Bytes of what is held: lists and their copy, and for a vertex what reductions or search know of it. */
const HELD_BYTES = { vertex: 48, arc: 8 }

/** Host memory that a search takes at most; see {@link searchRoom}. */
export function searchBytes({ vertices, arcs }: GraphSize, memoryBytes: number | undefined): number {
  const whole = HELD_BYTES.vertex * vertices + HELD_BYTES.arc * arcs
  return STATE_BYTES * vertices + Math.min(whole, Math.max(0, hostRoom(memoryBytes) - STATE_BYTES * vertices))
}

/** Host memory that may be taken. @param memoryBytes of a limit, or undefined */
export const hostRoom = (memoryBytes: number | undefined): number => memoryBytes ?? SHARE_OF_MEMORY * totalmem()

/** Whether a search may hold what is left of a graph. @param memoryBytes of a limit, or undefined */
export function searchRoom(vertices: number, memoryBytes: number | undefined): Fits {
  const room = hostRoom(memoryBytes) - STATE_BYTES * vertices
  return (open, arcs) => arcs < 2 ** 32 && HELD_BYTES.vertex * open + HELD_BYTES.arc * arcs <= room
}

/** The adjacency lists of a graph in memory; of one that is searched, in memory that threads share. */
export interface Adjacency {
  readonly vertices: number
  /** List v is targets[starts[v], starts[v + 1]). */
  readonly starts: Uint32Array
  readonly targets: Uint32Array
}

/** The part of a graph between vertices that are not decided, in memory. */
export interface ResidualGraph {
  readonly adjacency: Adjacency
  /** What its vertices are in the graph, ascending; undefined: it is the whole graph. */
  readonly ids: Uint32Array | undefined
  /** Whether a largest set of it, with the members decided before, is a largest set of the graph. */
  readonly exact: boolean
}

/** Whether a graph of so many vertices and arcs may be held. */
export type Fits = (vertices: number, arcs: number) => boolean

/**
 * Decides vertices in passes over the streamed graph until what is left fits: those with at most one open neighbour, which is exact; where a pass
 * leaves more than 19 of 20 arcs, from then on those with one open neighbour more.
 * @param states one byte a vertex; changed
 */
export function residualGraph(
  graph: GaloisGr,
  states: Uint8Array,
  fits: Fits,
  job: JobContext,
  loading: Loading = () => {},
): ResidualGraph {
  if (fits(graph.vertices, graph.arcs) && areOpen(states))
    return { adjacency: wholeGraph(graph, job, loading), ids: undefined, exact: true }
  let allowed = 1
  let left = decidePass(graph, states, allowed, job, loading)
  // There may be no room at all, and then all are decided.
  const isTooLarge = (): boolean => left.vertices > 0 && !fits(left.vertices, left.arcs)
  while (isTooLarge()) {
    const before = left.arcs
    left = decidePass(graph, states, allowed, job, loading)
    if (isTooLarge() && left.arcs > 0.95 * before) allowed++
  }
  return { ...openGraph(graph, states, left.arcs, job, loading), exact: allowed === 1 }
}

const areOpen = (states: Uint8Array): boolean => !states.includes(IN) && !states.includes(OUT)

/** @returns the vertices that are left and their arcs, at most */
function decidePass(graph: GaloisGr, states: Uint8Array, allowed: number, job: JobContext, loading: Loading) {
  const left = { vertices: 0, arcs: 0 }
  eachList(graph, job, 'reduce', (v, start, end, targets) => {
    if ((v & LOOKS_MASK) === 0) loading(0)
    if (states[v] !== OPEN) return
    let open = 0
    for (let i = start; i < end; i++) if (states[targets[i]!] === OPEN) open++
    if (open > allowed) {
      left.vertices++
      left.arcs += open
      return
    }
    states[v] = IN
    for (let i = start; open > 0; i++) {
      if (states[targets[i]!] !== OPEN) continue
      states[targets[i]!] = OUT
      open--
    }
  })
  return left
}

/** Called with the part of a graph that is loaded, 0 to 1; 0 also while vertices are decided before. What it throws is thrown. */
export type Loading = (part: number) => void

/** The graph between the vertices that are not decided. */
export const loadOpenGraph = (
  graph: GaloisGr,
  states: Uint8Array,
  job: JobContext,
  loading?: Loading,
): Pick<ResidualGraph, 'adjacency' | 'ids'> =>
  areOpen(states)
    ? { adjacency: wholeGraph(graph, job, loading), ids: undefined }
    : openGraph(graph, states, graph.arcs, job, loading)

/** @param arcs between open vertices, at most */
function openGraph(graph: GaloisGr, states: Uint8Array, arcs: number, job: JobContext, loading: Loading = () => {}) {
  loading(0)
  const numbers = new Uint32Array(graph.vertices).fill(NONE)
  let vertices = 0
  for (let v = 0; v < states.length; v++) if (states[v] === OPEN) numbers[v] = vertices++
  const ids = new Uint32Array(vertices)
  const starts = sharedWords(vertices + 1)
  const targets = sharedWords(arcs)
  let at = 0
  eachList(graph, job, 'load', (v, start, end, list) => {
    const number = numbers[v]!
    if (number === NONE) return
    if ((number & LOOKS_MASK) === 0) loading(number / vertices)
    ids[number] = v
    for (let i = start; i < end; i++) {
      const target = numbers[list[i]!]!
      if (target !== NONE) targets[at++] = target
    }
    starts[number + 1] = at
  })
  loading(1)
  return { adjacency: { vertices, starts, targets: targets.subarray(0, at) }, ids }
}

function wholeGraph(graph: GaloisGr, job: JobContext, loading: Loading = () => {}): Adjacency {
  loading(0)
  const { vertices, arcs } = graph
  const adjacency = { vertices, starts: sharedWords(vertices + 1), targets: sharedWords(arcs) }
  if (arcs < LEAST_LOADED || !isLoaded(graph, adjacency, job, loading))
    scanLists(graph, job, 'load', ({ first, offsets, targets, firstArc }) => {
      for (let i = 1; i < offsets.length; i++) adjacency.starts[first + i] = firstArc + offsets[i]!
      adjacency.targets.set(targets, firstArc)
    })
  loading(1)
  return adjacency
}

/** What threads share that load a graph. */
interface LoadTask {
  readonly graph: GraphHandle
  readonly lists: Adjacency
  readonly board: Int32Array
}

/** Bits of a number of vertices that pass between two calls of a {@link Loading}. */
const LOOKS_MASK = 0xfff

/** Fewer arcs are loaded before threads have started. */
const LEAST_LOADED = 1 << 23
/** Vertices or arcs that a thread loads at a time. */
const PART = 1 << 19

/** Takes parts until none is left. @param pause called before each, with the share of those before it */
function loadParts({ lists, board }: Omit<LoadTask, 'graph'>, graph: GaloisGr, pause: Loading): void {
  const { vertices, starts, targets } = lists
  const ofStarts = Math.ceil(vertices / PART)
  const parts = ofStarts + Math.ceil(targets.length / PART)
  for (let part = takeChunk(board); part < parts; part = takeChunk(board)) {
    pause(part / parts)
    const first = PART * (part < ofStarts ? part : part - ofStarts)
    if (part < ofStarts) starts.set(graph.readOffsets(first, Math.min(vertices, first + PART)), first)
    else {
      const into = targets.subarray(first, first + PART)
      graph.readTargets(first, first + into.length, into)
    }
  }
}

/** Loads lists in a thread of its own. */
export function loadListsTask(task: LoadTask): Promise<void> {
  const graph = GaloisGr.of(task.graph)
  try {
    followBoard(task.board, () => loadParts(task, graph, () => {}))
    return Promise.resolve()
  } finally {
    graph.close()
  }
}

/** Loads by all threads. @returns false where one of them failed: who loads once more learns why */
function isLoaded(graph: GaloisGr, lists: Adjacency, job: JobContext, loading: Loading): boolean {
  const board = new WorkBoard()
  const pause = (part: number): void => {
    throwIfCancelled(job.signal)
    loading(part)
    job.progress({ phase: 'load', done: Math.floor(part * graph.arcs), total: graph.arcs, unit: 'arcs' })
  }
  const task = { lists, board: board.board, graph: graph.handle }
  for (let i = 1; i < threadsOf(graph, 1); i++) board.start('load-lists', task)
  try {
    board.turn(() => loadParts(task, graph, pause))
    return true
  } catch (error) {
    if (board.hasFailed) return false
    throw error
  } finally {
    board.close()
  }
}

/** A graph with the weights of an order; lists ascend. */
export interface WeighedGraph extends Adjacency {
  /** Weights of arcs, in units of the order. */
  readonly weights: WeightArray
  /** All weights are multiples of this power of two. */
  readonly quantum: number
  /** Units that make a weight of 1. */
  readonly units: number
  /** Scores of edges in place of weights, where most pairs come first; undefined: the weights. */
  readonly scores?: Scores | undefined
}

/** An edge scores `each` plus or less its weight: more than all weights of a matching, so that one of more pairs scores more. */
interface Scores {
  readonly each: number
  readonly sign: 1 | -1
}

/** What a search for a matching looks for (contract: `objective`). */
export type Objective = NonNullable<RunArgs['objective']>

/** The bytes of an arc in memory, of one with a score, and of a vertex. */
export const WEIGHED_BYTES = { vertex: 4, arc: 8, scoredArc: 12 }

/** Sums of weights are exact in double precision while the largest has no more bits than these. */
const EXACT_BITS = 48

/**
 * Loads a graph. Where the weights differ by more than 48 bits, the finest bits of small ones are rounded up: a bound for what is loaded
 * is one for the graph, too.
 */
export function loadWeighed(
  graph: GaloisGr,
  order: EdgeOrder,
  job: JobContext,
  objective: Objective = 'weight',
  loading: Loading = () => {},
): WeighedGraph {
  loading(0)
  const { vertices, arcs } = graph
  if (arcs >= 2 ** 32)
    throw new Failure({
      code: 'usage',
      what: `${arcs} arcs are too many to be held`,
      remedy: 'Use the quality fast or augment:3, which read them from the disk.',
    })
  const starts = new Uint32Array(vertices + 1)
  const targets = new Uint32Array(arcs)
  const isWide = objective !== 'weight' || (order.weights === 'column' && graph.hasValues)
  const weights = isWide ? new Float64Array(arcs) : new Float32Array(arcs)
  let at = 0
  for (const { v, neighbours, weights: of } of weighedLists(graph, order, 'load', job)) {
    targets.set(neighbours, at)
    weights.set(of, at)
    at += neighbours.length
    starts[v + 1] = at
    if ((v & LOOKS_MASK) === LOOKS_MASK) loading(at / arcs)
  }
  loading(1)
  const held = { vertices, starts, targets: targets.subarray(0, at), weights: weights.subarray(0, at) }
  const units = order.weights !== 'column' ? unitsOf(order.weights) : graph.hasDecimals ? wholeUnits(held.weights) : 1
  const scores = objective === 'weight' ? undefined : scored(held, objective)
  const quantum = order.weights === 'column' || scores !== undefined ? commonQuantum(held.weights) : 1
  return { ...held, quantum, units, scores }
}

/** Puts scores in place of weights. */
function scored(
  { vertices, weights }: Pick<WeighedGraph, 'vertices' | 'weights'>,
  objective: 'pairs' | 'cost',
): Scores {
  let largest = 0
  for (const weight of weights) if (weight > largest) largest = weight
  const each = 2 ** Math.ceil(Math.log2((vertices / 2 + 1) * largest + 1))
  const sign = objective === 'pairs' ? 1 : -1
  for (let i = 0; i < weights.length; i++) weights[i] = each + sign * weights[i]!
  return { each, sign }
}

/** The digits behind the point of short decimals, at most. */
const MOST_PLACES = 15

/** Makes short decimals whole numbers of the largest unit that divides all of them. @returns how many units there are in 1; 1 where sums of them were not exact */
function wholeUnits(weights: WeightArray): number {
  let [places, largest] = [0, 0]
  for (const weight of weights) {
    if (weight > largest) largest = weight
    // A quotient of two whole numbers is the decimal of these, as it is read.
    while (places <= MOST_PLACES && Math.round(weight * 10 ** places) / 10 ** places !== weight) places++
  }
  if (places > MOST_PLACES || largest * 10 ** places >= 2 ** EXACT_BITS) return 1
  for (let i = 0; i < weights.length; i++) weights[i] = Math.round(weights[i]! * 10 ** places)
  return 10 ** places
}

/** Rounds up what is finer. */
function commonQuantum(weights: WeightArray): number {
  let [largest, finest] = [0, Infinity]
  for (const weight of weights) {
    if (weight > largest) largest = weight
    const quantum = quantumOf(weight)
    if (quantum < finest) finest = quantum
  }
  if (largest === 0) return 1
  const least = 2 ** (Math.floor(Math.log2(largest)) - EXACT_BITS)
  if (finest >= least) return finest
  for (let i = 0; i < weights.length; i++) weights[i] = Math.ceil(weights[i]! / least) * least
  return least
}

const double = new Float64Array(1)
const bits = new Uint32Array(double.buffer)

/** The largest power of two that divides a number. */
function quantumOf(weight: number): number {
  if (weight === 0) return Infinity
  double[0] = weight
  const [low, high] = [bits[0]!, bits[1]! & 0xfffff]
  const exponent = (bits[1]! >>> 20) & 0x7ff
  const trailing = low !== 0 ? lowestBit(low) : high === 0 ? 52 : 32 + lowestBit(high)
  return exponent === 0 ? 2 ** (trailing - 1074) : 2 ** (exponent - 1075 + trailing)
}
