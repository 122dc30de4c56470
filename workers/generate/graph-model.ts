/**
 * Graph models as streams of edges of which any range can be made on its own, so that threads share one model and memory stays small: R-MAT
 * (Chakrabarti, Zhan, Faloutsos 2004) with Graph500's parameters, uniform and k-out graphs, random regular ones, grids, tori, geometric graphs,
 * chains like those of k-mers, cliques. Randomness is a hash of seed and place (random.ts). jobs/generate-graph.ts builds the graph; lattices
 * may skip the sort (lattice-lists.ts).
 */

import type { GenerateArgs } from '../contract/jobs.ts'
import type { LatticeShape } from './lattice-lists.ts'
import { CounterHash, Permutation } from './random.ts'
import { RmatWords } from './rmat-words.ts'

type AddEntry = (from: number, to: number) => void

/** Any range of the sequence can be made on its own. */
export interface GraphModel {
  readonly vertices: number
  /** A tuple may give no entry, or several. */
  readonly tuples: number
  /** The entries to expect, when they are not as many as the tuples. */
  readonly expectedEntries?: number
  readonly name: string
  /** The shape of a lattice, whose lists are known without sorting. */
  readonly lattice?: LatticeShape | undefined
  write(first: number, last: number, add: AddEntry): void
}

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
      // vertex = row * columns + column
      return { ...grid3(args.columns, args.rows, 1), name: `grid ${args.rows} x ${args.columns}` }
    case 'grid3':
      return grid3(args.width, args.height, args.depth)
    case 'torus3':
      return torus3(args.width, args.height, args.depth)
    case 'kout':
      return kout(args.vertices, args.degree, args.seed)
    case 'regular':
      return regular(args.vertices, args.degree, args.seed)
    case 'geometric':
      return geometric(args.vertices, args.degree, args.seed)
    case 'chains':
      return chains(args.vertices, args.length, args.seed)
    case 'star':
      return inTurn(`star vertices ${args.vertices}`, args.vertices, args.vertices - 1, (i, add) => add(0, i + 1))
    case 'clique':
      return clique(args.vertices)
  }
}

/** A model with shuffled ids, as Graph500 asks for. */
function shuffled(model: GraphModel, seed: number): GraphModel {
  const order = new Permutation(model.vertices, seed + 2 ** 40)
  return {
    ...model,
    name: `${model.name} shuffled`,
    lattice: undefined,
    write: (first, last, add) => model.write(first, last, (from, to) => add(order.at(from), order.at(to))),
  }
}

function inTurn(
  name: string,
  vertices: number,
  tuples: number,
  ofTuple: (tuple: number, add: AddEntry) => void,
): GraphModel {
  const write = (first: number, last: number, add: AddEntry): void => {
    for (let i = first; i < last; i++) ofTuple(i, add)
  }
  return { name, vertices, tuples, write }
}

/** Graph500's a = 0.57, b = 0.19, c = 0.19, d = 0.05, as bounds on a 32-bit word. */
export const rmatBounds = [0.57, 0.57 + 0.19, 0.57 + 0.19 + 0.19].map((share) =>
  Math.round(share * 2 ** 32),
) as unknown as readonly [a: number, b: number, c: number]

/**
 * R-MAT (Chakrabarti, Zhan, Faloutsos 2004) with the parameters of Graph500, no noise, no shuffling: 2^scale vertices,
 * edgeFactor * 2^scale tuples. Each level takes a word w: u gets the bit w >= b, v the bit that a <= w < b or w >= c.
 */
function rmat(scale: number, edgeFactor: number, seed: number): GraphModel {
  const name = `rmat scale ${scale} edge-factor ${edgeFactor} seed ${seed}`
  const words = new RmatWords(scale, new CounterHash(seed), rmatBounds)
  const write = words.write.bind(words)
  return { name, vertices: 2 ** scale, tuples: Math.round(edgeFactor * 2 ** scale), write }
}

/** Both ends drawn uniformly, with replacement (Erdos and Renyi). */
function uniform(vertices: number, degree: number, seed: number): GraphModel {
  const hash = new CounterHash(seed)
  const name = `uniform vertices ${vertices} degree ${degree} seed ${seed}`
  return inTurn(name, vertices, Math.round((vertices * degree) / 2), (i, add) => {
    hash.item(i)
    add(hash.below(vertices, 0), hash.below(vertices, 2))
  })
}

/** Every vertex in turn draws a neighbour, degree / 2 times over. */
function kout(vertices: number, degree: number, seed: number): GraphModel {
  const hash = new CounterHash(seed)
  const name = `kout vertices ${vertices} degree ${degree} seed ${seed}`
  return inTurn(name, vertices, Math.round((vertices * degree) / 2), (i, add) => {
    hash.item(i)
    add(i % vertices, hash.below(vertices, 0))
  })
}

/**
 * degree / 2 random cycles through all vertices, the last one perhaps open: no degree is above 2 * ceil(degree / 2).
 * A cycle is a permutation, so nothing is kept in memory.
 */
function regular(vertices: number, degree: number, seed: number): GraphModel {
  const orders = new Map<number, Permutation>()
  const orderOf = (cycle: number): Permutation => {
    const known = orders.get(cycle) ?? new Permutation(vertices, seed + (cycle + 1) * 2 ** 32)
    orders.set(cycle, known)
    return known
  }
  const name = `regular vertices ${vertices} degree ${degree} seed ${seed}`
  return inTurn(name, vertices, Math.round((vertices * degree) / 2), (i, add) => {
    const order = orderOf(Math.floor(i / vertices))
    const at = i % vertices
    add(order.at(at), order.at((at + 1) % vertices))
  })
}

/** vertex = (z * height + y) * width + x */
function grid3(width: number, height: number, depth: number): GraphModel {
  const plane = width * height
  const alongX = (width - 1) * height * depth
  const alongY = width * (height - 1) * depth
  const tuples = alongX + alongY + plane * (depth - 1)
  const model = inTurn(`grid3 ${width} x ${height} x ${depth}`, plane * depth, tuples, (i, add) => {
    if (i < alongX) {
      const v = Math.floor(i / (width - 1)) * width + (i % (width - 1))
      add(v, v + 1)
    } else if (i < alongX + alongY) {
      const j = i - alongX
      const inPlane = width * (height - 1)
      const v = Math.floor(j / inPlane) * plane + (j % inPlane)
      add(v, v + width)
    } else {
      const v = i - alongX - alongY
      add(v, v + plane)
    }
  })
  return { ...model, lattice: { width, height, depth, periodic: false } }
}

/** Numbered as grid3; a side of one or two joins nothing twice. */
function torus3(width: number, height: number, depth: number): GraphModel {
  const plane = width * height
  const model = inTurn(`torus3 ${width} x ${height} x ${depth}`, plane * depth, 3 * plane * depth, (i, add) => {
    const v = Math.floor(i / 3)
    const [step, side] = [
      [1, width],
      [width, height],
      [plane, depth],
    ][i % 3]! as [number, number]
    const isLast = Math.floor(v / step) % side === side - 1
    add(v, isLast ? v - step * (side - 1) : v + step)
  })
  return { ...model, lattice: { width, height, depth, periodic: true } }
}

/**
 * A random geometric graph: every cell of a square has the same number of points at random places, and points closer than a
 * radius of at
 * most a cell's side are joined, so that neighbours lie in the nine cells around and any range can be made alone.
 */
function geometric(vertices: number, degree: number, seed: number): GraphModel {
  const hash = new CounterHash(seed)
  const inCell = Math.max(1, Math.ceil((degree + 1) / Math.PI))
  const columns = Math.max(1, Math.ceil(Math.sqrt(vertices / inCell)))
  // In cells; a disc of this radius holds degree other points on average.
  const radius = Math.min(1, Math.sqrt(degree / (Math.PI * inCell)))
  const place = (v: number): { x: number; y: number } => {
    const cell = Math.floor(v / inCell)
    hash.item(v)
    return { x: (cell % columns) + hash.word(0) * 2 ** -32, y: Math.floor(cell / columns) + hash.word(1) * 2 ** -32 }
  }
  const join = (v: number, cellX: number, cellY: number, add: AddEntry): void => {
    if (cellX < 0 || cellX >= columns) return
    const { x, y } = place(v)
    const start = (cellY * columns + cellX) * inCell
    for (let u = Math.max(v + 1, start); u < Math.min(vertices, start + inCell); u++) {
      const other = place(u)
      if ((x - other.x) ** 2 + (y - other.y) ** 2 < radius * radius) add(v, u)
    }
  }
  const name = `geometric vertices ${vertices} degree ${degree} seed ${seed}`
  const model = inTurn(name, vertices, vertices, (v, add) => {
    const cell = Math.floor(v / inCell)
    const [x, y] = [cell % columns, Math.floor(cell / columns)]
    // Each pair from its smaller end: cells to the left and above have made theirs.
    join(v, x, y, add)
    join(v, x + 1, y, add)
    for (let step = -1; step <= 1; step++) join(v, x + step, y + 1, add)
  })
  return { ...model, expectedEntries: Math.ceil((vertices * degree) / 2) }
}

/** One vertex in so many has a branch. */
const BRANCH_EVERY = 64

/**
 * Paths of a mean length (geometrically distributed) through vertices with random ids, with a few branches: degrees and
 * locality of
 * graphs of k-mers.
 */
function chains(vertices: number, length: number, seed: number): GraphModel {
  const hash = new CounterHash(seed)
  const order = new Permutation(vertices, seed)
  const endBelow = Math.floor(2 ** 32 / length)
  return inTurn(`chains vertices ${vertices} length ${length} seed ${seed}`, vertices, vertices, (i, add) => {
    hash.item(i)
    const own = order.at(i)
    if (i + 1 < vertices && hash.word(0) >= endBelow) add(own, order.at(i + 1))
    if (hash.word(1) % BRANCH_EVERY === 0) add(own, hash.below(vertices, 2))
  })
}

/** Tuple i joins u and v < u where i = u (u - 1) / 2 + v. */
function clique(vertices: number): GraphModel {
  return {
    vertices,
    tuples: (vertices * (vertices - 1)) / 2,
    name: `clique vertices ${vertices}`,
    write: (first, last, add) => {
      let u = Math.max(1, Math.floor((1 + Math.sqrt(1 + 8 * first)) / 2))
      // The root may be off by one.
      while ((u * (u - 1)) / 2 > first) u--
      while ((u * (u + 1)) / 2 <= first) u++
      let v = first - (u * (u - 1)) / 2
      for (let i = first; i < last; i++) {
        add(u, v)
        if (++v === u) {
          u++
          v = 0
        }
      }
    },
  }
}
