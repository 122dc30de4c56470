/**
 * Graphs in memory for drawings: coarsening by matchings (Karypis, Kumar, SIAM Journal on Scientific Computing 20, 1998; locally dominant ones,
 * as LD-GPU finds them) or by first choices, and the backbone, the edges that hold groups together (Nocaj, Ortmann, Brandes 2015). Both are linear in the arcs but
 * for the looks at common neighbours, and give the same on every machine. force-layout.ts draws with them, overview.ts groups with them.
 */

import { DisjointSets } from '../base/disjoint-sets.ts'
import { quietJob, type StopSignal, throwIfCancelled } from '../base/job.ts'
import { groupedBy } from '../base/words.ts'

/** A symmetric graph in memory, without loops: how many vertices each of its nodes stands for, and how many edges each arc. */
export interface SmallGraph {
  readonly offsets: Uint32Array
  readonly targets: Uint32Array
  /** null: each is 1, as in a graph of vertices. */
  readonly weights: Float32Array | null
  readonly sizes: Uint32Array
}

/** One graph in place of another: the node that holds each node of the finer one. */
interface Coarser {
  readonly parents: Uint32Array
  readonly graph: SmallGraph
}

const FREE = 2 ** 32 - 1
export const NOT_THERE = -1
/** Rounds of pointing; what is free after them waits for the next level. */
const MOST_ROUNDS = 3
/** The mean nodes that a group of first choices stands for, at most. */
const MOST_JOINED = 8
/** Groups may be so much heavier than as many even ones as are wanted: most are lighter. */
const SPARE = 1.5
/** A level that saves less is not worth its memory. */
const LEAST_SAVED = 0.05

export const nodesOf = ({ sizes }: SmallGraph): number => sizes.length

/** Edges column by column, each once. */
export interface Edges {
  readonly sources: ArrayLike<number>
  readonly targets: ArrayLike<number>
}

/** @param counts what each edge weighs; absent: 1 */
export function graphOfEdges(nodes: number, { sources, targets: ends }: Edges, counts?: ArrayLike<number>): SmallGraph {
  const offsets = new Uint32Array(nodes + 1)
  for (let i = 0; i < sources.length; i++) {
    if (sources[i] === ends[i]) continue
    offsets[sources[i]! + 1]!++
    offsets[ends[i]! + 1]!++
  }
  for (let v = 0; v < nodes; v++) offsets[v + 1]! += offsets[v]!
  const next = offsets.slice(0, nodes)
  const targets = new Uint32Array(offsets[nodes]!)
  const weights = counts === undefined ? null : new Float32Array(targets.length)
  for (let i = 0; i < sources.length; i++) {
    const [a, b] = [sources[i]!, ends[i]!]
    if (a === b) continue
    if (weights !== null) weights[next[a]!] = weights[next[b]!] = counts![i]!
    targets[next[a]!++] = b
    targets[next[b]!++] = a
  }
  return { offsets, targets, weights, sizes: new Uint32Array(nodes).fill(1) }
}

/** The place of each edge of a graph among some of them, whichever end comes first; NOT_THERE: it is none of these. */
export function placesAmong(nodes: number, { sources, targets }: Edges, some: Edges): Int32Array {
  const held = graphOfEdges(
    nodes,
    some,
    Array.from(some.sources, (_, i) => i),
  )
  /** The arc by which each node was last reached: arcs of earlier sources are before those of this one. */
  const arcs = new Int32Array(nodes).fill(NOT_THERE)
  const places = new Int32Array(sources.length).fill(NOT_THERE)
  for (let i = 0; i < sources.length; i++) {
    const v = sources[i]!
    const [first, end] = [held.offsets[v]!, held.offsets[v + 1]!]
    if (v !== sources[i - 1]) for (let arc = first; arc < end; arc++) arcs[held.targets[arc]!] = arc
    const arc = arcs[targets[i]!]!
    if (first <= arc && arc < end) places[i] = held.weights![arc]!
  }
  return places
}

/** The node that each one is one with, by a rule: of two, or of several their first. */
type Grouping = (graph: SmallGraph, nodes: number, signal: StopSignal) => Uint32Array

/**
 * Coarser and coarser graphs, each by pairs or groups of nodes of the one before, down to `nodes` nodes or until nothing is saved.
 * @throws Failure (cancelled)
 */
export function coarsen(
  graph: SmallGraph,
  nodes: number,
  { signal } = quietJob,
  grouping: Grouping = matchNodes,
): readonly Coarser[] {
  const levels: Coarser[] = []
  for (let fine = graph; nodesOf(fine) > nodes;) {
    const coarser = contract(fine, grouping(fine, nodes, signal))
    if (nodesOf(coarser.graph) > (1 - LEAST_SAVED) * nodesOf(fine)) break
    levels.push(coarser)
    fine = coarser.graph
  }
  return levels
}

/**
 * First choice (G. Karypis, V. Kumar, "Multilevel k-way hypergraph partitioning", 2000): each node joins the neighbour that holds it most, first those
 * that hold each other. Groups take half the levels of pairs, each of which looks at all arcs; places need pairs, which fold a graph less.
 * Nodes that stay alone join others which like the same neighbour, and those without neighbours each other.
 */
export const joinNodes: Grouping = (graph, nodes, signal) => {
  throwIfCancelled(signal)
  const n = nodesOf(graph)
  const groups = new DisjointSets(n)
  /** What each group stands for, at its first node. */
  const held = Float32Array.from(graph.sizes)
  const liked = new Uint32Array(n)
  for (let v = 0; v < n; v++) liked[v] = bestOf(graph, v, held)
  const most = Math.max(2, Math.min(MOST_JOINED, (SPARE * n) / nodes))
  const heaviest = (most * held.reduce((a, b) => a + b, 0)) / n
  const join = (v: number, u: number): boolean => {
    const [a, b] = [groups.of(v), groups.of(u)]
    if (a === b) return true
    if (held[a]! + held[b]! > heaviest) return false
    groups.join(a, b)
    held[Math.min(a, b)] = held[a]! + held[b]!
    return true
  }
  for (let v = 0; v < n; v++) if (liked[v]! < v && liked[liked[v]!] === v) join(v, liked[v]!)
  for (let v = 0; v < n; v++) if (liked[v] !== FREE) join(v, liked[v]!)
  /** The last lonely node that likes each node; the last place is of those without neighbours. */
  const lonely = new Uint32Array(n + 1).fill(FREE)
  for (let v = 0; v < n; v++) {
    if (groups.of(v) !== v || held[v] !== graph.sizes[v]) continue
    const at = Math.min(liked[v]!, n)
    if (lonely[at] === FREE || !join(v, lonely[at]!)) lonely[at] = v
  }
  return Uint32Array.from({ length: n }, (_, v) => groups.of(v))
}

/**
 * A locally dominant matching as LD-GPU finds it (Algorithm 3), of edges weighed by how much they hold together,
 * w / (size * size), ties by the hash of the edge. Nodes that stay free are paired by the neighbour that both like best, and
 * those without neighbours among themselves: leaves of a hub have no edge to be matched by.
 */
function matchNodes(graph: SmallGraph, _: number, signal: StopSignal): Uint32Array {
  const n = nodesOf(graph)
  const mates = new Uint32Array(n).fill(FREE)
  /** The size of each node that is free, endless for others: a division tells both. */
  const sizes = Float32Array.from(graph.sizes)
  const liked = new Uint32Array(n)
  /** Nodes that may find a mate, the first `waiting` of them. */
  const active = new Uint32Array(n)
  let waiting = 0
  throwIfCancelled(signal)
  for (let v = 0; v < n; v++) {
    liked[v] = bestOf(graph, v, sizes)
    if (liked[v] !== FREE) active[waiting++] = v
  }
  const pointers = liked.slice()
  for (let round = 0; round < MOST_ROUNDS; round++) {
    throwIfCancelled(signal)
    const asked = waiting
    waiting = 0
    for (let i = 0; i < asked; i++) {
      const v = active[i]!
      if (mates[v] !== FREE) continue
      // What is liked best stays so while it is free.
      if (mates[pointers[v]!] !== FREE) pointers[v] = bestOf(graph, v, sizes)
      if (pointers[v] !== FREE) active[waiting++] = v
    }
    if (round > 0 && waiting === asked) break
    for (let i = 0; i < waiting; i++) {
      const v = active[i]!
      const u = pointers[v]!
      if (v > u || pointers[u] !== v) continue
      mates[v] = u
      mates[u] = v
      sizes[v] = sizes[u] = Infinity
    }
  }
  pairTheRest(liked, mates)
  return mates
}

/** The same for both ends. */
function hashOf(u: number, v: number): number {
  const x = Math.imul((u ^ v) + 0x9e3779b9, 0x45d9f3b) ^ Math.imul(u + v, 0x2c1b3c6d)
  return (x ^ (x >>> 15)) >>> 0
}

/** The neighbour that a node is held by most; FREE where there is none. @param sizes endless for those that are not asked */
function bestOf({ offsets, targets, weights }: SmallGraph, v: number, sizes: Float32Array): number {
  let best = FREE
  let mostHeld = 0
  let bestHash = -1
  const end = offsets[v + 1]!
  for (let arc = offsets[v]!; arc < end; arc++) {
    const u = targets[arc]!
    const held = (weights === null ? 1 : weights[arc]!) / sizes[u]!
    if (held < mostHeld || held === 0) continue
    const tie = hashOf(u, v)
    if (held === mostHeld && tie <= bestHash) continue
    best = u
    mostHeld = held
    bestHash = tie
  }
  return best
}

/** Pairs free nodes that like the same node best, and those without neighbours. */
function pairTheRest(liked: Uint32Array, mates: Uint32Array): void {
  const n = mates.length
  /** A free node that likes each node best; the last place is of those without neighbours. */
  const waiting = new Uint32Array(n + 1).fill(FREE)
  for (let v = 0; v < n; v++) {
    if (mates[v] !== FREE) continue
    const at = Math.min(liked[v]!, n)
    const other = waiting[at]!
    if (other === FREE) waiting[at] = v
    else {
      mates[v] = other
      mates[other] = v
      waiting[at] = FREE
    }
  }
}

/** @param others the node that each one is one with: its mate, or the first of its group */
function contract(fine: SmallGraph, others: Uint32Array): Coarser {
  const n = nodesOf(fine)
  const parents = new Uint32Array(n)
  let count = 0
  for (let v = 0; v < n; v++) parents[v] = others[v]! < v ? parents[others[v]!]! : count++
  return { parents, graph: contractBy(fine, parents, count) }
}

/** The graph of groups of nodes: the edges between two groups are one, which weighs what they weigh. @param parents the group of each node, below `count`; others are left out */
export function contractBy(fine: SmallGraph, parents: Uint32Array, count: number): SmallGraph {
  const { starts, members } = groupedBy(parents, count)
  const { offsets: fineOffsets, targets: fineTargets, weights: fineWeights, sizes: fineSizes } = fine
  const sizes = new Uint32Array(count)
  const offsets = new Uint32Array(count + 1)
  const targets = new Uint32Array(fineTargets.length)
  const weights = new Float32Array(fineTargets.length)
  /** The place of each coarse node in the list that is built. */
  const places = new Int32Array(count).fill(NOT_THERE)
  const most = mostArcs(fine, starts, members)
  /** Ends of the arcs of a group, gathered first: reads that wait for no decision wait beside each other. */
  const ends = new Uint32Array(most)
  const held = new Float32Array(most)
  let end = 0
  for (let c = 0; c < count; c++) {
    const start = end
    const last = starts[c + 1]!
    let arcs = 0
    for (let at = starts[c]!; at < last; at++) {
      const v = members[at]!
      sizes[c]! += fineSizes[v]!
      const lastArc = fineOffsets[v + 1]!
      for (let arc = fineOffsets[v]!; arc < lastArc; arc++) {
        ends[arcs] = parents[fineTargets[arc]!]!
        held[arcs++] = fineWeights === null ? 1 : fineWeights[arc]!
      }
    }
    for (let i = 0; i < arcs; i++) {
      const d = ends[i]!
      if (d === c || d >= count) continue
      const place = places[d]!
      if (place >= start) weights[place]! += held[i]!
      else {
        places[d] = end
        targets[end] = d
        weights[end++] = held[i]!
      }
    }
    offsets[c + 1] = end
  }
  // Pages behind the end were never touched, so they take no memory; a copy would.
  return { offsets, targets: targets.subarray(0, end), weights: weights.subarray(0, end), sizes }
}

/** The arcs of the group that has the most. */
function mostArcs({ offsets }: SmallGraph, starts: Uint32Array, members: Uint32Array): number {
  let most = 0
  for (let group = 0; group + 1 < starts.length; group++) {
    let arcs = 0
    for (let at = starts[group]!; at < starts[group + 1]!; at++)
      arcs += offsets[members[at]! + 1]! - offsets[members[at]!]!
    most = Math.max(most, arcs)
  }
  return most
}

/** Edges that each node keeps; a component with fewer is its own backbone. */
const KEPT = 5
/** Lists that are longer are not compared: their edges hold as if nothing were in common. */
const LONGEST_COMPARED = 4096

/**
 * The edges that hold groups together: the most alike ones of each node, and a spanning forest of the most alike, so that nothing
 * falls apart. Drawn by these alone, a dense graph is no disc. A. Nocaj, M. Ortmann, U. Brandes, "Untangling the hairballs of
 * multi-centered, small-world online social media networks" (2015).
 * @returns the most alike first unless it is all edges; of a sparse component all
 */
export function backbone(graph: SmallGraph): Edges {
  const n = nodesOf(graph)
  const { sources, targets, likeness } = tiesOf(graph)
  const components = new DisjointSets(n)
  for (let i = 0; i < sources.length; i++) components.join(sources[i]!, targets[i]!)
  /** How many edges the component of each node has more than it keeps of all of its nodes. */
  const excess = new Int32Array(n)
  for (let v = 0; v < n; v++) excess[components.of(v)]! -= KEPT
  for (const a of sources) excess[components.of(a)]!++
  if (excess.every((edges) => edges <= 0)) return { sources, targets }
  const kept = new Uint8Array(n)
  const sets = new DisjointSets(n)
  const order = Uint32Array.from(sources.keys()).sort(
    // Equal ones in the order of their nodes.
    (i, j) => likeness[j]! - likeness[i]! || sources[i]! - sources[j]! || targets[i]! - targets[j]!,
  )
  const strong = order.filter((i) => {
    const [a, b] = [sources[i]!, targets[i]!]
    const isOwn = kept[a]! < KEPT || kept[b]! < KEPT || excess[components.of(a)]! <= 0
    if (!sets.join(a, b) && !isOwn) return false
    kept[a]!++
    kept[b]!++
    return true
  })
  return { sources: strong.map((i) => sources[i]!), targets: strong.map((i) => targets[i]!) }
}

/** Edges from lower nodes to higher ones, by Jaccard's coefficient of the neighbours of both; with the edge itself, so that it is above 0. */
function tiesOf({ offsets, targets }: SmallGraph) {
  const n = offsets.length - 1
  const marked = new Int32Array(n).fill(NOT_THERE)
  const edges = targets.length / 2
  const ties = {
    sources: new Uint32Array(edges),
    targets: new Uint32Array(edges),
    likeness: new Float64Array(edges),
  }
  let count = 0
  for (let a = 0; a < n; a++) {
    for (let arc = offsets[a]!; arc < offsets[a + 1]!; arc++) marked[targets[arc]!] = a
    for (let arc = offsets[a]!; arc < offsets[a + 1]!; arc++) {
      const b = targets[arc]!
      if (b <= a) continue
      const length = offsets[b + 1]! - offsets[b]!
      let common = 1
      if (length <= LONGEST_COMPARED)
        for (let back = offsets[b]!; back < offsets[b + 1]!; back++) if (marked[targets[back]!] === a) common++
      ties.sources[count] = a
      ties.targets[count] = b
      ties.likeness[count++] = common / (offsets[a + 1]! - offsets[a]! + length - common + 2)
    }
  }
  return ties
}
