import type { StoredResult } from '../algorithms/algorithm.ts'
import { loadAlgorithm } from '../algorithms/registry.ts'
import type { JobContext } from '../base/job.ts'
import type { ResultClaim, Verdict, VerifyArgs } from '../contract/jobs.ts'
import { openLabels } from '../graph/labels.ts'
import { openGraph } from '../graph/open-graph.ts'
import { readValues } from '../graph/result-file.ts'
import { readBits } from '../graph/vertex-set.ts'
import { verify } from '../verify/verify.ts'

/** @throws Failure (input) for damaged files */
export async function verifyResult(args: VerifyArgs, job: JobContext): Promise<Verdict> {
  const { claim } = args
  const verifier = claim && (await loadAlgorithm(claim.algorithm)).verifier
  const graph = openGraph(args.folder, args.checksum, job)
  try {
    const labels = openLabels(args.folder, graph.vertices)
    if (claim === undefined || verifier === undefined) return await verify(graph, labels, args, job)
    const { result, options } = claim
    return await verifier.verify({ graph, labels, result, options, bytes: bytesOf(claim, graph.vertices) }, job)
  } finally {
    graph.close()
  }
}

function bytesOf({ file, result }: ResultClaim, vertices: number): StoredResult['bytes'] {
  if (result.kind === 'independent-set') return readBits(file, vertices).bytes
  return new Uint8Array(readValues(file, vertices).buffer)
}
