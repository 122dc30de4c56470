import { closeSync } from 'node:fs'
import { openFile, readFully, writeFully } from '../../base/file-bytes.ts'
import type { Range } from '../../base/ranges.ts'
import { PIECE_BYTES, pieceBytes, SumsBuilder } from '../../base/sums.ts'
import { PieceWriter, type PiecesReport, type PieceTaker } from '../piece-writer.ts'
import { bytesOf } from '../../base/words.ts'
import { type CsrLayout, exactTargets, itemsWithin, numbers } from '../formats/csr.ts'
import { StoredFile } from '../formats/stored-file.ts'
import { ArcCheck, type FingerprintKeys } from './arc-check.ts'

export interface CheckTask {
  readonly source: string
  readonly layout: CsrLayout
  readonly keys: FingerprintKeys
}

/** Checks and sums pieces of a file that stays where it is. */
export class PieceChecker implements PieceTaker {
  readonly #layout: CsrLayout
  readonly #file: StoredFile
  readonly #check: ArcCheck
  readonly #sums = new SumsBuilder()

  constructor({ source, layout, keys }: CheckTask) {
    this.#layout = layout
    this.#file = StoredFile.open(source)
    this.#check = new ArcCheck(this.#file, layout, keys, layout.weights !== null)
  }

  take({ first, end }: Range): boolean {
    for (let piece = first; piece < end; piece++) {
      const bytes = this.#check.room.subarray(0, pieceBytes(this.#file.bytes, piece))
      this.#file.fill(bytes, piece * PIECE_BYTES)
      this.#sums.addPiece(piece, bytes)
      if (!this.#fits(piece * PIECE_BYTES, bytes.length)) return false
    }
    return true
  }

  finish(): PiecesReport {
    return { pieces: this.#sums.pieces, arcs: this.#check.report }
  }

  close(): void {
    this.#file.close()
  }

  #fits(at: number, bytes: number): boolean {
    const { vertices, arcs, offsets, targets, weights } = this.#layout
    const firstEnd = offsets.at + (offsets.leading ? offsets.stride : 0)
    const ends = itemsWithin(firstEnd, offsets.stride, vertices, at, bytes)
    const endsAt = firstEnd + offsets.stride * ends.first - at
    if (ends.first < ends.end && !this.#check.endsFit(ends.first, ends.end, endsAt)) return false
    const { first, end } = itemsWithin(targets.at, targets.stride, arcs, at, bytes)
    if (first === end) return true
    const beside =
      weights === null
        ? undefined
        : { bytes: this.#file.read(weights.at + 4 * first, 4 * (end - first)), floats: weights.kind === 'f32' }
    return this.#check.arcsFit(first, end, targets.at + 4 * first - at, beside)
  }
}

export interface CopyTask extends CheckTask {
  /** Of the source, for messages. */
  readonly name: string
  readonly weighted: boolean
  /** graph.gr. */
  readonly path: string
}

/** Makes, checks, sums and writes pieces of graph.gr, while they are in the cache. */
export class PieceCopier implements PieceTaker {
  readonly #layout: CsrLayout
  readonly #weighted: boolean
  readonly #file: StoredFile
  readonly #check: ArcCheck
  readonly #writer: PieceWriter
  #fits = true

  constructor({ source, name, layout, keys, weighted, path }: CopyTask) {
    const { vertices, arcs } = layout
    this.#layout = layout
    this.#weighted = weighted
    this.#file = StoredFile.open(source, name)
    this.#check = new ArcCheck(this.#file, layout, keys, weighted)
    const sections = {
      ends: this.#ends.bind(this),
      targets: this.#targets.bind(this),
      ...(weighted ? { weights: this.#weights.bind(this) } : {}),
    }
    const { buffer, byteOffset } = this.#check.room
    const words = new Uint32Array(buffer, byteOffset, PIECE_BYTES / 4)
    this.#writer = new PieceWriter({ path, vertices, arcs, weighted }, sections, words)
  }

  take({ first, end }: Range): boolean {
    for (let piece = first; piece < end && this.#fits; piece++) this.#writer.take({ first: piece, end: piece + 1 })
    return this.#fits
  }

  finish(): PiecesReport {
    return { ...this.#writer.finish(), arcs: this.#check.report }
  }

  close(): void {
    this.#file.close()
    this.#writer.close()
  }

  #ends(first: number, last: number, into: Uint32Array): void {
    const { offsets } = this.#layout
    const from = offsets.at + offsets.stride * (first + (offsets.leading ? 1 : 0))
    if (offsets.stride === 8) this.#file.fill(bytesOf(into), from)
    else {
      const narrow = new Uint32Array(this.#file.read(from, 4 * (last - first)).buffer)
      for (let i = 0; i < narrow.length; i++) {
        into[2 * i] = narrow[i]!
        into[2 * i + 1] = 0
      }
    }
    this.#fits &&= this.#check.endsFit(first, last, this.#placeOf(into), 8)
  }

  #targets(first: number, last: number, into: Uint32Array): void {
    const { targets } = this.#layout
    if (targets.stride === 4) this.#file.fill(bytesOf(into), targets.at + 4 * first)
    else {
      const exact = exactTargets(this.#file, this.#layout, first, last - first)
      this.#fits &&= exact !== null
      if (exact !== null) into.set(exact)
    }
    const weights = this.#weighted ? { bytes: bytesOf(this.#floats(first, last)), floats: true } : undefined
    this.#fits &&= this.#check.arcsFit(first, last, this.#placeOf(into), weights)
  }

  #weights(first: number, last: number, into: Uint32Array): void {
    bytesOf(into).set(bytesOf(this.#floats(first, last)))
  }

  #floats(first: number, last: number): Float32Array {
    return new Float32Array(numbers(this.#file, this.#layout.weights!, first, last - first))
  }

  #placeOf(items: Uint32Array): number {
    return items.byteOffset - this.#check.room.byteOffset
  }
}

export interface DuplicateTask {
  readonly source: string
  readonly fileBytes: number
  /** null: only to be summed. */
  readonly path: string | null
}

/** Sums and copies pieces of a file. */
export class PieceDuplicator implements PieceTaker {
  readonly #task: DuplicateTask
  readonly #from: number
  readonly #to: number | null
  readonly #sums = new SumsBuilder()
  readonly #room = new Uint8Array(PIECE_BYTES)

  constructor(task: DuplicateTask) {
    this.#task = task
    this.#from = openFile(task.source, 'r')
    this.#to = task.path === null ? null : openFile(task.path, 'r+')
  }

  take({ first, end }: Range): true {
    const { source, fileBytes, path } = this.#task
    for (let piece = first; piece < end; piece++) {
      const bytes = this.#room.subarray(0, pieceBytes(fileBytes, piece))
      readFully(this.#from, bytes, piece * PIECE_BYTES, source)
      this.#sums.addPiece(piece, bytes)
      if (this.#to !== null) writeFully(this.#to, bytes, piece * PIECE_BYTES, path!)
    }
    return true
  }

  finish(): PiecesReport {
    return { pieces: this.#sums.pieces }
  }

  close(): void {
    closeSync(this.#from)
    if (this.#to !== null) closeSync(this.#to)
  }
}
