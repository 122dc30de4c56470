import { inputFailure } from '../base/failure.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import type { Labels } from '../graph/labels.ts'
import type { VertexSet } from '../graph/vertex-set.ts'
import { IN, OUT, UNDECIDED, setState, stateOf, stateWords } from '../graph/vertex-states.ts'

/**
 * States to start from, two bits a vertex: kept vertices are in and their neighbours out, excluded vertices are out.
 * @throws Failure (input) when two kept vertices are adjacent, or one is both kept and excluded.
 */
export function initialStates(
  graph: GaloisGr,
  labels: Labels,
  keep: VertexSet | undefined,
  exclude: VertexSet | undefined,
): Uint32Array {
  const states = new Uint32Array(stateWords(graph.vertices))
  for (const v of exclude?.members() ?? []) setState(states, v, OUT)
  for (const v of keep?.members() ?? []) {
    if (exclude?.has(v))
      throw inputFailure(
        undefined,
        `vertex ${labels.of(v)} is both kept and excluded`,
        'Take it out of one of the two lists.',
      )
    setState(states, v, IN)
  }
  for (const v of keep?.members() ?? []) {
    const { first, end } = graph.arcsOf(v)
    for (const u of graph.readTargets(first, end)) {
      if (keep?.has(u))
        throw inputFailure(
          undefined,
          `vertices ${labels.of(v)} and ${labels.of(u)} are both kept, but they are neighbours`,
          'Keep only one of them.',
        )
      if (stateOf(states, u) === UNDECIDED) setState(states, u, OUT)
    }
  }
  return states
}
