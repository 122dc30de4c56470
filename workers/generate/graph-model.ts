/**
 * Graph models as streams of edges of which any range can be made on its own, so that threads share one model and memory stays small: R-MAT
 * (Chakrabarti, Zhan, Faloutsos 2004) with Graph500's parameters, uniform and k-out graphs, random regular ones, grids, tori, geometric graphs,
 * chains like those of k-mers, cliques. Randomness is a hash of seed and place (random.ts). jobs/generate-graph.ts builds the graph; lattices
 * may skip the sort (lattice-lists.ts).
 */

import type { GenerateArgs } from '../contract/jobs.ts'
import type { LatticeShape } from './lattice-lists.ts'
import { CounterHash, Permutation } from './random.ts'
import { BLOCK_TUPLES, type RmatBounds, type TakeBlock, TupleRoom } from './tuple-room.ts'

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
  /** Draws the tuples [first, last), up to 2^53, in blocks. */
  draw(first: number, last: number, take: TakeBlock): void
}

export function graphModel(args: GenerateArgs): GraphModel {
  const room = new TupleRoom()
  const model = plainModel(args, room)
  return args.shuffle === true ? shuffled(model, args.seed, room) : model
}

function plainModel(args: GenerateArgs, room: TupleRoom): GraphModel {
  switch (args.model) {
    case 'rmat':
      return rmat(args.scale, args.edgeFactor, args.seed, room)
    case 'uniform':
      return uniform(args.vertices, args.degree, args.seed, room)
    case 'grid':
      // vertex = row * columns + column
      return { ...grid3(args.columns, args.rows, 1, room), name: `grid ${args.rows} x ${args.columns}` }
    case 'grid3':
      return grid3(args.width, args.height, args.depth, room)
    case 'torus3':
      return torus3(args.width, args.height, args.depth, room)
    case 'kout':
      return kout(args.vertices, args.degree, args.seed, room)
    case 'regular':
      return regular(args.vertices, args.degree, args.seed, room)
    case 'geometric':
      return geometric(args.vertices, args.degree, args.seed, room)
    case 'chains':
      return chains(args.vertices, args.length, args.seed, room)
    case 'star':
      return star(args.vertices, room)
    case 'clique':
      return clique(args.vertices, room)
  }
}

/** A model with shuffled ids, as Graph500 asks for. @param room in which the model draws */
function shuffled(model: GraphModel, seed: number, room: TupleRoom): GraphModel {
  const order = new Permutation(model.vertices, seed + 2 ** 40)
  return {
    ...model,
    name: `${model.name} shuffled`,
    lattice: undefined,
    draw: (first, last, take) =>
      model.draw(first, last, (block) => {
        room.permute(order, block.from, block.count)
        room.permute(order, block.to, block.count)
        take(block)
      }),
  }
}

/** A model that draws a block of tuples at once. @param fill fills the room from a tuple on */
function inBlocks(
  name: string,
  vertices: number,
  tuples: number,
  room: TupleRoom,
  fill: (first: number, count: number) => void,
): GraphModel {
  const draw = (from: number, to: number, take: TakeBlock): void =>
    room.each(from, to, (first, count) => {
      room.count = count
      fill(first, count)
      take(room)
    })
  return { name, vertices, tuples, draw }
}

/** A model that draws a tuple at a time. */
function inTurn(
  name: string,
  vertices: number,
  tuples: number,
  room: TupleRoom,
  ofTuple: (tuple: number, add: AddEntry) => void,
): GraphModel {
  const add: AddEntry = (from, to) => room.add(from, to)
  const draw = (first: number, last: number, take: TakeBlock): void => {
    room.begin(take)
    for (let i = first; i < last; i++) ofTuple(i, add)
    room.end()
  }
  return { name, vertices, tuples, draw }
}

const wordsBelow = (share: number): number => Math.round(share * 2 ** 32)

/** Graph500's a = 0.57, b = 0.19, c = 0.19, d = 0.05, as bounds on a 32-bit word. */
export const rmatBounds: RmatBounds = [wordsBelow(0.57), wordsBelow(0.57 + 0.19), wordsBelow(0.57 + 0.19 + 0.19)]

/**
 * R-MAT (Chakrabarti, Zhan, Faloutsos 2004) with the parameters of Graph500, no noise, no shuffling: 2^scale vertices,
 * edgeFactor * 2^scale tuples.
 */
function rmat(scale: number, edgeFactor: number, seed: number, room: TupleRoom): GraphModel {
  const hash = new CounterHash(seed)
  const name = `rmat scale ${scale} edge-factor ${edgeFactor} seed ${seed}`
  return inBlocks(name, 2 ** scale, Math.round(edgeFactor * 2 ** scale), room, (first, count) =>
    room.rmat(hash, first, count, scale, rmatBounds),
  )
}

/** Both ends drawn uniformly, with replacement (Erdos and Renyi). */
function uniform(vertices: number, degree: number, seed: number, room: TupleRoom): GraphModel {
  const hash = new CounterHash(seed)
  const name = `uniform vertices ${vertices} degree ${degree} seed ${seed}`
  return inBlocks(name, vertices, Math.round((vertices * degree) / 2), room, (first, count) => {
    room.below(hash, first, count, vertices, 0, room.from)
    room.below(hash, first, count, vertices, 2, room.to)
  })
}

/** Every vertex in turn draws a neighbour, degree / 2 times over. */
function kout(vertices: number, degree: number, seed: number, room: TupleRoom): GraphModel {
  const hash = new CounterHash(seed)
  const name = `kout vertices ${vertices} degree ${degree} seed ${seed}`
  return inBlocks(name, vertices, Math.round((vertices * degree) / 2), room, (first, count) => {
    cycle(room.from, first % vertices, count, vertices)
    room.below(hash, first, count, vertices, 0, room.to)
  })
}

/** Numbers below n from one on, and 0 behind the last. */
function cycle(into: Uint32Array, first: number, count: number, n: number): void {
  for (let i = 0, v = first; i < count; i++) {
    into[i] = v
    if (++v === n) v = 0
  }
}

/**
 * degree / 2 random cycles through all vertices, the last one perhaps open: no degree is above 2 * ceil(degree / 2).
 * A cycle is a permutation, so nothing is kept in memory.
 */
function regular(vertices: number, degree: number, seed: number, room: TupleRoom): GraphModel {
  const orders = new Map<number, Permutation>()
  const orderOf = (number: number): Permutation => {
    const known = orders.get(number) ?? new Permutation(vertices, seed + (number + 1) * 2 ** 32)
    orders.set(number, known)
    return known
  }
  const { from, to } = room
  const name = `regular vertices ${vertices} degree ${degree} seed ${seed}`
  const tuples = Math.round((vertices * degree) / 2)
  const draw = (start: number, end: number, take: TakeBlock): void => {
    for (let i = start; i < end;) {
      const [number, at] = [Math.floor(i / vertices), i % vertices]
      const last = Math.min(end, i - at + vertices)
      room.each(i, last, (first, count) => {
        cycle(from, first % vertices, count + 1, vertices)
        room.permute(orderOf(number), from, count + 1)
        to.set(from.subarray(1, count + 1))
        room.count = count
        take(room)
      })
      i = last
    }
  }
  return { name, vertices, tuples, draw }
}

/** vertex = (z * height + y) * width + x */
function grid3(width: number, height: number, depth: number, room: TupleRoom): GraphModel {
  const plane = width * height
  const alongX = (width - 1) * height * depth
  const alongY = width * (height - 1) * depth
  const tuples = alongX + alongY + plane * (depth - 1)
  const model = inTurn(`grid3 ${width} x ${height} x ${depth}`, plane * depth, tuples, room, (i, add) => {
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
function torus3(width: number, height: number, depth: number, room: TupleRoom): GraphModel {
  const plane = width * height
  const model = inTurn(`torus3 ${width} x ${height} x ${depth}`, plane * depth, 3 * plane * depth, room, (i, add) => {
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
 * radius of at most a cell's side are joined, so that neighbours lie in the nine cells around and any range can be made alone.
 */
function geometric(vertices: number, degree: number, seed: number, room: TupleRoom): GraphModel {
  const inCell = Math.max(1, Math.ceil((degree + 1) / Math.PI))
  const columns = Math.max(1, Math.ceil(Math.sqrt(vertices / inCell)))
  // In cells; a disc of this radius holds degree other points on average.
  const radius = Math.min(1, Math.sqrt(degree / (Math.PI * inCell)))
  const places = new CellPlaces(new CounterHash(seed), { vertices, inCell, columns }, room)
  const name = `geometric vertices ${vertices} degree ${degree} seed ${seed}`
  const draw = (first: number, last: number, take: TakeBlock): void => {
    room.begin(take)
    for (let v = first; v < last;) {
      const cell = Math.floor(v / inCell)
      places.around(cell)
      for (const end = Math.min(last, (cell + 1) * inCell); v < end; v++) places.join(v, radius * radius)
    }
    room.end()
  }
  return { name, vertices, tuples: vertices, draw, expectedEntries: Math.ceil((vertices * degree) / 2) }
}

interface Cells {
  readonly vertices: number
  readonly inCell: number
  readonly columns: number
}

/** Cells of a row whose places are kept, at least. */
const KEPT_CELLS = 4

/** Vertices of cells that follow one another in a row. */
interface Kept {
  row: number
  first: number
  end: number
}

/** Places of points around a cell, of two rows. Those of a cell are drawn twice while cells come in turn. */
class CellPlaces {
  readonly #hash: CounterHash
  readonly #cells: Cells
  readonly #room: TupleRoom
  /** The places of a vertex are at its number modulo the length. */
  readonly #x: readonly [Float64Array, Float64Array]
  readonly #y: readonly [Float64Array, Float64Array]
  readonly #kept: readonly [Kept, Kept] = [
    { row: -1, first: 0, end: 0 },
    { row: -1, first: 0, end: 0 },
  ]
  #row = 0
  /** Vertices up to the end of the cell on the right, and those of the three cells below. */
  #end = 0
  #below = 0
  #belowEnd = 0

  constructor(hash: CounterHash, cells: Cells, room: TupleRoom) {
    this.#hash = hash
    this.#cells = cells
    this.#room = room
    const length = 2 ** Math.ceil(Math.log2(KEPT_CELLS * cells.inCell))
    const places = () => new Float64Array(length)
    this.#x = [places(), places()]
    this.#y = [places(), places()]
  }

  /** Goes to a cell: each pair is joined from its smaller end, and cells to the left and above have made theirs. */
  around(cell: number): void {
    const { columns, inCell, vertices } = this.#cells
    const [x, y] = [cell % columns, Math.floor(cell / columns)]
    const [left, right] = [Math.max(0, x - 1), Math.min(columns, x + 2)]
    const vertexOf = (column: number, row: number): number => Math.min(vertices, (row * columns + column) * inCell)
    this.#row = y
    this.#end = vertexOf(right, y)
    this.#below = vertexOf(left, y + 1)
    this.#belowEnd = vertexOf(right, y + 1)
    this.#keep(y, vertexOf(x, y), this.#end)
    this.#keep(y + 1, this.#below, this.#belowEnd)
  }

  /** Draws places of a row that are not there. */
  #keep(row: number, first: number, end: number): void {
    const kept = this.#kept[row % 2]!
    const continues = kept.row === row && first >= kept.first && first <= kept.end
    const { columns, inCell } = this.#cells
    const [xs, ys, hash] = [this.#x[row % 2]!, this.#y[row % 2]!, this.#hash]
    const mask = xs.length - 1
    for (let v = continues ? kept.end : first; v < end; v++) {
      const column = Math.floor(v / inCell) - row * columns
      hash.item(v)
      xs[v & mask] = column + hash.word(0) * 2 ** -32
      ys[v & mask] = row + hash.word(1) * 2 ** -32
    }
    kept.row = row
    kept.end = continues ? Math.max(kept.end, end) : end
    kept.first = Math.max(continues ? kept.first : first, kept.end - xs.length)
  }

  /** Joins a vertex of the cell to those that are close and come behind it. */
  join(v: number, square: number): void {
    this.#joinTo(v, v + 1, this.#end, this.#row, square)
    this.#joinTo(v, this.#below, this.#belowEnd, this.#row + 1, square)
  }

  #joinTo(v: number, first: number, end: number, row: number, square: number): void {
    const room = this.#room
    const { from, to } = room
    const [xs, ys] = [this.#x[row % 2]!, this.#y[row % 2]!]
    const mask = xs.length - 1
    const x = this.#x[this.#row % 2]![v & mask]!
    const y = this.#y[this.#row % 2]![v & mask]!
    let { count } = room
    for (let u = first; u < end; u++) {
      const dx = x - xs[u & mask]!
      const dy = y - ys[u & mask]!
      // Written in any case, as no one can foresee it.
      from[count] = v
      to[count] = u
      count += dx * dx + dy * dy < square ? 1 : 0
      if (count < BLOCK_TUPLES) continue
      room.count = count
      room.end()
      count = 0
    }
    room.count = count
  }
}

/** One vertex in so many has a branch. */
const BRANCH_EVERY = 64

/**
 * Paths of a mean length (geometrically distributed) through vertices with random ids, with a few branches: degrees and
 * locality of graphs of k-mers.
 */
function chains(vertices: number, length: number, seed: number, room: TupleRoom): GraphModel {
  const hash = new CounterHash(seed)
  const order = new Permutation(vertices, seed)
  const endBelow = Math.floor(2 ** 32 / length)
  const [ids, ends, branches] = room.more
  const draw = (start: number, last: number, take: TakeBlock): void => {
    room.begin(take)
    room.each(start, last, (first, count) => {
      cycle(ids, first, count + 1, vertices)
      room.permute(order, ids, count + 1)
      room.words(hash, first, count, 0, ends)
      room.words(hash, first, count, 1, branches)
      for (let k = 0; k < count; k++) {
        const own = ids[k]!
        if (first + k + 1 < vertices && ends[k]! >= endBelow) room.add(own, ids[k + 1]!)
        if (branches[k]! % BRANCH_EVERY !== 0) continue
        hash.item(first + k)
        room.add(own, hash.below(vertices, 2))
      }
    })
    room.end()
  }
  return { name: `chains vertices ${vertices} length ${length} seed ${seed}`, vertices, tuples: vertices, draw }
}

function star(vertices: number, room: TupleRoom): GraphModel {
  return inBlocks(`star vertices ${vertices}`, vertices, vertices - 1, room, (first, count) => {
    room.from.fill(0, 0, count)
    for (let k = 0; k < count; k++) room.to[k] = first + k + 1
  })
}

/** Tuple i joins u and v < u where i = u (u - 1) / 2 + v. */
function clique(vertices: number, room: TupleRoom): GraphModel {
  return inBlocks(`clique vertices ${vertices}`, vertices, (vertices * (vertices - 1)) / 2, room, (first, count) => {
    let u = Math.max(1, Math.floor((1 + Math.sqrt(1 + 8 * first)) / 2))
    // The root may be off by one.
    while ((u * (u - 1)) / 2 > first) u--
    while ((u * (u + 1)) / 2 <= first) u++
    let v = first - (u * (u - 1)) / 2
    for (let k = 0; k < count; k++) {
      room.from[k] = u
      room.to[k] = v
      if (++v < u) continue
      u++
      v = 0
    }
  })
}
