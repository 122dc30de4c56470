import { type JobContext, throwIfCancelled } from '../../../base/job.ts'
import type { GaloisGr } from '../../../graph/galois-gr.ts'
import { scanLists } from '../../../graph/scan-lists.ts'
import { type Checked, type Witness, witnessAt } from '../../../verify/witness.ts'

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
