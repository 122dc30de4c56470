// Graphs of the classes of Table 1 of TC-MIS (arXiv 2605.29604), made here as its files are not at hand; for bench-tc-mis.mjs.
// Where the catalogue of generators has the class, that is used; the others are functions of their parameters and a seed.
import { closeSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Numbers in [0, 1) from a counter: SplitMix (Steele, Lea, Flood 2014) on 32 bits. */
function random(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x9e3779b9) >>> 0
    let z = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97)
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32
  }
}

/** A number in [0, 1) of a place and a purpose: SplitMix's finalizer, so that a vertex knows the edges of its neighbours. */
function chance(place, purpose) {
  let z = Math.imul(place ^ (place >>> 16), 0x21f0aaad) + Math.imul(purpose, 0x9e3779b9)
  z = Math.imul(z ^ (z >>> 16), 0x21f0aaad)
  z = Math.imul(z ^ (z >>> 15), 0x735a2d97)
  return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32
}

/** Roads: a grid with a third of its streets left out and a few diagonals; mean degree 2.8, as in roadNet-PA. */
export function road(side) {
  const goesRight = (v) => chance(v, 1) < 0.66
  const goesDown = (v) => chance(v, 2) < 0.66
  const goesAcross = (v) => chance(v, 3) < 0.08
  return gridLists(side, (v, { left, right, up, down }, add) => {
    if (up && left && goesAcross(v - side - 1)) add(v - side - 1)
    if (up && goesDown(v - side)) add(v - side)
    if (left && goesRight(v - 1)) add(v - 1)
    if (right && goesRight(v)) add(v + 1)
    if (down && goesDown(v)) add(v + side)
    if (down && right && goesAcross(v)) add(v + side + 1)
  })
}

/** A triangulated plane: a grid, each square with one of its diagonals by chance; mean degree 6, as in delaunay_n19. */
export function triangles(side) {
  // Whether the square to the right of v and below has the diagonal that begins at v.
  const isFalling = (v) => chance(v, 4) < 0.5
  return gridLists(side, (v, { left, right, up, down }, add) => {
    if (up && left && isFalling(v - side - 1)) add(v - side - 1)
    if (up) add(v - side)
    if (up && right && !isFalling(v - side)) add(v - side + 1)
    if (left) add(v - 1)
    if (right) add(v + 1)
    if (down && left && !isFalling(v - 1)) add(v + side - 1)
    if (down) add(v + side)
    if (down && right && isFalling(v)) add(v + side + 1)
  })
}

/** Lists of a grid, by vertex: `visit` adds the neighbours of one, ascending. */
function gridLists(side, visit) {
  const room = new Uint32Array(8)
  let count = 0
  const add = (u) => (room[count++] = u)
  return (v) => {
    const column = v % side
    count = 0
    visit(v, { left: column > 0, right: column < side - 1, up: v >= side, down: v < side * (side - 1) }, add)
    return room.subarray(0, count)
  }
}

/** Goods bought together: each draws 4 others of its own group of 32 and, one time in two, one from anywhere, as in amazon0302. */
export function* groups(vertices) {
  const next = random(3)
  const size = 32
  for (let v = 0; v < vertices; v++) {
    const first = v - (v % size)
    for (let draw = 0; draw < 4; draw++) yield [v, first + Math.floor(next() * Math.min(size, vertices - first))]
    if (next() < 0.5) yield [v, Math.floor(next() * vertices)]
  }
}

/**
 * Writes edges as a canonical graph: both directions, without loops and duplicates, ids ascending.
 * @param edges makes the same pairs each time that it is called
 */
export function writeGraph(folder, vertices, edges) {
  const degrees = new Uint32Array(vertices + 1)
  for (const [u, v] of edges()) {
    if (u === v) continue
    degrees[u + 1]++
    degrees[v + 1]++
  }
  for (let v = 0; v < vertices; v++) degrees[v + 1] += degrees[v]
  const lists = new Uint32Array(degrees[vertices])
  const next = degrees.slice(0, vertices)
  for (const [u, v] of edges()) {
    if (u === v) continue
    lists[next[u]++] = v
    lists[next[v]++] = u
  }
  writeLists(folder, vertices, (v) => {
    const list = lists.subarray(degrees[v], degrees[v + 1]).sort()
    let kept = 0
    for (let i = 0; i < list.length; i++) if (i === 0 || list[i] !== list[i - 1]) list[kept++] = list[i]
    return list.subarray(0, kept)
  })
}

/** Writes a canonical graph, a list at a time: the neighbours of each vertex, ascending. */
export function writeLists(folder, vertices, listOf) {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'graph.gr')
  const file = openSync(`${path}.part`, 'w')
  const offsets = new BigUint64Array(vertices)
  const room = new Uint32Array(1 << 22)
  let [filled, arcs, at] = [0, 0, 32 + 8 * vertices]
  const flush = () => {
    at += writeAll(file, room.subarray(0, filled), at)
    filled = 0
  }
  for (let v = 0; v < vertices; v++) {
    for (let list = listOf(v); list.length > 0;) {
      if (filled === room.length) flush()
      const part = list.subarray(0, room.length - filled)
      room.set(part, filled)
      filled += part.length
      arcs += part.length
      list = list.subarray(part.length)
    }
    offsets[v] = BigInt(arcs)
  }
  if (arcs % 2 === 1) {
    if (filled === room.length) flush()
    room[filled++] = 0
  }
  flush()
  writeAll(file, BigUint64Array.of(1n, 0n, BigInt(vertices), BigInt(arcs)), 0)
  writeAll(file, offsets, 32)
  closeSync(file)
  renameSync(`${path}.part`, path)
}

function writeAll(file, words, at) {
  const bytes = Buffer.from(words.buffer, words.byteOffset, words.byteLength)
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done, bytes.length - done, at + done)
  return bytes.length
}
