/**
 * Entries on their way to scratch files, with codes in place of labels: whole numbers below a bound are their own codes, a dictionary numbers
 * the others, texts are numbered by their table; a full dictionary is sorted and spilled as a run. A code is good within its epoch. Memory is
 * bounded by the shares of the import. rank-labels.ts merges the runs, entry-source.ts reads the entries.
 */

import { join } from 'node:path'
import { type EntryBlock, type EntrySink, TakenOutput } from '../../graph/entries.ts'
import { radixOrder } from '../../graph/radix-order.ts'
import type { EntrySegment, LabelRun } from './entry-source.ts'
import { AppendFile, ScratchFiles } from './scratch-file.ts'
import { bytesOf } from '../../base/words.ts'
import type { LabelTable } from '../reader/input-ids.ts'
import { type ParsedPiece, PieceLines, PlainLines, type PlainShape, WideLines } from '../reader/plain-lines.ts'
import { KeyTaker, type SharedKeys, type WeightTaker } from '../reader/weight-codes.ts'
import type { YieldScheduler } from '../../base/job.ts'

const BUFFER_RECORDS = 1 << 14
const FILE_BUFFER_BYTES = 1 << 18

export interface StoreTask {
  readonly folder: string
  readonly name: string
  readonly recordWords: 2 | 3
  readonly labels: { readonly bitmap: Int32Array; readonly dictionaryBytes: number }
  /** Keys in place of weights. */
  readonly weights?: SharedKeys | undefined
}

export class EntryStore implements EntrySink {
  readonly #codes: LabelCodes
  readonly #recordWords: 2 | 3
  readonly #words: Uint32Array
  readonly #floats: Float32Array
  readonly #files = new ScratchFiles()
  readonly #entryFile: AppendFile
  readonly #labelFile: AppendFile
  readonly #segments: EntrySegment[] = []
  #segmentAt = 0
  #ranksAt = 0

  constructor({ folder, name, recordWords }: Pick<StoreTask, 'folder' | 'name' | 'recordWords'>, codes: LabelCodes) {
    this.#codes = codes
    this.#recordWords = recordWords
    this.#words = new Uint32Array(BUFFER_RECORDS * recordWords)
    this.#floats = new Float32Array(this.#words.buffer)
    this.#entryFile = new AppendFile(this.#files, join(folder, `entries-${name}`), FILE_BUFFER_BYTES)
    this.#labelFile = new AppendFile(this.#files, join(folder, `labels-${name}`), FILE_BUFFER_BYTES)
  }

  accept(block: EntryBlock): void {
    for (let first = 0; first < block.count;) {
      if (this.#codes.room < 2) this.endEpoch()
      const last = Math.min(block.count, first + Math.floor(this.#codes.room / 2), first + BUFFER_RECORDS)
      this.#codes.encode(block, first, last)
      this.#append(block, first, last)
      first = last
    }
  }

  /** Codes start again. */
  endEpoch(): void {
    if (!this.#codes.used) return
    this.#endSegment()
  }

  finish(): readonly EntrySegment[] {
    this.#endSegment()
    this.#entryFile.flush()
    this.#labelFile.flush()
    return this.#segments
  }

  close(): void {
    this.#files.close()
  }

  #endSegment(): void {
    const entries = (this.#entryFile.bytes - this.#segmentAt) / (4 * this.#recordWords)
    const run = this.#codes.used ? this.#codes.spill(this.#labelFile, this.#ranksAt) : null
    if (entries > 0 || run !== null)
      this.#segments.push({ path: this.#entryFile.path, at: this.#segmentAt, entries, run })
    this.#segmentAt = this.#entryFile.bytes
    this.#ranksAt += 4 * (run?.count ?? 0)
  }

  #append({ from, to, weights }: EntryBlock, first: number, last: number): void {
    const words = this.#words
    let at = 0
    if (this.#recordWords === 2)
      for (let i = first; i < last; i++) {
        words[at++] = from[i]!
        words[at++] = to[i]!
      }
    else
      for (let i = first; i < last; i++) {
        words[at++] = from[i]!
        words[at++] = to[i]!
        this.#floats[at++] = weights === null ? 0 : weights[i]!
      }
    this.#entryFile.append(bytesOf(words.subarray(0, at)))
  }
}

/** Replaces labels by codes of 32 bits until all are known. Codes of a dictionary hold for one epoch. */
interface LabelCodes {
  readonly room: number
  readonly used: boolean
  /** Entries [first, last); at most room / 2. */
  encode(block: EntryBlock, first: number, last: number): void
  spill(file: AppendFile, ranksAt: number): LabelRun
}

const BYTES_PER_LABEL = 24

/**
 * Labels below 32 * words of the shared bitmap are their own codes; a dictionary numbers the others after them, 64 bits
 * each. When it is full, they are sorted and spilled.
 */
export class IntegerCodes implements LabelCodes {
  readonly #bitmap: Int32Array
  readonly #direct: number
  readonly #slots: Uint32Array
  readonly #lows: Uint32Array
  readonly #highs: Uint32Array
  #count = 0

  constructor(bitmap: Int32Array, dictionaryBytes: number) {
    this.#bitmap = bitmap
    this.#direct = 32 * bitmap.length
    const affordable = Math.max(16, Math.floor(dictionaryBytes / BYTES_PER_LABEL))
    const slots = 2 ** Math.max(5, Math.floor(Math.log2(2 * affordable)))
    this.#slots = new Uint32Array(slots)
    this.#lows = new Uint32Array(slots / 2)
    this.#highs = new Uint32Array(slots / 2)
  }

  get room(): number {
    return this.#lows.length - this.#count
  }

  get used(): boolean {
    return this.#count > 0
  }

  encode({ from, to, fromHigh, toHigh }: EntryBlock, first: number, last: number): void {
    this.#encodeEnds(from, fromHigh, first, last)
    this.#encodeEnds(to, toHigh, first, last)
  }

  #encodeEnds(ids: Uint32Array, highs: Uint32Array | null, first: number, last: number): void {
    const bitmap = this.#bitmap
    const direct = this.#direct
    for (let i = first; i < last; i++) {
      const id = ids[i]!
      const high = highs === null ? 0 : highs[i]!
      if (high === 0 && id < direct) {
        const bit = 1 << (id & 31)
        // Nearly always set already.
        if ((bitmap[id >>> 5]! & bit) === 0) Atomics.or(bitmap, id >>> 5, bit)
      } else ids[i] = direct + this.#intern(id, high)
    }
  }

  /** Only where there is room. */
  #intern(low: number, high: number): number {
    const slots = this.#slots
    const mask = slots.length - 1
    let slot = slotOf(low, high) & mask
    for (let entry = slots[slot]!; entry !== 0; entry = slots[(slot = (slot + 1) & mask)]!)
      if (this.#lows[entry - 1] === low && this.#highs[entry - 1] === high) return entry - 1
    const index = this.#count++
    slots[slot] = index + 1
    this.#lows[index] = low
    this.#highs[index] = high
    return index
  }

  spill(file: AppendFile, ranksAt: number): LabelRun {
    const count = this.#count
    const order = radixOrder([this.#lows.subarray(0, count), this.#highs.subarray(0, count)])
    const at = file.bytes
    const step = Math.min(count, 1 << 13)
    const words = new Uint32Array(2 * step)
    for (let first = 0; first < count; first += step) {
      const last = Math.min(count, first + step)
      for (let i = first; i < last; i++) {
        words[2 * (i - first)] = this.#lows[order[i]!]!
        words[2 * (i - first) + 1] = this.#highs[order[i]!]!
      }
      file.append(bytesOf(words.subarray(0, 2 * (last - first))))
    }
    const permutationAt = file.bytes
    file.append(bytesOf(order))
    this.#slots.fill(0)
    this.#count = 0
    return { path: file.path, at, count, permutationAt, ranksAt }
  }
}

function slotOf(low: number, high: number): number {
  let x = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x45d9f3b)
  x = Math.imul(x ^ (x >>> 16), 0x45d9f3b)
  return x ^ (x >>> 16)
}

/** Texts that the reader numbered; the table is emptied when an epoch ends, for which they are sorted first. */
export class TextCodes implements LabelCodes {
  readonly room = Infinity
  readonly #table: LabelTable
  #order: Uint32Array = new Uint32Array(0)

  constructor(table: LabelTable) {
    this.#table = table
  }

  async sort(scheduler: YieldScheduler): Promise<void> {
    this.#order = await this.#table.ascending(scheduler)
  }

  get used(): boolean {
    return this.#table.count > 0
  }

  encode(): void {}

  spill(file: AppendFile, ranksAt: number): LabelRun {
    const table = this.#table
    const order = this.#order
    const at = file.bytes
    const length = new Uint32Array(1)
    for (const label of order) {
      const bytes = table.bytes(label)
      length[0] = bytes.length
      file.append(bytesOf(length))
      file.append(bytes)
    }
    const permutationAt = file.bytes
    file.append(bytesOf(order))
    const { count } = table
    table.clear()
    return { path: file.path, at, count, permutationAt, ranksAt }
  }
}

const BLOCK_ENTRIES = 1 << 14

/** Whole lines in shared memory, good until the answer. */
export interface ParseTask {
  readonly bytes: Uint8Array
  readonly shape: PlainShape
}

/** Parses ordinary lines, and keeps the others for their reader. */
export class PieceParser {
  readonly #plain = new PlainLines()
  readonly #wide = new WideLines()
  readonly #output: TakenOutput
  readonly #codes: WeightTaker | undefined

  /** @param codes that weights are added to, or replaced by */
  constructor(weighted: boolean, codes: WeightTaker | undefined, take: (block: EntryBlock) => void) {
    this.#codes = codes
    this.#output = new TakenOutput(BLOCK_ENTRIES, weighted, take)
  }

  parse({ bytes, shape }: ParseTask): ParsedPiece {
    const { length } = bytes
    const before = this.#output.total
    const codes = shape.weighted ? this.#codes : undefined
    const piece = new PieceLines()
    for (let at = 0; at < length;) {
      at = this.#plain.read(bytes, at, length, Infinity, shape, this.#output, codes)
      piece.took(this.#plain.lines, this.#plain.negatives)
      if (at >= length) break
      at = this.#wide.read(bytes, at, length, shape, this.#output, codes)
      piece.took(this.#wide.lines, 0)
      if (at < length && this.#wide.lines === 0) at = piece.keepOdd(bytes, at)
    }
    const digits = this.#plain.digits.taken()
    const wide = this.#wide.digits.taken()
    const all = { printed: digits.printed + wide.printed, long: digits.long + wide.long, lost: digits.lost + wide.lost }
    return piece.parsed(this.#output.total - before, all)
  }

  /** Hands on what is left. */
  finish(): void {
    this.#output.next()
  }
}

/** A thread's part in reading lines to scratch files. */
export class PieceStore {
  readonly #store: EntryStore
  readonly #parser: PieceParser

  constructor(task: StoreTask) {
    const { bitmap, dictionaryBytes } = task.labels
    this.#store = new EntryStore(task, new IntegerCodes(bitmap, dictionaryBytes))
    const codes = task.weights && new KeyTaker(task.weights)
    this.#parser = new PieceParser(task.recordWords === 3, codes, (block) => this.#store.accept(block))
  }

  parse(task: ParseTask): ParsedPiece {
    return this.#parser.parse(task)
  }

  finish(): readonly EntrySegment[] {
    this.#parser.finish()
    return this.#store.finish()
  }

  close(): void {
    this.#store.close()
  }
}
