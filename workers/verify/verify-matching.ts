/**
 * Checks a matching against the canonical graph in one pass over its arcs, or two, independently of the algorithms. Valid: mates are mutual, and
 * neighbours. Maximal: every edge has an end with a mate. Locally dominant: every other edge has an end whose matched edge comes before it; then
 * the matching has at least half of the weight of any (Preis 1999; LD-GPU, SC 2024, Lemma II.1). The same pass builds a dual solution: no
 * matching weighs more than its sum. dual-bound.ts has the bound, passes.ts shares out the lists. A broken law comes with its lowest witness.
 */

import { EdgeHash } from '../../kernels/parts/edge-hash.ts'
import { ExactSum } from '../base/exact-sum.ts'
import type { JobContext } from '../base/job.ts'
import type { Verdict } from '../contract/jobs.ts'
import type { EdgeOrder } from '../graph/edge-order.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import type { Labels } from '../graph/labels.ts'
import { type Matching, NO_MATE } from '../graph/matching.ts'
import { keyedOrder, unitsOf } from '../graph/scan-lists.ts'
import {
  boundOf,
  DualBound,
  BatchWeights,
  forgetMates,
  mateWeightOf,
  type Prices,
  pricesOf,
  startPrices,
} from './dual-bound.ts'
import { MatchingSpace, type MatchingTables, matchingTablesIn, shareMatchingTables } from './matching-check.ts'
import {
  type Batch,
  batchCapacity,
  bufferFor,
  checkTask,
  makePass,
  matchingPasses,
  paceFor,
  type Pass,
  pause,
  RangeBoard,
  shared,
  type VerifyPace,
  verifyTogether,
  type VerifyWorker,
} from './passes.ts'

export interface MatchingClaim {
  readonly matching: Matching
  readonly order: EdgeOrder
  readonly dominant: boolean
}

interface MatchingWork extends Omit<MatchingClaim, 'matching'> {
  readonly mates: Uint32Array
  readonly prices: Prices
  /** Degrees, if ties go by them; else empty. */
  readonly degrees: Uint32Array
  /** Not 0: the mates are no matching. */
  readonly isNone: Int32Array
  /** The same tables, where WebAssembly works on them. */
  readonly tables: MatchingTables | undefined
}

/** A broken law at the lowest such vertex of those that a worker scanned. */
interface MatchingWitness {
  readonly law: keyof typeof lawWords
  readonly u: number
  readonly v: number
  readonly words: string
}

interface MatchingFindings {
  readonly witness: MatchingWitness | undefined
  /** Weights of the matched edges whose lower ends the worker scanned, in units. */
  readonly terms: readonly number[]
}

const lawWords = {
  valid: 'a matching',
  'maximal-matching': 'maximal',
  'locally-dominant': 'locally dominant',
} as const

/** What rounding may take from a sum of two prices. */
const SLACK = 1 + 2 ** -50

/** Verifies a matching, on all processors if the graph is large. @param certify gets prices, of which the two at each edge are its weight at least */
export async function verifyMatching(
  graph: GaloisGr,
  labels: Labels,
  { matching, order: asked, dominant }: MatchingClaim,
  job: JobContext,
  pace: Partial<VerifyPace> = {},
  certify?: (prices: Float64Array) => void,
): Promise<Verdict> {
  const startMs = performance.now()
  const order = keyedOrder(asked, graph)
  const units = unitsOf(order.weights)
  const chosen = paceFor('matching', graph, pace)
  const work = workOn(matching, { order, dominant }, chosen, graph)
  const check = { name: 'matching', check: checkMatching } as const
  const { findings, own } = await verifyTogether(graph, check, work, chosen, job, (wait) => matching.summary(wait))
  // The dual solution pays for keys, where these stand for weights.
  const ratio = order.weights === 'column' ? graph.valueRatio : 1
  certify?.(pricesOf(work.prices).map((price) => (ratio === units ? price : (price / units) * ratio * SLACK)))
  const sum = new ExactSum()
  for (const { terms } of findings) for (const term of terms) sum.add(term)
  const common = {
    size: own.pairs,
    hash: own.hash,
    weight: sum.value / units,
    upperBound: (boundOf(work.prices) / units) * ratio,
    elapsedMs: performance.now() - startMs,
  }
  const [lowest] = findings.flatMap(({ witness }) => witness ?? []).sort((a, b) => a.u - b.u)
  if (lowest === undefined) return { ...common, verified: true }
  const edge = [labels.of(lowest.u), labels.of(lowest.v)] as const
  const sentence = `not ${lawWords[lowest.law]}: vertices ${edge[0]} and ${edge[1]} ${lowest.words}`
  return { ...common, verified: false, law: lowest.law, edge, sentence }
}

/** Compiling the kernel for fewer arcs takes longer than it gains. */
const COMPILED_ARCS = 1 << 18

function workOn(
  { mates }: Matching,
  claim: Omit<MatchingClaim, 'matching'>,
  pace: VerifyPace,
  { vertices, arcs }: GaloisGr,
): MatchingWork {
  const isNone = new Int32Array(bufferFor(pace, 4))
  const hasDegrees = claim.order.ties === 'degree'
  const tables = (pace.compiled ?? arcs >= COMPILED_ARCS) ? shareMatchingTables({ vertices, hasDegrees }) : undefined
  if (tables !== undefined) {
    const views = matchingTablesIn(tables)
    views.mates.set(mates)
    return { ...claim, ...views, isNone, tables }
  }
  return {
    ...claim,
    mates: shared(mates, pace),
    prices: new Float32Array(bufferFor(pace, 8 * vertices)),
    degrees: new Uint32Array(bufferFor(pace, hasDegrees ? 4 * vertices : 0)),
    isNone,
    tables,
  }
}

/** Vertices whose prices a worker starts at a time. */
const VERTICES_AT_ONCE = 1 << 16

async function checkMatching(work: MatchingWork, worker: VerifyWorker): Promise<MatchingFindings> {
  worker.beside?.()
  const weights = new BatchWeights(work.order)
  const spaces = work.tables && new Spaces(work.tables, work)
  const withWeights = weights.areStored
  const make = (pass: Pass, number: number, passes: number): Promise<void> =>
    makePass(worker, pass, { number, passes, withWeights, spaceOf: spaces?.at })
  const validity = validityPass(work, weights, worker.graph, spaces)
  const lower = (isMatching: boolean): MatchingPass => dominancePass(work, weights, isMatching, spaces)
  if (matchingPasses(work.order) === 2) {
    await make(validity, 0, 2)
    const isMatching = await agree(work, worker, validity, () => forgetMates(work.prices))
    const dominance = lower(isMatching)
    await make(dominance, 1, 2)
    return findingsOf(validity, isMatching ? dominance : undefined)
  }
  await beginPrices(work, worker, weights, spaces)
  const dominance = lower(true)
  const both: Pass = {
    scan: (batch, settled) => {
      validity.scan(batch, settled)
      dominance.scan(batch, settled)
    },
    settle: dominance.settle!,
  }
  await make(both, 0, 1)
  const isMatching = await agree(work, worker, validity, () => {
    for (let v = 0; v < work.mates.length; v++) startPrices(work.prices, v, weights.most, 0)
  })
  if (!isMatching) await make(lower(false), 1, 2)
  return findingsOf(validity, isMatching ? dominance : undefined)
}

function findingsOf(validity: MatchingPass & { readonly sum: ExactSum }, dominance?: MatchingPass): MatchingFindings {
  return { witness: (dominance ?? validity).witness, terms: [...validity.sum.terms] }
}

/** Starts the prices of all vertices, where weights are computed. */
async function beginPrices(
  { mates, prices }: MatchingWork,
  worker: VerifyWorker,
  weights: BatchWeights,
  spaces: Spaces | undefined,
): Promise<void> {
  const { graph, control, barrier } = worker
  const space = spaces?.at(0, batchCapacity(graph))
  for (const { first, end } of new RangeBoard(control, 2).ranges(graph.vertices, VERTICES_AT_ONCE)) {
    await pause(worker)
    if (space !== undefined) space.begin(first, end)
    else
      for (let v = first; v < end; v++)
        startPrices(prices, v, weights.most, mates[v] === NO_MATE ? 0 : weights.computed(v, mates[v]!))
  }
  await barrier.arrive()
}

/** Whether all lists have the mates. @param forget takes the matching out of the prices: then the other laws only repeat that it is none */
async function agree(
  { isNone }: MatchingWork,
  { barrier, isCoordinator }: VerifyWorker,
  { witness }: MatchingPass,
  forget: () => void,
): Promise<boolean> {
  if (witness !== undefined) Atomics.store(isNone, 0, 1)
  await barrier.arrive()
  const isMatching = Atomics.load(isNone, 0) === 0
  if (isCoordinator && !isMatching) forget()
  await barrier.arrive()
  return isMatching
}

export const matchingTask = checkTask(checkMatching)

/** The memories of the batches of one worker, which both passes use. */
class Spaces {
  readonly at: (slot: number, capacity: number) => MatchingSpace
  readonly #known: MatchingSpace[] = []

  constructor(tables: MatchingTables, claim: Pick<MatchingClaim, 'order' | 'dominant'>) {
    this.at = (slot, capacity) => (this.#known[slot] ??= new MatchingSpace(tables, capacity, claim))
  }

  of({ slot, capacity }: Batch): MatchingSpace {
    return this.at(slot, capacity)
  }
}

interface MatchingPass extends Pass {
  witness: MatchingWitness | undefined
}

function validityPass(
  { mates, prices, degrees }: MatchingWork,
  weights: BatchWeights,
  graph: GaloisGr,
  spaces: Spaces | undefined,
) {
  const sum = new ExactSum()
  /** @param weight of the edge to the mate; undefined: there is none */
  const witnessAt = (v: number, weight: number | undefined): MatchingWitness | undefined => {
    const mate = mates[v]!
    if (weight !== undefined && mates[mate] === v) return undefined
    const words = weight === undefined ? 'are paired, and the graph has no such edge' : 'are not each other’s mates'
    return { law: 'valid', u: v, v: mate, words }
  }
  const count = (v: number, weight: number): void => {
    if (mates[v]! > v) sum.add(weights.areStored ? graph.valueOf(weight) : weight)
  }
  const scan = (batch: Batch): void => {
    for (let v = batch.first; v < batch.end; v++) {
      const i = v - batch.first
      if (degrees.length > 0) degrees[v] = batch.starts[i + 1]! - batch.starts[i]!
      const mate = mates[v]!
      const weight = mate === NO_MATE ? 0 : weights.weightTo(mate, batch, i)
      startPrices(prices, v, weights.heaviest(batch, i), weight ?? 0)
      if (mate === NO_MATE) continue
      pass.witness ??= witnessAt(v, weight)
      if (weight !== undefined) count(v, weight)
    }
  }
  const scanCompiled = (batch: Batch, space: MatchingSpace): void => {
    const { first, end } = batch
    const broken = first + space.start(first, end - first)
    const { matched } = space
    for (let v = first; v < end; v++) if (matched[v - first]! >= 0) count(v, matched[v - first]!)
    if (broken === end) return
    const weight = matched[broken - first]!
    pass.witness ??= witnessAt(broken, weight < 0 ? undefined : weight)
  }
  const pass: MatchingPass = {
    witness: undefined,
    scan: (batch) => (spaces === undefined ? scan(batch) : scanCompiled(batch, spaces.of(batch))),
  }
  return Object.assign(pass, { sum })
}

/** Lowers the prices. */
function dominancePass(
  work: MatchingWork,
  weights: BatchWeights,
  isMatching: boolean,
  spaces: Spaces | undefined,
): MatchingPass {
  const { mates, prices, dominant, order, degrees } = work
  const bound = new DualBound(prices)
  const [here, there] = [new TieRule(order, degrees), new TieRule(order, degrees)]
  const isBeaten = (ties: TieRule, v: number, u: number, weight: number): boolean => {
    const mate = mates[v]!
    return mate !== NO_MATE && mateWeightOf(prices, v) === weight && ties.comesBefore(v, mate, u)
  }
  const witnessAt = (v: number, u: number, weight: number): MatchingWitness | undefined => {
    if (mates[v] === NO_MATE && mates[u] === NO_MATE)
      return { law: 'maximal-matching', u: v, v: u, words: 'are neighbours, and neither has a mate' }
    if (!dominant || isBeaten(here, v, u, weight) || isBeaten(there, u, v, weight)) return undefined
    const words = 'are joined by an edge that comes before the matched edges at both'
    return { law: 'locally-dominant', u: v, v: u, words }
  }
  const check = (v: number, targets: Uint32Array): MatchingWitness | undefined => {
    const { start, count, at, weights: own } = weights
    const mate = mates[v]!
    if (!dominant && mate !== NO_MATE) return undefined
    const least = mateWeightOf(prices, v)
    let first: MatchingWitness | undefined
    for (let i = count - 1; i >= 0 && targets[start + i]! >= v; i--) {
      const u = targets[start + i]!
      const weight = own[at + i]!
      if (u !== mate && least <= weight && mateWeightOf(prices, u) <= weight) first = witnessAt(v, u, weight) ?? first
    }
    return first
  }
  const scan = (batch: Batch, settled: number): void => {
    for (let v = batch.first; v < batch.end; v++) {
      weights.moveTo(batch, v - batch.first)
      if (isMatching) pass.witness ??= check(v, batch.targets)
      bound.scan(batch, v, weights, settled)
    }
  }
  const scanCompiled = (batch: Batch, settled: number, space: MatchingSpace): void => {
    const { first, end } = batch
    const broken = space.scan(first, end - first, settled, isMatching && pass.witness === undefined)
    if (first + broken === end) return
    weights.moveTo(batch, broken)
    pass.witness = check(first + broken, batch.targets)
  }
  const pass: MatchingPass = {
    witness: undefined,
    scan: (batch, settled) =>
      spaces === undefined ? scan(batch, settled) : scanCompiled(batch, settled, spaces.of(batch)),
    settle: (batch) =>
      spaces === undefined ? bound.settle(batch) : spaces.of(batch).settle(batch.first, batch.end - batch.first),
  }
  return pass
}

/** The rule of workers/graph/edge-order.ts for edges of one weight at one vertex. */
export class TieRule {
  readonly #ties: EdgeOrder['ties']
  readonly #degrees: Uint32Array
  readonly #first: EdgeHash
  readonly #second: EdgeHash
  /** The edge whose hash `first` has. */
  #v = -1
  #mate = -1

  constructor({ ties, seed }: Pick<EdgeOrder, 'ties' | 'seed'>, degrees: Uint32Array) {
    this.#ties = ties
    this.#degrees = degrees
    this.#first = new EdgeHash(seed)
    this.#second = new EdgeHash(seed)
  }

  /** Quick for the v and mate of the last call. */
  comesBefore(v: number, mate: number, u: number): boolean {
    const degrees = this.#degrees
    if (this.#ties === 'degree' && degrees[mate] !== degrees[u]) return degrees[mate]! < degrees[u]!
    if (this.#ties !== 'id') {
      if (this.#v !== v || this.#mate !== mate) {
        this.#first.of(v, mate)
        this.#v = v
        this.#mate = mate
      }
      this.#second.of(v, u)
      if (this.#first.high !== this.#second.high) return this.#first.high > this.#second.high
    }
    return mate > u
  }
}
