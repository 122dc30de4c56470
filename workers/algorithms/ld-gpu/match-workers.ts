/**
 * The workers of a matching: processors, this thread among them, that run its phases together and meet after each, and GPUs that scan and
 * collect lists for others (scan-on-device.ts). Threads take phases from a board; figures of phases add up to a report for each worker.
 * A processor shares candidates, pointers and matched bits of all vertices with the others, and takes units of the file and chunks of vertices
 * from the board. A vertex whose candidates are all matched looks at its list again in the same phase, if that is in memory. The kernels are the
 * twins of kernels/matching, or their WebAssembly. match-on-hosts.ts and match-on-device.ts say which phase comes next.
 */

import {
  NONE,
  countsOf,
  isMatched,
  keptWords,
  counter,
  cursor,
  roundCounter,
} from '../../../kernels/matching/match-state.ts'
import type { JobContext, StopSignal } from '../../base/job.ts'
import { cpuFacts } from '../../device/cpu-device.ts'
import { ScanBoard, reportScan } from '../../streaming/piece-scan.ts'
import { inScan } from '../../streaming/scan-worker.ts'
import { runInThread } from '../../threads/thread-pool.ts'
import { type WorkerReport, together } from '../worker-report.ts'
import {
  type FreeLists,
  type MatchRequest,
  type MatchSetup,
  type FindList,
  listFinder,
  listPlace,
  residentOrigins,
  CHUNK,
  chunksOf,
} from './match-setup.ts'
import { HostLists, FreeListsWriter, addLists, type ReadLists } from './host-lists.ts'
import { type DeviceScanReport, type DeviceScanTask, scanOrCollect } from './scan-on-device.ts'
import { MatchRounds } from '../../../kernels/matching/match-rounds.ts'
import { matchPair } from '../../../kernels/matching/match-pair.ts'
import { matchPoint } from '../../../kernels/matching/match-point.ts'
import { BestNeighbours } from '../../../kernels/parts/best-neighbours.ts'
import { type NeighbourPlace, BestScanner } from '../../../kernels/parts/best-scanner.ts'
import { type Range, within } from '../../base/ranges.ts'
import { eachFree } from '../../graph/matching.ts'

/** Vertices: a thread takes longer to start than a matching of fewer takes. */
const WORTH_A_THREAD = 1 << 25

type ScanWork = Pick<DeviceScanTask, 'allFree' | 'collect'>

/** Runs phases on the workers of a matching, and adds up what they report. */
export class MatchWorkers {
  readonly #request: MatchRequest
  readonly #setup: MatchSetup
  readonly #job: JobContext
  readonly #side: DeviceScanTask['side']
  readonly #board: ScanBoard
  /** What GPUs did, pass by pass, for each worker. */
  readonly #scans: readonly DeviceScanReport[][]
  /** What all processors did together. */
  #hosts = together([], 'in turn')
  /** Whether the processors know the ends of the lists. */
  #hasEnds = false

  /** @param side from where GPUs take units */
  constructor(request: MatchRequest, setup: MatchSetup, job: JobContext, side?: DeviceScanTask['side']) {
    this.#request = request
    this.#setup = setup
    this.#job = job
    this.#side = side
    this.#board = new ScanBoard(setup.board)
    this.#scans = request.plan.workers.map(() => [])
  }

  /** Every vertex keeps its best free neighbours (LD-GPU, SC 2024, Algorithm 3). @param allFree no vertex has a mate yet */
  async scan(allFree: boolean): Promise<void> {
    const work = { allFree, collect: undefined }
    if (this.#request.plan.workers.some(({ gpu }) => gpu === undefined))
      await this.run({ kind: 'scan', allFree }, this.reportScan, () => this.#onDevices(work))
    else await this.onDevices(work)
    await this.keep(
      this.#scans.flatMap((each) => each.at(-1)?.deferred ?? []),
      allFree,
    )
  }

  /** Begins a pass over the lists of the GPUs that do no rounds. */
  begin(work: ScanWork): Promise<DeviceScanReport>[] {
    this.#board.begin(1, this.#setup.own.units.first)
    return this.#onDevices(work)
  }

  /** A pass of GPUs alone. */
  async onDevices(work: ScanWork): Promise<DeviceScanReport[]> {
    const works = this.begin(work)
    this.#board.setReady()
    return this.#board.all(works)
  }

  /** Reports how far a pass has come. */
  readonly reportScan = (): void => void reportScan(this.#setup, this.#job)

  /** Vertices with long lists keep their candidates, on this thread; ties by degrees need all ends. */
  async keep(vertices: readonly number[], allFree: boolean): Promise<void> {
    if (vertices.length === 0) return
    if (!this.#hasEnds && this.#setup.comparesDegrees) await this.run({ kind: 'load' })
    const phase = { kind: 'keep', vertices, allFree } as const
    const { bytesRead } = await runPhase({ setup: this.#setup, phase }, this.#job.signal, () => {})
    this.#hosts = together([this.#hosts, { bytesRead }], 'in turn')
  }

  /** Fills the pointers of a large matching in another thread: the first touch of memory takes longer than a copy into it. */
  async touchPointers(): Promise<void> {
    const setup = this.#setup
    if (setup.memory.pointers.length < WORTH_A_THREAD) return
    await runInThread<HostMatchTask, HostMatchReport>('match-on-host', { setup, phase: { kind: 'touch' } })
  }

  /**
   * A phase of all processors.
   * @param afterUnit called between units of lists
   * @param beside other workers that take units from the same board
   * @returns what all threads found together
   */
  async run(
    phase: HostPhase,
    afterUnit = (): void => {},
    beside: () => readonly Promise<unknown>[] = () => [],
  ): Promise<PointFigures> {
    // Chunks count from 0.
    this.#board.begin(1, phase.kind === 'scan' || phase.kind === 'collect' ? this.#setup.own.units.first : 0)
    const task = { setup: this.#setup, phase }
    const threads = Array.from({ length: this.#request.plan.threads - 1 }, () =>
      runInThread<typeof task, HostMatchReport>('match-on-host', task),
    )
    const others = beside()
    const here = Promise.resolve().then(() => runPhase(task, this.#job.signal, afterUnit))
    await this.#board.all<unknown>([here, ...threads, ...others])
    const reports = await Promise.all([here, ...threads])
    const sum = (figure: (report: HostMatchReport) => number): number =>
      reports.reduce((all, report) => all + figure(report), 0)
    this.#hosts = together([this.#hosts, together(reports, 'beside')], 'in turn')
    if (phase.kind === 'load') this.#hasEnds = true
    return { open: sum(({ found }) => found.open), arcs: sum(({ found }) => found.arcs) }
  }

  /**
   * What the workers did, in the order of the plan. The work of all processors counts for the first of them, or the first GPU where there are only
   * GPUs.
   * @param spans of waiting @param lead of the GPU that does the rounds
   */
  reports(spans: WorkerReport['spans'] = [], lead?: WorkerReport): WorkerReport[] {
    const { workers } = this.#request.plan
    const first = Math.max(
      0,
      workers.findIndex(({ gpu }) => gpu === undefined),
    )
    return workers.map(({ device, gpu }, worker) => {
      const parts: readonly Partial<WorkerReport>[] = gpu === 'rounds' ? [lead!] : this.#scans[worker]!
      const { device: facts = cpuFacts(device) } = parts[0] ?? {}
      const hosts = gpu === undefined ? this.#hosts : { ...this.#hosts, kernelMs: 0 }
      return { device: facts, ...together(worker === first ? [...parts, { spans }, hosts] : parts, 'in turn') }
    })
  }

  #onDevices(work: ScanWork): Promise<DeviceScanReport>[] {
    return this.#request.plan.workers.flatMap(({ device, gpu, batchPieces, packedWords = 0 }, worker) => {
      if (gpu !== 'scan') return []
      const lists = { batchPieces: batchPieces!, packedWords, side: this.#side }
      const task = { setup: this.#setup, device, ...lists, ...work }
      return [this.#onDevice(task, worker)]
    })
  }

  async #onDevice(task: DeviceScanTask, worker: number): Promise<DeviceScanReport> {
    const found =
      worker === 0
        ? await scanOrCollect(task, this.#request.lead, this.#job.signal, this.reportScan)
        : await runInThread<DeviceScanTask, DeviceScanReport>('match-scan-on-device', task, task.device)
    this.#scans[worker]!.push(found)
    return found
  }
}

type HostPhase =
  | { readonly kind: 'load' }
  | { readonly kind: 'scan'; readonly allFree: boolean }
  | { readonly kind: 'keep'; readonly vertices: readonly number[]; readonly allFree: boolean }
  | { readonly kind: 'collect'; readonly lists: FreeLists }
  | ({ readonly kind: 'point' } & PointPhase)
  | { readonly kind: 'pair' }
  | { readonly kind: 'undecided' }
  | { readonly kind: 'touch' }
  | { readonly kind: 'settle'; readonly mates: Uint32Array }

interface HostMatchTask {
  readonly setup: MatchSetup
  readonly phase: HostPhase
}

interface HostMatchReport extends Pick<WorkerReport, 'bytesRead' | 'readMs' | 'kernelMs' | 'spans'> {
  readonly found: PointFigures
}

/** The phase of a processor in a thread of its own. */
export const hostMatchTask = (task: HostMatchTask): Promise<HostMatchReport> => runPhase(task, undefined, () => {})

/** Runs a phase on this thread; a failure stops the others. @param signal undefined in a thread of its own */
const runPhase = ({ setup, phase }: HostMatchTask, signal: StopSignal | undefined, afterUnit: () => void) =>
  inScan(setup, signal, (scan): Pick<HostMatchReport, 'found'> => {
    const lists = new HostLists(setup, scan)
    const host = new HostMatch(setup, lists)
    let found = { open: 0, arcs: 0 }
    if (phase.kind === 'load') lists.load()
    else if (phase.kind === 'scan') host.scan(phase.allFree, afterUnit)
    else if (phase.kind === 'keep') for (const v of phase.vertices) host.keepLong(v, phase.allFree)
    else if (phase.kind === 'collect') host.collect(phase.lists, afterUnit)
    else if (phase.kind === 'point') found = host.point(phase)
    else if (phase.kind === 'pair') host.pair()
    else if (phase.kind === 'undecided') found.open = host.undecided()
    else if (phase.kind === 'touch') setup.memory.pointers.fill(NONE)
    else host.settle(phase.mates)
    return { found }
  })

/** A pointing phase. */
interface PointPhase {
  /** Whether it begins with all vertices, in place of those that are active. */
  readonly ofAll: boolean
  /** What it counts (match-point.ts). */
  readonly counted: number
  /** The collected lists, where lists are streamed. */
  readonly free: FreeLists | undefined
}

interface PointFigures {
  /** Active vertices as `counts` says. */
  open: number
  /** Scanned. */
  arcs: number
}

/** Words that a thread collects before others see them. */
const COLLECTED_WORDS = 1 << 14

/** One processor's part in each phase. */
class HostMatch {
  readonly #setup: MatchSetup
  readonly #lists: HostLists
  readonly #counters = new Uint32Array(counter.COUNT)
  readonly #scanner: BestScanner | undefined
  /** The module that does rounds in the memory of the vertices; undefined where it cannot. */
  readonly #rounds: MatchRounds | undefined
  readonly #best: BestNeighbours

  constructor(setup: MatchSetup, lists: HostLists) {
    this.#setup = setup
    this.#lists = lists
    const { memory } = setup.memory
    this.#scanner = BestScanner.for(setup.order, setup.candidates)
    if (memory !== undefined)
      this.#rounds = new MatchRounds(setup.order, setup.candidates, {
        ...setup.memory,
        memory,
        ...residentOrigins(setup.graph),
      })
    this.#best = new BestNeighbours(setup.order, setup.candidates)
  }

  /** Every vertex of units from the board keeps its best free neighbours. @param allFree no vertex has a mate yet */
  scan(allFree: boolean, afterUnit: () => void): void {
    for (const unit of this.#lists.units()) {
      if (!allFree && this.#isDecided(unit.vertices)) continue
      const read = this.#lists.readLists(unit)
      this.#lists.scan.compute('lists', () => this.#scan(read, allFree))
      if (read.behind !== undefined) this.keepLong(read.behind, allFree)
      afterUnit()
    }
  }

  /** Collects the free neighbours of vertices that may yet find a mate, as far as there is room. */
  collect(free: FreeLists, afterUnit: () => void): void {
    const { ends, places } = this.#setup.memory
    const writer = new FreeListsWriter(this.#setup)
    for (const unit of this.#lists.units()) {
      if (this.#isDecided(unit.vertices)) continue
      const read = this.#lists.readLists(unit)
      this.#lists.scan.compute('free lists', () => {
        for (let v = read.within.first; v < read.within.end; v++) {
          if (this.#isOver(v)) continue
          writer.begin(v)
          writer.add(listPlace(ends, v, read))
          writer.end()
          if (writer.length >= COLLECTED_WORDS) addLists(free, places, writer.take())
        }
      })
      if (read.behind !== undefined && !this.#isOver(read.behind)) writer.addLong(read.behind, this.#lists)
      afterUnit()
    }
    addLists(free, places, writer.take())
  }

  /** The pointing phase, by chunks from the board. */
  point({ ofAll, counted, free }: PointPhase): PointFigures {
    const { open, openOfChunks } = this.#setup.memory
    const rounds = free === undefined ? this.#rounds : undefined
    const findList = listFinder(this.#setup, free)
    const found = { open: 0, arcs: 0 }
    for (const { chunk, first, end } of this.#chunks()) {
      const next = open.subarray(first, end)
      const list = ofAll ? undefined : next.subarray(0, openOfChunks[chunk])
      const { pointing, opened, arcs } =
        rounds?.point(first, list?.length ?? end - first, list, next, counted) ??
        this.#pointByTwin({ first, end }, list, next, counted, findList)
      openOfChunks[chunk] = pointing
      found.open += opened
      found.arcs += arcs
    }
    return found
  }

  /** Active vertices replace those that were. */
  #pointByTwin(
    { first, end }: Range,
    list: Uint32Array | undefined,
    next: Uint32Array,
    counted: number,
    findList: FindList,
  ): ReturnType<MatchRounds['point']> {
    const { memory, candidates } = this.#setup
    const { kept, matched, pointers } = memory
    const kernel = matchPoint(candidates)
    const counters = this.#counters.fill(0)
    const again = new Uint32Array(end - first)
    const counts = countsOf(0)
    const length = list === undefined ? NONE : countsOf(1)
    if (list !== undefined) counters[length] = list.length
    const state = { matched, kept, pointers, next, counters }
    const phase = { first, count: end - first, counts }
    kernel.twin({ ...phase, length, counted }, { ...state, list: list ?? next, again })
    const looked = this.#lookAgain(again.subarray(0, counters[counts + roundCounter.AGAIN]), findList)
    if (looked > 0) {
      counters[counts + roundCounter.AGAIN] = looked
      kernel.twin(
        { ...phase, length: counts + roundCounter.AGAIN, counted: 0 },
        { ...state, list: again.slice(0, looked), again },
      )
    }
    return {
      pointing: counters[counts + roundCounter.POINTING]!,
      opened: counters[counts + roundCounter.OPEN]!,
      arcs: counters[counter.ARCS]!,
    }
  }

  /** The matching phase, by chunks from the board. */
  pair(): void {
    const { pointers, matched, open, openOfChunks } = this.#setup.memory
    const counters = this.#counters
    for (const { chunk, first, end } of this.#chunks()) {
      const list = open.subarray(first, end)
      if (this.#rounds !== undefined) this.#rounds.pair(list, openOfChunks[chunk]!)
      else {
        counters[0] = openOfChunks[chunk]!
        matchPair.twin({ count: end - first, length: 0 }, { list, pointers, matched, counters })
      }
    }
  }

  /** Counts the vertices that may yet find a mate, by chunks; none has a collected list then. */
  undecided(): number {
    const { matched, places } = this.#setup.memory
    let count = 0
    for (const { first, end } of this.#chunks()) {
      places.fill(0, first, end)
      eachFree(matched, { first, end }, (v) => {
        if (!this.#isEnded(v)) count++
      })
    }
    return count
  }

  /** Copies the pointers of matched vertices, by chunks: they are the mates. */
  settle(mates: Uint32Array): void {
    const { pointers, matched } = this.#setup.memory
    for (const { first, end } of this.#chunks()) {
      mates.set(pointers.subarray(first, end), first)
      eachFree(matched, { first, end }, (v) => (mates[v] = NONE))
    }
  }

  keepLong(v: number, allFree: boolean): void {
    const { ends, kept, matched } = this.#setup.memory
    if (!allFree && isMatched(matched, v)) return
    const best = this.#best
    best.forget()
    this.#lists.readLong(v, ({ targets, weights: weightBits, start, weightsStart, count }) =>
      best.look(v, { ends, targets, weightBits }, start, count, weightsStart, allFree ? undefined : matched),
    )
    best.store(v, kept)
  }

  #scan(lists: ReadLists, allFree: boolean): void {
    const { ends, matched, kept } = this.#setup.memory
    const { origin, weightsAt } = lists
    const { first, end } = lists.within
    if (allFree && this.#rounds?.scans === true) return this.#rounds.scan(first, end)
    for (let v = first; v < end;) {
      const next = allFree ? this.#scanner?.scan(v, end, ends, lists, origin, weightsAt, kept) : undefined
      if (next !== undefined && next > v) {
        v = next
        continue
      }
      // Some have a mate, or the list is too long for the module, or it does not know the order.
      if (allFree || !isMatched(matched, v)) this.#keepBest(v, listPlace(ends, v, lists), allFree ? undefined : matched)
      v++
    }
  }

  /**
   * Vertices whose candidates are all matched scan their lists, in memory or collected.
   * @returns how many there are; these are first now
   */
  #lookAgain(again: Uint32Array, findList: FindList): number {
    const { matched, kept } = this.#setup.memory
    let looked = 0
    for (const v of again) {
      const place = findList(v)
      if (place === undefined) continue
      again[looked++] = v
      this.#counters[counter.ARCS]! += place.count
      if (this.#scanner?.scanFree(v, place, matched, kept) !== true) this.#keepBest(v, place, matched)
    }
    return looked
  }

  #keepBest(v: number, place: NeighbourPlace, matched: Uint32Array | undefined): void {
    const { ends, kept } = this.#setup.memory
    const { targets, weights: weightBits, start, weightsStart, count } = place
    this.#best.forget()
    this.#best.look(v, { ends, targets, weightBits }, start, count, weightsStart, matched)
    this.#best.store(v, kept)
  }

  /** Chunks of vertices from the board. */
  *#chunks(): Generator<Range & { readonly chunk: number }> {
    const { own } = this.#setup
    const first = Math.floor(own.vertices.first / CHUNK)
    const end = chunksOf(own.vertices.end)
    const { scan } = this.#lists
    const { board } = scan
    const startMs = performance.now()
    for (let chunk = first + board.take('lists', 1); chunk < end; chunk = first + board.take('lists', 1)) {
      scan.checkStop()
      yield { chunk, ...within({ first: chunk * CHUNK, end: (chunk + 1) * CHUNK }, own.vertices) }
    }
    scan.kernelMs += performance.now() - startMs
  }

  #isEnded(v: number): boolean {
    return (this.#setup.memory.kept[keptWords(this.#setup.candidates) * v]! & cursor.ENDED) !== 0
  }

  #isOver(v: number): boolean {
    return isMatched(this.#setup.memory.matched, v) || this.#isEnded(v)
  }

  #isDecided({ first, end }: Range): boolean {
    for (let v = first; v < end; v++) if (!this.#isOver(v)) return false
    return true
  }
}
