import type { JobContext } from '../base/job.ts'
import { throwIfCancelled } from '../base/job.ts'
import type { Adjacency } from './adjacency.ts'

/** Entries of the graph that are read for one hop; of a vertex with more than its share of them, a sample. */
const MAX_READ = 1 << 20
const MIN_LIST = 1 << 9

export interface Grown {
  /** Every vertex with its distance from the middle, nearest first. */
  readonly hops: ReadonlyMap<number, number>
  /** In words, what was left out. */
  readonly limits: readonly string[]
}

export interface GrowOptions {
  readonly centre: number
  readonly hops: number
  /** Vertices at most. */
  readonly limit: number
  /** A neighbour that is taken before all others: the other end of a matched edge. */
  readonly first: (v: number) => number | null
}

/**
 * The vertices within some hops of one. Where there are more than the limit, each hop gets its share of what is left, shared
 * out evenly among the vertices that it grows from, and of each one's neighbours an even sample is taken: the same every time.
 */
export function grow(graph: Adjacency, options: GrowOptions, job: JobContext): Grown {
  const { centre, limit } = options
  const hops = new Map([[centre, 0]])
  const limits: string[] = []
  let frontier = [centre]
  for (let hop = 1; hop <= options.hops && frontier.length > 0; hop++) {
    const most = Math.max(MIN_LIST, Math.floor(MAX_READ / frontier.length))
    const isSampled = frontier.some((v) => graph.degree(v) > most)
    const offers = frontier.map((v) => {
      throwIfCancelled(job.signal)
      return offerOf(graph.neighbours(v, most), hops, options.first(v))
    })
    const all = [...new Set(offers.flat())]
    const there = all.length
    const left = limit - hops.size
    // Of what is left, later hops keep as much as this one.
    const share = hop === options.hops ? left : Math.ceil(left / (options.hops - hop + 1))
    const taken = there <= share ? all : choose(offers, share)
    for (const v of taken) hops.set(v, hop)
    if (taken.length < there || isSampled) limits.push(sentence(hop, taken.length, there, isSampled))
    frontier = taken
  }
  return { hops, limits }
}

/** Neighbours that are new, ascending, but the one that goes first. */
function offerOf(neighbours: Uint32Array, known: ReadonlyMap<number, number>, first: number | null): number[] {
  const fresh = Array.from(neighbours).filter((u) => !known.has(u))
  if (first === null || known.has(first)) return fresh
  return [first, ...fresh.filter((u) => u !== first)]
}

/** `count` of the vertices offered, in rounds: each offer gives one a round, spread evenly over what it has. */
function choose(offers: readonly number[][], count: number): number[] {
  const chosen = new Set<number>()
  const perOffer = Math.max(1, Math.ceil(count / Math.max(1, offers.length)))
  const spread = offers.map((offer) => spreadOut(offer, perOffer))
  const longest = Math.max(0, ...offers.map(({ length }) => length))
  for (let round = 0; round < longest && chosen.size < count; round++)
    for (const offer of spread) {
      const v = offer[round]
      if (v !== undefined && chosen.size < count) chosen.add(v)
    }
  return [...chosen]
}

/** The same vertices: the first one, then `count` of them at even distances, then the rest. */
function spreadOut(offer: readonly number[], count: number): number[] {
  if (offer.length <= count) return [...offer]
  const picked = new Set(Array.from({ length: count }, (_, i) => Math.floor((i * offer.length) / count)))
  const rest = [...offer.keys()].filter((i) => !picked.has(i))
  return [...picked, ...rest].map((i) => offer[i]!)
}

const grouped = (count: number): string => count.toLocaleString('en')

function sentence(hop: number, taken: number, there: number, isSampled: boolean): string {
  const of = `${isSampled ? 'at least ' : ''}${grouped(there)}`
  return `${grouped(taken)} of ${of} vertices ${hop === 1 ? '1 hop' : `${hop} hops`} away are shown.`
}
