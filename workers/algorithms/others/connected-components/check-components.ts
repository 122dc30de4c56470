import { DisjointSets } from '../../../base/disjoint-sets.ts'
import type { JobContext } from '../../../base/job.ts'
import type { GaloisGr } from '../../../graph/galois-gr.ts'
import { eachList } from '../../../graph/scan-lists.ts'
import { type Checked, type Witness, witnessAt } from '../../../verify/witness.ts'

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
