/**
 * Packs the graph of a dataset (packed-layout.ts), and makes the raw file of it again. Threads take chunks of pieces, pack them, unpack what
 * they packed and compare, and write them in turn, so that blocks stand in the order of the file. The new file is written aside, flushed and
 * renamed before the old one goes: a kill or a full disk leaves the one or the other, or both, of which the raw one counts. The checksums of the
 * canonical graph stay as they are. It takes one pass over the graph, 17 MiB a thread, and the disk of both files.
 */

import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { inputFailure } from '../../base/failure.ts'
import { BehindFlusher, writeFully } from '../../base/file-bytes.ts'
import { processorsHere } from '../../base/host-resources.ts'
import { type JobContext, stopWord, type StopSignal, throwIfCancelled, YieldScheduler } from '../../base/job.ts'
import { fillAsideSlowly, syncFolder } from '../../base/output-file.ts'
import { lowerBound } from '../../base/ranges.ts'
import { PIECE_BYTES, pieceBytes, readSums } from '../../base/sums.ts'
import { sharedWords } from '../../base/words.ts'
import { type GraphPlace, PACKED_FILE, type PackOutcome } from '../../contract/jobs.ts'
import { allDone, runInThread } from '../../threads/thread-pool.ts'
import { GaloisGr, type GraphHandle, openGraph } from '../galois-gr.ts'
import { GRAPH_FILE, graphPlace } from '../graph-file.ts'
import { encodeIndex, indexBytes, piecesIn } from './packed-layout.ts'
import { type GraphSections, type PieceLists, PiecePacker } from './pack-piece.ts'
import { MOST_BLOCK_BYTES, Unpacker } from './unpacker.ts'

/** Pieces that a thread packs before it writes. */
const CHUNK = 16
const MOST_THREADS = 32
/** A graph whose packed file has more than this share of its bytes stays as it is. */
const MOST_SHARE = 0.9
/** Ends of lists that are read at a time. */
const ENDS_AT_ONCE = 1 << 16
const LOOK_MS = 20

/** Words of `control`: the next chunk to pack, the next to write, and whether to stop. */
const NEXT = 0
const TURN = 1
const STOP = 2

interface PackTask {
  readonly graph: GraphHandle
  /** The packed file, open for writing. */
  readonly file: number
  readonly path: string
  readonly control: Int32Array
  /** The places where blocks begin, and the last one ends; the first is known. */
  readonly positions: Float64Array
  readonly crcs: Uint32Array
}

/** Job `pack`. @param mostShare of the bytes, of which a larger packed file is not kept @throws Failure (input) for a linked graph, or a damaged one; (storage); (cancelled) */
export async function packGraph(
  { folder, checksum }: GraphPlace,
  job: JobContext,
  mostShare = MOST_SHARE,
): Promise<PackOutcome> {
  const place = graphPlace(folder)
  if (place.link !== undefined)
    throw inputFailure(
      place.path,
      'the graph stays in the file that this dataset is linked to, which is left as it is',
      'Take a copy into the library first: anticlique datasets store.',
    )
  const graph = openGraph(folder, checksum, job)
  try {
    const { bytes } = graph.checked
    if (place.isPacked === true) return { bytes, packedBytes: graph.packedBytes, changed: false }
    const packedBytes = await writePacked(graph, join(folder, PACKED_FILE), mostShare, job)
    if (packedBytes === null) return { bytes, packedBytes: null, changed: false }
    syncFolder(folder)
    rmSync(graph.path)
    return { bytes, packedBytes, changed: true }
  } finally {
    graph.close()
  }
}

/** The folder of all datasets: a start of the library removes there what programs that died were writing. */
const sweptFolder = (folder: string): string => dirname(folder)

/** Job `unpack-graph`: the raw graph again. @throws Failure likewise */
export async function unpackGraph({ folder, checksum }: GraphPlace, job: JobContext): Promise<PackOutcome> {
  const graph = openGraph(folder, checksum, job)
  try {
    const { bytes } = graph.checked
    const outcome = { bytes, packedBytes: null, changed: graph.file.isPacked === true }
    if (outcome.changed) {
      const path = join(folder, GRAPH_FILE)
      await fillAsideSlowly(path, (file) => copyPieces(graph, file, path, job), sweptFolder(folder))
      syncFolder(folder)
    }
    // Also what a kill left beside the raw one.
    rmSync(join(folder, PACKED_FILE), { force: true })
    return outcome
  } finally {
    graph.close()
  }
}

async function copyPieces({ checked }: GaloisGr, file: number, path: string, job: JobContext): Promise<void> {
  const scheduler = new YieldScheduler(job)
  const flusher = new BehindFlusher(file, path)
  const piece = new Uint8Array(PIECE_BYTES)
  for (let at = 0; at < checked.bytes; at += PIECE_BYTES) {
    const bytes = piece.subarray(0, Math.min(PIECE_BYTES, checked.bytes - at))
    checked.readInto(at, bytes)
    checked.verify(at / PIECE_BYTES, bytes)
    writeFully(file, bytes, at, path)
    flusher.wrote(at)
    await scheduler.yield({ phase: 'unpack', done: at, total: checked.bytes, unit: 'bytes' })
  }
  await flusher.finish()
}

/** @returns null where it would hardly be smaller, and nothing was written */
async function writePacked(graph: GaloisGr, path: string, mostShare: number, job: JobContext): Promise<number | null> {
  const { bytes } = graph.checked
  const pieces = piecesIn(bytes)
  const chunks = Math.ceil(pieces / CHUNK)
  const control = new Int32Array(new SharedArrayBuffer(12))
  const positions = new Float64Array(new SharedArrayBuffer(8 * (pieces + 1)))
  const crcs = sharedWords(pieces)
  positions[0] = indexBytes(pieces)
  let packedBytes: number | null = null
  const stop = (): void => void Atomics.store(control, STOP, 1)
  const written = (): number => Math.min(pieces, CHUNK * Atomics.load(control, TURN))
  const fill = async (file: number, aside: string): Promise<boolean> => {
    const flusher = new BehindFlusher(file, aside)
    const task: PackTask = { graph: graph.handle, file, path: aside, control, positions, crcs }
    const threads = Math.max(1, Math.min(MOST_THREADS, processorsHere(), chunks))
    const look = (): void => {
      if (job.signal.aborted) stop()
      flusher.wrote(positions[written()]!)
      job.progress({ phase: 'pack', done: PIECE_BYTES * written(), total: bytes, unit: 'bytes' })
    }
    const works =
      threads === 1
        ? [Promise.resolve().then(() => packChunks(task, job.signal))]
        : Array.from({ length: threads }, () => runInThread<PackTask, void>('pack-pieces', task))
    await allDone(works, { stop }, look)
    throwIfCancelled(job.signal)
    const end = positions[pieces]!
    if (end > mostShare * bytes) return false
    packedBytes = end
    const identity = readSums(graph.file.sumsPath)!.root
    writeFully(file, encodeIndex({ bytes, identity, positions, crcs }, crc32), 0, aside)
    await flusher.finish()
    return true
  }
  await fillAsideSlowly(path, fill, sweptFolder(dirname(path)))
  return packedBytes
}

/** Packs in a thread of its own. */
export function packTask(task: PackTask): Promise<void> {
  packChunks(task, stopWord(task.control, STOP))
  return Promise.resolve()
}

/** Chunks of pieces, until none is left. @throws Failure (cancelled), also where another thread failed */
function packChunks({ graph: handle, file, path, control, positions, crcs }: PackTask, signal: StopSignal): void {
  const graph = GaloisGr.of(handle)
  try {
    const pieces = crcs.length
    const packer = new ChunkPacker(graph, Math.min(CHUNK, pieces))
    for (let first = take(control); first < pieces; first = take(control)) {
      const end = Math.min(pieces, first + CHUNK)
      const { bytes, ends, sums } = packer.pack(first, end, () => throwIfCancelled(signal))
      awaitTurn(control, first / CHUNK, signal)
      const at = positions[first]!
      for (let piece = first; piece < end; piece++) {
        positions[piece + 1] = at + ends[piece - first]!
        crcs[piece] = sums[piece - first]!
      }
      Atomics.add(control, TURN, 1)
      Atomics.notify(control, TURN)
      writeFully(file, bytes, at, path)
    }
  } finally {
    graph.close()
  }
}

const take = (control: Int32Array): number => CHUNK * Atomics.add(control, NEXT, 1)

/** Waits until the chunks before have their places. */
function awaitTurn(control: Int32Array, chunk: number, signal: StopSignal): void {
  for (let turn = Atomics.load(control, TURN); turn !== chunk; turn = Atomics.load(control, TURN)) {
    throwIfCancelled(signal)
    Atomics.wait(control, TURN, turn, LOOK_MS)
  }
}

/** Packs some pieces into memory, and proves that they come back. */
class ChunkPacker {
  readonly #graph: GaloisGr
  readonly #packer: PiecePacker
  readonly #sections: GraphSections
  readonly #room: Uint8Array
  readonly #words = new Uint32Array(PIECE_BYTES / 4)
  readonly #back = new Uint8Array(PIECE_BYTES)

  constructor(graph: GaloisGr, pieces: number) {
    const { offsets, targetsAt, arcs } = graph.file
    this.#graph = graph
    this.#sections = { offsetsAt: offsets.at / 4, targetsAt: targetsAt / 4, targetsEnd: targetsAt / 4 + arcs }
    this.#packer = new PiecePacker(this.#sections)
    this.#room = new Uint8Array(pieces * MOST_BLOCK_BYTES)
  }

  /** @param pause called before each @returns bytes that are good until the next, where each block ends, and its CRC-32 */
  pack(first: number, end: number, pause: () => void) {
    const ends: number[] = []
    const sums: number[] = []
    let at = 0
    for (let piece = first; piece < end; piece++) {
      pause()
      const length = pieceBytes(this.#graph.checked.bytes, piece)
      const bytes = new Uint8Array(this.#words.buffer, 0, length)
      this.#graph.checked.readInto(piece * PIECE_BYTES, bytes)
      const words = this.#words.subarray(0, length / 4)
      const firstWord = (piece * PIECE_BYTES) / 4
      const block = this.#packer.pack(words, firstWord, this.#listsOf(firstWord, words.length))
      Unpacker.here.block.set(block)
      const back = this.#back.subarray(0, length)
      if (!Unpacker.here.piece(back) || Buffer.compare(back, bytes) !== 0)
        throw new Error(`piece ${piece} of the graph does not come back as it was packed`)
      this.#room.set(block, at)
      at += block.length
      ends.push(at)
      sums.push(crc32(block))
    }
    return { bytes: this.#room.subarray(0, at), ends, sums }
  }

  /** Whose targets are among so many words. */
  #listsOf(first: number, count: number): PieceLists | undefined {
    const { targetsAt, targetsEnd } = this.#sections
    const begin = Math.max(first, targetsAt) - targetsAt
    const end = Math.min(first + count, targetsEnd) - targetsAt
    if (begin >= end) return undefined
    const graph = this.#graph
    const { vertices } = graph
    const vertex = lowerBound(0, vertices, (v) => graph.arcsOf(v).end <= begin)
    const parts: Float64Array[] = []
    for (let v = vertex, last = begin; v < vertices && last < end; v += ENDS_AT_ONCE) {
      const part = graph.readOffsets(v, Math.min(vertices, v + ENDS_AT_ONCE)).subarray(1)
      parts.push(part)
      last = part.at(-1)!
    }
    const ends = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const part of parts) {
      ends.set(part, at)
      at += part.length
    }
    return { vertex, ends }
  }
}
