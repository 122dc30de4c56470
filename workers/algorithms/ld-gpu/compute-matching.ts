import type { JobContext } from '../../base/job.ts'
import { matchOnDevice } from './match-on-device.ts'
import { MatchingOnHosts } from './match-on-hosts.ts'
import type { ComputedMatching, MatchRequest } from './match-request.ts'
import { planOnHost } from './plan-match.ts'

/**
 * A locally dominant matching in one or two passes over the canonical file (docs/matching.md): one
 * scan keeps the best neighbours of every vertex, rounds of pointing and matching go on with these, and only vertices whose neighbours
 * that they keep are all taken look again at those that are free. The matching is that of the serial loop over the edges in their order.
 */
export async function computeMatching(request: MatchRequest, job: JobContext): Promise<ComputedMatching> {
  const { plan, graph, order } = request
  if (plan.workers[0]!.gpu !== 'rounds') return new MatchingOnHosts(request, job).run()
  const size = { ...graph.file, readsWeights: order.weights === 'column' }
  const resume = (rest: MatchRequest): Promise<ComputedMatching> =>
    new MatchingOnHosts({ ...rest, plan: planOnHost(size) }, job).run()
  return matchOnDevice(request, resume, job)
}
