/**
 * Writes graph.gr by pieces of 1 MiB that threads take in any order: what a piece has behind the header is made by ranges of ends, targets and
 * weights, summed while it is in the cache, and written to its place. Lists come from buckets (list-maker.ts) or from the formula of a
 * lattice (generate/lattice-lists.ts). import-threads.ts hands out pieces.
 */

import { closeSync } from 'node:fs'
import { openFile, writeFully } from '../../base/file-bytes.ts'
import { PIECE_BYTES, pieceBytes, type SummedPieces, SumsBuilder } from '../../base/sums.ts'
import { LatticeLists, type LatticeShape } from '../../generate/lattice-lists.ts'
import { GR_HEADER_BYTES, grLayout } from '../../graph/graph-file.ts'
import { bytesOf } from '../../base/words.ts'
import { type Range, lowerBound, within } from '../../base/ranges.ts'
import type { ArcReport } from './arc-check.ts'
import { BucketChunks, type FilledBuckets } from './filled-buckets.ts'
import { growTo, openSorter, type Sorter } from './bucket-sorter.ts'
import { LONG_LIST, MOST_DEGREE_BYTES } from './list-maker.ts'

interface PieceFile {
  readonly path: string
  readonly vertices: number
  readonly arcs: number
  readonly weighted: boolean
  /** The lists that are written, of a graph without weights; absent: all, and the header. */
  readonly part?: ListsPart | undefined
}

/** Some lists of a graph, by their vertices and their arcs. */
export interface ListsPart {
  readonly vertices: Range
  readonly arcs: Range
}

/** The bytes of graph.gr that the ends and the targets of some lists take. */
export function partBytes(vertices: number, part: ListsPart): readonly [ends: Range, targets: Range] {
  const { targetsAt } = grLayout(vertices, 0, false)
  const bytesOf = (at: number, each: number, { first, end }: Range): Range => {
    return { first: at + each * first, end: at + each * end }
  }
  return [bytesOf(GR_HEADER_BYTES, 8, part.vertices), bytesOf(targetsAt, 4, part.arcs)]
}

/** What a thread does with pieces of a file. */
export interface PieceTaker {
  /** @returns false where one does not fit, and the others do not matter @throws Failure (storage) */
  take(pieces: Range): boolean
  finish(): PiecesReport
  close(): void
}

export interface PiecesReport {
  readonly pieces: SummedPieces
  /** The report of arcs, if they were checked. */
  readonly arcs?: ArcReport | undefined
}

/** Writes and sums pieces of graph.gr as they are made: what it has behind its header, by ranges of items. */
export abstract class PieceWriter implements PieceTaker {
  readonly #file: PieceFile
  readonly #sums = new SumsBuilder()
  readonly #open: number
  readonly #words: Uint32Array<ArrayBuffer>

  /** @param words where pieces are made */
  constructor(file: PieceFile, words = new Uint32Array(PIECE_BYTES / 4)) {
    this.#file = file
    this.#words = words
    this.#open = openFile(file.path, 'r+')
  }

  /** Two words each. */
  protected abstract ends(first: number, last: number, into: Uint32Array): void
  protected abstract targets(first: number, last: number, into: Uint32Array): void
  /** Only of weighted graphs. */
  protected weights(_first: number, _last: number, _into: Uint32Array): void {}

  take({ first, end }: Range): boolean {
    for (let piece = first; piece < end; piece++) this.#write(piece)
    return true
  }

  /** A piece of all lists is written as a whole; of some lists their bytes are, and it is summed where it has nothing else. */
  #write(piece: number): void {
    const { vertices, arcs, weighted, path, part } = this.#file
    const { weightsAt, fileBytes } = grLayout(vertices, arcs, weighted)
    const at = piece * PIECE_BYTES
    const length = part === undefined ? pieceBytes(fileBytes, piece) : PIECE_BYTES
    const words = this.#words.subarray(0, length / 4)
    const bytes = bytesOf(words)
    if (piece === 0 && part === undefined)
      words.set([1, 0, weighted ? 4 : 0, 0, vertices, 0, arcs, Math.floor(arcs / 2 ** 32)])
    let made = 0
    for (const { section, place, first, each } of this.#sections()) {
      const { first: from, end } = within(place, { first: at, end: at + length })
      if (from >= end) continue
      const item = first + (from - place.first) / each
      this[section](item, item + (end - from) / each, words.subarray((from - at) / 4, (end - at) / 4))
      if (part !== undefined) writeFully(this.#open, bytes.subarray(from - at, end - at), from, path)
      made += end - from
    }
    if (part !== undefined) {
      if (made === PIECE_BYTES) this.#sums.addPiece(piece, bytes)
      return
    }
    if (arcs % 2 === 1 && at < weightsAt && weightsAt <= at + length) words[(weightsAt - at) / 4 - 1] = 0
    this.#sums.addPiece(piece, bytes)
    writeFully(this.#open, bytes, at, path)
  }

  /** What is made of ends, targets and weights: its place in the file, its first item, and the bytes of each. */
  *#sections() {
    const { vertices, arcs, weighted, part } = this.#file
    const own = part ?? { vertices: { first: 0, end: vertices }, arcs: { first: 0, end: arcs } }
    const [ends, targets] = partBytes(vertices, own)
    yield { section: 'ends', place: ends, first: own.vertices.first, each: 8 } as const
    yield { section: 'targets', place: targets, first: own.arcs.first, each: 4 } as const
    const { weightsAt } = grLayout(vertices, arcs, weighted)
    if (weighted)
      yield { section: 'weights', place: { first: weightsAt, end: weightsAt + 4 * arcs }, first: 0, each: 4 } as const
  }

  finish(): PiecesReport {
    return { pieces: this.#sums.pieces }
  }

  close(): void {
    closeSync(this.#open)
  }
}

export interface LatticeTask {
  readonly path: string
  readonly shape: LatticeShape
}

export class LatticePieces extends PieceWriter {
  readonly #lists: LatticeLists

  constructor({ path, shape }: LatticeTask) {
    const lists = new LatticeLists(shape)
    super({ path, vertices: lists.vertices, arcs: lists.arcs, weighted: false })
    this.#lists = lists
  }

  protected ends(...items: Parameters<LatticeLists['ends']>): void {
    this.#lists.ends(...items)
  }

  protected targets(...items: Parameters<LatticeLists['targets']>): void {
    this.#lists.targets(...items)
  }
}

/** Lists in their buckets, by {@link ListMaker}. */
export interface GraphTask extends PieceFile {
  readonly buckets: FilledBuckets
  /** Before each bucket, and in all. */
  readonly arcsBefore: Float64Array
  readonly verticesBefore: Float64Array
  /** null where they have gaps. */
  readonly base: number | null
  readonly ranks: WebAssembly.Memory
}

export class ListPieces extends PieceWriter {
  readonly #task: GraphTask
  readonly #chunks: BucketChunks
  readonly #sorter: Sorter
  readonly #bytes: Buffer
  #degrees = new Uint32Array(0)
  #degreeBytes = Buffer.alloc(0)

  constructor(task: GraphTask) {
    const sorter = openSorter(task.ranks)
    growTo(sorter.memory, PIECE_BYTES)
    const words = new Uint32Array(sorter.memory.buffer as ArrayBuffer, 0, PIECE_BYTES / 4)
    super(task, words)
    this.#task = task
    this.#chunks = new BucketChunks(task.buckets)
    this.#sorter = sorter
    this.#bytes = Buffer.from(words.buffer)
  }

  protected ends(first: number, last: number, into: Uint32Array): void {
    const { arcsBefore, verticesBefore } = this.#task
    let at = 0
    this.#each(verticesBefore, first, last, (bucket, from, to) => {
      const degrees = this.#degreesOf(bucket, to)
      let end = arcsBefore[bucket]!
      for (let v = 0; v < to; v++) {
        end += degrees[v]!
        if (v < from) continue
        into[at++] = end
        into[at++] = end / 2 ** 32
      }
    })
  }

  #degreesOf(bucket: number, count: number): Uint32Array {
    const { arcsBefore, weighted } = this.#task
    if (this.#degrees.length < count) {
      this.#degrees = new Uint32Array(2 * count)
      this.#degreeBytes = Buffer.alloc(MOST_DEGREE_BYTES * 2 * count)
    }
    const bytes = this.#degreeBytes
    const from = (weighted ? 8 : 4) * (arcsBefore[bucket + 1]! - arcsBefore[bucket]!)
    this.#chunks.read(bucket, from, bytes, 0, MOST_DEGREE_BYTES * count)
    const degrees = this.#degrees.subarray(0, count)
    for (let v = 0, at = 0; v < count; v++) {
      let degree = bytes[at++]!
      if (degree === LONG_LIST) {
        degree = (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0
        at += 4
      }
      degrees[v] = degree
    }
    return degrees
  }

  protected targets(first: number, last: number, into: Uint32Array): void {
    const { base } = this.#task
    this.#copy(first, last, into, 0)
    const end = into.byteOffset + into.byteLength
    if (base === null) this.#sorter.rank(into.byteOffset, end)
    else if (base > 0) this.#sorter.subtract(into.byteOffset, end, base)
  }

  protected override weights(first: number, last: number, into: Uint32Array): void {
    this.#copy(first, last, into, 1)
  }

  /** @param section 1: behind all targets of a bucket */
  #copy(first: number, last: number, into: Uint32Array, section: 0 | 1): void {
    const { arcsBefore } = this.#task
    let at = into.byteOffset
    this.#each(arcsBefore, first, last, (bucket, from, to) => {
      const skipped = section * (arcsBefore[bucket + 1]! - arcsBefore[bucket]!)
      this.#chunks.read(bucket, 4 * (skipped + from), this.#bytes, at, 4 * (to - from))
      at += 4 * (to - from)
    })
  }

  #each(
    before: Float64Array,
    first: number,
    last: number,
    take: (bucket: number, from: number, to: number) => void,
  ): void {
    for (
      let bucket = lowerBound(1, before.length - 1, (b) => before[b]! <= first) - 1, at = first;
      at < last;
      bucket++
    ) {
      const to = Math.min(last, before[bucket + 1]!)
      if (to > at) take(bucket, at - before[bucket]!, to - before[bucket]!)
      at = to
    }
  }
}
