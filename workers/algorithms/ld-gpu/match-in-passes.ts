import { closeSync } from 'node:fs'
import { openFile } from '../../base/file-bytes.ts'
import type { JobContext } from '../../base/job.ts'
import { PIECE_BYTES } from '../../base/sums.ts'
import { Trace } from '../../base/trace.ts'
import { idleRound } from '../../graph/galois-gr.ts'
import { GraphPieces } from '../../graph/graph-pieces.ts'
import { sliceOf } from '../../graph/graph-slice.ts'
import { Matching } from '../../graph/matching.ts'
import { ScanBoard } from '../../threads/scan-board.ts'
import { allDone, runInThread } from '../../threads/thread-pool.ts'
import { type WorkerReport, reportRound } from '../worker-report.ts'
import { type DeviceScanReport, type DeviceScanTask, sumOf } from './device-best-scan.ts'
import type { CollectTask } from './device-collect.ts'
import { LeadMatching } from './lead-matching.ts'
import { MatchHosts } from './match-hosts.ts'
import { MatchRanks, slicesOfRanks } from './match-ranks.ts'
import type { ComputedMatching, MatchRequest } from './match-request.ts'
import { type MatchSetup, markMutual, orderParams, setupOf, shareMatchMemory } from './match-setup.ts'
import { resumeOnHosts } from './resume-on-hosts.ts'

/**
 * LD-GPU (SC 2024, Algorithm 1) on GPUs that stream lists from the file: all scan and collect, the first does the rounds. Others publish what they
 * found in the processors' memory; those of other ranks, by the exchange.
 */
export class MatchingInPasses {
  readonly #request: MatchRequest
  readonly #job: JobContext
  readonly #setup: MatchSetup
  readonly #hosts: MatchHosts
  readonly #waiting: Uint32Array
  readonly #trace: Trace
  /** Of which this is the first. */
  readonly #ranks: MatchRanks | undefined
  /** Of each worker but the first. */
  readonly #reports: DeviceScanReport[][]
  #passes = 0

  constructor(request: MatchRequest, job: JobContext) {
    const { graph, plan, exchange } = request
    const { file } = graph
    const order = orderParams(request.order, file)
    const pieces = new GraphPieces(file, graph.checked.file, plan.unitsAPiece)
    this.#request = request
    this.#job = job
    const memory = shareMatchMemory(file, order, plan.candidates, false)
    const slices = exchange && slicesOfRanks(pieces, exchange.ranks, plan.candidates)
    this.#setup = setupOf(request, slices?.[0] ?? sliceOf(pieces, undefined), memory)
    this.#hosts = new MatchHosts(this.#setup, plan.threads, job)
    this.#waiting = new Uint32Array(new SharedArrayBuffer(this.#setup.memory.matched.byteLength))
    this.#trace = new Trace(request.traced)
    this.#ranks = exchange && new MatchRanks(exchange, slices!, this.#setup, this.#waiting, this.#trace)
    this.#reports = plan.workers.slice(1).map(() => [])
  }

  async run(): Promise<ComputedMatching> {
    const { graph, start } = this.#request
    const { memory } = this.#setup
    const startMs = performance.now()
    const file = openFile(graph.path, 'r')
    const loading = this.#hosts.run({ kind: 'load' })
    const opening = this.#open(file, loading)
    let lead: LeadMatching | undefined
    // Thrown when it is awaited.
    opening.then((opened) => (lead = opened)).catch(() => {})
    try {
      await loading
      if (start !== undefined) markMutual(start.pointers, memory.matched)
      const prepareMs = performance.now() - startMs
      const isOver = await this.#match(opening)
      lead = await opening
      await this.#ranks?.publish({ kind: isOver ? 'over' : 'resume' })
      const { pointers } = memory
      await lead.pointers(pointers)
      const { open, arcs } = lead.rounds
      const workers = await this.#workers(lead)
      const found = { open, arcs, workers, prepareMs, computeMs: performance.now() - startMs - prepareMs }
      if (isOver) return { matching: new Matching(pointers), passes: this.#passes, ...found }
      lead.release()
      lead = undefined
      return await this.#resumeOnHosts(found, startMs)
    } finally {
      await opening.catch(() => {})
      lead?.release()
      closeSync(file)
    }
  }

  async #open(file: number, loading: Promise<unknown>): Promise<LeadMatching> {
    const { lead: device, plan, start } = this.#request
    await device.takeKernelMs()
    const space = { batchPieces: plan.workers[0]!.batchPieces!, room: Math.floor(plan.roomBytes / 4) }
    const lead = await LeadMatching.open(device, this.#setup, space, loading, file, this.#trace, this.#job.signal)
    if (start !== undefined) await lead.rounds.restore(start.pointers, start.open, start.arcs)
    return lead
  }

  /** A scan, and rounds; then lists of those that wait, and rounds. @returns false where the host should resume */
  async #match(opening: Promise<LeadMatching>): Promise<boolean> {
    let isFree = this.#request.start === undefined
    for (let before = Infinity; ;) {
      await this.#pass(opening, isFree) //                                  Algorithm 3: candidates
      isFree = false
      const lead = await opening
      const afterRounds = (): Promise<void> => this.#keep(lead)
      if (!(await lead.match(false, false, afterRounds))) return false //   Algorithm 1, lines 3-10, while they change much
      const { undecided, waiting } = await lead.mark(this.#waiting)
      if (undecided >= before) throw idleRound(this.#request.graph.path, lead.rounds.open.length + 1)
      before = undecided
      const lacking = waiting === 0 ? 0 : await this.#pass(opening, false, this.#collectTask(waiting))
      if (!(await lead.match(waiting > 0, lacking === 0, afterRounds))) return false
      if (lacking === 0) return true
      await lead.mark(this.#waiting)
    }
  }

  #collectTask(count: number): CollectTask {
    return { waiting: this.#waiting, count, room: Math.floor(this.#request.plan.roomBytes / 4) }
  }

  /** All GPUs take units from the board; others begin while the first one opens. @returns waiting vertices whose lists found no room */
  async #pass(opening: Promise<LeadMatching>, allFree: boolean, collect?: CollectTask): Promise<number> {
    this.#passes++
    await this.#ranks?.publish(
      collect === undefined ? { kind: 'scan', allFree } : { kind: 'collect', count: collect.count },
    )
    const { board, own, unitsAPiece } = this.#setup
    const { first, end } = own.units
    const scanBoard = new ScanBoard(board)
    scanBoard.begin(1, first)
    const unitBytes = PIECE_BYTES / unitsAPiece
    const total = (end - first) * unitBytes
    const report = (): void => {
      const done = (Math.min(end, scanBoard.taken) - first) * unitBytes
      this.#job.progress({ phase: 'scan', done, total, unit: 'bytes' })
    }
    const others = this.#request.plan.workers.slice(1).map(async ({ device, batchPieces }, other) => {
      const side = 'front' as const
      const task = { setup: this.#setup, device, batchPieces: batchPieces!, side, allFree, collect }
      const found = await runInThread<DeviceScanTask, DeviceScanReport>('match-scan-on-device', task, device)
      this.#reports[other]!.push(found)
      return found
    })
    const here = opening.then((lead) =>
      collect === undefined ? lead.scan(allFree, report) : lead.collect(collect.waiting, report),
    )
    await allDone<unknown>([here, ...others], scanBoard)
    const lead = await opening
    await lead.batches.verify()
    let lacking = 0
    for (const other of others) {
      const { scanned, collected } = await other
      await lead.takeCandidates(scanned)
      if (collected !== undefined) await lead.adopt(collected)
      lacking += collected?.lacking ?? 0
    }
    if (collect === undefined) await this.#ranks?.bringCandidates(lead)
    else lacking += (await this.#ranks?.bringLists(lead, [])) ?? 0
    return lacking + (await lead.lacking())
  }

  async #keep(lead: LeadMatching): Promise<void> {
    const { graph, checkpointer } = this.#request
    const { open, arcs } = lead.rounds
    if (open.length > 0) reportRound(this.#job, 'match', graph.vertices, open.at(-1)!, open.length)
    if (checkpointer?.isDue() !== true) return
    const { pointers } = this.#setup.memory
    await lead.pointers(pointers)
    checkpointer.keep({ pointers, open, arcs })
  }

  async #workers(lead: LeadMatching): Promise<WorkerReport[]> {
    const { lead: device } = this.#request
    const { bytesRead, readMs } = this.#hosts
    const { batches, lists } = lead
    const own = {
      device: device.facts,
      bytesRead: bytesRead + batches.reader.bytesRead + lists.reader.bytesRead,
      readMs: readMs + batches.reader.readMs,
      kernelMs: await device.takeKernelMs(),
      ...{ waitMs: 0, exchanged: 0, sweeps: 0 },
      spans: [...this.#trace.spans, ...this.#hosts.reports.flatMap(({ spans }) => spans)],
      ...device.copied,
    }
    return [own, ...this.#reports.map(sumOf)]
  }

  /** Long chains of vertices, one by one. */
  async #resumeOnHosts(
    found: Omit<ComputedMatching, 'matching' | 'passes'>,
    startMs: number,
  ): Promise<ComputedMatching> {
    const { pointers } = this.#setup.memory
    const { open, arcs, workers, prepareMs } = found
    const rest = await resumeOnHosts(this.#request, { pointers, open, arcs }, this.#job)
    const computeMs = performance.now() - startMs - prepareMs
    return { ...rest, workers, passes: this.#passes + rest.passes, prepareMs, computeMs }
  }
}
