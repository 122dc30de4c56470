import { randomFillSync } from 'node:crypto'
import { PIECE_BYTES, type SummedPieces, SumsBuilder } from '../../base/sums.ts'
import { numberBytes } from '../../graph/graph-file.ts'
import { type CsrLayout, endOf, firstListPast, type Section, targetsOf } from '../formats/csr.ts'
import { StoredFile } from '../formats/stored-file.ts'
import { type JobContext, type Progress, throwIfCancelled } from '../../base/job.ts'
import { allDone, runInThread } from '../../threads/thread-pool.ts'
import { ARC_CHECK } from './modules.ts'

/** Sums of 32 bits: so many decide how probable it is that two sets of arcs are taken for one. */
const LANES = 4
/** Two for smaller ends, two for larger ends, two for weights. */
const KEYS = 6

/** Drawn anew for every import: no file can be made to match. */
export type FingerprintKeys = Int32Array

export function newFingerprintKeys(): FingerprintKeys {
  return randomFillSync(new Int32Array(new SharedArrayBuffer(4 * KEYS * LANES)))
}

/** Reports of parts add up. */
export interface ArcReport {
  readonly maxDegree: number
  readonly isolated: number
  /** i32 [2 * LANES]: of the half u < v, then of u > v. */
  readonly sums: Int32Array
  /** Arcs of each half. */
  readonly counts: readonly [number, number]
  readonly smallestWeight: number
  readonly largestWeight: number
}

export function addReports(reports: readonly ArcReport[]): ArcReport {
  const total = (of: (report: ArcReport) => number): number => reports.reduce((sum, report) => sum + of(report), 0)
  return {
    maxDegree: Math.max(0, ...reports.map(({ maxDegree }) => maxDegree)),
    isolated: total(({ isolated }) => isolated),
    sums: new Int32Array(2 * LANES).map((_, i) => total(({ sums }) => sums[i]!)),
    counts: [total(({ counts }) => counts[0]), total(({ counts }) => counts[1])],
    smallestWeight: Math.min(Infinity, ...reports.map(({ smallestWeight }) => smallestWeight)),
    largestWeight: Math.max(0, ...reports.map(({ largestWeight }) => largestWeight)),
  }
}

export const isSymmetric = ({ sums, counts }: ArcReport): boolean =>
  counts[0] === counts[1] && sums.subarray(0, LANES).every((sum, lane) => sum === sums[LANES + lane])

export const ROOM_BYTES = 4 * PIECE_BYTES
/** Ends that are in memory together. */
const ENDS = 1 << 16
/** See arc-check.wat. */
const SUMS_AT = 4 * KEYS * LANES
const ENDS_AT = 128
const ROOM_AT = ENDS_AT + 8 * ENDS
const PAGE_BYTES = 1 << 16

type Figure<T extends 'i32' | 'f32' | 'f64'> = WebAssembly.Global<T>

interface Module {
  readonly memory: WebAssembly.Memory
  readonly maxDegree: Figure<'f64'>
  readonly isolated: Figure<'f64'>
  readonly smallest: Figure<'f32'>
  readonly largest: Figure<'f32'>
  readonly uppers: Figure<'f64'>
  readonly lowers: Figure<'f64'>
  readonly vertex: Figure<'i32'>
  readonly next: Figure<'i32'>
  readonly least: Figure<'i32'>
  ends(at: number, width: number, count: number, before: bigint, arcs: bigint): bigint
  weights(at: number, count: number, floats: number): number
  lists(
    ends: number,
    width: number,
    count: number,
    base: bigint,
    targets: number,
    arcs: number,
    weights: number,
    vertices: number,
  ): number
}

/**
 * Ends and lists ascend, no loops, positive weights. The graph is symmetric where the fingerprints of the arcs u < v
 * and of the reversed arcs u > v are equal (docs/decisions/0007-canonical-files-are-copied.md): in every SIMD lane,
 * modulo 2^32, the sum over edges of a(smaller end) * b(larger end) [* c(weight)], with keyed hashes a, b, c.
 */
export class ArcCheck {
  /** Takes the bytes to check: ends, or targets of 32 bits. */
  readonly room: Uint8Array<ArrayBuffer>
  readonly #module: Module
  readonly #file: StoredFile
  readonly #layout: CsrLayout
  readonly #width: number

  constructor(file: StoredFile, layout: CsrLayout, keys: FingerprintKeys, weighted: boolean) {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(ARC_CHECK, 'base64')))
    this.#module = exports as unknown as Module
    const { memory } = this.#module
    memory.grow(Math.ceil((ROOM_AT + (weighted ? 2 : 1) * ROOM_BYTES) / PAGE_BYTES) - 1)
    const lanes = new Int32Array(memory.buffer)
    keys.forEach((key, i) => (lanes[LANES * (i % KEYS) + Math.floor(i / KEYS)] = key))
    this.room = new Uint8Array(memory.buffer, ROOM_AT, ROOM_BYTES)
    this.#file = file
    this.#layout = layout
    this.#width = numberBytes[layout.offsets.kind]
  }

  get report(): ArcReport {
    const { memory, maxDegree, isolated, smallest, largest, uppers, lowers } = this.#module
    return {
      maxDegree: maxDegree.value,
      isolated: isolated.value,
      sums: new Int32Array(memory.buffer.slice(SUMS_AT, SUMS_AT + 8 * LANES)),
      counts: [uppers.value, lowers.value],
      smallestWeight: smallest.value,
      largestWeight: largest.value,
    }
  }

  endsFit(first: number, last: number, at: number): boolean {
    const { vertices, arcs, offsets } = this.#layout
    const before = first === 0 ? 0 : endOf(this.#file, this.#layout, first - 1)
    if (!(before >= 0 && before <= arcs)) return false
    const end = this.#module.ends(ROOM_AT + at, this.#width, last - first, BigInt(before), BigInt(arcs))
    const startsAtZero =
      first > 0 || !offsets.leading || this.#file.read(offsets.at, this.#width).every((byte) => byte === 0)
    return end >= 0n && startsAtZero && (last < vertices || end === BigInt(arcs))
  }

  /** The arcs [first, last), whose targets are in the room from `at`. @param weights of 32 bits */
  arcsFit(first: number, last: number, at: number, weights?: { readonly bytes: Uint8Array; readonly floats: boolean }) {
    const { memory, vertex, next, least } = this.#module
    const weightsAt = ROOM_AT + ROOM_BYTES
    if (weights !== undefined) {
      new Uint8Array(memory.buffer, weightsAt).set(weights.bytes)
      if (this.#module.weights(weightsAt, last - first, Number(weights.floats)) === 0) return false
    }
    const owner = firstListPast(this.#file, this.#layout, first)
    const start = owner === 0 ? 0 : endOf(this.#file, this.#layout, owner - 1)
    if (!(start <= first)) return false
    vertex.value = owner
    next.value = 0
    least.value = start === first ? 0 : targetsOf(this.#file, this.#layout, first - 1, 1)[0]! + 1
    const beside = weights === undefined ? 0 : weightsAt - (ROOM_AT + at)
    while (next.value < last - first) if (!this.#look(first, last - first, ROOM_AT + at, beside)) return false
    return true
  }

  #look(base: number, arcs: number, targets: number, weights: number): boolean {
    const { vertices, offsets } = this.#layout
    const from = this.#module.vertex.value >>> 0
    const count = Math.min(ENDS, vertices - from)
    if (count === 0) return false
    const ends = new Uint8Array(this.#module.memory.buffer, ENDS_AT, this.#width * count)
    this.#file.fill(ends, offsets.at + this.#width * (from + (offsets.leading ? 1 : 0)))
    return this.#module.lists(ENDS_AT, this.#width, count, BigInt(base), targets, arcs, weights, vertices) === 1
  }
}

export interface CheckTask {
  readonly layout: CsrLayout
  readonly keys: FingerprintKeys
  /** Shared: the next part, and whether to stop. */
  readonly board: Int32Array
}

export interface CheckReport extends ArcReport {
  /** Whether it can be canonical. */
  readonly fits: boolean
}

const NEXT = 0
const STOP = 1
const WATCH_MS = 50

/** Until one does not fit. @returns whether all did */
export function takeParts(board: Int32Array, parts: number, fits: (part: number) => boolean): boolean {
  for (;;) {
    const part = Atomics.add(board, NEXT, 1)
    if (part >= parts || Atomics.load(board, STOP) !== 0) return true
    if (fits(part)) continue
    Atomics.store(board, STOP, 1)
    return false
  }
}

/**
 * @param name of a task that runs {@link takeParts} @returns null where the graph is not canonical @throws Failure
 * (cancelled); as the task
 */
export async function checkTogether<Task extends object, Report extends CheckReport>(
  name: string,
  task: Task,
  threads: number,
  job: JobContext,
  progress: (parts: number) => Progress,
): Promise<{ readonly all: ArcReport; readonly reports: readonly Report[] } | null> {
  const board = new Int32Array(new SharedArrayBuffer(8))
  const keys = newFingerprintKeys()
  const stop = (): void => void Atomics.store(board, STOP, 1)
  const look = (): void => {
    if (job.signal.aborted) stop()
    job.progress(progress(board[NEXT]!))
  }
  // A fast machine ends before the first interval does.
  look()
  const watch = setInterval(look, WATCH_MS)
  try {
    const works = Array.from({ length: threads }, () =>
      runInThread<Task & Pick<CheckTask, 'board' | 'keys'>, Report>(name, { ...task, board, keys }),
    )
    const reports = await allDone(works, { stop })
    throwIfCancelled(job.signal)
    const all = addReports(reports)
    return reports.every(({ fits }) => fits) && isSymmetric(all) ? { all, reports } : null
  } finally {
    clearInterval(watch)
  }
}

/** Of the whole file, whose pieces are summed. */
export interface LinkTask extends CheckTask {
  readonly path: string
}

export interface LinkReport extends CheckReport {
  readonly pieces: SummedPieces
}

export const linkTask = async ({ path, layout, keys, board }: LinkTask): Promise<LinkReport> => {
  const file = StoredFile.open(path)
  try {
    const check = new ArcCheck(file, layout, keys, layout.weights !== null)
    const sums = new SumsBuilder()
    const fits = takeParts(board, Math.ceil(file.bytes / ROOM_BYTES), (part) => {
      const at = ROOM_BYTES * part
      const bytes = check.room.subarray(0, Math.min(ROOM_BYTES, file.bytes - at))
      file.fill(bytes, at)
      for (let from = 0; from < bytes.length; from += PIECE_BYTES)
        sums.addPiece((at + from) / PIECE_BYTES, bytes.subarray(from, from + PIECE_BYTES))
      return stretchFits(check, file, layout, at, bytes.length)
    })
    return { fits, pieces: sums.pieces, ...check.report }
  } finally {
    file.close()
  }
}

function stretchFits(check: ArcCheck, file: StoredFile, layout: CsrLayout, at: number, bytes: number): boolean {
  const { vertices, arcs, offsets, targets, weights } = layout
  const firstEnd = offsets.at + (offsets.leading ? offsets.stride : 0)
  const ends = within({ ...offsets, at: firstEnd }, vertices, at, bytes)
  if (ends.first < ends.last && !check.endsFit(ends.first, ends.last, firstEnd + offsets.stride * ends.first - at))
    return false
  const { first, last } = within(targets, arcs, at, bytes)
  if (first === last) return true
  const beside =
    weights === null
      ? undefined
      : { bytes: file.read(weights.at + 4 * first, 4 * (last - first)), floats: weights.kind === 'f32' }
  return check.arcsFit(first, last, targets.at + 4 * first - at, beside)
}

function within(section: Section, count: number, at: number, bytes: number): { first: number; last: number } {
  const before = (end: number): number => Math.min(count, Math.max(0, Math.ceil((end - section.at) / section.stride)))
  return { first: before(at), last: before(at + bytes) }
}
