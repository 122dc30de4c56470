// Graphs of the classes of Table 1 of TC-MIS (arXiv 2605.29604), made here as its files are not at hand; for bench-tc-mis.mjs.
// Where the catalogue of generators has the class, that is used; the others are functions of their parameters and a seed.
import { mkdirSync, writeFileSync } from 'node:fs'
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

/** Roads: a grid with a third of its streets left out and a few diagonals; mean degree 2.8, as in roadNet-PA. */
export function* road(side) {
  const next = random(1)
  for (let v = 0; v < side * side; v++) {
    const [isRight, isBelow] = [v % side < side - 1, v < side * (side - 1)]
    if (isRight && next() < 0.66) yield [v, v + 1]
    if (isBelow && next() < 0.66) yield [v, v + side]
    if (isRight && isBelow && next() < 0.08) yield [v, v + side + 1]
  }
}

/** A triangulated plane: a grid, each square with one of its diagonals by chance; mean degree 6, as in delaunay_n19. */
export function* triangles(side) {
  const next = random(2)
  for (let v = 0; v < side * side; v++) {
    const [isRight, isBelow] = [v % side < side - 1, v < side * (side - 1)]
    if (isRight) yield [v, v + 1]
    if (isBelow) yield [v, v + side]
    if (isRight && isBelow) yield next() < 0.5 ? [v, v + side + 1] : [v + 1, v + side]
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

/** Writes edges as a canonical graph: both directions, without loops and duplicates, ids ascending. */
export function writeGraph(folder, vertices, edges) {
  const ends = []
  const degrees = new Uint32Array(vertices + 1)
  for (const [u, v] of edges) {
    if (u === v) continue
    ends.push(u, v)
    degrees[u + 1]++
    degrees[v + 1]++
  }
  for (let v = 0; v < vertices; v++) degrees[v + 1] += degrees[v]
  const lists = new Uint32Array(ends.length)
  const next = degrees.slice(0, vertices)
  for (let i = 0; i < ends.length; i += 2) {
    lists[next[ends[i]]++] = ends[i + 1]
    lists[next[ends[i + 1]]++] = ends[i]
  }
  const offsets = new BigUint64Array(vertices)
  let kept = 0
  for (let v = 0; v < vertices; v++) {
    let previous = -1
    for (const u of lists.subarray(degrees[v], degrees[v + 1]).sort()) if (u !== previous) lists[kept++] = previous = u
    offsets[v] = BigInt(kept)
  }
  const header = BigUint64Array.of(1n, 0n, BigInt(vertices), BigInt(kept))
  const padded = new Uint32Array(kept + (kept & 1))
  padded.set(lists.subarray(0, kept))
  mkdirSync(folder, { recursive: true })
  const parts = [header, offsets, padded].map((words) => Buffer.from(words.buffer))
  writeFileSync(join(folder, 'graph.gr'), Buffer.concat(parts))
}
