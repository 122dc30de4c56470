/**
 * A pass of several workers over the pieces of a graph file: ScanBoard hands out units and carries the stop of all, PieceReader reads and
 * verifies bytes while they are in the cache, and PieceScan is one worker's part, with its times and trace. Which worker takes which unit
 * changes no result. No worker waits for another but at the end. device-stream.ts adds the copies to a device.
 */

import { crc32 } from 'node:zlib'
import { type ByteSource, LateSource, type Wants } from '../base/byte-source.ts'
import { type Range, within } from '../base/ranges.ts'
import { type JobContext, settleAll, type StopSignal, stopWord, throwIfCancelled } from '../base/job.ts'
import { agrees, PIECE_BYTES, pieceBytes } from '../base/sums.ts'
import { Trace } from '../base/trace.ts'
import type { Read } from '../device/device.ts'
import { damagedGraph } from '../graph/galois-gr.ts'
import { type GraphFile, openBytes } from '../graph/graph-file.ts'
import { PackedSource } from '../graph/packed/packed-source.ts'
import { GraphPieces, type GraphSlice } from '../graph/graph-pieces.ts'
import { AllReduce, type SharedSums, shareSums } from '../threads/barrier.ts'
import { allDone } from '../threads/thread-pool.ts'

/** Bytes of each of the reads side by side. */
const PART_BYTES = 2 << 20

export class PieceReader {
  bytesRead = 0
  readMs = 0
  readonly #graph: Pick<GraphFile, 'path' | 'bytes'>
  readonly #source: ByteSource
  readonly #crcs: Uint32Array | undefined

  /** @param crcs of each piece; undefined for a file that is checked besides */
  constructor(graph: Pick<GraphFile, 'path' | 'bytes'>, source: ByteSource, crcs: Uint32Array | undefined) {
    this.#graph = graph
    this.#source = source
    this.#crcs = source.verifies ? undefined : crcs
  }

  /** The packed file, where the graph is packed. */
  get packed(): PackedSource | undefined {
    const source = this.#source instanceof LateSource ? this.#source.opened : this.#source
    return source instanceof PackedSource ? source : undefined
  }

  /** Verifies while the bytes are in the cache. @throws Failure (input) where the file is damaged, (storage) */
  readHere(bytes: Uint8Array, at: number, wants?: Wants): void {
    const startMs = performance.now()
    this.#source.read(bytes, at, wants)
    this.#verify(bytes, at)
    this.bytesRead += bytes.length
    this.readMs += performance.now() - startMs
  }

  /** Reads in threads of Node's own; settles once none of them writes. @throws Failure (input) where the file ends, (storage) */
  beside(at: number): Read {
    return async (bytes, from) => {
      const parts: Promise<void>[] = []
      for (let done = 0; done < bytes.length; done += PART_BYTES)
        parts.push(this.#source.readBeside(bytes.subarray(done, done + PART_BYTES), at + from + done))
      await settleAll(parts)
      this.bytesRead += bytes.length
    }
  }

  #verify(bytes: Uint8Array, at: number): void {
    if (this.#crcs === undefined) return
    for (let piece = Math.ceil(at / PIECE_BYTES); ; piece++) {
      const from = piece * PIECE_BYTES - at
      const length = pieceBytes(this.#graph.bytes, piece)
      if (length <= 0 || from + length > bytes.length) return
      if (!agrees(this.#crcs, piece, crc32(bytes.subarray(from, from + length)))) throw this.damaged(piece)
    }
  }

  damaged(piece: number): Error {
    return damagedGraph(this.#graph.path, `what stands at byte ${piece * PIECE_BYTES} and behind it`)
  }
}

/** What the workers of a scan share; large arrays are in shared memory. */
export interface ScanSetup {
  readonly graph: GraphFile
  /** CRC-32 of each piece; undefined where another job checks the file. */
  readonly crcs: Uint32Array | undefined
  readonly unitsAPiece: number
  /** What this rank scans; all where there is only one. */
  readonly own: GraphSlice
  /** The words of a {@link ScanBoard}. */
  readonly board: Int32Array
  /** Whether units are taken from the back: where hubs come first, others decide them before their lists are read. */
  readonly isBackward?: boolean
  readonly traced: boolean
}

/** The next units from the board. @returns undefined behind the last */
export function takeUnits(
  board: ScanBoard,
  { own: { units }, isBackward = false }: Pick<ScanSetup, 'own' | 'isBackward'>,
  count: number,
): Range | undefined {
  const first = board.take('lists', count)
  if (first >= units.end) return undefined
  const end = Math.min(units.end, first + count)
  const mirrored = (unit: number): number => units.first + units.end - unit
  return isBackward ? { first: mirrored(end), end: mirrored(first) } : { first, end }
}

/** Whether there is no other rank. */
const scansAll = ({ own: { vertices }, graph }: Pick<ScanSetup, 'own' | 'graph'>): boolean =>
  vertices.end - vertices.first === graph.vertices

/** The place of a thread among all that compute side by side, and what they share to meet. */
export interface ThreadPlace {
  readonly thread: number
  readonly threads: number
  readonly shared: SharedSums
}

export function threadPlaces(threads: number): ThreadPlace[] {
  const shared = shareSums(threads)
  return Array.from({ length: threads }, (_, thread) => ({ thread, threads, shared }))
}

/** One worker's part in a scan. */
export class PieceScan {
  kernelMs = 0
  readonly pieces: GraphPieces
  readonly reader: PieceReader
  readonly crcs: Uint32Array | undefined
  readonly board: ScanBoard
  readonly trace: Trace
  readonly signal: StopSignal
  readonly #source: ByteSource

  /** Opens the graph's file anew, once something is read: many steps of an algorithm read nothing. */
  static open(setup: Omit<ScanSetup, 'own'>, signal: StopSignal, trace?: Trace): PieceScan {
    const { graph } = setup
    const source = new LateSource({ path: graph.path, verifies: graph.isPacked === true }, () => openBytes(graph))
    return new PieceScan(setup, source, signal, trace)
  }

  /** @param source the graph's bytes, which it closes */
  constructor(
    { graph, crcs, unitsAPiece, board, traced }: Omit<ScanSetup, 'own'>,
    source: ByteSource,
    signal: StopSignal,
    trace = new Trace(traced),
  ) {
    this.pieces = new GraphPieces(graph, source, unitsAPiece)
    this.reader = new PieceReader(graph, source, crcs)
    this.crcs = crcs
    this.board = new ScanBoard(board)
    this.trace = trace
    this.signal = signal
    this.#source = source
  }

  close(): void {
    this.#source.close()
  }

  /** Reads from a byte of the file on, as sources do. @throws Failure (input) where it is damaged, (storage) */
  read(bytes: Uint8Array, at: number, wants?: Wants): void {
    this.trace.span('disk read', `piece ${at / PIECE_BYTES}`, () => this.reader.readHere(bytes, at, wants))
  }

  /** Times the work of the processor. */
  compute<T>(name: string, work: () => T): T {
    const startMs = performance.now()
    const result = this.trace.span('kernel', name, work)
    this.kernelMs += performance.now() - startMs
    return result
  }

  /** Adds up over all threads, each of which makes the same calls. */
  sumOver({ thread, threads, shared }: ThreadPlace): (own: readonly number[]) => Promise<number[]> {
    const all = AllReduce.of(shared, thread, threads, this.board.stopping(this.signal))
    return (own) => all.sum(own)
  }

  /** @throws Failure (input) where the ends of lists descend */
  requireAscending(ascend: boolean): void {
    if (!ascend) throw damagedGraph(this.pieces.graph.path, 'the offsets')
  }

  /** @throws Failure (cancelled), also where another worker stopped */
  checkStop(): void {
    throwIfCancelled(this.signal)
    throwIfCancelled({ aborted: this.board.isStopped })
  }
}

/** A unit of the file, its piece, and the vertices whose lists begin in it. */
interface ScanUnit {
  readonly unit: number
  readonly piece: number
  readonly vertices: Range
}

/** Units from the board, one by one. @param ends of the lists modulo 2^32, in memory; a rank knows those of its own */
export function* unitsFrom(
  scan: PieceScan,
  setup: Pick<ScanSetup, 'own' | 'isBackward' | 'graph'>,
  ends: Uint32Array,
): Generator<ScanUnit> {
  if (scansAll(setup)) scan.pieces.useEnds(ends)
  const take = (): Range | undefined => takeUnits(scan.board, setup, 1)
  for (let units = take(); units !== undefined; units = take()) {
    scan.checkStop()
    const vertices = within(scan.pieces.verticesIn(units), setup.own.vertices)
    yield { unit: units.first, piece: scan.pieces.pieceOf(units.first), vertices }
  }
}

/** The progress of a scan. @returns bytes of units that were taken */
export function reportScan({ own: { units }, unitsAPiece, board }: ScanSetup, job: JobContext): number {
  const unitBytes = PIECE_BYTES / unitsAPiece
  const taken = Math.min(units.end, Math.max(units.first, new ScanBoard(board).taken)) - units.first
  const done = taken * unitBytes
  job.progress({ phase: 'scan', done, total: (units.end - units.first) * unitBytes, unit: 'bytes' })
  return done
}

/** The task board of a scan, in shared memory. */
export class ScanBoard {
  readonly words: Int32Array

  constructor(words: Int32Array = new Int32Array(new SharedArrayBuffer(4 * WORDS))) {
    this.words = words
  }

  /** @returns the first */
  take(of: 'index' | 'lists', count: number): number {
    return Atomics.add(this.words, of === 'index' ? INDEX : LISTS, count)
  }

  get taken(): number {
    return Atomics.load(this.words, LISTS)
  }

  begin(workers: number, firstUnit = 0): void {
    for (const word of [INDEX, INDEXED_PIECES, READY]) Atomics.store(this.words, word, 0)
    Atomics.store(this.words, LISTS, firstUnit)
    Atomics.store(this.words, WORKERS, workers)
  }

  /** @returns whether it is the last */
  countIndexed(pieces: number): boolean {
    return Atomics.add(this.words, INDEXED_PIECES, 1) + 1 === pieces
  }

  setReady(): void {
    Atomics.store(this.words, READY, 1)
    Atomics.notify(this.words, READY)
  }

  /** No worker reads or writes what others share before. */
  get isReady(): boolean {
    return Atomics.load(this.words, READY) !== 0
  }

  arrive(): void {
    Atomics.sub(this.words, WORKERS, 1)
    Atomics.notify(this.words, WORKERS)
  }

  /** @throws Failure (cancelled) */
  untilAll(signal: StopSignal): Promise<void> {
    return this.#until(WORKERS, (left) => left <= 0, signal)
  }

  /** @throws Failure (cancelled) */
  untilReady(signal: StopSignal): Promise<void> {
    return this.#until(READY, (ready) => ready !== 0, signal)
  }

  /** Settles when all workers have; a failure of one stops the others. @throws the first failure of a worker by itself */
  all<T>(works: readonly Promise<T>[]): Promise<T[]> {
    return allDone(works, this)
  }

  stop(): void {
    Atomics.store(this.words, STOP, 1)
    Atomics.notify(this.words, WORKERS)
    Atomics.notify(this.words, READY)
  }

  get isStopped(): boolean {
    return Atomics.load(this.words, STOP) !== 0
  }

  get signal(): StopSignal {
    return stopWord(this.words, STOP)
  }

  /** A signal that is also that of the other workers. */
  stopping(signal: StopSignal): StopSignal {
    const others = this.signal
    return {
      get aborted() {
        return signal.aborted || others.aborted
      },
    }
  }

  async #until(word: number, isSo: (value: number) => boolean, signal: StopSignal): Promise<void> {
    for (let value = Atomics.load(this.words, word); !isSo(value); value = Atomics.load(this.words, word)) {
      throwIfCancelled(signal)
      throwIfCancelled(this.signal)
      const waiting = Atomics.waitAsync(this.words, word, value, LOOK_MS)
      if (waiting.async) await waiting.value
    }
  }
}

const INDEX = 0
const LISTS = 1
const STOP = 2
const WORKERS = 3
const READY = 4
const INDEXED_PIECES = 5
const WORDS = 6
const LOOK_MS = 20
