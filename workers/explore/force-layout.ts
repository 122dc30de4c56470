/**
 * Places by forces: nodes push each other away, each with the square root of its edges, and edges pull in proportion to their length (M. Jacomy
 * and others, "ForceAtlas2", 2014). Only the backbone of a dense graph pulls; a graph is placed coarse first, and each level begins where the
 * one before ended (C. Walshaw, "A multilevel algorithm for force-directed graph drawing", 2003); components are placed alone and packed. The
 * same graph has the same places, every time. The more nodes, the fewer steps. Forces are summed by a quadtree (quadtree.ts); small-graph.ts has
 * backbone and coarsening, overview.ts and the window's own drawings call this.
 */

import { DisjointSets } from '../base/disjoint-sets.ts'
import { type JobContext, quietJob, throwIfCancelled } from '../base/job.ts'
import { groupedBy } from '../base/words.ts'
import type { Layout, LayoutArgs } from '../contract/jobs.ts'
import {
  backbone,
  coarsen,
  type Edges,
  graphOfEdges,
  NOT_THERE,
  nodesOf,
  placesAmong,
  type SmallGraph,
} from './small-graph.ts'
import { type Places, Quadtree } from './quadtree.ts'

const COARSEST = 32
/** Places of the coarsest nodes are tried from so many starts: from one alone, some graphs stay folded. */
const STARTS = 8
const [FEWEST_STEPS, MOST_STEPS] = [10, 120]
/** Pairs of nodes that push each other, over all steps of a level; some 25 ns each. */
const WORK = 4e5
/** The pull of edges outside the backbone, in the last steps. */
const WEAK = 0.03
const LAST_STEPS = 30
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5))
/** Pulls each node to the middle, from anywhere alike, so that components stay in sight of each other. */
const GRAVITY = 0.3
/** The angle of Barnes and Hut: a square that is seen under a smaller one pushes as one. */
const THETA = 1.3
/** Steps for which nodes push as in the first of them (R. Gove, "It pays to be lazy", 2018). */
const REUSED = 3

/**
 * Places all nodes of a graph.
 * @param strong its backbone
 * @throws Failure (cancelled)
 */
export function layOut(graph: SmallGraph, job = quietJob, strong = backbone(graph)): Places {
  const components = componentsOf(graph, strong)
  return pack(
    nodesOf(graph),
    components.map((one) => ({ nodes: one.nodes, ...layOutComponent(one, job) })),
  )
}

/** Lays a component out. The backbone of a dense one decides; then all edges pull a little, which brings hubs to the middle of what they join. */
function layOutComponent({ graph, strong }: Component, job: JobContext): Places {
  const held = graphOfEdges(nodesOf(graph), strong)
  const places = layOutConnected(held, job)
  return held.targets.length === graph.targets.length
    ? places
    : settle(graph, places, job, { pulls: pullsOf(graph, strong), steps: LAST_STEPS })
}

function layOutConnected(graph: SmallGraph, job: JobContext): Places {
  const levels = coarsen(graph, COARSEST, job)
  const coarsest = levels.at(-1)?.graph ?? graph
  const tries = Array.from({ length: levels.length === 0 ? 1 : STARTS }, (_, start) =>
    settle(coarsest, onDisc(nodesOf(coarsest), (start + 1) * GOLDEN_ANGLE), job),
  )
  let places = tries.reduce((best, one) => (energyOf(coarsest, one) < energyOf(coarsest, best) ? one : best))
  for (let level = levels.length - 1; level >= 0; level--) {
    const fine = level === 0 ? graph : levels[level - 1]!.graph
    places = settle(fine, spreadParents(levels[level]!.parents, places, nodesOf(fine)), job)
  }
  return places
}

/**
 * Places for further nodes, beside those that stay.
 * @param known NaN where a node has none yet
 */
export function layOutBeside(graph: SmallGraph, known: Places, job = quietJob): Places {
  const n = nodesOf(graph)
  const scale = lengthOfEdges(graph, known) || 1
  const x = known.x.map((value) => value / scale)
  const y = known.y.map((value) => value / scale)
  const moves = Uint8Array.from(known.x, (value) => Number(Number.isNaN(value)))
  for (let v = 0; v < n; v++) if (moves[v] === 1) placeBeside(graph, { x, y }, v)
  settle(graph, { x, y }, job, { moves })
  return { x: x.map((value) => value * scale), y: y.map((value) => value * scale) }
}

/** What a page asks: see `LayoutArgs`. */
export function layoutOf({ nodes, sources, targets, known }: LayoutArgs, job = quietJob): Layout {
  const edges = { sources, targets }
  const graph = graphOfEdges(nodes, edges)
  const given = (values: readonly (number | null)[]): Float64Array => Float64Array.from(values, (value) => value ?? NaN)
  const strong = backbone(graph)
  const { x, y } =
    known === undefined
      ? layOut(graph, job, strong)
      : layOutBeside(graph, { x: given(known.x), y: given(known.y) }, job)
  const isStrong = Array.from(placesAmong(nodes, edges, strong), (place) => place !== NOT_THERE)
  return { x: Array.from(x), y: Array.from(y), strong: isStrong }
}

function onDisc(n: number, angle: number): Places {
  const x = Float64Array.from({ length: n }, (_, v) => Math.sqrt(v + 0.5) * Math.cos(v * angle))
  const y = Float64Array.from({ length: n }, (_, v) => Math.sqrt(v + 0.5) * Math.sin(v * angle))
  return { x, y }
}

/** What the forces make least: half of the squares of edges less the logarithms of distances, by masses. For few nodes. */
function energyOf(graph: SmallGraph, { x, y }: Places): number {
  const { offsets, targets } = graph
  const masses = massesOf(graph)
  const squareOf = (v: number, u: number): number => (x[v]! - x[u]!) ** 2 + (y[v]! - y[u]!) ** 2
  let energy = 0
  for (let v = 0; v < x.length; v++) {
    for (let arc = offsets[v]!; arc < offsets[v + 1]!; arc++) energy += squareOf(v, targets[arc]!) / 4
    for (let u = 0; u < v; u++) energy -= (masses[v]! * masses[u]! * Math.log(squareOf(v, u) + 1e-3)) / 2
  }
  return energy
}

/** Twice as many nodes need twice the room; both halves of a node begin beside each other. */
function spreadParents(parents: Uint32Array, { x, y }: Places, n: number): Places {
  const grown = Math.SQRT2
  const place = (from: Float64Array, turn: (angle: number) => number): Float64Array =>
    Float64Array.from({ length: n }, (_, v) => grown * from[parents[v]!]! + 0.4 * turn(v * GOLDEN_ANGLE))
  return { x: place(x, Math.cos), y: place(y, Math.sin) }
}

function placeBeside({ offsets, targets }: SmallGraph, { x, y }: Places, v: number): void {
  let [sumX, sumY, count] = [0, 0, 0]
  for (let arc = offsets[v]!; arc < offsets[v + 1]!; arc++) {
    const u = targets[arc]!
    if (Number.isNaN(x[u]!)) continue
    sumX += x[u]!
    sumY += y[u]!
    count++
  }
  const radius = 0.6 + 0.05 * Math.sqrt(v)
  x[v] = (count === 0 ? 0 : sumX / count) + radius * Math.cos(v * GOLDEN_ANGLE)
  y[v] = (count === 0 ? 0 : sumY / count) + radius * Math.sin(v * GOLDEN_ANGLE)
}

/** The mean length between nodes that have places; 0: no edge is. */
function lengthOfEdges({ offsets, targets }: SmallGraph, { x, y }: Places): number {
  let [sum, count] = [0, 0]
  for (let v = 0; v < x.length; v++)
    for (let arc = offsets[v]!; arc < offsets[v + 1]!; arc++) {
      const length = Math.hypot(x[v]! - x[targets[arc]!]!, y[v]! - y[targets[arc]!]!)
      if (Number.isNaN(length)) continue
      sum += length
      count++
    }
  return count === 0 ? 0 : sum / count
}

interface Settling {
  /** Nodes that move; absent: all. */
  readonly moves?: Uint8Array | undefined
  /** The pull of each arc; absent: 1. */
  readonly pulls?: Float32Array | undefined
  readonly steps?: number | undefined
}

/** As Math.hypot, which takes care of numbers that no drawing has and five times as long. */
const lengthOf = (x: number, y: number): number => Math.sqrt(x * x + y * y)

/** Moves nodes until the temperature is down. */
function settle(graph: SmallGraph, places: Places, { signal }: JobContext, how: Settling = {}): Places {
  const { moves, pulls, steps = stepsOf(graph) } = how
  const n = nodesOf(graph)
  const masses = massesOf(graph)
  const tree = new Quadtree(n, THETA)
  const forceX = new Float64Array(n)
  const forceY = new Float64Array(n)
  const pushX = new Float64Array(n)
  const pushY = new Float64Array(n)
  const hottest = 0.12 * Math.sqrt(n) + 0.5
  for (let step = 0; step < steps; step++) {
    throwIfCancelled(signal)
    const { x, y } = places
    if (step % REUSED === 0) {
      pushX.fill(0)
      pushY.fill(0)
      tree.build(places, masses)
      for (let v = 0; v < n; v++) if (moves?.[v] !== 0) tree.push(v, pushX, pushY)
    }
    forceX.set(pushX)
    forceY.set(pushY)
    pull(graph, pulls, { places, forceX, forceY })
    const temperature = hottest * (1 - step / steps) ** 1.5 + 0.02
    for (let v = 0; v < n; v++) {
      if (moves?.[v] === 0) continue
      const gravity = moves === undefined ? (GRAVITY * masses[v]!) / (1 + lengthOf(x[v]!, y[v]!)) : 0
      const [fx, fy] = [forceX[v]! - gravity * x[v]!, forceY[v]! - gravity * y[v]!]
      const speed = 0.1 / masses[v]!
      const length = speed * lengthOf(fx, fy)
      const scale = length === 0 ? 0 : (speed * Math.min(length, temperature)) / length
      x[v]! += fx * scale
      y[v]! += fy * scale
    }
  }
  return places
}

/** Hubs push with the square root of their degree: more of them would empty the middle. */
function massesOf({ offsets }: SmallGraph): Float64Array {
  return Float64Array.from({ length: offsets.length - 1 }, (_, v) => Math.sqrt(1 + offsets[v + 1]! - offsets[v]!))
}

const stepsOf = (graph: SmallGraph): number =>
  Math.max(FEWEST_STEPS, Math.min(MOST_STEPS, Math.floor(WORK / Math.max(1, nodesOf(graph)))))

/** 1 for the arcs of some edges, little for all others. */
function pullsOf({ offsets, targets }: SmallGraph, strong: Edges): Float32Array {
  const n = offsets.length - 1
  const sources = new Uint32Array(targets.length)
  for (let v = 0; v < n; v++) sources.fill(v, offsets[v], offsets[v + 1])
  return Float32Array.from(placesAmong(n, { sources, targets }, strong), (place) => (place === NOT_THERE ? WEAK : 1))
}

interface Forces {
  readonly places: Places
  readonly forceX: Float64Array
  readonly forceY: Float64Array
}

function pull(
  { offsets, targets }: SmallGraph,
  pulls: Float32Array | undefined,
  { places, forceX, forceY }: Forces,
): void {
  const { x, y } = places
  for (let v = 0; v < x.length; v++) {
    const end = offsets[v + 1]!
    let [fx, fy] = [0, 0]
    for (let arc = offsets[v]!; arc < end; arc++) {
      const u = targets[arc]!
      const strength = pulls === undefined ? 1 : pulls[arc]!
      fx += (x[u]! - x[v]!) * strength
      fy += (y[u]! - y[v]!) * strength
    }
    forceX[v]! += fx
    forceY[v]! += fy
  }
}

/** A part of a graph that no edge leaves: its nodes, ascending, and by their places among these its graph and the backbone of that. */
interface Component {
  readonly nodes: Uint32Array
  readonly graph: SmallGraph
  readonly strong: Edges
}

/** Components, the largest first: the backbone holds each together. */
function componentsOf(graph: SmallGraph, strong: Edges): Component[] {
  const n = nodesOf(graph)
  const sets = new DisjointSets(n)
  for (let i = 0; i < strong.sources.length; i++) sets.join(strong.sources[i]!, strong.targets[i]!)
  /** Each set's number, in the order of their first nodes. */
  const numbers = new Uint32Array(n)
  let count = 0
  for (let v = 0; v < n; v++) numbers[v] = sets.of(v) === v ? count++ : numbers[sets.of(v)]!
  if (count === 1) return [{ nodes: numbers.map((_, v) => v), graph, strong }]
  const places = new Uint32Array(n)
  const { starts, members } = groupedBy(numbers, count)
  for (let i = 0; i < n; i++) places[members[i]!] = i - starts[numbers[members[i]!]!]!
  const edges = groupedBy(
    Uint32Array.from(strong.sources, (v) => numbers[v]!),
    count,
  )
  return Array.from({ length: count }, (_, one) => {
    const nodes = members.subarray(starts[one], starts[one + 1])
    const own = edges.members.subarray(edges.starts[one], edges.starts[one + 1])
    const endsOf = (all: ArrayLike<number>): Uint32Array => own.map((i) => places[all[i]!]!)
    const held = { sources: endsOf(strong.sources), targets: endsOf(strong.targets) }
    return { nodes, graph: partOf(graph, nodes, places), strong: held }
  }).sort((a, b) => b.nodes.length - a.nodes.length || a.nodes[0]! - b.nodes[0]!)
}

/** The graph of a component. @param places of its nodes among them */
function partOf({ offsets, targets }: SmallGraph, nodes: Uint32Array, places: Uint32Array): SmallGraph {
  const starts = new Uint32Array(nodes.length + 1)
  nodes.forEach((v, i) => (starts[i + 1] = starts[i]! + offsets[v + 1]! - offsets[v]!))
  const own = new Uint32Array(starts[nodes.length]!)
  nodes.forEach((v, i) => {
    for (let at = 0; at < starts[i + 1]! - starts[i]!; at++) own[starts[i]! + at] = places[targets[offsets[v]! + at]!]!
  })
  return { offsets: starts, targets: own, weights: null, sizes: new Uint32Array(nodes.length).fill(1) }
}

interface Placed extends Places {
  readonly nodes: Uint32Array
}

/** The gap between components. */
const GAP = 3
/** Width to height of a drawing. */
const SHAPE = 1.5

/** Components beside each other, in rows from the largest on, in a drawing that is somewhat wider than high. */
function pack(count: number, components: readonly Placed[]): Places {
  const boxes = components.map(({ x, y }) => {
    const [left, top] = [least(x), least(y)]
    return {
      left,
      top,
      width: GAP - least(x.map((value) => -value)) - left,
      height: GAP - least(y.map((value) => -value)) - top,
    }
  })
  const area = boxes.reduce((sum, { width, height }) => sum + width * height, 0)
  const wide = Math.max(Math.sqrt(SHAPE * area), ...boxes.slice(0, 1).map(({ width }) => width))
  const x = new Float64Array(count)
  const y = new Float64Array(count)
  let [left, top, high] = [0, 0, 0]
  components.forEach((component, i) => {
    const box = boxes[i]!
    if (left > 0 && left + box.width > wide) [left, top, high] = [0, top + high, 0]
    component.nodes.forEach((v, at) => {
      x[v] = component.x[at]! - box.left + left
      y[v] = component.y[at]! - box.top + top
    })
    left += box.width
    high = Math.max(high, box.height)
  })
  return { x, y }
}

const least = (values: Float64Array): number => values.reduce((a, b) => Math.min(a, b), Infinity)
