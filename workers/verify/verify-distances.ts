/**
 * Checks of results that are distances, independently of the algorithms: levels and parents of a search by the rules of Graph500 (specification
 * 2.0, validation), bounds of eccentricities by searching again, and maximal sets at a distance by a search from all members at once. Each
 * failure names vertices and says the broken law. One thread; one or several passes over the arcs, for eccentricities with the graph in memory.
 * verify-values.ts has the other values.
 */

import { type JobContext, throwIfCancelled } from '../base/job.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import { eachList, scanLists } from '../graph/scan-lists.ts'
import type { VertexSet } from '../graph/vertex-set.ts'
import { type Checked, type Witness, witnessAt } from './verify-values.ts'

/** @param root that was asked for; undefined: any */
export function checkLevels(graph: GaloisGr, levels: Uint32Array, root: number | undefined, job: JobContext): Checked {
  let [reached, depth, witness] = [0, 0, rootWitness(levels, root)]
  for (const level of levels) {
    if (level === NONE) continue
    reached++
    depth = Math.max(depth, level)
  }
  eachList(graph, job, 'verify', (v, start, end, targets) => {
    witness ??= levelWitness(v, start, end, targets, levels)
  })
  return { witness, figures: { reached, depth } }
}

/**
 * The rules of Graph500 (specification 2.0, validation): parents make a tree, of edges of the graph, whose ends are one level apart; it spans the
 * component of the root; the ends of every edge are at most one level apart, or both outside.
 */
export function checkParents(
  graph: GaloisGr,
  parents: Uint32Array,
  root: number | undefined,
  job: JobContext,
): Checked {
  const found = levelsOf(parents)
  if ('witness' in found) return { witness: found.witness, figures: {} }
  const { levels } = found
  const byLevels = checkLevels(graph, levels, root, job)
  let { witness } = byLevels
  eachList(graph, job, 'verify', (v, start, end, targets) => {
    const parent = parents[v]!
    if (witness !== undefined || parent === NONE || parent === v) return
    const list = targets.subarray(start, end)
    const nearer = list.find((u) => levels[u] === levels[v]! - 1)
    if (!list.includes(parent)) witness = witnessAt([v, parent], (a, b) => `no edge joins ${a} with its parent ${b}`)
    else if (nearer !== parent) witness = witnessAt([v, nearer!], (a, b) => `the least parent of ${a} is ${b}`)
  })
  return { ...byLevels, witness }
}

function rootWitness(levels: Uint32Array, root: number | undefined): Witness | undefined {
  const first = levels.indexOf(0)
  const second = levels.indexOf(0, first + 1)
  if (first < 0) return levels.length === 0 ? undefined : witnessAt([], () => 'no vertex is the root: none has level 0')
  if (second > first)
    return witnessAt([first, second], (a, b) => `${a} and ${b} are both at level 0, where the root is alone`)
  if (root === undefined || first === root) return undefined
  return witnessAt([first, root], (a, b) => `the root is ${a}, and ${b} was asked for`)
}

function levelWitness(
  v: number,
  start: number,
  end: number,
  targets: Uint32Array,
  levels: Uint32Array,
): Witness | undefined {
  const level = levels[v]!
  let hasNearer = level === 0 || level === NONE
  for (let at = start; at < end; at++) {
    const u = targets[at]!
    const other = levels[u]!
    if ((level === NONE) !== (other === NONE))
      return witnessAt([v, u], (a, b) => `of the neighbours ${a} and ${b} only one is reached`)
    const apart = Math.abs(level - other)
    if (apart > 1) return witnessAt([v, u], (a, b) => `the neighbours ${a} and ${b} are ${apart} levels apart`)
    if (other === level - 1) hasNearer = true
  }
  if (hasNearer) return undefined
  return witnessAt([v], (a) => `${a} is at level ${level}, and no neighbour is at level ${level - 1}`)
}

/** Finds levels by following parents to the root, each vertex once. */
function levelsOf(parents: Uint32Array): { readonly levels: Uint32Array } | { readonly witness: Witness } {
  const levels = new Uint32Array(parents.length).fill(NONE)
  const PENDING = NONE - 1
  for (let start = 0; start < parents.length; start++) {
    const path: number[] = []
    let v = start
    while (levels[v] === NONE && parents[v] !== NONE) {
      levels[v] = PENDING
      path.push(v)
      if (parents[v] === v) break
      if (parents[v]! >= parents.length) return { witness: witnessAt([v], (a) => `the parent of ${a} is no vertex`) }
      v = parents[v]!
    }
    if (path.length === 0) continue
    const isRoot = parents[v] === v && path.at(-1) === v
    if (!isRoot && levels[v]! >= PENDING)
      return { witness: witnessAt([start], (a) => `the parents of ${a} do not lead to the root`) }
    let level = isRoot ? 0 : levels[v]! + 1
    for (const u of path.reverse()) levels[u] = level++
  }
  return { levels }
}

const NONE = 0xffffffff

/** The whole graph in memory. */
interface Lists {
  readonly offsets: Float64Array
  readonly targets: Uint32Array
}

/** Searches again from the same roots, by a queue: every bound must be the best that these searches prove. */
export function checkEccentricities(
  graph: GaloisGr,
  claimed: Uint32Array,
  roots: readonly number[],
  job: JobContext,
): Checked {
  const { vertices } = graph
  const lists = { offsets: graph.readOffsets(0, vertices), targets: new Uint32Array(graph.arcs) }
  scanLists(graph, job, 'verify', ({ targets, firstArc }) => lists.targets.set(targets, firstArc))
  const [lower, upper] = [new Uint32Array(vertices), new Uint32Array(vertices).fill(Math.max(0, vertices - 1))]
  for (let v = 0; v < vertices; v++) {
    if (lists.offsets[v] === lists.offsets[v + 1]) upper[v] = 0
    else lower[v] = 1
  }
  const isFirst = new Uint8Array(vertices)
  const isReached = new Uint8Array(vertices)
  const levels = new Uint32Array(vertices)
  const queue = new Uint32Array(vertices)
  // What was not reached is in components of no more vertices than that.
  let rest = upper.reduce((sum, most) => sum + (most > 0 ? 1 : 0), 0)
  for (const root of roots) {
    const reached = search(lists, root, levels, queue, job)
    const depth = levels[queue[reached - 1]!]!
    const before = rest
    for (let i = 0; i < reached; i++) {
      const v = queue[i]!
      const level = levels[v]!
      lower[v] = Math.max(lower[v]!, level, depth - level)
      if (isReached[v] === 0) {
        upper[v] = Math.min(upper[v]!, before - 1)
        isReached[v] = 1
        rest--
      }
      upper[v] = Math.min(upper[v]!, depth + level)
      if (root === roots[0]) isFirst[v] = 1
    }
  }
  isReached.forEach((reached, v) => {
    if (reached === 0 && upper[v]! > 0) upper[v] = rest - 1
  })
  let [diameter, diameterBound, exact, radius] = [0, 0, 0, roots.length === 0 ? 0 : NONE]
  let witness: Witness | undefined
  for (let v = 0; v < vertices; v++) {
    diameter = Math.max(diameter, lower[v]!)
    diameterBound = Math.max(diameterBound, upper[v]!)
    if (lower[v] === upper[v]) exact++
    if (isFirst[v] === 1) radius = Math.min(radius, upper[v]!)
    if (claimed[v] !== lower[v])
      witness ??= witnessAt([v], (a) => `the searches prove ${lower[v]} for ${a}, not ${claimed[v]}`)
  }
  return { witness, figures: { diameter, diameterBound, radius, exact } }
}

/** Vertices between two looks whether the job is cancelled. */
const SEARCHED = 1 << 14

/** @returns how many vertices of the queue were reached, in order of their levels @throws Failure (cancelled) */
function search(lists: Lists, root: number, levels: Uint32Array, queue: Uint32Array, job: JobContext): number {
  const { offsets, targets } = lists
  levels.fill(NONE)
  levels[root] = 0
  queue[0] = root
  let end = 1
  for (let at = 0, next = 0; at < end; at++) {
    if (at === next) {
      throwIfCancelled(job.signal)
      next += SEARCHED
    }
    const v = queue[at]!
    for (let arc = offsets[v]!; arc < offsets[v + 1]!; arc++) {
      const u = targets[arc]!
      if (levels[u] !== NONE) continue
      levels[u] = levels[v]! + 1
      queue[end++] = u
    }
  }
  return end
}

const UNREACHED = 255
const NO_OWNER = 0xffffffff

export const distanceCheckBytes = (vertices: number): number => 5 * vertices + (16 << 20)

/**
 * Whether no two members of a set are within a distance, and every vertex has one within it: a search from all members at once, an edge further in
 * each pass. Two members within the distance have an edge on the path between them whose ends were reached from different members, with as short
 * a way across it.
 * @param distance below 255
 */
export function checkDistanceSet(
  graph: GaloisGr,
  set: VertexSet,
  distance: number,
  job: JobContext,
): Witness | undefined {
  const { vertices } = graph
  const steps = new Uint8Array(vertices).fill(UNREACHED)
  const owners = new Uint32Array(vertices).fill(NO_OWNER)
  for (const v of set.members()) {
    steps[v] = 0
    owners[v] = v
  }
  for (let step = 1; step <= distance; step++)
    eachList(graph, job, 'verify', (v, start, end, targets) => {
      if (steps[v] !== UNREACHED) return
      const u = targets.subarray(start, end).find((other) => steps[other] === step - 1)
      if (u === undefined) return
      steps[v] = step
      owners[v] = owners[u]!
    })
  const close = closePair(graph, steps, owners, distance, job)
  if (close !== undefined)
    return witnessAt(
      close,
      (u, v) => `not independent: vertices ${u} and ${v} are within ${distance} edges and both in the set`,
    )
  const v = steps.indexOf(UNREACHED)
  return v < 0 ? undefined : witnessAt([v], (a) => `not maximal: vertex ${a} has no member within ${distance} edges`)
}

function closePair(graph: GaloisGr, steps: Uint8Array, owners: Uint32Array, distance: number, job: JobContext) {
  let found: readonly [number, number] | undefined
  eachList(graph, job, 'verify', (v, start, end, targets) => {
    if (found !== undefined) return
    const most = distance - 1 - steps[v]!
    const u = targets.subarray(start, end).find((other) => steps[other]! <= most && owners[other] !== owners[v])
    if (u !== undefined) found = [owners[v]!, owners[u]!]
  })
  return found
}
