/**
 * Vertices with places, grouped by the cells of a map: a square is halved across, then down, and so on, down to as many cells as may be drawn.
 * Each level of detail halves the one before; what a cell stands for is near it, which groups by edges are not. The order of cells is that of G. M.
 * Morton (1966). Linear. overview.ts draws with it.
 */

import { radixOrder } from '../graph/radix-order.ts'

/** Halvings of the whole: 16 across, 16 down. */
const DEPTH = 32
const SIDE = 2 ** 16
/** A level that saves less than this is passed over. */
const LEAST_SAVED = 0.2

interface MapCells {
  /** The cell of each vertex; `count` for vertices without a place. */
  readonly cells: Uint32Array
  readonly count: number
  /** The cell of the next coarser level that holds each cell, level by level. */
  readonly levels: readonly Uint32Array[]
  /** The middle of the vertices of each cell. */
  readonly x: Float64Array
  readonly y: Float64Array
}

/** Whether places may be longitudes and latitudes. */
function areGeographic(places: Float32Array): boolean {
  for (let i = 0; i < places.length; i += 2)
    if (Math.abs(places[i]!) > 180 || Math.abs(places[i + 1]!) > 90) return false
  return true
}

/**
 * Cells, at most `limit`: each vertex its own where they are few.
 * @param places pairs x, y; NaN for none
 * @param fewest the cells of the coarsest level, about
 */
export function mapCells(places: Float32Array, limit: number, fewest: number): MapCells {
  const n = places.length / 2
  const codes = codesOf(places)
  const order = inCodeOrder(codes)
  const placed = order.length
  const isEach = placed <= limit
  const distinct = distinctAt(order, codes)
  const depth = isEach ? DEPTH : distinct.findLastIndex((count) => count <= limit)
  const cells = new Uint32Array(n)
  let count = 0
  let before = -1
  for (const v of order) {
    const own = prefix(codes[v]!, depth)
    if (isEach || own !== before) count++
    before = own
    cells[v] = count - 1
  }
  for (let v = 0; v < n; v++) if (Number.isNaN(codes[v]!)) cells[v] = count
  const heads = new Float64Array(count)
  for (const v of order) heads[cells[v]!] = codes[v]!
  return { cells, count, levels: levelsOf(heads, depth, fewest), ...middles(places, cells, count) }
}

/** The first `depth` bits of a code. */
const prefix = (code: number, depth: number): number => Math.floor(code / 2 ** (DEPTH - depth))

/** The way to the cell of each vertex by halvings, across and down in turn, as bits; NaN without a place. */
function codesOf(places: Float32Array): Float64Array {
  const n = places.length / 2
  let [left, right, bottom, top, sum, placed] = [Infinity, -Infinity, Infinity, -Infinity, 0, 0]
  for (let v = 0; v < n; v++) {
    const x = places[2 * v]!
    const y = places[2 * v + 1]!
    if (!Number.isFinite(x + y)) continue
    left = Math.min(left, x)
    right = Math.max(right, x)
    bottom = Math.min(bottom, y)
    top = Math.max(top, y)
    sum += y
    placed++
  }
  const narrow = areGeographic(places) ? Math.max(0.1, Math.cos((sum / placed) * (Math.PI / 180))) : 1
  const side = Math.max((right - left) * narrow, top - bottom) || 1
  const cellOf = (away: number): number => Math.min(SIDE - 1, Math.floor((away / side) * SIDE))
  const codes = new Float64Array(n)
  for (let v = 0; v < n; v++) {
    const x = places[2 * v]!
    const y = places[2 * v + 1]!
    codes[v] = Number.isFinite(x + y) ? 2 * spread(cellOf((x - left) * narrow)) + spread(cellOf(y - bottom)) : NaN
  }
  return codes
}

/** Sixteen bits with a 0 before each. */
function spread(value: number): number {
  let bits = value
  bits = (bits | (bits << 8)) & 0x00ff00ff
  bits = (bits | (bits << 4)) & 0x0f0f0f0f
  bits = (bits | (bits << 2)) & 0x33333333
  bits = (bits | (bits << 1)) & 0x55555555
  return bits
}

/** Vertices with places by their codes, equal ones by their ids. */
function inCodeOrder(codes: Float64Array): Uint32Array {
  let placed = 0
  const vertices = new Uint32Array(codes.length)
  for (let v = 0; v < codes.length; v++) if (!Number.isNaN(codes[v]!)) vertices[placed++] = v
  const words = new Uint32Array(placed)
  for (let at = 0; at < placed; at++) words[at] = codes[vertices[at]!]!
  return radixOrder([words]).map((at) => vertices[at]!)
}

/** How many cells have vertices at each depth, from 0 to DEPTH. */
function distinctAt(order: Uint32Array, codes: Float64Array): readonly number[] {
  const firsts = new Array<number>(DEPTH + 1).fill(0)
  for (let at = 1; at < order.length; at++) {
    const apart = (codes[order[at]!]! ^ codes[order[at - 1]!]!) >>> 0
    if (apart > 0) firsts[Math.clz32(apart) + 1]!++
  }
  let count = Math.min(1, order.length)
  return firsts.map((more) => (count += more))
}

function levelsOf(heads: Float64Array, depth: number, fewest: number): readonly Uint32Array[] {
  const levels: Uint32Array[] = []
  let [own, at] = [heads, depth]
  while (own.length > fewest && at > 0) {
    const parents = new Uint32Array(own.length)
    let count = 0
    for (; at >= 0; at--) {
      count = 0
      own.forEach((code, i) => {
        if (i > 0 && prefix(code, at) !== prefix(own[i - 1]!, at)) count++
        parents[i] = count
      })
      if (++count <= (1 - LEAST_SAVED) * own.length) break
    }
    if (count >= own.length) break
    levels.push(parents)
    const next = new Float64Array(count)
    own.forEach((code, i) => (next[parents[i]!] = code))
    own = next
  }
  return levels
}

function middles(places: Float32Array, cells: Uint32Array, count: number): Pick<MapCells, 'x' | 'y'> {
  const [x, y, sizes] = [new Float64Array(count), new Float64Array(count), new Uint32Array(count)]
  cells.forEach((cell, v) => {
    if (cell === count) return
    x[cell]! += places[2 * v]!
    y[cell]! += places[2 * v + 1]!
    sizes[cell]!++
  })
  return { x: x.map((sum, cell) => sum / sizes[cell]!), y: y.map((sum, cell) => sum / sizes[cell]!) }
}
