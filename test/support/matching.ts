import { rmSync } from 'node:fs'
import { boardOf } from '../../workers/algorithms/ld-gpu/from-disk/host-state.ts'
import { boundsOf, entriesOf } from '../../workers/algorithms/ld-gpu/match-workers.ts'
import { matchOrdered } from '../../workers/algorithms/ld-gpu/ordered.ts'
import type { MatchState, RoundKeeper } from '../../workers/algorithms/ld-gpu/match-state.ts'
import type { MatchRounds } from '../../workers/algorithms/ld-gpu/part.ts'
import type { Residence } from '../../workers/algorithms/ld-gpu/plan-match.ts'
import { sharesOf, viewKindOf } from '../../workers/algorithms/ld-gpu/plan-match.ts'
import { PointerExchange, sharePointers, startOfWorker } from '../../workers/algorithms/ld-gpu/pointer-exchange.ts'
import type { Device } from '../../workers/device/device.ts'
import { planBatches } from '../../workers/graph/batches.ts'
import type { Matching } from '../../workers/graph/matching.ts'
import type { PreparedView } from '../../workers/graph/prepare-view.ts'
import type { EdgeOrder } from '../../workers/graph/views/edge-order.ts'
import { prepareWeightOrdered } from '../../workers/graph/views/prepare-weight-ordered.ts'
import { quietJob } from '../../workers/job.ts'
import { Trace } from '../../workers/trace.ts'
import { LocalBarrier } from './local-barrier.ts'
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

export interface Matched extends MatchRounds {
  readonly mates: number[]
  readonly hash: string
  readonly pairs: number
  readonly bytesRead: number
  /** That the workers exchanged. */
  readonly exchanged: number
  /** The same by rounds. */
  readonly exchangedOfRounds: readonly number[]
  /** Arcs that all workers looked at in each round. */
  readonly allArcs: readonly number[]
}

type Batches = ReturnType<typeof sharesOf>[number]

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

  view(order: EdgeOrder, residence: Residence = 'whole'): PreparedView {
    const kind = viewKindOf(residence)
    return prepareWeightOrdered({ folder: this.folder, checksum: this.checksum, order, kind }, quietJob)
  }

  /** Runs the method `ordered` on devices that are open already, with workers that take turns on this thread; a GPU serves one each. */
  async match(
    devices: Device | readonly Device[],
    order: EdgeOrder,
    wanted: number,
    kind: Residence,
    workers = 1,
    steps: { readonly start?: MatchState; readonly keeper?: RoundKeeper } = {},
  ): Promise<Matched> {
    const prepared = this.view(order, kind)
    const { vertices } = this
    const all = [devices].flat()
    const trace = new Trace(false)
    const limits = { batches: wanted, maxBufferBytes: all[0]!.maxBufferBytes, maxBatchBytes: Infinity }
    const shares = sharesOf(planBatches(prepared.tailOffsets, limits), workers)
    const shared = workers === 1 ? undefined : sharePointers(vertices, boundsOf(vertices, shares), kind, steps.start)
    const barrier = new LocalBarrier(workers)
    const meeting = new LocalBarrier(workers)
    const alone = { workers: 1, threads: 1 }
    const board = kind === 'whole' ? undefined : (shared?.board ?? boardOf(vertices, alone, steps.start))
    const found: Matching[] = []
    let exchanged = 0
    const exchangedOfRounds: number[] = []
    let brought = 0
    const run = async (own: Batches, worker: number): Promise<MatchRounds> => {
      const device = all[worker % all.length]!
      const entries = entriesOf(device, prepared, own, kind, trace)
      const exchange = shared && new PointerExchange(shared, worker, barrier, 100)
      const start = shared === undefined ? steps.start : startOfWorker(shared, worker)
      const keeper = worker === 0 ? steps.keeper : undefined
      const host = board && { board, barrier: meeting, worker }
      const part = { device, entries, batches: own, vertices, exchange, host, trace, timed: false, start, keeper }
      const rounds = await matchOrdered(part, quietJob, (matching) => found.push(matching))
      await entries.release()
      exchanged += exchange?.bytes ?? 0
      exchange?.bytesOfRounds.forEach((bytes, i) => (exchangedOfRounds[i] = bytes + (exchangedOfRounds[i] ?? 0)))
      brought += entries.bytesRead
      return rounds
    }
    const rounds = await Promise.all(shares.map(run))
    const bytesRead = prepared.view.bytesRead + brought
    prepared.view.close()
    const summaries = new Set(found.map((matching) => matching.summary().hash))
    if (summaries.size !== 1) throw new Error('the workers do not agree')
    const matching = found[0]!
    const mates = Array.from(matching.mates, (mate) => (mate === 0xffffffff ? -1 : mate))
    const hostMs = rounds.reduce((sum, each) => sum + each.hostMs, 0)
    const allArcs = rounds[0]!.arcs.map((_, i) => rounds.reduce((sum, { arcs }) => sum + arcs[i]!, 0))
    return { ...rounds[0]!, allArcs, hostMs, ...matching.summary(), mates, bytesRead, exchanged, exchangedOfRounds }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
