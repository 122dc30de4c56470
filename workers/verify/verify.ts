import { inputFailure, MADE_WEIGHTS } from '../base/failure.ts'
import type { JobContext } from '../base/job.ts'
import type { MatchingSource, Verdict, VerifyArgs } from '../contract/jobs.ts'
import { GaloisGr } from '../graph/galois-gr.ts'
import { type Labels, openLabels } from '../graph/labels.ts'
import { readMates } from '../graph/matching.ts'
import { openGraph } from '../graph/open-graph.ts'
import { listedVertices, readSetOfOthers, readVertexPairs } from '../graph/vertex-lists.ts'
import { readBits, type VertexSet } from '../graph/vertex-set.ts'
import { verifyIndependentSet } from './verify-independent-set.ts'
import { verifyMatching } from './verify-matching.ts'

export async function verify(args: VerifyArgs, job: JobContext): Promise<Verdict> {
  const graph = openGraph(args.folder, args.checksum, job)
  try {
    const labels = openLabels(args.folder, graph.vertices)
    if (args.matching !== undefined) return await verifySource(args.matching, graph, labels, job)
    const set = readSet(args.set, labels, graph.vertices)
    const place = { folder: args.folder, vertices: graph.vertices, labels }
    const exclude = await listedVertices(place, args.excludeFile, args.excludeWhere)
    return await verifyIndependentSet(graph, labels, set, exclude, job)
  } finally {
    graph.close()
  }
}

function verifySource(source: MatchingSource, graph: GaloisGr, labels: Labels, job: JobContext): Promise<Verdict> {
  const { kind, file, dominant } = source
  if (source.weights === 'column' && !graph.weighted)
    throw inputFailure(graph.path, 'this graph has no weights', '', MADE_WEIGHTS)
  const read = kind === 'mates' ? readMates(file, graph.vertices) : readVertexPairs(file, labels, graph.vertices)
  return verifyMatching(graph, labels, { matching: read, order: source, dominant }, job)
}

function readSet(set: VerifyArgs['set'], labels: Labels, vertices: number): VertexSet {
  switch (set.kind) {
    case 'ids':
      return readSetOfOthers(set.file, set.form ?? 'auto', labels, vertices)
    case 'bits':
      return readBits(set.file, vertices)
  }
}
