import { openGraph } from '../graph/open-graph.ts'
import type { JobContext } from '../base/job.ts'
import type { FoundVertex, VertexSearch, VertexSearchArgs } from '../contract/jobs.ts'
import { openVertexLabels, openVertexNames } from './vertex-labels.ts'

/**
 * Vertices whose label or name begins with a text: the label itself first, then names, then longer labels.
 * @throws Failure (input) when the dataset is damaged
 */
export function searchVertices({ folder, checksum, text, limit }: VertexSearchArgs, job: JobContext): VertexSearch {
  const graph = openGraph(folder, checksum, job)
  const labels = openVertexLabels(folder, graph.vertices)
  const names = openVertexNames(folder, graph.vertices)
  try {
    const itself = labels.find(text)
    const found = new Set([
      ...(itself < 0 ? [] : [itself]),
      ...(names?.beginningWith(text, limit) ?? []),
      ...labels.beginningWith(text, limit),
    ])
    const describe = (id: number): FoundVertex => {
      const { first, end } = graph.arcsOf(id)
      return { id, label: labels.of(id), name: names?.of(id) ?? null, degree: end - first }
    }
    return { vertices: [...found].slice(0, limit).map(describe) }
  } finally {
    graph.close()
    labels.close()
    names?.close()
  }
}
