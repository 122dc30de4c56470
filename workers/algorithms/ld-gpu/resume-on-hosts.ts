import type { JobContext } from '../../base/job.ts'
import { MatchingAcross } from './match-across.ts'
import { MatchingOnHosts } from './match-on-hosts.ts'
import type { ComputedMatching, MatchRequest, MatchState } from './match-request.ts'
import { planOnHost } from './plan-match.ts'

/** Long chains of vertices, one by one, on the processors of all ranks. @param start what a GPU began; on the first rank */
export function resumeOnHosts(
  request: MatchRequest,
  start: MatchState | undefined,
  job: JobContext,
): Promise<ComputedMatching> {
  const { graph, order, exchange } = request
  const { vertices, arcs } = graph
  const plan = planOnHost({ vertices, arcs, readsWeights: order.weights === 'column' }, exchange?.ranks ?? 1)
  const resumed = { ...request, start, plan }
  return exchange === undefined
    ? new MatchingOnHosts(resumed, job).run()
    : new MatchingAcross(resumed, exchange, job).run()
}
