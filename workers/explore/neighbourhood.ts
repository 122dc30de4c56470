import { inputFailure } from '../base/failure.ts'
import { openGraph } from '../graph/open-graph.ts'
import type { JobContext } from '../base/job.ts'
import type { Neighbourhood, NeighbourhoodArgs } from '../contract/jobs.ts'
import { Adjacency } from './adjacency.ts'
import { edgesAmong } from './edges-among.ts'
import { grow } from './grow.ts'
import { openResultMarks } from './result-marks.ts'
import { openVertexLabels } from './vertex-labels.ts'
import { VertexNames } from './vertex-names.ts'
import { VertexPlaces } from './vertex-places.ts'

/** Vertices that are looked at for one to begin with, and the degree that shows something. */
const CANDIDATES = 256
const GOOD_DEGREE = 16

/**
 * The part of a graph around one vertex, small enough to be drawn. What is read grows with what is shown, not with the graph.
 * @throws Failure (input) for a vertex that is not there, a graph without vertices, damaged files; (cancelled)
 */
export function neighbourhood(args: NeighbourhoodArgs, job: JobContext): Neighbourhood {
  const files: { close(): void }[] = []
  const opened = <T extends { close(): void } | null>(file: T): T => {
    if (file !== null) files.push(file)
    return file
  }
  try {
    const file = opened(openGraph(args.folder, args.checksum, job))
    const { vertices } = file
    const graph = new Adjacency(file)
    const labels = opened(openVertexLabels(args.folder, vertices))
    const names = opened(VertexNames.open(args.folder, vertices))
    const places = opened(VertexPlaces.open(args.folder, vertices))
    const marks = opened(openResultMarks(args.result, vertices))
    const centre = args.vertex === null ? goodStart(graph, args.folder) : labels.find(args.vertex)
    if (centre < 0) throw noVertex(args.vertex ?? '')
    const mateOf = (v: number): number | null => marks?.mateOf(v) ?? null
    const { hops, limits: leftOut } = grow(graph, { ...args, centre, first: mateOf }, job)
    const { edges, limits: cut } = edgesAmong(graph, hops, mateOf, job)
    const limits = [...leftOut, ...cut]
    const shown = [...hops].map(([id, hop]) => {
      const { x, y } = places?.of(id) ?? { x: null, y: null }
      const member = marks?.isMember(id) ?? null
      return { id, label: labels.of(id), name: names?.of(id) ?? null, degree: graph.degree(id), hop, member, x, y }
    })
    return { centre: labels.of(centre), vertices: shown, edges, truncated: limits.length > 0, limits }
  } finally {
    for (const file of files) file.close()
  }
}

/** Of vertices all over the graph, the one whose degree is nearest to a good one; the first where several are. */
function goodStart(graph: Adjacency, folder: string): number {
  const { vertices } = graph
  if (vertices === 0) throw inputFailure(folder, 'this graph has no vertices', 'Choose another dataset.')
  const count = Math.min(CANDIDATES, vertices)
  const candidates = Array.from({ length: count }, (_, i) => Math.floor((i * vertices) / count))
  const distance = (v: number): number => Math.abs(graph.degree(v) - GOOD_DEGREE)
  return candidates.reduce((best, v) => (distance(v) < distance(best) ? v : best))
}

function noVertex(label: string) {
  return inputFailure(
    label,
    'the dataset has no vertex of this label',
    'Search for it: labels are those of the file that was imported.',
  )
}
