/**
 * Checks a set against the canonical graph in one pass over its arcs, independently of the algorithms. Independent: no arc joins two members.
 * Maximal: every vertex outside has a member among its neighbours, but for excluded vertices, which need not be covered. The same pass builds a
 * maximal matching M; no independent set has more than n - |M| vertices, as it holds at most one end of every matched edge. Memory is six bytes
 * a vertex; passes.ts shares out the lists. A broken law comes with its lowest witness.
 */

import type { JobContext } from '../base/job.ts'
import type { Verdict } from '../contract/jobs.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import type { Labels } from '../graph/labels.ts'
import { NO_MATE } from '../graph/matching.ts'
import type { VertexSet } from '../graph/vertex-set.ts'
import { CHOICES, SetSpace, type SharedTables, shareTables, tablesIn } from './set-check.ts'
import {
  type Batch,
  bufferFor,
  checkTask,
  makePass,
  paceFor,
  pause,
  RangeBoard,
  shared,
  type VerifyPace,
  verifyTogether,
  type VerifyWorker,
} from './passes.ts'

interface SetWork {
  /** Bits by vertex, as in a VertexSet. */
  readonly members: Uint8Array
  /** Bits of vertices that need not be covered. */
  readonly excluded: Uint8Array | undefined
  /** Degrees, to be filled. */
  readonly degrees: Uint32Array
  readonly ranks: Uint8Array
  /** The matching, to be filled; empty: not wanted. */
  readonly mates: Uint32Array
  /** The same tables, where WebAssembly works on them. */
  readonly tables: SharedTables | undefined
}

/** A broken law at the lowest such vertex of those that a worker scanned. */
type SetWitness =
  | { readonly law: 'independent'; readonly v: number; readonly u: number }
  | { readonly law: 'maximal'; readonly v: number }

interface SetFindings {
  readonly witness: SetWitness | undefined
  readonly pairs: number
}

/** Their offsets stay in the cache. */
const VERTICES_PER_READ = 1 << 13

/** Verifies a set, on all processors if the graph is large. @param certify gets the matching: the mate of each vertex */
export async function verifyIndependentSet(
  graph: GaloisGr,
  labels: Labels,
  set: VertexSet,
  exclude: VertexSet | undefined,
  job: JobContext,
  pace: Partial<VerifyPace> = {},
  certify?: (mates: Uint32Array) => void,
): Promise<Verdict> {
  const startMs = performance.now()
  const { vertices } = graph
  const chosen = paceFor('set', graph, pace)
  const work = workOn(set, exclude, chosen, { arcs: graph.arcs, notesMates: certify !== undefined })
  const check = { name: 'set', check: checkSet } as const
  const { findings, own } = await verifyTogether(graph, check, work, chosen, job, (wait) => set.summary(wait))
  certify?.(work.mates)
  const pairs = findings.reduce((sum, found) => sum + found.pairs, 0)
  const [witness] = findings.flatMap((found) => found.witness ?? []).sort((a, b) => a.v - b.v)
  const common = { ...own, upperBound: vertices - pairs, elapsedMs: performance.now() - startMs }
  return witness === undefined
    ? { ...common, verified: true }
    : { ...common, verified: false, ...describe(witness, labels) }
}

/** Compiling the kernel for fewer arcs takes longer than it gains. */
const COMPILED_ARCS = 1 << 18

function workOn(
  set: VertexSet,
  exclude: VertexSet | undefined,
  pace: VerifyPace,
  { arcs, notesMates }: { readonly arcs: number; readonly notesMates: boolean },
): SetWork {
  const { vertices } = set
  const isCompiled = pace.compiled ?? arcs >= COMPILED_ARCS
  const tables = isCompiled ? shareTables({ vertices, isExcluding: exclude !== undefined, notesMates }) : undefined
  if (tables !== undefined) {
    const views = tablesIn(tables)
    views.members.set(set.bytes)
    if (exclude !== undefined) views.excluded?.set(exclude.bytes)
    views.mates.fill(NO_MATE)
    return { ...views, tables }
  }
  return {
    members: shared(set.bytes, pace),
    excluded: exclude && shared(exclude.bytes, pace),
    degrees: new Uint32Array(bufferFor(pace, 4 * vertices)),
    ranks: new Uint8Array(bufferFor(pace, vertices)),
    mates: new Uint32Array(bufferFor(pace, notesMates ? 4 * vertices : 0)).fill(NO_MATE),
    tables,
  }
}

function describe(witness: SetWitness, labels: Labels) {
  const vertex = labels.of(witness.v)
  if (witness.law === 'maximal')
    return {
      law: 'maximal' as const,
      vertex,
      sentence: `not maximal: vertex ${vertex} and all its neighbours are outside the set`,
    }
  const other = labels.of(witness.u)
  return {
    law: 'independent' as const,
    edge: [vertex, other] as const,
    sentence: `not independent: vertices ${vertex} and ${other} are neighbours and both in the set`,
  }
}

async function checkSet(work: SetWork, worker: VerifyWorker): Promise<SetFindings> {
  const { members, excluded, ranks, degrees, mates, tables } = work
  await gatherDegrees(work, worker)
  await worker.barrier.arrive()
  // Only now: the others need not wait for it.
  worker.beside?.()
  if (tables !== undefined) return checkCompiled(work, tables, worker)
  const matching = new GreedyMatching(ranks, degrees, mates)
  let witness: SetWitness | undefined
  const scan = (batch: Batch): void => {
    const { first, end, starts, targets } = batch
    for (let v = first; v < end && witness === undefined; v++)
      witness = violationAt(v, members, excluded, targets, starts[v - first]!, starts[v - first + 1]!)
    matching.scan(batch)
  }
  const pass = { scan, settle: (batch: Batch) => matching.settle(batch) }
  await makePass(worker, pass, { number: 0, passes: 1, withWeights: false, degrees })
  await worker.barrier.arrive()
  return { witness, pairs: matching.pairs }
}

export const setTask = checkTask(checkSet)

/** The same in WebAssembly. */
async function checkCompiled(work: SetWork, tables: SharedTables, worker: VerifyWorker): Promise<SetFindings> {
  const { members, excluded, degrees } = work
  const spaces: SetSpace[] = []
  const spaceOf = (slot: number, capacity: number): SetSpace => (spaces[slot] = new SetSpace(tables, capacity))
  let witness: SetWitness | undefined
  let pairs = 0
  const scan = ({ slot, first, end, starts, targets }: Batch): void => {
    const space = spaces[slot]!
    const i = witness === undefined ? space.broken(first, end - first) : end - first
    if (first + i < end) witness = violationAt(first + i, members, excluded, targets, starts[i]!, starts[i + 1]!)
    space.scan(first, end - first)
  }
  const settle = ({ slot, first, end }: Batch): void => {
    pairs += spaces[slot]!.settle(first, end - first)
  }
  await makePass(worker, { scan, settle }, { number: 0, passes: 1, withWeights: false, spaceOf, degrees })
  await worker.barrier.arrive()
  return { witness, pairs }
}

async function gatherDegrees({ degrees, ranks }: SetWork, worker: VerifyWorker): Promise<void> {
  const { graph } = worker
  const board = new RangeBoard(worker.control, 1)
  for (let first; (first = board.cursor) < graph.vertices;) {
    await pause(worker)
    const end = Math.min(graph.vertices, first + VERTICES_PER_READ)
    if (!board.claim(first, end)) continue
    noteDegrees(graph.readOffsets(first, end), first, degrees, ranks)
  }
}

/** A function of its own, which is compiled sooner than the pass. */
function noteDegrees(offsets: Float64Array, first: number, degrees: Uint32Array, ranks: Uint8Array): void {
  let before = offsets[0]!
  for (let i = 1; i < offsets.length; i++) {
    const next = offsets[i]!
    const degree = next - before
    degrees[first + i - 1] = degree
    ranks[first + i - 1] = rankOf(degree)
    before = next
  }
}

const hasBit = (bytes: Uint8Array, v: number): boolean => ((bytes[v >>> 3]! >>> (v & 7)) & 1) === 1

function violationAt(
  v: number,
  members: Uint8Array,
  excluded: Uint8Array | undefined,
  targets: Uint32Array,
  start: number,
  end: number,
): SetWitness | undefined {
  const inside = hasBit(members, v)
  for (let arc = start; arc < end; arc++) {
    const u = targets[arc]!
    if (((members[u >>> 3]! >>> (u & 7)) & 1) === 0) continue
    return inside ? { law: 'independent', v, u } : undefined
  }
  const isCovered = inside || (excluded !== undefined && hasBit(excluded, v))
  return isCovered ? undefined : { law: 'maximal', v }
}

/** The rank of a vertex is its degree, but for large ones and matched vertices. */
const LARGE = 254
const MATCHED = 255

const rankOf = (degree: number): number => Math.min(degree, LARGE)

/** The best free neighbours of vertex first + i, the best first. */
interface Choices {
  readonly counts: Uint8Array
  readonly targets: Uint32Array
}

/**
 * A maximal matching: each vertex in order takes its free neighbour of smallest degree, which is the hardest to match later; of several
 * the lowest. No matched vertex becomes free again: the best free neighbours when a list is scanned hold the best one when the vertex
 * is settled, unless all of them are matched by then; then the list is scanned again. So the matching is that of a single thread.
 */
class GreedyMatching {
  pairs = 0
  readonly #ranks: Uint8Array
  readonly #degrees: Uint32Array
  readonly #mates: Uint32Array
  readonly #choices: Choices[] = []
  readonly #best = new Uint32Array(CHOICES)
  readonly #least = new Float64Array(CHOICES)

  /** @param ranks shared by all workers: matched vertices are marked @param mates likewise; empty: not noted */
  constructor(ranks: Uint8Array, degrees: Uint32Array, mates: Uint32Array) {
    this.#ranks = ranks
    this.#degrees = degrees
    this.#mates = mates
  }

  scan(batch: Batch): void {
    const { slot, first, end, starts, targets, capacity } = batch
    const { counts, targets: choices } = (this.#choices[slot] ??= {
      counts: new Uint8Array(capacity),
      targets: new Uint32Array(CHOICES * capacity),
    })
    for (let v = first; v < end; v++) {
      const i = v - first
      const count = this.#isMatched(v) ? 0 : this.#choose(targets, starts[i]!, starts[i + 1]!)
      counts[i] = count
      for (let place = 0; place < count; place++) choices[CHOICES * i + place] = this.#best[place]!
    }
  }

  settle({ slot, first, end, starts, targets }: Batch): void {
    const { counts, targets: choices } = this.#choices[slot]!
    for (let v = first; v < end; v++) {
      const i = v - first
      const count = counts[i]!
      if (count === 0 || this.#isMatched(v)) continue
      let place = 0
      while (place < count && this.#isMatched(choices[CHOICES * i + place]!)) place++
      if (place < count) this.#match(v, choices[CHOICES * i + place]!)
      else if (count === CHOICES && this.#choose(targets, starts[i]!, starts[i + 1]!) > 0)
        this.#match(v, this.#best[0]!)
    }
  }

  #choose(targets: Uint32Array, start: number, end: number): number {
    const ranks = this.#ranks
    let count = 0
    /** Vertices of this rank or more are matched, or no better than those that are noted. */
    let limit = MATCHED
    for (let arc = start; arc < end; arc++) {
      const u = targets[arc]!
      const rank = ranks[u]!
      if (rank >= limit) continue
      count = this.#note(u, rank, count)
      if (count === CHOICES) limit = Math.min(this.#least[CHOICES - 1]!, MATCHED)
      // No neighbour has a degree below 1.
      if (limit === 1) break
    }
    return count
  }

  #note(u: number, rank: number, count: number): number {
    const [best, least] = [this.#best, this.#least]
    const degree = rank === LARGE ? this.#degrees[u]! : rank
    if (count === CHOICES && degree >= least[CHOICES - 1]!) return count
    let place = Math.min(count, CHOICES - 1)
    for (; place > 0 && degree < least[place - 1]!; place--) {
      best[place] = best[place - 1]!
      least[place] = least[place - 1]!
    }
    best[place] = u
    least[place] = degree
    return Math.min(count + 1, CHOICES)
  }

  #match(v: number, mate: number): void {
    this.#ranks[v] = MATCHED
    this.#ranks[mate] = MATCHED
    if (this.#mates.length > 0) {
      this.#mates[v] = mate
      this.#mates[mate] = v
    }
    this.pairs++
  }

  #isMatched(v: number): boolean {
    return this.#ranks[v] === MATCHED
  }
}
