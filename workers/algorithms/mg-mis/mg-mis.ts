/**
 * MG-MIS (Akathoott and others, ICS 2025) as an Algorithm, under either exchange. By default it is the one pass of ecl-mis with several devices
 * and replicated states, and has the same set; `--exchange paper` keeps the queries and responses of the paper, to measure against
 * (reproductions/mg-mis). Here are the choice, the paper's plan and record; one-pass-set.ts does the rest.
 */

import { type Algorithm, type AnswerRecord, type Answer, type Run, answerElsewhere } from '../algorithm.ts'
import { onePass } from '../ecl-mis/ecl-mis.ts'
import { setInOnePass } from '../one-pass-set.ts'
import { percent, reportsOfRanks } from '../worker-report.ts'
import { type PlanRequest, knownBytes, budgetsOf } from '../plan-request.ts'
import {
  estimatePaper,
  planPaperExactly,
  isRanked,
  paperHostBytes,
  paperNeeds,
  planPaper,
} from '../reproductions/mg-mis/plan-paper.ts'
import type { JobContext } from '../../base/job.ts'
import { sharedWords } from '../../base/words.ts'
import { limitsOf } from '../../device/device.ts'
import { type Exchange, gatherValues } from '../../exchange/exchange.ts'
import { degreesOf } from '../../graph/degrees.ts'
import { rankVertices } from '../../graph/set-order.ts'
import type { VertexSet } from '../../graph/vertex-set.ts'
import { SharedBarrier } from '../../threads/barrier.ts'
import { PackedStates } from '../../graph/host-states.ts'
import { type RangesDone, rangeRecord, runRanges } from '../range-run.ts'
import type { RangeWorks } from '../range-task.ts'
import type { RunLists } from '../run-lists.ts'
import { beginSet, requirePriority, setAnswer, setCheckpointer, setResult } from '../set-answer.ts'
import {
  EqualRanges,
  type PaperShared,
  RankBarrier,
  gatherStates,
  sharePaperBuffers,
  workersBeside,
} from '../reproductions/mg-mis/paper-shared.ts'
import { type PaperOutcome, computeStatus, paperKernels } from '../reproductions/mg-mis/compute-status.ts'

const isPaper = ({ exchange }: PlanRequest['options']): boolean => exchange === 'paper'

const replicated = setInOnePass(onePass, {
  options: { exchange: 'replicated' },
  counters: ({ exchanged }, { vertices, arcs }) => ({ movedPercent: percent(exchanged, 8 * vertices + 4 * arcs) }),
})

/** MG-MIS (ICS 2025) under either exchange, with the set of ECL-MIS. */
export const mgMis: Algorithm = {
  ...replicated,
  plan: (request) => (isPaper(request.options) ? estimatePaper(request) : replicated.plan(request)),
  planExactly: (request) => (isPaper(request.options) ? planPaperExactly(request) : undefined),
  kernels: (args, graph) => (isPaper(args) ? [] : replicated.kernels(args, graph)),
  compute: (run, job) => (isPaper(run.args) ? computeByPaper(run, job) : replicated.compute(run, job)),
}

/** MG-MIS under the exchange of its paper (ICS 2025, section 3). */
async function computeByPaper(run: Run, job: JobContext): Promise<Answer> {
  const { args, graph, devices, exchange } = run
  const { vertices } = graph
  const { lists, checkpoint, initial } = await beginSet(run, 'paper-')
  // A rank knows the memory of its own machine alone.
  const budgets = budgetsOf(devices, args.memoryBytes)
  const own = devices.map((facts, i) => ({ facts, budgetBytes: knownBytes(budgets[i]!) }))
  const ofRanks = exchange === undefined ? [own] : await gatherValues(exchange, own)
  const firstOfRank = ofRanks.map((_, rank) => ofRanks.slice(0, rank).flat().length)
  const all = ofRanks.flat()
  const workers = all.length
  // Of all workers: which of them runs out of memory first depends on timing.
  const { bufferWords } = planPaper(
    args,
    graph,
    all.map(({ facts }) => limitsOf(facts)),
    all.map(({ budgetBytes }) => budgetBytes ?? Infinity),
  )
  const startMs = performance.now()
  const ranks = ranksOf(run, lists)
  const prepareMs = performance.now() - startMs
  const buffers = sharePaperBuffers(vertices, workers, bufferWords, firstOfRank)
  const shared = { ...buffers, ranks, seed: args.seed }
  shared.states.set(initial ?? [])
  const first = firstOfRank[exchange?.rank ?? 0]!
  const { bounds } = new EqualRanges(vertices, workers)
  const checkpointer = checkpoint && setCheckpointer(checkpoint, true)
  const works = paperWorks(exchange)
  const computed = await runRanges(run, job, shared, works, { bounds, first, checkpointer })
  if (exchange !== undefined) await gatherStates(shared, exchange)
  const reports = await reportsOfRanks(exchange, computed.reports)
  if (exchange !== undefined && exchange.rank > 0) return answerElsewhere(reports)
  const set = new PackedStates(vertices, shared.states).members()
  const record = (improved: VertexSet): AnswerRecord =>
    recordOf(run, bufferWords, improved, { ...computed, reports }, prepareMs)
  return setAnswer(run, { lists, checkpoint, workers: reports, set, record }, job)
}

/** Priorities that every worker holds; undefined where they are hashes of the id (section 3.1). */
function ranksOf({ args, graph }: Run, { column }: RunLists): Uint32Array | undefined {
  const { vertices, arcs } = graph
  if (!isRanked(args)) return undefined
  const input = { vertices, arcs, degrees: degreesOf(graph), seed: args.seed, column }
  const ranks = sharedWords(Math.max(1, vertices))
  ranks.set(rankVertices(requirePriority(args.priority), input).rank)
  return ranks
}

/** What all workers do; the states are in shared memory afterwards. @param exchange of the first worker of a rank alone */
export const paperWorks = (exchange?: Exchange): RangeWorks<PaperShared, PaperOutcome, Uint32Array> => ({
  follow: 'follow-paper',
  kernels: paperKernels,
  needs: ({ worker, batches, shared }) =>
    paperNeeds(worker, { ...shared, batches, ranked: shared.ranks !== undefined }),
  compute: computeStatus,
  barrier: ({ worker, control, shared }, signal) => {
    const here = new SharedBarrier(control, workersBeside(shared, worker), signal)
    return shared.firstOfRank.length > 1 ? new RankBarrier(here, shared, exchange) : here
  },
})

function recordOf(
  run: Run,
  bufferWords: number,
  set: VertexSet,
  found: RangesDone<PaperOutcome>,
  prepareMs: number,
): AnswerRecord {
  const { vertices, arcs } = run.graph
  const { reports, outcome } = found
  const { rounds, computeMs } = outcome
  const record = rangeRecord(run, found, { hostBytes: paperHostBytes(vertices, reports.length, bufferWords) })
  const { batches } = record.plan
  const needs = rounds.map(({ need }) => need)
  return {
    ...record,
    result: setResult(set),
    options: {
      priority: requirePriority(run.args.priority),
      ...record.options,
      batches,
      exchange: 'paper',
      bufferWords,
    },
    rounds: rounds.length,
    roundCounts: rounds.map(({ undecided }, i) => ({ round: i + 1, undecided })),
    time: { ...record.time, prepareMs, computeMs, kernelMs: reports[0]!.kernelMs },
    passes: rounds.length,
    counters: {
      // Of the canonical offsets and targets, as in the paper's Table 2.
      movedPercent: percent(record.bytes.exchanged, 8 * vertices + 4 * arcs),
      transfers: record.counters['transfers'] ?? 0,
      largestBufferNeed: Math.max(0, ...needs),
    },
    series: [{ name: 'bufferNeed', unit: 'words', values: needs }, ...record.series],
  }
}
