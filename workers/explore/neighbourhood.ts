/**
 * What is around a vertex, for a drawing: hops of neighbours up to a limit, of which each hop has its share, spread evenly over long lists;
 * vertices that were expanded one by one; and the edges among all. It reads in proportion to what is shown, whatever the graph's size
 * (adjacency-reader.ts), and says in a sentence what was left out. overview.ts shows a whole graph.
 */

import { inputFailure } from '../base/failure.ts'
import { type JobContext, throwIfCancelled } from '../base/job.ts'
import type { Neighbourhood, NeighbourhoodArgs } from '../contract/jobs.ts'
import type { AdjacencyReader } from './adjacency-reader.ts'
import { openVertexPlaces } from '../graph/vertex-places.ts'
import type { AttributeTable } from '../graph/attribute-table.ts'
import { attributesOf, columnsNamed, openResultMarks, valuesOf, OpenedDataset } from './opened-dataset.ts'

/** Tried as a start; the degree that shows something. */
const CANDIDATES = 256
const GOOD_DEGREE = 16
/** The most arcs read for one hop; of longer lists a sample. */
const MAX_READ = 1 << 20
const MIN_LIST = 1 << 9
const MAX_EDGES = 20_000
/** Neighbours shown of an expanded vertex. */
const MOST_EXPANDED = 100

/** Reads in proportion to what is shown. @throws Failure (input); (cancelled) */
export function neighbourhood(
  args: NeighbourhoodArgs,
  job: JobContext,
  table: AttributeTable | null = null,
): Neighbourhood {
  const dataset = new OpenedDataset(args, job)
  try {
    const { vertices, adjacency: graph, labels } = dataset
    const places = dataset.closing(openVertexPlaces(args.folder, vertices))
    const marks = dataset.closing(openResultMarks(args.result, vertices))
    const others = dataset.closing(openResultMarks(args.against, vertices))
    const find = (label: string): number => {
      const v = labels.find(label)
      if (v >= 0) return v
      const what = 'the dataset has no vertex of this label'
      throw inputFailure(label, what, 'Search for it: labels are those of the file that was imported.')
    }
    const centre = args.vertex === null ? goodStart(graph, args.folder) : find(args.vertex)
    const also = (args.also ?? []).map(find)
    const matesOf: Mates = (v) => marks?.matesOf(v) ?? []
    const { hops, limits: leftOut } = grow(graph, centre, args, matesOf, job)
    leftOut.push(...expand(graph, also, hops, matesOf))
    const { edges, limits: cut } = edgesAmong(graph, hops, matesOf, job)
    const limits = [...leftOut, ...cut]
    const words = valuesOf(args.result, (v) => labels.of(v))
    const columns = columnsNamed(table, args.attributes ?? [])
    const known = attributesOf(table, hops.keys())
    const shown = [...hops].map(([id, hop]) => {
      const { x, y } = places?.of(id) ?? { x: null, y: null }
      const number = marks?.valueOf(id) ?? null
      const value = number === null ? null : { number, text: words(number) }
      const decided = { member: marks?.isMember(id) ?? null, other: others?.isMember(id) ?? null, value }
      const attributes = columns.length === 0 ? {} : { attributes: columns.map((column) => known(id)[column] ?? null) }
      return { ...dataset.describe(id), hop, ...decided, ...attributes, x, y }
    })
    return { centre: labels.of(centre), vertices: shown, edges, truncated: limits.length > 0, limits }
  } finally {
    dataset.close()
  }
}

function goodStart(graph: AdjacencyReader, folder: string): number {
  const { vertices } = graph
  if (vertices === 0) throw inputFailure(folder, 'this graph has no vertices', 'Choose another dataset.')
  const count = Math.min(CANDIDATES, vertices)
  const candidates = Array.from({ length: count }, (_, i) => Math.floor((i * vertices) / count))
  const distance = (v: number): number => Math.abs(graph.degree(v) - GOOD_DEGREE)
  return candidates.reduce((best, v) => (distance(v) < distance(best) ? v : best))
}

type Mates = (v: number) => readonly number[]

/** Each hop gets its share of the limit, spread evenly. @param matesOf taken first */
function grow(
  graph: AdjacencyReader,
  centre: number,
  { hops: last, limit }: NeighbourhoodArgs,
  matesOf: Mates,
  job: JobContext,
) {
  const hops = new Map([[centre, 0]])
  const limits: string[] = []
  let frontier = [centre]
  for (let hop = 1; hop <= last && frontier.length > 0; hop++) {
    const most = Math.max(MIN_LIST, Math.floor(MAX_READ / frontier.length))
    const isSampled = frontier.some((v) => graph.degree(v) > most)
    const offers = frontier.map((v) => {
      throwIfCancelled(job.signal)
      return offerOf(graph.neighbours(v, most), hops, matesOf(v))
    })
    const all = [...new Set(offers.flat())]
    const there = all.length
    const left = limit - hops.size
    const share = hop === last ? left : Math.ceil(left / (last - hop + 1))
    const taken = there <= share ? all : choose(offers, share)
    for (const v of taken) hops.set(v, hop)
    if (taken.length < there || isSampled) limits.push(sentence(hop, taken.length, there, isSampled))
    frontier = taken
  }
  return { hops, limits }
}

/** Adds each of some vertices with its neighbours, as many as a person can look at. @returns what was left out */
function expand(graph: AdjacencyReader, also: readonly number[], hops: Map<number, number>, matesOf: Mates): string[] {
  return also.flatMap((v) => {
    const hop = hops.get(v) ?? 1
    hops.set(v, hop)
    const offer = offerOf(graph.neighbours(v, MIN_LIST), hops, matesOf(v))
    const taken = spreadOut(offer, MOST_EXPANDED).slice(0, MOST_EXPANDED)
    for (const u of taken) hops.set(u, hop + 1)
    return taken.length < offer.length || graph.degree(v) > MIN_LIST
      ? [`${grouped(taken.length)} new neighbours of an expanded vertex are shown; it has ${grouped(graph.degree(v))}.`]
      : []
  })
}

function offerOf(neighbours: Uint32Array, known: ReadonlyMap<number, number>, mates: readonly number[]): number[] {
  const first = mates.filter((u) => !known.has(u))
  return [...first, ...Array.from(neighbours).filter((u) => !known.has(u) && !first.includes(u))]
}

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

/** The first, `count` at even distances, the rest. */
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

function edgesAmong(graph: AdjacencyReader, hops: ReadonlyMap<number, number>, matesOf: Mates, job: JobContext) {
  const found = Array.from(graph.edgesAmong(hops.keys(), job), ([v, u, arc]) => {
    const [source, target] = [Math.min(u, v), Math.max(u, v)]
    return { source, target, arc, matched: matesOf(v).includes(u), spans: hops.get(v) !== hops.get(u) }
  })
  const rank = ({ matched, spans }: (typeof found)[number]): number => (matched ? 0 : spans ? 1 : 2)
  const shown = found
    .sort((a, b) => rank(a) - rank(b) || a.source - b.source || a.target - b.target)
    .slice(0, MAX_EDGES)
  const edges = shown
    .map(({ source, target, arc, matched }) => ({ source, target, weight: graph.weight(arc), matched }))
    .sort((a, b) => a.source - b.source || a.target - b.target)
  const limits: string[] = []
  if (found.length > edges.length)
    limits.push(`${grouped(edges.length)} of ${grouped(found.length)} edges among them are shown.`)
  if (graph.skipped > 0)
    limits.push(`Edges between the ${grouped(graph.skipped + 1)} vertices of the highest degrees are left out.`)
  return { edges, limits }
}
