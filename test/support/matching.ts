import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { EdgeOrder } from '../../workers/graph/edge-order.ts'
import { GRAPH_FILE } from '../../workers/graph/graph-file.ts'
import { type SmallGraph, writeGraphFolder } from './graphs.ts'
import { addWeights } from './dataset-folders.ts'

const MASK = (1n << 64n) - 1n

/** The published splitmix64 in plain 64-bit integers; it adds its increment before it mixes. */
export function splitmix64(x: bigint): bigint {
  let z = (x + 0x9e3779b97f4a7c15n) & MASK
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK
  return z ^ (z >> 31n)
}

/** An edge with its weight and its key, most significant part first. */
export interface WeighedEdge {
  readonly u: number
  readonly v: number
  readonly weight: number
  readonly key: readonly number[]
}

export type WeightOf = (u: number, v: number) => number

/** The edges of a graph, the greatest first, as design section 4 defines the orders; written apart from the product. */
export function edgesInOrder(
  graph: SmallGraph,
  { weights, ties, seed, threshold = 0 }: EdgeOrder,
  weightOf: WeightOf,
): WeighedEdge[] {
  const edges: WeighedEdge[] = []
  graph.neighbours.forEach((list, u) => {
    for (const v of list) {
      if (v < u) continue
      const s = splitmix64((BigInt(u) * 0x9e3779b97f4a7c15n + BigInt(v) + BigInt(seed)) & MASK)
      const drawn = weights === 'random3' ? 1 + Number(s % 1000n) : 0
      const weight = weights === 'column' ? weightOf(u, v) : weights === 'unit' ? 1 : drawn / 1000
      if (weight < threshold) continue
      const degreeSum = list.length + graph.neighbours[v]!.length
      const upper = Number(s >> 32n)
      edges.push({
        u,
        v,
        weight,
        key: [weight, ...(ties === 'degree' ? [-degreeSum] : []), ...(ties === 'id' ? [] : [upper]), v, u],
      })
    }
  })
  return edges.sort((a, b) => {
    const at = a.key.findIndex((part, i) => part !== b.key[i])
    return at < 0 ? 0 : b.key[at]! - a.key[at]!
  })
}

/** The oracle: the serial loop over the edges from the greatest down. The mate of each vertex, -1 where it has none. */
export function greedyMatching(vertices: number, edges: readonly WeighedEdge[]): number[] {
  const mates = new Array<number>(vertices).fill(-1)
  for (const { u, v } of edges) if (mates[u] === -1 && mates[v] === -1) [mates[u], mates[v]] = [v, u]
  return mates
}

/**
 * Rounds of pointing and matching that begin with an open vertex, Algorithm 1 of the paper word by word: how many vertices point at somebody
 * else than before in each.
 */
export function newPointersOf(vertices: number, edges: readonly WeighedEdge[]): number[] {
  const isMatched = new Array<boolean>(vertices).fill(false)
  const news: number[] = []
  for (let pointers = new Array<number>(vertices).fill(-1); ;) {
    const before = pointers
    pointers = firstAvailable(vertices, edges, isMatched)
    if (news.length > 0 && !before.some((pointer, v) => pointer >= 0 && !isMatched[v])) return news
    if (news.length === 0 && !pointers.some((pointer) => pointer >= 0)) return news
    news.push(pointers.filter((pointer, v) => pointer >= 0 && pointer !== before[v]).length)
    const pairs = pointers.flatMap((pointer, v) => (pointer > v && pointers[pointer] === v ? [v] : []))
    for (const v of pairs) isMatched[v] = isMatched[pointers[v]!] = true
  }
}

/** How many rounds begin with an open vertex. */
export const roundsOf = (vertices: number, edges: readonly WeighedEdge[]): number =>
  newPointersOf(vertices, edges).length

function firstAvailable(vertices: number, edges: readonly WeighedEdge[], isMatched: readonly boolean[]): number[] {
  const pointers = new Array<number>(vertices).fill(-1)
  for (const { u, v } of edges) {
    if (isMatched[u] || isMatched[v]) continue
    if (pointers[u] === -1) pointers[u] = v
    if (pointers[v] === -1) pointers[v] = u
  }
  return pointers
}

/** A small weighted graph in a dataset folder; remove it when the test is over. */
export class WeightedOnDisk {
  readonly folder: string
  readonly checksum: string
  readonly vertices: number
  readonly path: string

  constructor(graph: SmallGraph, weightOf: WeightOf) {
    const { folder, checksum } = addWeights(writeGraphFolder(graph), graph, weightOf)
    this.folder = folder
    this.checksum = checksum
    this.path = join(folder, GRAPH_FILE)
    this.vertices = graph.vertices
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
