import { type JobContext, throwIfCancelled } from '../base/job.ts'
import type { Neighbourhood } from '../contract/jobs.ts'
import type { Adjacency } from './adjacency.ts'
import { ArcFinder } from './arc-finder.ts'

type Edge = Neighbourhood['edges'][number]

/** What a page can draw, and what a message may hold. */
const MAX_EDGES = 20_000

interface Found {
  readonly source: number
  readonly target: number
  readonly arc: number
  readonly matched: boolean
  /** Whether it leads from one hop to the next. */
  readonly spans: boolean
}

/**
 * The edges between some vertices, each once. Each is found from the end of lower degree, so that the list of a hub is read
 * only where it meets another.
 * @param hops the vertices, with their distances from the middle
 * @param mateOf the other end of a matched edge, or null
 */
export function edgesAmong(
  graph: Adjacency,
  hops: ReadonlyMap<number, number>,
  mateOf: (v: number) => number | null,
  job: JobContext,
): { edges: Edge[]; limits: string[] } {
  const rising = [...hops.keys()].sort((a, b) => graph.degree(a) - graph.degree(b) || a - b)
  const later = new Set(rising)
  const found: Found[] = []
  const finder = new ArcFinder(graph)
  for (const v of rising) {
    throwIfCancelled(job.signal)
    later.delete(v)
    const mate = mateOf(v)
    for (const [u, arc] of finder.to(v, later)) {
      const spans = hops.get(v) !== hops.get(u)
      found.push({ source: Math.min(u, v), target: Math.max(u, v), arc, matched: mate === u, spans })
    }
  }
  const rank = ({ matched, spans }: Found): number => (matched ? 0 : spans ? 1 : 2)
  const shown = found
    .sort((a, b) => rank(a) - rank(b) || a.source - b.source || a.target - b.target)
    .slice(0, MAX_EDGES)
  const edges = shown
    .map(({ source, target, arc, matched }) => ({ source, target, weight: graph.weight(arc), matched }))
    .sort((a, b) => a.source - b.source || a.target - b.target)
  return { edges, limits: limitsOf(found.length, edges.length, finder.skipped) }
}

function limitsOf(found: number, shown: number, skipped: number): string[] {
  const grouped = (count: number): string => count.toLocaleString('en')
  return [
    ...(found > shown ? [`${grouped(shown)} of ${grouped(found)} edges among them are shown.`] : []),
    ...(skipped > 0 ? [`Edges between the ${grouped(skipped + 1)} vertices of the highest degrees are left out.`] : []),
  ]
}
