import { inputFailure, MADE_WEIGHTS } from '../base/failure.ts'
import type { JobContext } from '../base/job.ts'
import type { MatchingSource, Verdict, VerifyArgs } from '../contract/jobs.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import type { Labels } from '../graph/labels.ts'
import { readMates } from '../graph/matching.ts'
import { listedVertices, readSetOfOthers, readVertexPairs } from '../graph/vertex-lists.ts'
import { readBits, type VertexSet } from '../graph/vertex-set.ts'
import { verifyIndependentSet } from './verify-independent-set.ts'
import { verifyMatching } from './verify-matching.ts'

/** A set or a matching. @throws Failure (input) */
export async function verify(graph: GaloisGr, labels: Labels, args: VerifyArgs, job: JobContext): Promise<Verdict> {
  if (args.matching !== undefined) return verifySource(args.matching, graph, labels, job)
  const set = readSet(args.set, labels, graph.vertices)
  const place = { folder: args.folder, vertices: graph.vertices, labels }
  const exclude = await listedVertices(place, args.excludeFile, args.excludeWhere)
  return verifyIndependentSet(graph, labels, set, exclude, job)
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
