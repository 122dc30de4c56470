import { EntryOutput } from '../../graph/entries.ts'
import type { GraphModel } from '../graph-models.ts'
import { Permutation } from './permutation.ts'

/** The same graph with its ids in random order, as Graph500 asks for: nothing about a vertex can be told from its id. */
export function shuffled(model: GraphModel, seed: number): GraphModel {
  const order = new Permutation(model.vertices, seed + 2 ** 40)
  return {
    ...model,
    name: `${model.name} shuffled`,
    write: (first, last, output) => {
      const plain = new EntryOutput(1)
      plain.add = (from, to, weight) => output.add(order.at(from), order.at(to), weight)
      model.write(first, last, plain)
    },
  }
}
