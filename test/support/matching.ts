import { rmSync } from 'node:fs'
import { HostedEntries, WholeEntries } from '../../workers/algorithms/ld-gpu/entries.ts'
import { matchOrdered } from '../../workers/algorithms/ld-gpu/ordered.ts'
import type { MatchRounds } from '../../workers/algorithms/ld-gpu/part.ts'
import { BatchStore } from '../../workers/device/batch-store.ts'
import type { Device } from '../../workers/device/device.ts'
import { planBatches } from '../../workers/graph/batches.ts'
import { Matching } from '../../workers/graph/matching.ts'
import type { PreparedView } from '../../workers/graph/prepare-view.ts'
import type { EdgeOrder } from '../../workers/graph/views/edge-order.ts'
import { prepareWeightOrdered } from '../../workers/graph/views/prepare-weight-ordered.ts'
import { quietJob } from '../../workers/job.ts'
import { Trace } from '../../workers/trace.ts'
import type { SmallGraph } from './graphs.ts'
import { writeGraphFolder } from './graphs.ts'
import { addWeights } from './views.ts'

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
export function edgesInOrder(graph: SmallGraph, { weights, ties, seed }: EdgeOrder, weightOf: WeightOf): WeighedEdge[] {
  const edges: WeighedEdge[] = []
  graph.neighbours.forEach((list, u) => {
    for (const v of list) {
      if (v < u) continue
      const s = splitmix64((BigInt(u) * 0x9e3779b97f4a7c15n + BigInt(v) + BigInt(seed)) & MASK)
      const drawn = weights === 'random3' ? 1 + Number(s % 1000n) : 0
      const weight = weights === 'column' ? weightOf(u, v) : weights === 'unit' ? 1 : drawn / 1000
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

/** How many rounds of pointing and matching begin with an open vertex: Algorithm 1 of the paper, word by word. */
export function roundsOf(vertices: number, edges: readonly WeighedEdge[]): number {
  const isMatched = new Array<boolean>(vertices).fill(false)
  let pointers = firstAvailable(vertices, edges, isMatched)
  for (let rounds = 0; ; rounds++) {
    if (!pointers.some((pointer, v) => pointer >= 0 && !isMatched[v])) return rounds
    pointers = firstAvailable(vertices, edges, isMatched)
    const pairs = pointers.flatMap((pointer, v) => (pointer > v && pointers[pointer] === v ? [v] : []))
    for (const v of pairs) isMatched[v] = isMatched[pointers[v]!] = true
  }
}

function firstAvailable(vertices: number, edges: readonly WeighedEdge[], isMatched: readonly boolean[]): number[] {
  const pointers = new Array<number>(vertices).fill(-1)
  for (const { u, v } of edges) {
    if (isMatched[u] || isMatched[v]) continue
    if (pointers[u] === -1) pointers[u] = v
    if (pointers[v] === -1) pointers[v] = u
  }
  return pointers
}

/** How the entries lie: all on the device, heads there, or none. */
export type EntriesKind = 'whole' | 'heads' | 'none'

export interface Matched extends MatchRounds {
  readonly mates: number[]
  readonly hash: string
  readonly pairs: number
  readonly bytesRead: number
}

/** A small weighted graph in a dataset folder; remove it when the test is over. */
export class WeightedOnDisk {
  readonly folder: string
  readonly checksum: string
  readonly vertices: number

  constructor(graph: SmallGraph, weightOf: WeightOf) {
    const { folder, checksum } = addWeights(writeGraphFolder(graph), graph, weightOf)
    this.folder = folder
    this.checksum = checksum
    this.vertices = graph.vertices
  }

  view(order: EdgeOrder): PreparedView {
    return prepareWeightOrdered({ folder: this.folder, checksum: this.checksum, order }, quietJob)
  }

  /** Runs the method `ordered` on a device that is open already, with one worker. */
  async match(device: Device, order: EdgeOrder, wanted: number, kind: EntriesKind, timed = false): Promise<Matched> {
    const { view, tailOffsets } = this.view(order)
    const trace = new Trace(false)
    const limits = { batches: wanted, maxBufferBytes: device.maxBufferBytes, maxBatchBytes: Infinity }
    const batches = planBatches(tailOffsets, limits)
    const own = { first: 0, count: this.vertices }
    const entries =
      kind === 'whole'
        ? new WholeEntries(new BatchStore(device, view, tailOffsets, Infinity, trace))
        : new HostedEntries(device, view, tailOffsets, own, kind === 'heads', trace)
    let matching = new Matching(new Uint32Array(0))
    const part = { device, entries, batches, vertices: this.vertices, exchange: undefined, trace, timed }
    const rounds = await matchOrdered(part, quietJob, (pointers) => (matching = Matching.ofPointers(pointers)))
    await entries.release()
    const bytesRead = view.bytesRead
    view.close()
    const mates = Array.from(matching.mates, (mate) => (mate === 0xffffffff ? -1 : mate))
    return { ...rounds, ...matching.summary(), mates, bytesRead }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
