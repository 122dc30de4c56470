import { matchCollect } from '../../../kernels/matching/match-collect.ts'
import type { JobContext } from '../../base/job.ts'
import { Trace } from '../../base/trace.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { Matching } from '../../graph/matching.ts'
import { MatchHosts } from './match-hosts.ts'
import { MatchingOnDevice } from './match-on-device.ts'
import { MatchingOnHosts, resumeOnHosts } from './match-on-hosts.ts'
import { MatchRanks, slicesOfRanks } from './match-ranks.ts'
import type { ComputedMatching, MatchRequest } from './match-request.ts'
import { MatchScans } from './match-scans.ts'
import { piecesFor, readsWeights, setupOf } from './match-setup.ts'

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

/** A rank whose GPUs scan and collect for the first, which does the rounds. @returns what it did */
async function matchBesideFirst(request: MatchRequest, exchange: Exchange, job: JobContext): Promise<ComputedMatching> {
  const startMs = performance.now()
  const { lead, plan } = request
  const workers = plan.workers.map((worker) => ({ ...worker, gpu: 'scan' as const }))
  const slices = slicesOfRanks(piecesFor(request), exchange.ranks, plan.candidates)
  const setup = setupOf(request, slices[exchange.rank]!)
  const hosts = new MatchHosts(setup, plan.threads, job)
  const scans = new MatchScans({ ...request, plan: { ...plan, workers } }, setup, hosts, job, 'front')
  const waiting = new Uint32Array(new SharedArrayBuffer(setup.memory.matched.byteLength))
  const trace = new Trace(request.traced)
  const ranks = new MatchRanks(exchange, slices, setup, waiting, trace)
  lead.prepare([matchCollect(readsWeights(setup.order))]).catch(() => {})
  const prepareMs = performance.now() - startMs
  let [passes, task] = [0, await ranks.next()]
  for (; task.kind !== 'over' && task.kind !== 'resume'; passes++, task = await ranks.next()) {
    if (task.kind === 'scan') {
      const { allFree } = task
      const found = await scans.onDevices({ allFree, collect: undefined })
      const deferred = found.flatMap((each) => each.deferred)
      await hosts.loadFor(deferred)
      hosts.keep(deferred, allFree)
      await ranks.bringCandidates(undefined)
    } else {
      const needs = new Uint32Array(new SharedArrayBuffer(8))
      needs.set([task.count, task.words])
      const found = await scans.onDevices({ allFree: false, collect: { waiting, needs } })
      const lists = found.map(({ collected }) => collected!)
      await ranks.bringLists(undefined, lists)
    }
  }
  const rest = task.kind === 'resume' ? await resumeOnHosts(request, undefined, job) : undefined
  const computeMs = performance.now() - startMs - prepareMs
  const matching = new Matching(new Uint32Array(0))
  return { matching, workers: scans.reports(trace.spans), passes, open: [], arcs: [], ...rest, prepareMs, computeMs }
}
