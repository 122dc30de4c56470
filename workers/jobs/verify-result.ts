import type { StoredResult } from '../algorithms/algorithm.ts'
import { loadAlgorithm } from '../algorithms/registry.ts'
import { readLists } from '../algorithms/run-lists.ts'
import { inputFailure, MADE_WEIGHTS } from '../base/failure.ts'
import type { JobContext } from '../base/job.ts'
import type { MatchingSource, ResultClaim, Verdict, VerifyArgs } from '../contract/jobs.ts'
import { type GaloisGr, openGraph } from '../graph/galois-gr.ts'
import { type Labels, openLabels } from '../graph/labels.ts'
import { readMates } from '../graph/matching.ts'
import { readPairList } from '../graph/pair-list.ts'
import { readValues } from '../graph/result-file.ts'
import { degreeColumn, listedVertices, readSetOfOthers, readVertexPairs } from '../graph/vertex-lists.ts'
import { readBits, type VertexSet } from '../graph/vertex-set.ts'
import { verifyIndependentSet } from '../verify/verify-independent-set.ts'
import { verifyMatching } from '../verify/verify-matching.ts'

/** @throws Failure (input) for damaged files */
export async function verifyResult(args: VerifyArgs, job: JobContext): Promise<Verdict> {
  const { claim, folder } = args
  const verifier = claim && (await loadAlgorithm(claim.algorithm)).verifier
  const graph = openGraph(folder, args.checksum, job)
  try {
    const labels = openLabels(folder, graph.vertices)
    if (claim === undefined || verifier === undefined) return await verifyFile(graph, labels, args, job)
    return await verifier.verify(storedResult(claim, folder, graph, labels), job)
  } finally {
    graph.close()
  }
}

/** What a run left, as the verifier of its algorithm reads it. @throws Failure (input) for a damaged result */
export function storedResult(claim: ResultClaim, folder: string, graph: GaloisGr, labels: Labels): StoredResult {
  const { result, options } = claim
  const place = { folder, vertices: graph.vertices, labels }
  const column = async () => (await readLists(claim, place)).column
  return { graph, labels, result, options, column, bytes: bytesOf(claim, graph.vertices) }
}

function bytesOf({ file, result }: ResultClaim, vertices: number): StoredResult['bytes'] {
  if (result.kind === 'independent-set') return readBits(file, vertices).bytes
  if (result.kind === 'b-matching') return new Uint8Array(readPairList(file, vertices).words.buffer)
  return new Uint8Array(readValues(file, vertices).buffer)
}

/** A set or a matching. @throws Failure (input) */
async function verifyFile(graph: GaloisGr, labels: Labels, args: VerifyArgs, job: JobContext): Promise<Verdict> {
  if (args.matching !== undefined) return verifySource(args.matching, graph, labels, job)
  const set = readSet(args.set, labels, graph.vertices)
  const columns = { degree: degreeColumn(graph) }
  const place = { folder: args.folder, vertices: graph.vertices, labels, columns }
  const exclude = await listedVertices(place, args.excludeFile, args.excludeWhere)
  return verifyIndependentSet(graph, labels, set, exclude, job)
}

function verifySource(source: MatchingSource, graph: GaloisGr, labels: Labels, job: JobContext): Promise<Verdict> {
  const { kind, file, dominant } = source
  if (source.weights === 'column' && !graph.weighted)
    throw inputFailure(undefined, 'this graph has no weights', '', MADE_WEIGHTS)
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
