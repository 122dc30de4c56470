import { matchCollect } from '../../../kernels/matching/match-collect.ts'
import type { JobContext } from '../../base/job.ts'
import { Trace } from '../../base/trace.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { GraphPieces } from '../../graph/graph-pieces.ts'
import { Matching } from '../../graph/matching.ts'
import { ScanBoard } from '../../threads/scan-board.ts'
import { allDone, runInThread } from '../../threads/thread-pool.ts'
import { type DeviceScanReport, type DeviceScanTask, scanOnDevice, sumOf } from './device-best-scan.ts'
import type { CollectTask } from './device-collect.ts'
import { MatchHosts } from './match-hosts.ts'
import { MatchRanks, slicesOfRanks } from './match-ranks.ts'
import type { ComputedMatching, MatchRequest } from './match-request.ts'
import { resumeOnHosts } from './resume-on-hosts.ts'
import { type MatchSetup, orderParams, readsWeights, setupOf, shareMatchMemory } from './match-setup.ts'

/** A rank whose GPUs scan and collect for the first, which does the rounds. @returns what it did */
export async function matchBesideFirst(
  request: MatchRequest,
  exchange: Exchange,
  job: JobContext,
): Promise<ComputedMatching> {
  const startMs = performance.now()
  const beside = new MatchingBeside(request, exchange, job)
  const { prepareMs, passes, resumes } = await beside.run(startMs)
  const rest = resumes ? await resumeOnHosts(request, undefined, job) : undefined
  const computeMs = performance.now() - startMs - prepareMs
  const matching = new Matching(new Uint32Array(0))
  return { matching, workers: beside.workers(), passes, open: [], arcs: [], ...rest, prepareMs, computeMs }
}

class MatchingBeside {
  readonly #request: MatchRequest
  readonly #job: JobContext
  readonly #setup: MatchSetup
  readonly #hosts: MatchHosts
  readonly #ranks: MatchRanks
  readonly #waiting: Uint32Array
  readonly #trace: Trace
  /** Of each worker. */
  readonly #reports: DeviceScanReport[][]

  constructor(request: MatchRequest, exchange: Exchange, job: JobContext) {
    const { graph, plan, traced } = request
    const { file } = graph
    const order = orderParams(request.order, file)
    const pieces = new GraphPieces(file, graph.checked.file, plan.unitsAPiece)
    const slices = slicesOfRanks(pieces, exchange.ranks, plan.candidates)
    const memory = shareMatchMemory(file, order, plan.candidates, false)
    this.#request = request
    this.#job = job
    this.#setup = setupOf(request, slices[exchange.rank]!, memory)
    this.#hosts = new MatchHosts(this.#setup, plan.threads, job)
    this.#waiting = new Uint32Array(new SharedArrayBuffer(memory.matched.byteLength))
    this.#trace = new Trace(traced)
    this.#ranks = new MatchRanks(exchange, slices, this.#setup, this.#waiting, this.#trace)
    this.#reports = plan.workers.map(() => [])
  }

  async run(startMs: number): Promise<Pick<ComputedMatching, 'prepareMs' | 'passes'> & { readonly resumes: boolean }> {
    const kernel = matchCollect(readsWeights(this.#setup.order))
    this.#request.lead.prepare([kernel]).catch(() => {})
    const prepareMs = performance.now() - startMs
    for (let passes = 0; ; passes++) {
      const task = await this.#ranks.next()
      if (task.kind === 'scan') {
        const found = await this.#pass(task.allFree, undefined)
        const deferred = found.flatMap((each) => each.deferred)
        if (deferred.length > 0) await this.#hosts.run({ kind: 'load' })
        this.#hosts.keep(deferred, task.allFree)
        await this.#ranks.bringCandidates(undefined)
      } else if (task.kind === 'collect') {
        const needs = new Uint32Array(new SharedArrayBuffer(8))
        needs.set([task.count, task.words])
        const found = await this.#pass(false, { waiting: this.#waiting, needs })
        const lists = found.map(({ collected }) => collected!)
        await this.#ranks.bringLists(undefined, lists)
      } else return { prepareMs, passes, resumes: task.kind === 'resume' }
    }
  }

  workers() {
    const { bytesRead, readMs, reports } = this.#hosts
    const [first, ...others] = this.#reports.map(sumOf)
    const spans = [...first!.spans, ...this.#trace.spans, ...reports.flatMap((each) => each.spans)]
    return [{ ...first!, bytesRead: first!.bytesRead + bytesRead, readMs: first!.readMs + readMs, spans }, ...others]
  }

  async #pass(allFree: boolean, collect: CollectTask | undefined): Promise<DeviceScanReport[]> {
    const setup = this.#setup
    const board = new ScanBoard(setup.board)
    board.begin(1, setup.own.units.first)
    board.setReady()
    const { lead, plan } = this.#request
    const works = plan.workers.map(async ({ device, batchPieces }, worker) => {
      const task: DeviceScanTask = { setup, device, batchPieces: batchPieces!, side: 'front', allFree, collect }
      const found =
        worker === 0
          ? await scanOnDevice(task, lead, this.#job.signal, () => {})
          : await runInThread<DeviceScanTask, DeviceScanReport>('match-scan-on-device', task, device)
      this.#reports[worker]!.push(found)
      return found
    })
    return allDone(works, board)
  }
}
