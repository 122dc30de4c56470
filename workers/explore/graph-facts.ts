import { join } from 'node:path'
import { DisjointSets } from '../base/disjoint-sets.ts'
import { type JobContext, throwIfCancelled } from '../base/job.ts'
import { readSealed, whereWritable, writeSealed } from '../base/output-file.ts'
import type { GraphFacts, GraphFactsArgs } from '../contract/jobs.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import { eachList } from '../graph/scan-lists.ts'
import { vertexHash } from '../graph/set-order.ts'
import { AdjacencyReader, SEED } from './adjacency-reader.ts'
import { OpenedDataset } from './opened-dataset.ts'

const FACTS_FILE = 'facts.json'
const MOST_TOP = 10
const MOST_SIZES = 10
const BINS = 40
/** Weights of which one is so many times another are counted in steps of equal ratio. */
const RATIO = 100
const SAMPLED_VERTICES = 1000
/** Pairs of a sampled vertex; they are drawn from the lists of more neighbours than that. */
const SAMPLED_PAIRS = 28
const MOST_NEIGHBOURS = 1 << 12

/** Facts without the names of the vertices, which may change. */
type Kept = Omit<GraphFacts, 'top'> & { readonly top: readonly number[] }

/**
 * One pass over the graph, and a sample; kept beside it. The forest of the components takes 4 bytes a vertex.
 * @returns null where only what is kept was asked for, and nothing is
 * @throws Failure (input) when the graph is damaged; (cancelled)
 */
export function graphFacts(args: GraphFactsArgs, job: JobContext): GraphFacts | null {
  const { folder, checksum } = args
  const file = join(folder, FACTS_FILE)
  const read = readSealed(file) as { readonly graph: string; readonly facts: Kept } | undefined
  const known = read?.graph === checksum ? read.facts : null
  if (known === null && args.onlyKept) return null
  const dataset = new OpenedDataset(args, job)
  try {
    const { graph } = dataset
    const facts = known ?? { ...passOf(graph, args, job), clustering: clusteringOf(graph, job) }
    if (known === null) whereWritable(() => writeSealed(file, { graph: checksum, facts }))
    return { ...facts, top: facts.top.map(dataset.describe) }
  } finally {
    dataset.close()
  }
}

function passOf(graph: GaloisGr, { weightRange }: GraphFactsArgs, job: JobContext): Omit<Kept, 'clustering'> {
  const sets = new DisjointSets(graph.vertices)
  /** Those of the most neighbours, equal ones by id. */
  let top: { readonly v: number; readonly degree: number }[] = []
  const weights = graph.weighted && weightRange !== null ? new Histogram(weightRange) : null
  const look: Parameters<typeof eachList>[3] = (v, start, end, targets, weighed) => {
    const degree = end - start
    if (degree > (top[MOST_TOP - 1]?.degree ?? 0))
      top = [...top, { v, degree }].sort((a, b) => b.degree - a.degree || a.v - b.v).slice(0, MOST_TOP)
    for (let arc = start; arc < end; arc++) {
      if (targets[arc]! <= v) continue
      sets.join(v, targets[arc]!)
      weights?.add(weighed[arc]!)
    }
  }
  eachList(graph, job, 'facts', look, weights !== null && 'values')
  const sizes = sets.sizes().filter((size) => size > 0)
  const single = sizes.filter((size) => size === 1).length
  const largest = [...sizes.sort().slice(-MOST_SIZES).reverse()]
  const components = { count: sizes.length, single, largest }
  return { components, weights: weights?.bins() ?? null, top: top.map(({ v }) => v) }
}

/** Weights by how many edges have them: each whole number by itself where there are no others and few of them, else in steps. */
class Histogram {
  readonly #low: number
  readonly #high: number
  readonly #isLog: boolean
  readonly #edges: number[]
  /** Edges of each whole number from the smallest on; null once one is none. */
  #whole: number[] | null = null

  constructor({ smallest, largest }: { readonly smallest: number; readonly largest: number }) {
    this.#isLog = smallest > 0 && largest / smallest > RATIO
    this.#low = this.#scaled(smallest)
    this.#high = this.#scaled(largest)
    this.#edges = new Array<number>(largest > smallest ? BINS : 1).fill(0)
    if (Number.isInteger(smallest) && largest - smallest < BINS)
      this.#whole = new Array<number>(Math.floor(largest - smallest) + 1).fill(0)
  }

  add(weight: number): void {
    const { length } = this.#edges
    const at = Math.floor((length * (this.#scaled(weight) - this.#low)) / (this.#high - this.#low || 1))
    this.#edges[Math.max(0, Math.min(length - 1, at))]!++
    if (this.#whole === null) return
    if (Number.isInteger(weight)) this.#whole[weight - this.#low]!++
    else this.#whole = null
  }

  bins(): GraphFacts['weights'] {
    if (this.#whole !== null) return this.#whole.map((edges, i) => ({ from: this.#low + i, to: this.#low + i, edges }))
    const step = (this.#high - this.#low) / this.#edges.length
    const at = (i: number): number => (this.#isLog ? Math.exp(this.#low + i * step) : this.#low + i * step)
    return this.#edges.map((edges, i) => ({ from: at(i), to: at(i + 1), edges }))
  }

  #scaled(weight: number): number {
    return this.#isLog ? Math.log(weight) : weight
  }
}

/**
 * Mean local clustering coefficient: the share of the pairs of a vertex's neighbours that are neighbours, 0 where there is no pair (D. J. Watts,
 * S. H. Strogatz, Nature 393, 1998). Of at most 1,000 vertices, and of each at most 28 pairs, chosen by a hash.
 */
function clusteringOf(graph: GaloisGr, job: JobContext): GraphFacts['clustering'] {
  const { vertices } = graph
  const adjacency = new AdjacencyReader(graph)
  const chosen = new Set(
    Array.from({ length: Math.min(vertices, SAMPLED_VERTICES) }, (_, i) =>
      vertices <= SAMPLED_VERTICES ? i : vertexHash(i, SEED) % vertices,
    ),
  )
  let [sum, sampled] = [0, 0]
  for (const v of chosen) {
    throwIfCancelled(job.signal)
    const share = shareOf(adjacency, v)
    // Very long lists are not read without end.
    if (adjacency.skipped > 0) break
    sum += share
    sampled++
  }
  return { sampled, mean: sampled === 0 ? 0 : sum / sampled }
}

function shareOf(adjacency: AdjacencyReader, v: number): number {
  const list = adjacency.neighbours(v, MOST_NEIGHBOURS)
  const all = (list.length * (list.length - 1)) / 2
  if (all === 0) return 0
  const count = Math.min(all, SAMPLED_PAIRS)
  let closed = 0
  for (let i = 0; i < count; i++) {
    const pair = all <= SAMPLED_PAIRS ? i : vertexHash(vertexHash(v, SEED) + i, SEED) % all
    // The pairs (0, 1), (0, 2), (1, 2), (0, 3), ... by their number.
    const b = Math.floor((1 + Math.sqrt(1 + 8 * pair)) / 2)
    const [s, t] = [list[pair - (b * (b - 1)) / 2]!, list[b]!]
    const [short, long] = adjacency.degree(s) <= adjacency.degree(t) ? [s, t] : [t, s]
    if (adjacency.arcsTo(short, new Set([long])).length > 0) closed++
  }
  return closed / count
}
