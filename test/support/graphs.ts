import { writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { grLayout } from '../../workers/graph/graph-file.ts'
import { randomStream } from './random-stream.ts'
import { scratchFolder } from './scratch-folder.ts'

export { randomStream }

/** A small graph as a list of undirected edges; loops and duplicates are dropped. */
export interface SmallGraph {
  readonly vertices: number
  readonly neighbours: readonly (readonly number[])[]
}

export function smallGraph(vertices: number, edges: Iterable<readonly [number, number]>): SmallGraph {
  const neighbours = Array.from({ length: vertices }, (): number[] => [])
  for (const [u, v] of edges) {
    if (u === v) continue
    neighbours[u]!.push(v)
    neighbours[v]!.push(u)
  }
  return { vertices, neighbours: neighbours.map(sortedOnce) }
}

/** Sorted, each value once. */
function sortedOnce(list: number[]): number[] {
  if (list.length > 1) list.sort((a, b) => a - b)
  let end = 0
  for (const value of list) if (end === 0 || value !== list[end - 1]) list[end++] = value
  list.length = end
  return list
}

/** Writes graph.gr of a dataset folder, byte by byte as docs/formats.md describes it, without the project's writer. */
export function writeGraphFolder(graph: SmallGraph): { folder: string; checksum: string } {
  const folder = scratchFolder('test')
  const arcs = graph.neighbours.reduce((sum, list) => sum + list.length, 0)
  const { targetsAt, fileBytes } = grLayout(graph.vertices, arcs, false)
  const words = new Uint32Array(Math.ceil(fileBytes / 4))
  words.set([1, 0, 0, 0, graph.vertices, 0, arcs, 0])
  let end = 0
  graph.neighbours.forEach((list, v) => {
    for (const target of list) words[targetsAt / 4 + end++] = target
    words[8 + 2 * v] = end
  })
  const bytes = new Uint8Array(words.buffer, 0, fileBytes)
  writeFileSync(join(folder, 'graph.gr'), bytes)
  return { folder, checksum: createHash('sha256').update(bytes).digest('hex') }
}

/** The folder of a path of so many vertices, one after another. */
export function writePath(vertices: number): string {
  const folder = scratchFolder('path')
  const { targetsAt, fileBytes } = grLayout(vertices, 2 * vertices - 2, false)
  const words = new Uint32Array(fileBytes / 4)
  words.set([1, 0, 0, 0, vertices, 0, 2 * vertices - 2, 0])
  let arc = 0
  for (let v = 0; v < vertices; v++) {
    if (v > 0) words[targetsAt / 4 + arc++] = v - 1
    if (v + 1 < vertices) words[targetsAt / 4 + arc++] = v + 1
    words[8 + 2 * v] = arc
  }
  writeFileSync(join(folder, 'graph.gr'), new Uint8Array(words.buffer))
  return folder
}

/** Brute force: is the set independent and maximal? Written apart from the product's verifier. */
export function isMaximalIndependent(graph: SmallGraph, members: ReadonlySet<number>): boolean {
  return graph.neighbours.every((list, v) => list.some((u) => members.has(u)) !== members.has(v))
}

/** The oracle: the serial greedy loop over vertices from the highest priority down. */
export function greedySet(graph: SmallGraph, order: ArrayLike<number>): Set<number> {
  const members = new Set<number>()
  for (let i = order.length - 1; i >= 0; i--) {
    const v = order[i]!
    if (!graph.neighbours[v]!.some((u) => members.has(u))) members.add(v)
  }
  return members
}

/** Graphs of every shape that has ever broken an algorithm, up to `most` vertices. */
export function randomSmallGraph(seed: number, most: number): { shape: string; graph: SmallGraph } {
  const random = randomStream(seed)
  const shapes = [
    'empty',
    'one vertex',
    'star',
    'clique',
    'path',
    'cycle',
    'bipartite',
    'sparse',
    'dense',
    'islands',
  ] as const
  const shape = shapes[seed % shapes.length]!
  const n = shape === 'empty' ? seed % 40 : shape === 'one vertex' ? 1 : 2 + Math.floor(random() * (most - 2))
  return { shape, graph: smallGraph(n, edgesOf(shape, n, random)) }
}

/** Lists of every length up to half of the vertices: a lane scans the short ones, a workgroup the long ones. */
export function spreadGraph(seed: number, vertices: number): SmallGraph {
  const random = randomStream(seed)
  const edges: [number, number][] = []
  for (let u = 0; u < vertices; u++)
    for (let v = 0; v < u; v++) if (random() * vertices ** 2 < u * v) edges.push([u, v])
  return smallGraph(vertices, edges)
}

/** So many random graphs, and three with lists of every length. */
export const graphsForDevices = (count: number, most: number): { shape: string; graph: SmallGraph }[] => [
  ...Array.from({ length: count }, (_, seed) => randomSmallGraph(seed, most)),
  ...[0, 1, 2].map((seed) => ({ shape: 'spread', graph: spreadGraph(seed, 400) })),
]

function* edgesOf(shape: string, n: number, random: () => number): Generator<[number, number]> {
  const pick = (): number => Math.floor(random() * n)
  switch (shape) {
    case 'empty':
    case 'one vertex':
      if (n > 0) yield [0, 0]
      return
    case 'star': {
      const centre = pick()
      for (let v = 0; v < n; v++) yield [centre, v]
      return
    }
    case 'clique': {
      const size = Math.min(n, 60)
      for (let u = 0; u < size; u++) for (let v = 0; v < u; v++) yield [u, v]
      return
    }
    case 'path':
    case 'cycle':
      for (let v = 1; v < n; v++) yield [v - 1, v]
      if (shape === 'cycle') yield [n - 1, 0]
      return
    case 'bipartite':
      for (let i = 0; i < 4 * n; i++)
        yield [Math.floor(pick() / 2), Math.min(n - 1, (n >>> 1) + Math.floor(pick() / 2))]
      return
    case 'islands':
      for (let i = 0; i < n; i++) {
        const u = pick()
        yield [u, Math.min(n - 1, 10 * Math.floor(u / 10) + Math.floor(random() * 10))]
      }
      return
    default: {
      const edges = shape === 'dense' ? 12 * n : n
      for (let i = 0; i < edges; i++) {
        const edge: [number, number] = [pick(), pick()]
        yield edge
        if (i % 5 === 0) yield edge
      }
    }
  }
}
