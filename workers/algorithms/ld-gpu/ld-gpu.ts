/**
 * LD-GPU (Mandulak, Ghosh, Ferdous, Halappanavar, Slota, SC 2024) as an Algorithm: a locally dominant matching, which weighs at least half of
 * the best one. `--method ordered` keeps the best neighbours of each vertex (match-on-device.ts, match-on-hosts.ts); `rescan` is the paper's own
 * protocol (reproductions/ld-gpu). Here are the plan of the first, for a process or a rank (plan-match.ts), and its estimate; the answer of both
 * is in matching-answer.ts.
 */

import type { JobContext } from '../../base/job.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { edgeOrderOf, orderParams } from '../../graph/edge-order.ts'
import { keyedOrder } from '../../graph/scan-lists.ts'
import { warmThreads } from '../../threads/thread-pool.ts'
import type { Algorithm, Run } from '../algorithm.ts'
import { type MatchingMethod, matchingBy } from '../matching-answer.ts'
import { estimateByUnits, runPlanOf } from '../plan-request.ts'
import { rescan } from '../reproductions/ld-gpu/rescan.ts'
import { isTraced } from '../worker-report.ts'
import { matchKernels } from './device-matching.ts'
import { computeMatching } from './match-on-device.ts'
import { type MatchSize, listsBytes, planMatch, planPasses, planSlice, usefulDevices } from './plan-match.ts'
import type { MatchPlan } from './match-setup.ts'

/** The method that keeps the best neighbours of each vertex. */
export const ordered: MatchingMethod = {
  estimate: (request) => {
    const { options, size: graph, devices } = request
    const { vertices, arcs, values, isPacked, whole } = graph
    const size = { vertices, arcs, readsWeights: edgeOrderOf(options, graph).weights === 'column', values, isPacked }
    const useful = whole === undefined ? usefulDevices(size, options, devices) : devices
    const found = estimateByUnits(
      { ...request, devices: useful },
      (wishes, on) => {
        if (whole === undefined) return planMatch(size, wishes, on)
        const all = { ...size, ...whole }
        return planPasses(all, wishes, on, whole.ranks) ?? planSlice(all, whole.ranks, wishes, on)
      },
      { shareBytes: 8 * vertices + listsBytes(size), resultBytes: 4 * vertices },
    )
    return { ...found, why: useful.length < devices.length ? aloneWords(useful[0]!.id) : undefined }
  },
  prepare: async (run, asked, job) => {
    const { args, graph, device: lead, exchange } = run
    const order = keyedOrder(asked, graph)
    const { vertices, arcs } = graph
    const { values, isPacked } = graph.file
    const size = { vertices, arcs, readsWeights: order.weights === 'column', values, isPacked }
    const plan = exchange === undefined ? planOfProcess(run, size, job) : await planOfRank(run, exchange, size)
    warmThreads(plan.threads - 1)
    const request = { graph, order, plan, lead, traced: isTraced(args), exchange }
    return { plan: runPlanOf(graph, plan), compute: (rounds) => computeMatching({ ...request, ...rounds }, job) }
  },
}

/** LD-GPU (SC 2024): a locally dominant matching, by the best neighbours of each vertex or by the paper's scans of all. */
export const ldGpu: Algorithm = {
  ...matchingBy({ ordered, rescan }),
  worksAcross: ({ method }) => method !== 'rescan',
  severalGpus: 'needless',
  kernels: (args, graph) =>
    args.method === 'rescan' ? [] : Object.values(matchKernels(orderParams(edgeOrderOf(args, graph), graph.file))),
}

function planOfProcess({ args, devices }: Run, size: MatchSize, job: JobContext): MatchPlan {
  const useful = usefulDevices(size, args, devices)
  if (useful.length < devices.length)
    job.log(`${useful[0]!.id} holds the whole graph: it computes alone; more partitions share the work all the same.`)
  return planMatch(size, args, useful)
}

/** All ranks: GPUs scan lists; the rounds are done by the first one's GPU, else by the processors of all. */
async function planOfRank({ args, devices }: Run, exchange: Exchange, size: MatchSize): Promise<MatchPlan> {
  const forFirst = planPasses(size, args, devices, exchange.ranks)
  const agreed = await exchange.gather(Uint32Array.of(forFirst === undefined ? 0 : 1)).result()
  const doesAll = agreed.every(([has]) => has === 1)
  return doesAll ? forFirst! : planSlice(size, exchange.ranks, args, devices)
}

const aloneWords = (id: string): string =>
  `uses ${id} alone: it holds the whole graph, and others would only wait for it; several partitions share the work all the same`
