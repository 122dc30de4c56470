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
    const opening = this.#open(file)
    let lead: LeadMatching | undefined
    // Thrown when it is awaited.
    opening.then((opened) => (lead = opened)).catch(() => {})
    try {
      if (start !== undefined) markMutual(start.pointers, memory.matched)
      const isOver = await this.#match(opening)
      lead = await opening
      await this.#ranks?.publish({ kind: isOver ? 'over' : 'resume' })
      const prepareMs = lead.openedMs - startMs
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

  async #open(file: number): Promise<LeadMatching> {
    const { lead: device, plan, start } = this.#request
    await device.takeKernelMs()
    const space = { batchPieces: plan.workers[0]!.batchPieces!, room: Math.floor(plan.roomBytes / 4) }
    const lead = await LeadMatching.open(device, this.#setup, space, file, this.#trace, this.#job.signal)
    if (start !== undefined) await lead.rounds.restore(start.pointers, start.open, start.arcs)
    return lead
  }

  /** A scan, and rounds; then lists of those that wait, and rounds. @returns false where the host should resume */
  async #match(opening: Promise<LeadMatching>): Promise<boolean> {
    let isFree = this.#request.start === undefined
    for (let before = Infinity; ;) {
      this.#passes++
      await this.#scan(opening, isFree) //                                  Algorithm 3: candidates
      isFree = false
      const lead = await opening
      const afterRounds = (): Promise<void> => this.#keep(lead)
      const collection = this.#beginCollection()
      let lacking = 0
      try {
        if (!(await lead.match(false, false, afterRounds))) return false // Algorithm 1, lines 3-10, while they change much
        const { undecided, waiting, words } = await lead.mark(this.#waiting)
        if (undecided >= before) throw idleRound(this.#request.graph.path, lead.rounds.open.length + 1)
        before = undecided
        if (waiting > 0) lacking = await this.#collect(lead, collection, Uint32Array.of(waiting, words))
        if (!(await lead.match(waiting > 0, lacking === 0, afterRounds))) return false
      } finally {
        await endCollection(collection)
      }
      if (lacking === 0) return true
      await lead.mark(this.#waiting)
    }
  }

  /** Every vertex that is free keeps its candidates; other GPUs begin while the first one opens. */
  async #scan(opening: Promise<LeadMatching>, allFree: boolean): Promise<void> {
    await this.#ranks?.publish({ kind: 'scan', allFree })
    const board = this.#beginPass()
    const others = this.#onOthers({ allFree, collect: undefined })
    const here = opening.then((lead) => lead.scan(allFree, this.#report))
    await allDone<unknown>([here, ...others], board)
    const lead = await opening
    await lead.batches.verify()
    const found = await Promise.all(others)
    const deferred = [...(await here), ...found.flatMap((each) => each.deferred)]
    if (deferred.length > 0) await this.#hosts.run({ kind: 'load' })
    this.#hosts.keep(deferred, allFree)
    const ranges = deferred.map((v) => ({ first: v, end: v + 1 }))
    await lead.takeCandidates([...found.flatMap(({ scanned }) => scanned), ...ranges])
    await this.#ranks?.bringCandidates(lead)
  }

  /** Other GPUs make room for the lists of waiting vertices while the first one does rounds. */
  #beginCollection(): Collection {
    const board = this.#beginPass()
    const needs = new Uint32Array(new SharedArrayBuffer(8))
    const collect = { waiting: this.#waiting, needs }
    const others = this.#onOthers({ allFree: false, collect })
    // Thrown when they are awaited.
    for (const other of others) other.catch(() => {})
    return { board, needs, others }
  }

  /** @returns waiting vertices whose lists found no room */
  async #collect(lead: LeadMatching, { board, needs, others }: Collection, found: Uint32Array): Promise<number> {
    this.#passes++
    await this.#ranks?.publish({ kind: 'collect', count: found[0]!, words: found[1]! })
    needs.set(found)
    board.setReady()
    await allDone<unknown>([lead.collect(this.#waiting, needs[1]!, this.#report), ...others], board)
    await lead.batches.verify()
    let lacking = 0
    for (const { collected } of await Promise.all(others)) {
      await lead.adopt(collected!)
      lacking += collected!.lacking
    }
    lacking += (await this.#ranks?.bringLists(lead, [])) ?? 0
    return lacking + (await lead.lacking())
  }

  #beginPass(): ScanBoard {
    const board = new ScanBoard(this.#setup.board)
    board.begin(1, this.#setup.own.units.first)
    return board
  }

  #onOthers(work: Pick<DeviceScanTask, 'allFree' | 'collect'>): readonly Promise<DeviceScanReport>[] {
    return this.#request.plan.workers.slice(1).map(async ({ device, batchPieces }, other) => {
      const task = { setup: this.#setup, device, batchPieces: batchPieces!, side: 'front' as const, ...work }
      const found = await runInThread<DeviceScanTask, DeviceScanReport>('match-scan-on-device', task, device)
      this.#reports[other]!.push(found)
      return found
    })
  }

  readonly #report = (): void => {
    const { board, own, unitsAPiece } = this.#setup
    const { first, end } = own.units
    const unitBytes = PIECE_BYTES / unitsAPiece
    const done = (Math.min(end, new ScanBoard(board).taken) - first) * unitBytes
    this.#job.progress({ phase: 'scan', done, total: (end - first) * unitBytes, unit: 'bytes' })
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

/** A pass that other GPUs are ready for; they wait to know what it needs. */
interface Collection {
  readonly board: ScanBoard
  readonly needs: Uint32Array
  readonly others: readonly Promise<DeviceScanReport>[]
}

/** Settles once no other GPU takes part. */
async function endCollection({ board, others }: Collection): Promise<void> {
  board.setReady()
  await Promise.allSettled(others)
}
