import type { JobContext } from '../job.ts'
import { throwIfCancelled } from '../job.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import type { Labels } from '../graph/labels.ts'
import type { VertexSet } from '../graph/vertex-set.ts'
import type { Verdict } from '../jobs.ts'

const ARCS_PER_READ = 1 << 20
const VERTICES_PER_READ = 1 << 18

/**
 * Checks a set against the canonical graph in one pass over its arcs, in code of its own: it knows no view, no state and no
 * kernel. Independent: no arc joins two members. Maximal: every vertex outside has a member among its neighbours, but for
 * excluded vertices, which nobody asked to be covered. On the way it grows a maximal matching M; no independent set has
 * more than n - |M| vertices, as it holds at most one end of every matched edge.
 */
export function verifyIndependentSet(
  graph: GaloisGr,
  labels: Labels,
  set: VertexSet,
  exclude: VertexSet | undefined,
  job: JobContext,
): Verdict {
  const startMs = performance.now()
  const matching = new GreedyMatching(graph)
  let witness: Witness | undefined
  for (const { v, neighbours } of vertexNeighbours(graph, job)) {
    matching.visit(v, neighbours)
    witness ??= violationAt(v, neighbours, set, exclude)
  }
  const { size, hash } = set.summary()
  const common = { size, hash, upperBound: graph.vertices - matching.pairs, elapsedMs: performance.now() - startMs }
  return witness === undefined
    ? { ...common, verified: true }
    : { ...common, verified: false, ...describe(witness, labels) }
}

type Witness = { law: 'independent'; v: number; u: number } | { law: 'maximal'; v: number }

function violationAt(
  v: number,
  neighbours: Uint32Array,
  set: VertexSet,
  exclude: VertexSet | undefined,
): Witness | undefined {
  const inside = set.has(v)
  for (let i = 0; i < neighbours.length; i++) {
    if (!set.has(neighbours[i]!)) continue
    return inside ? { law: 'independent', v, u: neighbours[i]! } : undefined
  }
  return inside || exclude?.has(v) ? undefined : { law: 'maximal', v }
}

function describe(witness: Witness, labels: Labels) {
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

/** Every vertex with its neighbours, ascending, through buffers of bounded size. The neighbours are valid until the next step. */
function* vertexNeighbours(graph: GaloisGr, job: JobContext): Generator<{ v: number; neighbours: Uint32Array }> {
  for (let first = 0; first < graph.vertices; first += VERTICES_PER_READ) {
    const last = Math.min(graph.vertices, first + VERTICES_PER_READ)
    const offsets = graph.readOffsets(first, last)
    for (let v = first; v < last;) {
      throwIfCancelled(job.signal)
      let end = v + 1
      const from = offsets[v - first]!
      while (end < last && offsets[end + 1 - first]! - from <= ARCS_PER_READ) end++
      const targets = graph.readTargets(from, offsets[end - first]!)
      for (; v < end; v++)
        yield { v, neighbours: targets.subarray(offsets[v - first]! - from, offsets[v + 1 - first]! - from) }
      job.progress({ phase: 'verify', done: offsets[end - first]!, total: graph.arcs, unit: 'arcs' })
    }
  }
}

/** A maximal matching: each vertex in turn takes its free neighbour of smallest degree, which is the hardest to match later. */
class GreedyMatching {
  pairs = 0
  readonly #matched: VertexBits
  readonly #degrees: Uint32Array

  constructor(graph: GaloisGr) {
    this.#matched = new VertexBits(graph.vertices)
    this.#degrees = new Uint32Array(graph.vertices)
    for (let first = 0; first < graph.vertices; first += VERTICES_PER_READ) {
      const last = Math.min(graph.vertices, first + VERTICES_PER_READ)
      const offsets = graph.readOffsets(first, last)
      for (let v = first; v < last; v++) this.#degrees[v] = offsets[v + 1 - first]! - offsets[v - first]!
    }
  }

  visit(v: number, neighbours: Uint32Array): void {
    if (this.#matched.has(v)) return
    let mate = -1
    let smallest = Infinity
    for (let i = 0; i < neighbours.length; i++) {
      const u = neighbours[i]!
      if (this.#degrees[u]! >= smallest || this.#matched.has(u)) continue
      mate = u
      smallest = this.#degrees[u]!
    }
    if (mate < 0) return
    this.#matched.add(v)
    this.#matched.add(mate)
    this.pairs++
  }
}

class VertexBits {
  readonly #words: Uint32Array

  constructor(vertices: number) {
    this.#words = new Uint32Array(Math.ceil(vertices / 32))
  }

  has(v: number): boolean {
    return ((this.#words[v >>> 5]! >>> (v & 31)) & 1) === 1
  }

  add(v: number): void {
    this.#words[v >>> 5]! |= 1 << (v & 31)
  }
}
