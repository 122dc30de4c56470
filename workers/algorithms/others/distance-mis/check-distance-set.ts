import type { JobContext } from '../../../base/job.ts'
import type { GaloisGr } from '../../../graph/galois-gr.ts'
import { eachList } from '../../../graph/scan-lists.ts'
import type { VertexSet } from '../../../graph/vertex-set.ts'
import { type Witness, witnessAt } from '../../../verify/witness.ts'

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
