import type { GraphModel } from '../../workers/generate/graph-model.ts'

/** The tuples [first, last) of a model, one by one. */
export function eachTuple(
  model: GraphModel,
  first: number,
  last: number,
  add: (from: number, to: number) => void,
): void {
  model.draw(first, last, ({ count, from, to }) => {
    for (let i = 0; i < count; i++) add(from[i]!, to[i]!)
  })
}
