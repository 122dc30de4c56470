import type { GenerateArgs } from '../contract/jobs.ts'
import { Permutation } from './random.ts'
import { EntryOutput } from '../graph/entries.ts'
import {
  chains,
  clique,
  geometric,
  grid,
  grid3,
  kout,
  regular,
  rmat,
  star,
  type GraphModel,
  uniform,
} from './models.ts'

export function graphModel(args: GenerateArgs): GraphModel {
  const model = plainModel(args)
  return args.shuffle === true ? shuffled(model, args.seed) : model
}

function plainModel(args: GenerateArgs): GraphModel {
  switch (args.model) {
    case 'rmat':
      return rmat(args.scale, args.edgeFactor, args.seed)
    case 'uniform':
      return uniform(args.vertices, args.degree, args.seed)
    case 'grid':
      return grid(args.rows, args.columns)
    case 'grid3':
      return grid3(args.width, args.height, args.depth)
    case 'kout':
      return kout(args.vertices, args.degree, args.seed)
    case 'regular':
      return regular(args.vertices, args.degree, args.seed)
    case 'geometric':
      return geometric(args.vertices, args.degree, args.seed)
    case 'chains':
      return chains(args.vertices, args.length, args.seed)
    case 'star':
      return star(args.vertices)
    case 'clique':
      return clique(args.vertices)
  }
}

/** The same graph with its ids in random order, as Graph500 asks for: nothing about a vertex can be told from its id. */
function shuffled(model: GraphModel, seed: number): GraphModel {
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
