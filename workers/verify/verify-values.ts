/**
 * Checks of results with a value for each vertex, independently of the algorithms: components by joining all edges again, core numbers by two
 * laws, aggregates by their connection, spins by adding the energy up and looking for a flip that lowers it. Each failure names vertices and
 * says the broken law. One thread and few passes over the arcs, some words a vertex. verify-distances.ts has searches, verify-colouring.ts
 * colours.
 */

import { EdgeHash } from '../../kernels/parts/edge-hash.ts'
import { DisjointSets } from '../base/disjoint-sets.ts'
import type { JobContext } from '../base/job.ts'
import type { RunArgs } from '../contract/jobs.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import { eachList } from '../graph/scan-lists.ts'

/** What breaks a law: vertices, and how, by their labels. */
export interface Witness {
  readonly vertices: readonly number[]
  readonly sentence: (labels: readonly string[]) => string
}

export const witnessAt = (vertices: readonly number[], words: (...labels: string[]) => string): Witness => ({
  vertices,
  sentence: (labels) => words(...labels),
})

/** What was found, by the names of the figures; without a witness the claim holds. */
export interface Checked {
  readonly witness: Witness | undefined
  readonly figures: Readonly<Record<string, number>>
}

interface ClassSizes {
  /** The largest value, and one. */
  readonly classes: number
  /** The least value below it that no vertex has. */
  readonly unused: number | undefined
  readonly sizes: Uint32Array
  readonly smallest: number
  readonly largest: number
}

/** How many vertices have each value below their number: a larger one means that one of these is not used. */
export function classSizes(values: Uint32Array): ClassSizes {
  let classes = 0
  for (const value of values) classes = Math.max(classes, value + 1)
  const sizes = new Uint32Array(Math.min(classes, values.length))
  for (const value of values) if (value < sizes.length) sizes[value]!++
  const unused = sizes.indexOf(0)
  const largest = sizes.reduce((a, b) => Math.max(a, b), 0)
  const smallest = sizes.reduce((a, b) => Math.min(a, b), largest)
  return { classes, unused: unused < 0 ? undefined : unused, sizes, smallest, largest }
}

/** Joins the ends of all edges by itself, and compares: every vertex is named by the least one that it hangs together with. */
export function checkComponents(graph: GaloisGr, names: Uint32Array, job: JobContext): Checked {
  const sets = new DisjointSets(graph.vertices)
  let witness: Witness | undefined
  eachList(graph, job, 'verify', (v, start, end, targets) => {
    for (let at = start; at < end && targets[at]! < v; at++) {
      const u = targets[at]!
      if (names[v] !== names[u])
        witness ??= witnessAt([v, u], (a, b) => `the neighbours ${a} and ${b} are in different components`)
      sets.join(v, u)
    }
  })
  const wrong = names.findIndex((name, v) => name !== sets.of(v))
  if (wrong >= 0)
    witness ??= witnessAt([wrong, sets.of(wrong)], (a, b) => `${a} is in the component of ${b}, and has another name`)
  let [components, largest, isolated] = [0, 0, 0]
  for (const size of sets.sizes()) {
    if (size > 0) components++
    if (size === 1) isolated++
    largest = Math.max(largest, size)
  }
  return { witness, figures: { components, largest, isolated } }
}

/** Words of lists that are held to finish. */
const MOST_HELD = 1 << 27

/**
 * Core numbers by two laws. Not too high: v has cores[v] neighbours with as high a number or a higher one. Not too low: vertices with the same
 * number leave one after another, each with at most that many neighbours that are left or have a higher number.
 */
export function checkCores(graph: GaloisGr, cores: Uint32Array, job: JobContext): Checked {
  let [degeneracy, inmost] = [0, 0]
  for (const core of cores) degeneracy = Math.max(degeneracy, core)
  for (const core of cores) if (core === degeneracy) inmost++
  const figures = { degeneracy, inmost }
  /** Neighbours of a vertex that have not left, of those with its number or a higher one. */
  const left = new Uint32Array(graph.vertices)
  let high: Witness | undefined
  eachList(graph, job, 'verify', (v, start, end, targets) => {
    for (let at = start; at < end; at++) if (cores[targets[at]!]! >= cores[v]!) left[v]!++
    if (left[v]! < cores[v]!)
      high ??= witnessAt(
        [v],
        (a) => `${a} has ${left[v]} neighbours with core number ${cores[v]} or more, fewer than that`,
      )
  })
  if (high !== undefined) return { witness: high, figures }
  const v = peel(graph, cores, left, job).indexOf(0)
  if (v < 0) return { witness: undefined, figures }
  const words = (a?: string): string =>
    `the core number of ${a} is above ${cores[v]}: it never has so few neighbours left`
  return { witness: witnessAt([v], words), figures }
}

/** @returns 1 for what left, 0 for what stays */
function peel(graph: GaloisGr, cores: Uint32Array, left: Uint32Array, job: JobContext): Uint8Array {
  const gone = new Uint8Array(graph.vertices)
  for (let before = -1, count = 0; count !== before;) {
    before = count
    // Lists of what stays, within its own shell, once they are few.
    let lists: Map<number, number[]> | undefined = new Map()
    let held = 0
    eachList(graph, job, 'verify', (v, start, end, targets) => {
      if (gone[v] === 1) return
      const shell: number[] = []
      for (let at = start; at < end; at++) {
        const u = targets[at]!
        if (cores[u] === cores[v] && gone[u] === 0) shell.push(u)
      }
      if (left[v]! > cores[v]!) {
        held += 1 + shell.length
        if (held > MOST_HELD / 8) lists = undefined
        lists?.set(v, shell)
        return
      }
      gone[v] = 1
      count++
      for (const u of shell) left[u]!--
    })
    if (lists === undefined) continue
    finish(lists, cores, left, gone)
    return gone
  }
  return gone
}

function finish(
  lists: ReadonlyMap<number, readonly number[]>,
  cores: Uint32Array,
  left: Uint32Array,
  gone: Uint8Array,
): void {
  const queue = [...lists.keys()].filter((v) => left[v]! <= cores[v]!)
  const isQueued = new Set(queue)
  for (let v = queue.pop(); v !== undefined; v = queue.pop()) {
    gone[v] = 1
    for (const u of lists.get(v)!) {
      if (gone[u] === 1) continue
      left[u]!--
      if (left[u]! > cores[u]! || isQueued.has(u)) continue
      isQueued.add(u)
      queue.push(u)
    }
  }
}

const NO_ROOT = 0xffffffff

export const aggregateCheckBytes = (vertices: number): number => 24 * vertices + (64 << 20)

/**
 * Checks that aggregates have the numbers from 0 on, that each is connected by edges that count, and that a vertex is alone only where none of its
 * edges does. An edge counts where |w| >= threshold sqrt(d(u) d(v)), d being the sums of |w|; without a threshold all do.
 */
export function checkAggregates(graph: GaloisGr, values: Uint32Array, threshold: number, job: JobContext): Checked {
  const { vertices } = graph
  const { classes: aggregates, unused, sizes, largest, smallest } = classSizes(values)
  const figures = { aggregates, largest, smallest }
  const broken = (places: readonly number[], words: (...labels: string[]) => string) => ({
    witness: witnessAt(places, words),
    figures,
  })
  if (unused !== undefined)
    return broken(
      aggregates > vertices ? [values.indexOf(aggregates - 1)] : [],
      () => 'aggregates have no numbers from 0 on',
    )
  const sets = new DisjointSets(vertices)
  let alone: number | undefined
  const counts = threshold > 0 ? strongEdges(graph, threshold, job) : undefined
  const look: Parameters<typeof eachList>[3] = (v, start, end, targets, weights) => {
    for (let at = start; at < end; at++) {
      const u = targets[at]!
      if (counts?.(v, u, weights[at]!) === false) continue
      if (sizes[values[v]!] === 1) alone ??= v
      if (values[u] === values[v]) sets.join(u, v)
    }
  }
  eachList(graph, job, 'verify', look, counts !== undefined)
  if (alone !== undefined)
    return broken([alone], (v) => `vertex ${v} is an aggregate of its own, and has an edge that counts`)
  const roots = new Uint32Array(aggregates).fill(NO_ROOT)
  for (let v = 0; v < vertices; v++) {
    const root = roots[values[v]!]!
    if (root === NO_ROOT) roots[values[v]!] = sets.of(v)
    else if (root !== sets.of(v))
      return broken([root, v], (a, b) => `vertices ${a} and ${b} are in one aggregate that is not connected`)
  }
  return { witness: undefined, figures }
}

function strongEdges(
  graph: GaloisGr,
  threshold: number,
  job: JobContext,
): (v: number, u: number, w: number) => boolean {
  const sums = new Float64Array(graph.vertices)
  const add: Parameters<typeof eachList>[3] = (v, start, end, _, weights) => {
    for (let at = start; at < end; at++) sums[v]! += Math.abs(weights[at]!)
  }
  eachList(graph, job, 'verify', add, true)
  return (v, u, w) => w * w >= threshold * threshold * (sums[v]! * sums[u]!)
}

/** What the energy is of; couplings are whole multiples of the quantum. */
export interface SpinClaim {
  readonly model: NonNullable<RunArgs['model']>
  readonly disorder: number
  readonly weighted: boolean
  /** Taken from every weight. */
  readonly zero: number
  readonly quantum: number
}

/** Adds the energy up edge by edge, and looks for a vertex whose flip would lower it. */
export function checkSpins(graph: GaloisGr, spins: Uint32Array, claim: SpinClaim, job: JobContext): Checked {
  const { model, weighted, zero, quantum } = claim
  const isSet = model === 'independent-set'
  const hash = new EdgeHash(claim.disorder)
  let [energy, cut, up] = [0, 0, 0]
  let witness: Witness | undefined
  const look: Parameters<typeof eachList>[3] = (v, start, end, targets, weights) => {
    const own = spins[v]!
    if (own > 1) witness ??= witnessAt([v], (a) => `the spin of ${a} is ${own}, and not 0 or 1`)
    up += own
    if (isSet) energy -= own
    // What a flip would gain.
    let gain = isSet ? 1 - 2 * own : 0
    for (let at = start; at < end; at++) {
      const u = targets[at]!
      const other = spins[u]!
      let size = 1
      if (isSet) {
        if (u < v) energy += 2 * own * other
        gain += (own === 1 ? 2 : -2) * other
      } else {
        let coupling = model === 'max-cut' ? -1 : 1
        if (weighted) coupling *= Math.round((weights[at]! - zero) / quantum)
        if (model === 'bimodal') {
          hash.of(u, v)
          coupling = hash.high >>> 31 === 0 ? 1 : -1
        }
        const pull = coupling * (own === other ? 1 : -1)
        size = model === 'max-cut' ? -coupling : Math.abs(coupling)
        if (u < v) energy -= pull
        gain -= pull
      }
      if (u < v && own !== other) cut += size
    }
    if (gain > 0) witness ??= witnessAt([v], (a) => `to flip the spin of ${a} lowers the energy`)
  }
  eachList(graph, job, 'verify', look, weighted)
  const [scale, n] = [isSet ? 1 : quantum, graph.vertices]
  const figures = { energy: energy * scale, perVertex: n === 0 ? 0 : (energy * scale) / n, cut: cut * scale, up }
  return { witness, figures }
}
