/**
 * Checks a set against the canonical graph in one pass over its arcs, independently of the algorithms. Independent: no arc joins two members.
 * Maximal: every vertex outside has a member among its neighbours, but for excluded vertices, which need not be covered. The same pass builds a
 * matching M; no independent set has more than n - |M| vertices, as it holds at most one end of every matched edge. Where at least half of the
 * vertices with neighbours are members these name their mates (named-matching.ts), else M is greedy (greedy-matching.ts). Memory is ten bytes a
 * vertex; passes.ts shares out the lists. A broken law comes with its lowest witness.
 */

import type { JobContext } from '../base/job.ts'
import { PIECE_BYTES } from '../base/sums.ts'
import type { Verdict } from '../contract/jobs.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import type { Labels } from '../graph/labels.ts'
import { NO_MATE } from '../graph/matching.ts'
import type { VertexSet } from '../graph/vertex-set.ts'
import { GreedyMatching } from './greedy-matching.ts'
import { matchNamed, noteNames } from './named-matching.ts'
import { degreeRank, SetSpace, type SharedTables, shareTables, tablesIn } from './set-check.ts'
import {
  type Batch,
  batchCapacity,
  bufferFor,
  checkTask,
  makePass,
  paceFor,
  type Pass,
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
  /** How many more of the vertices with neighbours are members than outside, to be added up. */
  readonly surplus: BigInt64Array
  /** Degrees, to be filled. */
  readonly degrees: Uint32Array
  readonly ranks: Uint8Array
  /** What the matching is made from, to be filled: mates of vertices, or two names of each, or parents, as the pass has it. */
  readonly links: Uint32Array
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

/** Their offsets have the bytes of a piece, and are in two. */
const VERTICES_PER_READ = PIECE_BYTES / 8
const ROOM_OF_OFFSETS = (3 * PIECE_BYTES) / 4

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
  const isNamed = isNaming(work) && (certify !== undefined || work.tables === undefined)
  const named = isNamed ? matchNamed(work.links) : undefined
  certify?.(named?.mates ?? work.links.subarray(0, vertices))
  const pairs = named?.pairs ?? findings.reduce((sum, found) => sum + found.pairs, 0)
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
  const surplus = new BigInt64Array(bufferFor(pace, 8))
  const isCompiled = pace.compiled ?? arcs >= COMPILED_ARCS
  const tables = isCompiled ? shareTables({ vertices, isExcluding: exclude !== undefined, notesMates }) : undefined
  if (tables !== undefined) {
    const views = tablesIn(tables)
    views.members.set(set.bytes)
    if (exclude !== undefined) views.excluded?.set(exclude.bytes)
    if (notesMates) views.links.fill(NO_MATE)
    return { ...views, surplus, tables }
  }
  return {
    members: shared(set.bytes, pace),
    excluded: exclude && shared(exclude.bytes, pace),
    surplus,
    degrees: new Uint32Array(bufferFor(pace, 4 * vertices)),
    ranks: new Uint8Array(bufferFor(pace, vertices)),
    links: new Uint32Array(bufferFor(pace, 8 * vertices)).fill(NO_MATE),
    tables,
  }
}

/** Whether members name their mates, once they are counted: where they are at least half of the vertices with neighbours. */
const isNaming = ({ surplus }: SetWork): boolean => surplus[0]! >= 0n

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

/** What a pass over all lists finds. */
interface SetPass extends Pass {
  witness: SetWitness | undefined
  /** The pairs that this worker counts, once all threads have made the pass. */
  pairs(): number
}

async function checkSet(work: SetWork, worker: VerifyWorker): Promise<SetFindings> {
  const { tables, degrees } = work
  const spaces: SetSpace[] = []
  const spaceOf = tables && ((slot: number, capacity: number) => (spaces[slot] ??= new SetSpace(tables, capacity)))
  const first = spaceOf?.(0, batchCapacity(worker.graph))
  await gatherDegrees(work, worker, first)
  await worker.barrier.arrive()
  // Only now: the others need not wait for it.
  worker.beside?.()
  const pass =
    first === undefined ? scriptPass(work) : isNaming(work) ? namingPass(work, worker, first) : greedyPass(work, spaces)
  await makePass(worker, pass, { number: 0, passes: 1, withWeights: false, spaceOf, degrees })
  await worker.barrier.arrive()
  return { witness: pass.witness, pairs: pass.pairs() }
}

export const setTask = checkTask(checkSet)

function scriptPass(work: SetWork): SetPass {
  const { members, excluded, ranks, degrees, links } = work
  const names = isNaming(work)
  const greedy = new GreedyMatching(ranks, degrees, links)
  const isMember = (v: number): boolean => hasBit(members, v)
  const name = ({ first, end, starts, targets }: Batch): void => {
    for (let v = first; v < end; v++)
      if (isMember(v)) noteNames(links, ranks, isMember, v, targets, starts[v - first]!, starts[v - first + 1]!)
  }
  const scan = (batch: Batch): void => {
    const { first, end, starts, targets } = batch
    for (let v = first; v < end && pass.witness === undefined; v++)
      pass.witness = violationAt(v, members, excluded, targets, starts[v - first]!, starts[v - first + 1]!)
    if (names) name(batch)
    else greedy.scan(batch)
  }
  const settle = names ? {} : { settle: (batch: Batch) => greedy.settle(batch) }
  const pass: SetPass = { witness: undefined, scan, ...settle, pairs: () => greedy.pairs }
  return pass
}

/** The same in WebAssembly. */
function greedyPass(work: SetWork, spaces: readonly SetSpace[]): SetPass {
  let pairs = 0
  const scan = (batch: Batch): void => {
    const { slot, first, end } = batch
    const space = spaces[slot]!
    if (pass.witness === undefined) pass.witness = witnessIn(batch, space.broken(first, end - first), work)
    space.scan(first, end - first)
  }
  const settle = ({ slot, first, end }: Batch): void => {
    pairs += spaces[slot]!.settle(first, end - first)
  }
  const pass: SetPass = { witness: undefined, scan, settle, pairs: () => pairs }
  return pass
}

function namingPass(work: SetWork, { control, graph: { vertices } }: VerifyWorker, space: SetSpace): SetPass {
  const scan = (batch: Batch): void => {
    const broken = space.name(batch.first, batch.end - batch.first)
    pass.witness ??= witnessIn(batch, broken, work)
  }
  const pairs = (): number => {
    let found = space.joined
    if (work.tables?.notesMates === true) return 0
    for (const { first, end } of new RangeBoard(control, 2).ranges(vertices, VERTICES_PER_READ))
      found += space.components(first, end)
    return found
  }
  const pass: SetPass = { witness: undefined, scan, pairs }
  return pass
}

/** @param i of the first list that breaks a law; past the last: none */
function witnessIn(
  { first, end, starts, targets }: Batch,
  i: number,
  { members, excluded }: SetWork,
): SetWitness | undefined {
  if (first + i >= end) return undefined
  return violationAt(first + i, members, excluded, targets, starts[i]!, starts[i + 1]!)
}

async function gatherDegrees(work: SetWork, worker: VerifyWorker, space: SetSpace | undefined): Promise<void> {
  const { graph } = worker
  for (const { first, end } of new RangeBoard(worker.control, 1).ranges(graph.vertices, VERTICES_PER_READ)) {
    await pause(worker)
    const surplus =
      (space && rankIn(graph, first, end, space)) ?? noteDegrees(graph.readOffsets(first, end), first, work)
    Atomics.add(work.surplus, 0, BigInt(surplus))
  }
}

/** undefined: what is wrong is to be looked for, or offsets are stored in another way. */
function rankIn(graph: GaloisGr, first: number, end: number, space: SetSpace): number | undefined {
  const room = space.targets(ROOM_OF_OFFSETS)
  const place = graph.readOffsetShare(first, end, room)
  if (place === undefined) return undefined
  const at = place + 2 * (end - first)
  const last = room[at]! + room[at + 1]! * 2 ** 32
  return (end === graph.vertices ? last === graph.arcs : last <= graph.arcs)
    ? space.rank(first, end - first, place)
    : undefined
}

/** A function of its own, which is compiled sooner than the pass. @returns as a SetSpace does */
function noteDegrees(offsets: Float64Array, first: number, { members, degrees, ranks }: SetWork): number {
  let surplus = 0
  let before = offsets[0]!
  for (let v = first; v - first + 1 < offsets.length; v++) {
    const next = offsets[v - first + 1]!
    degrees[v] = next - before
    ranks[v] = degreeRank(next - before)
    if (next > before) surplus += hasBit(members, v) ? 1 : -1
    before = next
  }
  return surplus
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
