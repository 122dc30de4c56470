import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import type { VertexSet } from '../../graph/vertex-set.ts'
import { IN, OUT, UNDECIDED as OPEN } from '../../graph/vertex-states.ts'
import { visitAll } from './swap-pass.ts'

const VERTICES_PER_READ = 1 << 18
const ARCS_PER_READ = 1 << 22
const NONE = 0xffffffff

/** The adjacency lists of a graph in memory. */
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
  /** Over the graph. */
  readonly passes: number
}

/** Whether a graph of so many vertices and arcs may be held. */
export type Fits = (vertices: number, arcs: number) => boolean

/**
 * Decides vertices in passes over the streamed graph until what is left fits: those with at most one open neighbour, which is exact; where a pass
 * leaves more than 19 of 20 arcs, from then on those with one open neighbour more.
 * @param states one byte a vertex; changed
 */
export function residualGraph(graph: GaloisGr, states: Uint8Array, fits: Fits, job: JobContext): ResidualGraph {
  if (fits(graph.vertices, graph.arcs) && states.every((state) => state === OPEN))
    return { ...openGraph(graph, states, job), exact: true, passes: 1 }
  let allowed = 1
  let passes = 1
  let left = decidePass(graph, states, allowed, job)
  for (; !fits(left.vertices, left.arcs); passes++) {
    const before = left.arcs
    left = decidePass(graph, states, allowed, job)
    if (!fits(left.vertices, left.arcs) && left.arcs > 0.95 * before) allowed++
  }
  return { ...openGraph(graph, states, job, left.arcs), exact: allowed === 1, passes: passes + 1 }
}

/** @returns the vertices that are left and their arcs, at most */
function decidePass(graph: GaloisGr, states: Uint8Array, allowed: number, job: JobContext) {
  const left = { vertices: 0, arcs: 0 }
  visitAll(graph, false, 'reduce', job, (v, targets, from, to) => {
    if (states[v] !== OPEN) return
    let open = 0
    for (let i = from; i < to; i++) if (states[targets[i]!] === OPEN) open++
    if (open > allowed) {
      left.vertices++
      left.arcs += open
      return
    }
    states[v] = IN
    for (let i = from; open > 0; i++) {
      if (states[targets[i]!] !== OPEN) continue
      states[targets[i]!] = OUT
      open--
    }
  })
  return left
}

/** @param arcs between open vertices, at most */
export function openGraph(
  graph: GaloisGr,
  states: Uint8Array,
  job: JobContext,
  arcs = graph.arcs,
): Pick<ResidualGraph, 'adjacency' | 'ids'> {
  if (states.every((state) => state === OPEN)) return { adjacency: wholeGraph(graph, job), ids: undefined }
  const numbers = new Uint32Array(graph.vertices).fill(NONE)
  let vertices = 0
  for (let v = 0; v < states.length; v++) if (states[v] === OPEN) numbers[v] = vertices++
  const ids = new Uint32Array(vertices)
  const starts = new Uint32Array(vertices + 1)
  const targets = new Uint32Array(arcs)
  let at = 0
  visitAll(graph, false, 'load', job, (v, list, from, to) => {
    const number = numbers[v]!
    if (number === NONE) return
    ids[number] = v
    for (let i = from; i < to; i++) {
      const target = numbers[list[i]!]!
      if (target !== NONE) targets[at++] = target
    }
    starts[number + 1] = at
  })
  return { adjacency: { vertices, starts, targets: targets.subarray(0, at) }, ids }
}

function wholeGraph(graph: GaloisGr, job: JobContext): Adjacency {
  const { vertices, arcs } = graph
  const starts = new Uint32Array(vertices + 1)
  const targets = new Uint32Array(arcs)
  for (let first = 0; first < vertices; first += VERTICES_PER_READ) {
    const last = Math.min(vertices, first + VERTICES_PER_READ)
    starts.set(graph.readOffsets(first, last), first)
  }
  for (let first = 0; first < arcs; first += ARCS_PER_READ) {
    throwIfCancelled(job.signal)
    const last = Math.min(arcs, first + ARCS_PER_READ)
    graph.readTargets(first, last, targets.subarray(first, last))
    job.progress({ phase: 'load', done: last, total: arcs, unit: 'arcs' })
  }
  return { vertices, starts, targets }
}

/** The members of a set among some vertices of what is left; one byte each. */
export function membersOf(some: Uint32Array, { ids }: Pick<ResidualGraph, 'ids'>, set: VertexSet): Uint8Array {
  const members = new Uint8Array(some.length)
  for (let i = 0; i < some.length; i++) members[i] = set.has(ids?.[some[i]!] ?? some[i]!) ? 1 : 0
  return members
}

/** Makes a set the one of what was decided before, and of members of what is left. */
export function replaceSet(
  set: VertexSet,
  states: Uint8Array,
  { ids }: Pick<ResidualGraph, 'ids'>,
  members: Uint8Array,
): void {
  set.bytes.fill(0)
  for (let v = 0; v < states.length; v++) if (states[v] === IN) set.add(v)
  for (let i = 0; i < members.length; i++) if (members[i] === 1) set.add(ids?.[i] ?? i)
}
