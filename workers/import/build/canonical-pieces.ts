/**
 * What threads do with the pieces of a file that may be canonical already: sum it as it is, check ends and arcs, or make, check, sum and write
 * pieces of graph.gr while they are in the cache. Pieces are taken in any order; a piece that does not fit ends the way, and the general import
 * reads the file. arc-check.ts decides, import-canonical.ts starts it.
 */

import { closeSync } from 'node:fs'
import { openFile, writeFully } from '../../base/file-bytes.ts'
import type { Range } from '../../base/ranges.ts'
import { PIECE_BYTES, pieceBytes, SumsBuilder } from '../../base/sums.ts'
import { PieceWriter, type PiecesReport, type PieceTaker } from './piece-writer.ts'
import { bytesOf } from '../../base/words.ts'
import { type CsrLayout, exactTargets, itemsWithin, numbers } from '../formats/csr.ts'
import { StoredFile } from '../formats/stored-file.ts'
import { ArcCheck, type FingerprintKeys } from './arc-check.ts'

interface Canonical {
  readonly layout: CsrLayout
  readonly keys: FingerprintKeys
}

export interface CheckTask {
  readonly source: string
  /** What it is to be; null: anything. */
  readonly canonical: Canonical | null
  /** The path to which it is copied. */
  readonly path?: string | undefined
}

/** Sums pieces of a file as they are, checks them, or copies them. */
export class PieceChecker implements PieceTaker {
  readonly #task: CheckTask
  readonly #file: StoredFile
  readonly #check: ArcCheck | null
  readonly #room: Uint8Array
  readonly #copy: number | null
  readonly #sums = new SumsBuilder()

  constructor(task: CheckTask) {
    const { source, canonical, path } = task
    this.#task = task
    this.#file = StoredFile.open(source)
    this.#check =
      canonical && new ArcCheck(this.#file, canonical.layout, canonical.keys, canonical.layout.weights !== null)
    this.#room = this.#check?.room ?? new Uint8Array(PIECE_BYTES)
    this.#copy = path === undefined ? null : openFile(path, 'r+')
  }

  take({ first, end }: Range): boolean {
    const { canonical, path } = this.#task
    for (let piece = first; piece < end; piece++) {
      const at = piece * PIECE_BYTES
      const bytes = this.#room.subarray(0, pieceBytes(this.#file.bytes, piece))
      this.#file.fill(bytes, at)
      this.#sums.addPiece(piece, bytes)
      if (this.#copy !== null) writeFully(this.#copy, bytes, at, path!)
      if (canonical !== null && !this.#fits(this.#check!, canonical.layout, at, bytes.length)) return false
    }
    return true
  }

  finish(): PiecesReport {
    return { pieces: this.#sums.pieces, arcs: this.#check?.report }
  }

  close(): void {
    this.#file.close()
    if (this.#copy !== null) closeSync(this.#copy)
  }

  #fits(check: ArcCheck, { vertices, arcs, offsets, targets, weights }: CsrLayout, at: number, bytes: number): boolean {
    const firstEnd = offsets.at + (offsets.leading ? offsets.stride : 0)
    const ends = itemsWithin(firstEnd, offsets.stride, vertices, at, bytes)
    const endsAt = firstEnd + offsets.stride * ends.first - at
    if (ends.first < ends.end && !check.endsFit(ends.first, ends.end, endsAt)) return false
    const { first, end } = itemsWithin(targets.at, targets.stride, arcs, at, bytes)
    if (first === end) return true
    const beside =
      weights === null
        ? undefined
        : { bytes: this.#file.read(weights.at + 4 * first, 4 * (end - first)), floats: weights.kind === 'f32' }
    return check.arcsFit(first, end, targets.at + 4 * first - at, beside)
  }
}

export interface CopyTask extends Canonical {
  readonly source: string
  /** The name of the source, for messages. */
  readonly name: string
  readonly weighted: boolean
  /** graph.gr. */
  readonly path: string
}

/** Makes, checks, sums and writes pieces of graph.gr, while they are in the cache. */
export class PieceCopier extends PieceWriter {
  readonly #layout: CsrLayout
  readonly #weighted: boolean
  readonly #file: StoredFile
  readonly #check: ArcCheck
  #fits = true

  constructor({ source, name, layout, keys, weighted, path }: CopyTask) {
    const { vertices, arcs } = layout
    const file = StoredFile.open(source, name)
    const check = new ArcCheck(file, layout, keys, weighted)
    const { buffer, byteOffset } = check.room
    super({ path, vertices, arcs, weighted }, new Uint32Array(buffer, byteOffset, PIECE_BYTES / 4))
    this.#layout = layout
    this.#weighted = weighted
    this.#file = file
    this.#check = check
  }

  override take({ first, end }: Range): boolean {
    for (let piece = first; piece < end && this.#fits; piece++) super.take({ first: piece, end: piece + 1 })
    return this.#fits
  }

  override finish(): PiecesReport {
    return { ...super.finish(), arcs: this.#check.report }
  }

  override close(): void {
    this.#file.close()
    super.close()
  }

  protected ends(first: number, last: number, into: Uint32Array): void {
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

  protected targets(first: number, last: number, into: Uint32Array): void {
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

  protected override weights(first: number, last: number, into: Uint32Array): void {
    bytesOf(into).set(bytesOf(this.#floats(first, last)))
  }

  #floats(first: number, last: number): Float32Array {
    const weights = numbers(this.#file, this.#layout.weights!, first, last - first)
    const floats = new Float32Array(weights)
    // A reader keeps their digits.
    if (weights.some((weight, i) => weight !== floats[i] && !Number.isNaN(weight))) this.#fits = false
    return floats
  }

  #placeOf(items: Uint32Array): number {
    return items.byteOffset - this.#check.room.byteOffset
  }
}
