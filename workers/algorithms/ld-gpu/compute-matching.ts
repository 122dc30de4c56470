import type { JobContext } from '../../base/job.ts'
import { matchBesideFirst } from './match-beside.ts'
import { MatchingOnDevice } from './match-on-device.ts'
import { MatchingOnHosts } from './match-on-hosts.ts'
import type { ComputedMatching, MatchRequest } from './match-request.ts'

/**
 * A locally dominant matching (LD-GPU, SC 2024) in one or two passes over the file (docs/matching.md): a scan keeps the best neighbours of
 * every vertex, rounds point and match with these, and a vertex whose candidates are all matched scans its free neighbours again. The
 * matching is that of the serial loop over the edges in their order.
 */
export function computeMatching(request: MatchRequest, job: JobContext): Promise<ComputedMatching> {
  const { plan, exchange } = request
  if (plan.workers[0]!.gpu !== 'rounds') return new MatchingOnHosts(request, job).run()
  if (exchange !== undefined && exchange.rank > 0) return matchBesideFirst(request, exchange, job)
  return new MatchingOnDevice(request, job).run()
}
