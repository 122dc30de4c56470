import type { GenerateArgs } from '../contract/jobs.ts'
import { CounterHash } from './counter-hash.ts'
import type { EntryOutput } from '../graph/entries.ts'
import { kout, regular } from './models/even-graphs.ts'
import { shuffled } from './models/shuffled.ts'
import { geometric, grid3 } from './models/spatial-graphs.ts'
import { chains, clique, star } from './models/stress-graphs.ts'

/** A random or regular graph as a sequence of tuples, any part of which can be made on its own. */
export interface GraphModel {
  readonly vertices: number
  /** Tuples before loops and duplicates are removed; a tuple of some models gives no entry, or several. */
  readonly tuples: number
  /** Where it is not the number of tuples. */
  readonly expectedEntries?: number
  /** Model and parameters, for the report. */
  readonly name: string
  /** Writes the tuples [first, last). */
  write(first: number, last: number, output: EntryOutput): void
}

/** Graph500's quadrants: a = 0.57, b = 0.19, c = 0.19, d = 0.05, as bounds on a 32-bit word. */
const BOUND_A = Math.round(0.57 * 2 ** 32)
const BOUND_B = Math.round((0.57 + 0.19) * 2 ** 32)
const BOUND_C = Math.round((0.57 + 0.19 + 0.19) * 2 ** 32)

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

/**
 * R-MAT (Chakrabarti, Zhan, Faloutsos 2004) with the parameters of Graph500, without noise and without shuffling the ids:
 * 2^scale vertices, the isolated ones included, edgeFactor * 2^scale tuples, one word a level.
 */
export function rmat(scale: number, edgeFactor: number, seed: number): GraphModel {
  const hash = new CounterHash(seed)
  const write = (first: number, last: number, output: EntryOutput): void => {
    for (let i = first; i < last; i++) {
      hash.item(i)
      let u = 0
      let v = 0
      for (let level = 0; level < scale; level++) {
        const word = hash.word(level)
        const right = (word >= BOUND_A && word < BOUND_B) || word >= BOUND_C
        u = 2 * u + (word >= BOUND_B ? 1 : 0)
        v = 2 * v + (right ? 1 : 0)
      }
      output.add(u, v, 1)
    }
  }
  const name = `rmat scale ${scale} edge-factor ${edgeFactor} seed ${seed}`
  return { vertices: 2 ** scale, tuples: Math.round(edgeFactor * 2 ** scale), name, write }
}

/** Both ends of vertices * degree / 2 tuples drawn uniformly (Erdos and Renyi, with replacement). */
function uniform(vertices: number, degree: number, seed: number): GraphModel {
  const hash = new CounterHash(seed)
  const write = (first: number, last: number, output: EntryOutput): void => {
    for (let i = first; i < last; i++) {
      hash.item(i)
      output.add(hash.below(vertices, 0), hash.below(vertices, 2), 1)
    }
  }
  const name = `uniform vertices ${vertices} degree ${degree} seed ${seed}`
  return { vertices, tuples: Math.round((vertices * degree) / 2), name, write }
}

/** Rows x columns, each vertex joined to its neighbours left, right, above and below; vertex = row * columns + column. */
function grid(rows: number, columns: number): GraphModel {
  const across = rows * (columns - 1)
  const write = (first: number, last: number, output: EntryOutput): void => {
    for (let i = first; i < last; i++) {
      if (i < across) {
        const v = Math.floor(i / (columns - 1)) * columns + (i % (columns - 1))
        output.add(v, v + 1, 1)
      } else {
        output.add(i - across, i - across + columns, 1)
      }
    }
  }
  return { vertices: rows * columns, tuples: across + (rows - 1) * columns, name: `grid ${rows} x ${columns}`, write }
}
