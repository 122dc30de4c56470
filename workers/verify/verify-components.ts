import type { JobContext } from '../base/job.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import { scanLists } from '../graph/scan-lists.ts'
import type { Checked, Witness } from './verify-search.ts'

/** Joins the ends of all edges by itself, and compares: every vertex is named by the least one that it hangs together with. */
export function checkComponents(graph: GaloisGr, names: Uint32Array, job: JobContext): Checked {
  const { vertices } = graph
  const parents = Uint32Array.from({ length: vertices }, (_, v) => v)
  const find = (v: number): number => {
    let root = v
    while (parents[root] !== root) root = parents[root]!
    for (let at = v; parents[at] !== root;) [at, parents[at]] = [parents[at]!, root]
    return root
  }
  let witness: Witness | undefined
  scanLists(graph, job, 'verify', ({ first, offsets, targets }) => {
    for (let row = 0; row + 1 < offsets.length; row++)
      for (let at = offsets[row]!; at < offsets[row + 1]! && targets[at]! < first + row; at++) {
        const [v, u] = [first + row, targets[at]!]
        if (names[v] !== names[u])
          witness ??= {
            vertices: [v, u],
            sentence: ([a, b]) => `the neighbours ${a} and ${b} are in different components`,
          }
        const [one, other] = [find(v), find(u)]
        parents[Math.max(one, other)] = Math.min(one, other)
      }
  })
  const sizes = new Uint32Array(vertices)
  for (let v = 0; v < vertices; v++) {
    const root = find(v)
    sizes[root]!++
    if (names[v] !== root)
      witness ??= {
        vertices: [v, root],
        sentence: ([a, b]) => `${a} is in the component of ${b}, and has another name`,
      }
  }
  let [components, largest, isolated] = [0, 0, 0]
  for (const size of sizes) {
    if (size > 0) components++
    if (size === 1) isolated++
    largest = Math.max(largest, size)
  }
  return { witness, figures: { components, largest, isolated } }
}
