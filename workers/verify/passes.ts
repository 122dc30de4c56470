/**
 * Passes of the verifier over a graph on several threads, whose findings do not depend on when each thread scans: batches of consecutive lists
 * are defined by the graph alone, taken in ascending order, scanned side by side and settled in order. All processors check a large graph, this
 * thread a small one. It shares no code with the algorithms. verify-independent-set.ts and verify-matching.ts say what is looked for.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { endThreadIfDue } from '../base/fault-injection.ts'
import { processorsHere } from '../base/host-resources.ts'
import { type JobContext, throwIfCancelled } from '../base/job.ts'
import type { Range } from '../base/ranges.ts'
import { PIECE_BYTES } from '../base/sums.ts'
import type { EdgeOrder } from '../graph/edge-order.ts'
import { damagedGraph, GaloisGr, type GraphHandle } from '../graph/galois-gr.ts'
import { BARRIER_WORDS, coordinate, SharedBarrier, shouldStop, workerJob } from '../threads/barrier.ts'
import { NO_DEVICE, runInThread } from '../threads/thread-pool.ts'

/** Most vertices of a batch, where their lists are short. */
const VERTICES_PER_BATCH = 1 << 16
const FIRST_OFFSETS = 1 << 12
/** Batches that a worker holds: while one waits to be settled, another is scanned. */
const SLOTS = 2
const BOARD_WORDS = 2
/**
 * Words of the barrier, and of a board for each of three steps: the passes and the first prices of a matching, or degrees, the pass and the pairs
 * of a set.
 */
const CONTROL_WORDS = BARRIER_WORDS + 3 * BOARD_WORDS

export interface VerifyWorker {
  readonly graph: GaloisGr
  readonly arcsPerBatch: number
  /** Shared, of CONTROL_WORDS. */
  readonly control: Int32Array
  readonly barrier: SharedBarrier
  readonly isCoordinator: boolean
  readonly job: JobContext
  /** What the coordinator does alone, once in each check. */
  readonly beside?: () => void
}

/** Ranges are taken in ascending order, and settled in that order. */
export class RangeBoard {
  readonly #words: Int32Array

  constructor(control: Int32Array, step: number) {
    const at = BARRIER_WORDS + BOARD_WORDS * step
    this.#words = control.subarray(at, at + BOARD_WORDS)
  }

  get cursor(): number {
    return Atomics.load(this.#words, 0) >>> 0
  }

  /** false: another worker took `first` meanwhile. */
  claim(first: number, end: number): boolean {
    return Atomics.compareExchange(this.#words, 0, first | 0, end | 0) === (first | 0)
  }

  /** What was written of vertices before it can be seen. */
  get settled(): number {
    return Atomics.load(this.#words, 1) >>> 0
  }

  settle(end: number): void {
    Atomics.store(this.#words, 1, end | 0)
    Atomics.notify(this.#words, 1)
  }

  /** Ranges of so many vertices that no other worker takes. */
  *ranges(vertices: number, each: number): Generator<Range> {
    for (let first; (first = this.cursor) < vertices;) {
      const end = Math.min(vertices, first + each)
      if (this.claim(first, end)) yield { first, end }
    }
  }

  async waitFor(first: number, barrier: SharedBarrier): Promise<void> {
    for (let settled; (settled = this.settled) !== first;) await barrier.waitForChange(this.#words, 1, settled | 0)
  }
}

/** Memory for the lists of a batch in place of arrays, with what checks their order there. */
export interface BatchSpace {
  readonly starts: Uint32Array<ArrayBuffer>
  /** Room for so many targets; starts stay as they are. */
  targets(arcs: number): Uint32Array<ArrayBuffer>
  /** Room for as many weights, where these are read. */
  stored?(arcs: number): Float32Array<ArrayBuffer>
  /** Whether the targets of each list ascend, and all are vertices. */
  areOrdered(lists: number, vertices: number): boolean
}

/** The most vertices of a batch. */
export const batchCapacity = ({ vertices }: GaloisGr): number => Math.min(vertices, VERTICES_PER_BATCH)

const WORDS_OF_PIECE = PIECE_BYTES / 4

/** Lists of consecutive vertices, by the graph alone: those that begin before the next of the places, `arcs` arcs apart, that cut its pieces. */
export class Batch {
  readonly slot: number
  first = 0
  end = 0
  /** The arcs of vertex first + i are [starts[i], starts[i + 1]) of `targets`; the first one has the place that it has in its piece. */
  starts: Uint32Array<ArrayBuffer>
  /** Ascending in each list. */
  targets = new Uint32Array(0)
  /** The weights, likewise; empty where not asked for. */
  stored = new Float32Array(0)
  readonly #graph: GaloisGr
  readonly #arcs: number
  readonly #withWeights: boolean
  readonly #space: BatchSpace | undefined
  readonly #degrees: Uint32Array | undefined
  /** Offsets that are read at a time: most of them are of the batch. */
  #ahead = FIRST_OFFSETS

  constructor(slot: number, { graph, arcsPerBatch }: VerifyWorker, { withWeights, spaceOf, degrees }: PassPlace) {
    this.slot = slot
    this.#graph = graph
    this.#arcs = arcsPerBatch
    this.#withWeights = withWeights
    this.#degrees = degrees
    this.#space = spaceOf?.(slot, this.capacity)
    this.starts = this.#space?.starts ?? new Uint32Array(this.capacity + 1)
  }

  get capacity(): number {
    return batchCapacity(this.#graph)
  }

  /** Takes the next lists. @returns the arcs up to its end; undefined when none is left @throws Failure (input), (storage) */
  read(board: RangeBoard): number | undefined {
    const { vertices } = this.#graph
    for (let first; (first = board.cursor) < vertices;) {
      const most = Math.min(vertices - first, this.capacity)
      const { count, from } =
        this.#degrees === undefined ? this.#cut(first, most) : this.#cutBy(this.#degrees, first, most)
      if (!board.claim(first, first + count)) continue
      this.first = first
      this.end = first + count
      this.#readLists(from)
      return from + this.#arcsHere
    }
    return undefined
  }

  get #count(): number {
    return this.end - this.first
  }

  get #arcsHere(): number {
    return this.starts[this.#count]! - this.starts[0]!
  }

  #cut(first: number, most: number): Cut {
    for (let looked = Math.min(most, this.#ahead); ; looked = most) {
      const offsets = this.#graph.readOffsets(first, first + looked)
      const { starts } = this
      const from = offsets[0]!
      const place = (starts[0] = this.#graph.placeOf(from))
      const limit = this.#limitBehind(place)
      let count = 0
      for (let at = place; count < looked && at < limit; starts[count] = at) at = place + offsets[++count]! - from
      // The batch may be longer.
      if (count === looked && looked < most) continue
      this.#ahead = Math.max(FIRST_OFFSETS, 2 * count)
      return { count, from }
    }
  }

  #cutBy(degrees: Uint32Array, first: number, most: number): Cut {
    const { starts } = this
    const from = this.#graph.readOffsets(first, first)[0]!
    const place = (starts[0] = this.#graph.placeOf(from))
    const limit = this.#limitBehind(place)
    let count = 0
    for (let at = place; count < most && at < limit; starts[count] = at) at += degrees[first + count++]!
    return { count, from }
  }

  #limitBehind(place: number): number {
    return this.#arcs * (Math.floor(place / this.#arcs) + 1)
  }

  #readLists(from: number): void {
    const arcs = this.#arcsHere
    const place = this.starts[0]!
    this.#reserve(place + arcs)
    if (this.#withWeights) this.#graph.readWeights(from, from + arcs, this.stored.subarray(place, place + arcs))
    this.#graph.readShare(from, from + arcs, this.targets)
    const { vertices, path } = this.#graph
    if (this.#space?.areOrdered(this.#count, vertices) ?? this.#disordered() === undefined) return
    // Before anything is said of them all are compared with their checksums.
    this.#graph.readTargets(from, from + arcs, this.targets.subarray(place, place + arcs))
    const v = this.#disordered()
    if (v !== undefined) throw damagedGraph(path, `the order of the neighbours of vertex ${v}`)
  }

  /** The first vertex whose neighbours do not ascend, or are no vertices. */
  #disordered(): number | undefined {
    const { targets, starts, first } = this
    const { vertices } = this.#graph
    for (let i = 0; i < this.#count; i++) {
      let last = -1
      for (let arc = starts[i]!; arc < starts[i + 1]!; arc++) {
        const target = targets[arc]!
        if (target <= last || target >= vertices) return first + i
        last = target
      }
    }
    return undefined
  }

  /** Room for so many arcs in whole pieces; it grows for a long list, and shrinks after it. */
  #reserve(arcs: number): void {
    const inPieces = (words: number): number =>
      Math.min(Math.ceil(this.#graph.file.bytes / 4), WORDS_OF_PIECE * Math.ceil(words / WORDS_OF_PIECE))
    const needed = inPieces(arcs)
    const room = Math.max(needed, inPieces(this.#arcs + WORDS_OF_PIECE))
    if (this.targets.length >= needed && this.targets.length <= room) return
    this.targets = this.#space?.targets(room) ?? new Uint32Array(room)
    this.starts = this.#space?.starts ?? this.starts
    if (this.#withWeights) this.stored = this.#space?.stored?.(room) ?? new Float32Array(room)
  }
}

/** How many lists a batch has, and the arc that they begin with. */
interface Cut {
  readonly count: number
  readonly from: number
}

/** What it finds must not depend on when batches are scanned. */
export interface Pass {
  scan(batch: Batch, settled: number): void
  /** Settles batches in order of vertices; absent if the order is all the same. */
  settle?(batch: Batch): void
}

interface PassPlace {
  readonly number: number
  readonly passes: number
  readonly withWeights: boolean
  /** Degrees, where they are known: no offsets are read. */
  readonly degrees?: Uint32Array | undefined
  /** The place of the lists of a batch, by its slot; absent: arrays. */
  readonly spaceOf?: ((slot: number, capacity: number) => BatchSpace) | undefined
}

/** Batches, until none is left. */
export async function makePass(worker: VerifyWorker, pass: Pass, place: PassPlace): Promise<void> {
  const { graph, control, barrier } = worker
  const board = new RangeBoard(control, place.number)
  const slots = Array.from({ length: pass.settle === undefined ? 1 : SLOTS }, (_, slot) => slot)
  const free = slots.map((slot) => new Batch(slot, worker, place))
  const scanned: Batch[] = []
  for (let isOver = false; !isOver || scanned.length > 0;) {
    await pause(worker)
    const [batch] = free
    const arcs = isOver || batch === undefined ? undefined : batch.read(board)
    if (batch === undefined || arcs === undefined) isOver = true
    else {
      pass.scan(batch, board.settled)
      report(worker, place, arcs)
      if (pass.settle !== undefined) scanned.push(...free.splice(0, 1))
    }
    for (let next; (next = scanned[0]) !== undefined;) {
      // Where it can do nothing else.
      if (board.settled !== next.first && free.length > 0 && !isOver) break
      await board.waitFor(next.first, barrier)
      pass.settle?.(next)
      board.settle(next.end)
      free.push(...scanned.splice(0, 1))
    }
  }
  report(worker, place, graph.arcs)
  await pause(worker)
}

/** Lets messages in: the coordinator must receive that a worker ended. @throws Failure (cancelled) when the work is to stop */
export async function pause({ job }: VerifyWorker): Promise<void> {
  await nextTurn()
  throwIfCancelled(job.signal)
}

function report({ graph, job }: VerifyWorker, { number, passes }: PassPlace, arcs: number): void {
  job.progress({ phase: 'verify', done: number * graph.arcs + arcs, total: passes * graph.arcs, unit: 'arcs' })
}

const MOST_THREADS = 32
/** Threads take time to start and compile. */
const LEAST_ARCS = { set: 1 << 24, matching: 1 << 22, colours: 1 << 24 } as const
/** Threads that share more end with it, so that it is freed. */
const KEPT_BYTES = 1 << 20
/** Lists that begin in one piece. */
const ARCS_PER_BATCH = PIECE_BYTES / 4

/** What is found does not depend on it. */
export interface VerifyPace {
  readonly threads: number
  /** Lists that begin among so many arcs are read at a time. */
  readonly arcsPerBatch: number
  /** Whether WebAssembly checks; absent: where the graph is large enough to be worth compiling for. */
  readonly compiled?: boolean | undefined
}

interface VerifyTask<Work> {
  readonly control: Int32Array
  readonly workers: number
  readonly graph: GraphHandle
  readonly arcsPerBatch: number
  readonly work: Work
}

/** One worker's part. */
type Check<Work, Findings> = (work: Work, worker: VerifyWorker) => Promise<Findings>

type CheckName = keyof typeof LEAST_ARCS

/** The task verify-NAME of the other threads (engine/task-thread.ts). */
export const checkTask =
  <Work, Findings>(check: Check<Work, Findings>) =>
  async ({ control, workers, work, arcsPerBatch, ...task }: VerifyTask<Work>): Promise<Findings> => {
    await endThreadIfDue()
    const graph = GaloisGr.of(task.graph)
    try {
      const barrier = new SharedBarrier(control, workers)
      return await check(work, { graph, arcsPerBatch, control, barrier, isCoordinator: false, job: workerJob(control) })
    } finally {
      graph.close()
    }
  }

/** All processors for a graph that is large enough, else this thread alone. */
export function paceFor(of: CheckName, { arcs }: Pick<GaloisGr, 'arcs'>, pace: Partial<VerifyPace> = {}): VerifyPace {
  const threads = Math.max(1, Math.min(MOST_THREADS, processorsHere(), Math.floor(arcs / LEAST_ARCS[of])))
  return { threads, arcsPerBatch: ARCS_PER_BATCH, ...pace }
}

/** How often the lists of a matching are read: stored weights, and degrees, must be known before prices are lowered. */
export const matchingPasses = ({ weights, ties }: Pick<EdgeOrder, 'weights' | 'ties'>): 1 | 2 =>
  weights === 'column' || ties === 'degree' ? 2 : 1

/** Zeros, shared where there are several threads. */
export const bufferFor = ({ threads }: VerifyPace, bytes: number): ArrayBufferLike =>
  threads > 1 ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes)

/** A copy, where there are several threads and it is not shared. */
export function shared<T extends Uint8Array | Uint32Array>(values: T, { threads }: VerifyPace): T {
  if (threads === 1 || values.buffer instanceof SharedArrayBuffer) return values
  const copy = Reflect.construct(values.constructor, [new SharedArrayBuffer(values.byteLength)]) as T
  copy.set(values)
  return copy
}

/**
 * Works in several threads, this one among them. @param first what this thread does when its check says so; it calls what it is given at
 * least every 100 ms @returns what each worker found, and the result of `first` @throws Failure (cancelled),
 * (storage), (input) where the graph is damaged
 */
export async function verifyTogether<Work extends object, Findings, T>(
  graph: GaloisGr,
  { name, check }: { readonly name: CheckName; readonly check: Check<Work, Findings> },
  work: Work,
  { threads, arcsPerBatch }: VerifyPace,
  job: JobContext,
  first: (throwIfStopped: () => void) => T,
): Promise<{ readonly findings: readonly Findings[]; readonly own: T }> {
  const control = new Int32Array(new SharedArrayBuffer(4 * CONTROL_WORDS))
  const signal = {
    get aborted() {
      return job.signal.aborted || shouldStop(control)
    },
  }
  const task = { control, workers: threads, graph: graph.handle, arcsPerBatch, work }
  const workers = Array.from({ length: threads - 1 }, () =>
    runInThread<VerifyTask<Work>, Findings>(`verify-${name}`, task, NO_DEVICE, bytesIn(work) > KEPT_BYTES),
  )
  const { own, reports } = await coordinate(control, { signal }, workers, async () => {
    const barrier = new SharedBarrier(control, threads, signal)
    let result: T | undefined
    const beside = (): void => void (result = first(() => throwIfCancelled(signal)))
    const worker = { graph, arcsPerBatch, control, barrier, isCoordinator: true, job: { ...job, signal }, beside }
    const found = await check(work, worker)
    return { result: result as T, found }
  })
  return { findings: [own.found, ...reports], own: own.result }
}

function bytesIn(work: object): number {
  return Object.values(work).reduce(
    (sum: number, each: unknown) => sum + (ArrayBuffer.isView(each) ? each.byteLength : 0),
    0,
  )
}
