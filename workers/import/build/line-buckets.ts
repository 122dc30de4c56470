/**
 * A thread's part in the parsing of plain lines: it takes ranges of the texts, reads and scans them in WebAssembly (line-buckets.wat), and puts
 * a record for each direction of an edge into buckets of sources. Lines that are not ordinary are handed to the reader of their file. Of lists of
 * neighbours, which may be longer than a range, it takes the numbers that begin in one; each is a record. Weights that 32-bit floats do not hold
 * get codes, which keys replace once all weights are known. filled-buckets.ts has the memory, parse-lines.ts and parse-lists.ts give out ranges.
 */

import { closeSync } from 'node:fs'
import type { GenerateArgs } from '../../contract/jobs.ts'
import { graphModel, type GraphModel } from '../../generate/graph-model.ts'
import { BLOCK_TUPLES } from '../../generate/tuple-room.ts'
import { openFile, readUpTo } from '../../base/file-bytes.ts'
import { type EntryBlock, TakenOutput } from '../../graph/entries.ts'
import { PlainLines, type PlainShape, type ParsedPiece, PieceLines } from '../reader/plain-lines.ts'
import {
  type BucketTable,
  CHUNK_BYTES,
  chunkRecords,
  MOST_CHUNKS,
  TABLE_ENTRIES,
  type ThreadBuckets,
  touchedBytes,
} from './filled-buckets.ts'
import type { FingerprintKeys } from './arc-check.ts'
import { DIGITS_BYTES, growTo, openSorter, sortBits } from './bucket-sorter.ts'
import { floatOfCode } from '../reader/exact-weights.ts'
import type { DigitCounts, WeightTaker } from '../reader/weight-codes.ts'
import { LINE_BUCKETS } from './modules.ts'
import type { Range } from '../../base/ranges.ts'
import { type TextFile, textRange, TextWindow, WINDOW_BYTES } from './text-parts.ts'
import { wasmExports } from '../../../kernels/parts/wasm-exports.ts'

export interface LinesTask {
  /** Draws edges in place of lines. */
  readonly model?: GenerateArgs | undefined
  /** The sources of which records are drawn: those of the table. */
  readonly drawn?: Range | undefined
  /** The memory of an earlier part, which nothing needs any more. */
  readonly memory?: WebAssembly.Memory | undefined
  readonly texts: readonly TextFile[]
  readonly shape: PlainShape
  readonly table: BucketTable
  /** Weights are kept in 64 bits, and records have a code of theirs until {@link LineBuckets.encode}. */
  readonly isExact?: boolean | undefined
  /** Lists of neighbours in place of lines. */
  readonly lists?: { readonly vertices: number; readonly keys: FingerprintKeys } | undefined
}

/** Entries that were parsed elsewhere. */
export interface TakenEntries {
  readonly block: EntryBlock
  /** Their weights in 64 bits, in place of those of the block. */
  readonly values: Float64Array | null
}

/** All weights of an import, ascending, and their keys. Shared memory. */
export interface KeyedWeights {
  readonly values: Float64Array
  readonly keys: Float32Array
}

/** A range of one of the texts. */
export interface LinesRange extends Range {
  readonly file: number
}

export interface ParsedLines extends ParsedPiece {
  /** Bytes of new chunks, and for weights. */
  readonly recordsBytes: number
}

/** Ranges of a text of lists, and the vertex, from 1, in whose list each begins. */
export interface ListsRange extends LinesRange {
  readonly vertices: readonly number[]
}

export interface ParsedLists {
  readonly neighbours: number
  readonly loops: number
  /** Bytes of new chunks. */
  readonly recordsBytes: number
}

/** What was drawn of a model: entries, and bytes of new chunks. */
interface DrawnEntries {
  readonly entries: number
  readonly recordsBytes: number
}

interface LineParser {
  readonly chunks: WebAssembly.Global<'i32'>
  readonly lines: WebAssembly.Global<'i32'>
  readonly bits: WebAssembly.Global<'i32'>
  /** 1 once a weight was a short decimal of a 32-bit float, and none itself. */
  readonly printed: WebAssembly.Global<'i32'>
  /** 1 once a weight was a float of more than seven digits. */
  readonly long: WebAssembly.Global<'i32'>
  readonly neighbours: WebAssembly.Global<'i32'>
  readonly loops: WebAssembly.Global<'i32'>
  readonly sum0: WebAssembly.Global<'i32'>
  readonly sum1: WebAssembly.Global<'i32'>
  /** Codes of weights that were given. */
  readonly codes: WebAssembly.Global<'i32'>
  /** Lines whose weight is a whole number that 64-bit floats do not hold. */
  readonly past: WebAssembly.Global<'i32'>
  open(
    table: number,
    shift: number,
    last: number,
    buckets: number,
    cursors: number,
    owners: number,
    records: number,
    powers: number,
    size: number,
    touched: number,
    sourceMask: number,
    wordBits: bigint,
    least: number,
    width: number,
  ): void
  parse(at: number, end: number, blank: number, other: number, weighted: number, skips: number): number
  add(from: number, to: number): void
  addAll(at: number, count: number, apart: number): void
  addWeighted(from: number, to: number, weight: number): void
  addExact(from: number, to: number, weight: number): void
  code(weight: number): number
  reserve(weights: number): number
  encode(chunkRecords: number): void
  countLines(at: number, end: number): number
  lists(at: number, end: number, vertex: number, vertices: number, keys: number): number
}

const PAGE_BYTES = 1 << 16
const GROWTH_BYTES = 16 << 20
const MOST_PAGES = 1 << 16
const POWERS = 1 << 10
const MOST_POWERS = 23
const TABLE = 1 << 11
const KEYS = 3 << 14
const CURSORS = 1 << 16
const OWNERS = 1 << 17
const TEXT = OWNERS + 2 * MOST_CHUNKS
const CHUNKS = 1 << 22
const SPACE = 32
const TAB = 9
const NEWLINE = 10
/** Two digits, one byte between, an end. */
const LEAST_LINE_BYTES = 4
/** And a weight. */
const LEAST_WEIGHTED_BYTES = 6
/** What a code takes: its weight, a record and its copy to be sorted, and what is made of all of them. */
const CODE_BYTES = 56
/** Weights that came lately. */
const LATELY_PAGES = 8
/** How the module parses weights that get codes. */
const EXACT = 2
/** Records of both directions of an entry. */
const BOTH = 2
/** A digit and a blank. */
const LEAST_NEIGHBOUR_BYTES = 2
/** Behind a range of lists: the rest of a number, and what is looked at behind it. */
const AHEAD_BYTES = 32
/** Lines read in JavaScript before the module is tried again; doubled each time that it takes hardly any. */
const FEWEST_LINES = 32
const MOST_LINES = 1 << 14
const BLOCK_ENTRIES = 1 << 12

export class LineBuckets {
  readonly #texts: readonly TextFile[]
  readonly #model: GraphModel | null
  readonly #shape: PlainShape
  /** Vertices of lists. */
  readonly #vertices: number
  readonly #memory: WebAssembly.Memory
  readonly #parser: LineParser
  readonly #window: TextWindow
  #file: { readonly number: number; readonly open: number } | null = null
  readonly #buckets: number
  readonly #chunkRecords: number
  readonly #plain = new PlainLines()
  readonly #output: TakenOutput
  /** Weights of 64 bits, by code, and their keys. */
  readonly #values: WebAssembly.Memory
  readonly #keys: WebAssembly.Memory
  readonly #codes: WeightTaker | undefined
  /** What {@link weigh} found. */
  #weights: SortedWeights | null = null

  /** @throws Failure; RangeError without memory */
  constructor({ shape, table, texts, model, lists, drawn, memory, isExact }: LinesTask) {
    this.#model = model === undefined ? null : graphModel(model)
    this.#vertices = lists?.vertices ?? 0
    this.#texts = texts
    this.#shape = shape
    const { form } = table
    this.#chunkRecords = chunkRecords(form)
    // And one of larger ids.
    this.#buckets = table.bounds.length
    this.#memory = memory ?? new WebAssembly.Memory({ initial: CHUNKS / PAGE_BYTES, maximum: MOST_PAGES, shared: true })
    const maximum = isExact === true ? MOST_PAGES : 1
    this.#values = new WebAssembly.Memory({ initial: 1, maximum })
    this.#keys = new WebAssembly.Memory({ initial: 0, maximum })
    const lately = new WebAssembly.Memory({ initial: isExact === true ? LATELY_PAGES : 0, maximum: LATELY_PAGES })
    this.#parser = wasmExports(LINE_BUCKETS, { memory: this.#memory, values: this.#values, keys: this.#keys, lately })
    this.#codes = isExact === true ? this.#taker() : undefined
    const { buffer } = this.#memory
    new Float64Array(buffer, POWERS, MOST_POWERS).set(Array.from({ length: MOST_POWERS }, (_, i) => Number(`1e${i}`)))
    new Uint16Array(buffer, TABLE, TABLE_ENTRIES + 1).set(table.entries)
    if (lists !== undefined) {
      const [shared, ...own] = lists.keys
      new Int32Array(buffer, KEYS, 8).set([shared!, 0, 0, 0, ...own.slice(0, 4)])
    }
    const mask = 2 ** form.sourceBits - 1
    const record = [form.bytes, touchedBytes(form), mask, BigInt(form.wordBits)] as const
    const [first, end] = drawn === undefined ? [0, 0] : [drawn.first, drawn.end]
    const places = [CURSORS, OWNERS, CHUNKS, POWERS] as const
    this.#parser.open(TABLE, table.shift, TABLE_ENTRIES, this.#buckets, ...places, ...record, first, end - first)
    this.#window = new TextWindow(new Uint8Array(buffer, TEXT, WINDOW_BYTES))
    this.#output = new TakenOutput(BLOCK_ENTRIES, shape.weighted, (block) => this.#add(block))
  }

  /** @returns null for other lines */
  parse({ file, first, end }: LinesRange): ParsedLines[] | null {
    const pieces: ParsedLines[] = []
    for (let number = first; number < end; number++) {
      const text = this.#window.fill(this.#opened(file), textRange(this.#texts[file]!, number))
      const piece = text === null ? null : this.#parse(text)
      if (piece === null) return null
      pieces.push(piece)
    }
    return pieces
  }

  /** @param lines in shared memory, good until the answer @returns null for other lines */
  parseText(lines: Uint8Array): ParsedLines | null {
    return this.#parse(this.#window.set(lines))
  }

  #parse(text: { readonly start: number; readonly end: number }): ParsedLines | null {
    const textBytes = text.end - text.start
    const hasRoom = this.#makeRoom(textBytes / LEAST_LINE_BYTES + 1)
    if (!hasRoom || !this.#reserve(Math.ceil(textBytes / LEAST_WEIGHTED_BYTES) + 1)) return null
    const { bytes } = this.#window
    const usedBytes = this.#usedBytes
    const past = this.#parser.past.value
    const { delimiter, weighted, skipRest } = this.#shape
    const [blank, other] = delimiter === 0 ? [SPACE, TAB] : [delimiter, delimiter]
    const codes = weighted ? this.#codes : undefined
    const asked = [blank, other, codes === undefined ? Number(weighted) : EXACT, Number(skipRest)] as const
    const piece = new PieceLines()
    let entries = 0
    let patience = FEWEST_LINES
    for (let at = text.start; at < text.end;) {
      at = this.#parser.parse(TEXT + at, TEXT + text.end, ...asked) - TEXT
      const fast = this.#parser.lines.value
      piece.took(fast, 0)
      entries += fast
      if (at >= text.end) break
      patience = fast < FEWEST_LINES ? Math.min(MOST_LINES, 2 * patience) : FEWEST_LINES
      at = this.#plain.read(bytes, at, text.end, patience, this.#shape, this.#output, codes)
      this.#output.next()
      piece.took(this.#plain.lines, this.#plain.negatives)
      entries += this.#plain.lines
      if (at < text.end && this.#plain.lines === 0) at = piece.keepOdd(bytes, at)
    }
    const recordsBytes = this.#usedBytes - usedBytes
    if (this.#hasLargerIds) return null
    return { ...piece.parsed(entries, this.#digits()), past: this.#parser.past.value - past, recordsBytes }
  }

  /** Bytes of chunks, and for weights. */
  get #usedBytes(): number {
    return this.#parser.chunks.value * CHUNK_BYTES + this.#parser.codes.value * CODE_BYTES
  }

  /** The lines that end in each range of a text of lists. @returns null where a line may be a comment */
  countLines({ file, first, end }: LinesRange): number[] | null {
    const counts: number[] = []
    for (let number = first; number < end; number++) {
      const text = this.#listText(file, number)
      const lines = text === null ? -1 : this.#parser.countLines(text.start, text.end)
      if (lines < 0) return null
      counts.push(lines)
    }
    return counts
  }

  /** @returns null for other lines, or without room */
  parseLists({ file, first, end, vertices }: ListsRange): ParsedLists | null {
    const chunks = this.#parser.chunks.value
    let [neighbours, loops] = [0, 0]
    for (let number = first; number < end; number++) {
      const text = this.#listText(file, number)
      if (text === null) return null
      const { start, end: last } = text
      if (!this.#makeRoom((last - start) / LEAST_NEIGHBOUR_BYTES / BOTH + 1)) return null
      if (this.#parser.lists(start, last, vertices[number - first]!, this.#vertices, KEYS) === 0) return null
      neighbours += this.#parser.neighbours.value
      loops += this.#parser.loops.value
    }
    const recordsBytes = (this.#parser.chunks.value - chunks) * CHUNK_BYTES
    return this.#hasLargerIds ? null : { neighbours, loops, recordsBytes }
  }

  /** Reads a range of a text, the byte before it and some behind it. @returns where it is in the memory; null for a file that was cut */
  #listText(file: number, number: number): { readonly start: number; readonly end: number } | null {
    const { path, at, end, fileBytes } = textRange(this.#texts[file]!, number)
    const { bytes } = this.#window
    const wanted = Math.min(fileBytes, end + AHEAD_BYTES) - at + 1
    if (readUpTo(this.#opened(file), bytes.subarray(0, wanted), at - 1, path) < wanted) return null
    bytes.fill(0, wanted, wanted + AHEAD_BYTES)
    if (at - 1 + wanted === fileBytes) bytes[wanted] = NEWLINE
    const last = 1 + end - at
    const isEnded = end < fileBytes || bytes[last - 1] === NEWLINE
    return { start: TEXT + 1, end: TEXT + last + (isEnded ? 0 : 1) }
  }

  /** Counts weights since the last call. What the module found counts as one. */
  #digits(): DigitCounts {
    const { printed, long, lost } = this.#plain.digits.taken()
    const { printed: more, long: others } = this.#parser
    return { printed: printed + more.value, long: long + others.value, lost }
  }

  /** Than the table was made for: records are not whole. */
  get #hasLargerIds(): boolean {
    const bucket = this.#buckets - 1
    const [cursor] = new Uint32Array(this.#memory.buffer, CURSORS + 4 * bucket, 1)
    return cursor !== CHUNKS + CHUNK_BYTES * bucket
  }

  /** @returns false for larger ids, or without room */
  take({ block, values }: TakenEntries): boolean {
    const { count, from, to, fromHigh, toHigh } = block
    if (fromHigh !== null || toHigh !== null || !this.#makeRoom(count) || !this.#reserve(count)) return false
    if (values === null) this.#add(block)
    else for (let i = 0; i < count; i++) this.#parser.addExact(from[i]!, to[i]!, values[i]!)
    return !this.#hasLargerIds
  }

  /** Vertices, as loops: these are no edges, and say that a vertex occurs. @returns false for larger ids, or without room */
  declare({ first, end }: Range): boolean {
    if (!this.#makeRoom(end - first)) return false
    const { weighted } = this.#shape
    for (let v = first; v < end; v++)
      if (weighted) this.#parser.addWeighted(v, v, 1)
      else this.#parser.add(v, v)
    return !this.#hasLargerIds
  }

  /** Draws tuples of the model. @returns null for larger ids, or without room */
  draw({ first, end }: Range): DrawnEntries | null {
    const parser = this.#parser
    const chunks = parser.chunks.value
    // Drawn entries take the room of a text.
    const [from, to] = [TEXT, TEXT + 4 * BLOCK_TUPLES].map(
      (at) => new Uint32Array(this.#memory.buffer, at, BLOCK_TUPLES),
    ) as [Uint32Array, Uint32Array]
    let [entries, isFull] = [0, false]
    this.#model!.draw(first, end, (block) => {
      const { count } = block
      isFull ||= !this.#makeRoom(count)
      if (isFull) return
      from.set(block.from.subarray(0, count))
      to.set(block.to.subarray(0, count))
      parser.addAll(TEXT, count, 4 * BLOCK_TUPLES)
      entries += count
    })
    const recordsBytes = (parser.chunks.value - chunks) * CHUNK_BYTES
    return isFull || this.#hasLargerIds ? null : { entries, recordsBytes }
  }

  #taker(): WeightTaker {
    const { code } = this.#parser
    return { take: (value) => floatOfCode(code(value)) }
  }

  /** @returns the distinct weights so far, ascending, in shared memory; null without memory */
  weigh(): Float64Array | null {
    const codes = this.#parser.codes.value
    if (!growTo(this.#keys, 4 * codes)) return null
    this.#weights = sortedWeights(new Uint32Array(this.#values.buffer, 0, 2 * codes))
    return this.#weights && this.#weights.distinct
  }

  /** Puts keys in place of the codes of weights, of which none comes any more. @param all those of this thread are among them */
  encode({ values, keys }: KeyedWeights): void {
    const { codes, repeats, distinct } = this.#weights!
    const byCode = new Float32Array(this.#keys.buffer, 0, codes.length)
    for (let i = 0, own = -1, at = 0; i < codes.length; i++) {
      own += 1 - repeats[i]!
      while (values[at]! < distinct[own]!) at++
      byCode[codes[i]!] = keys[at]!
    }
    this.#parser.encode(this.#chunkRecords)
  }

  finish(): ThreadBuckets {
    const buffer = this.#memory.buffer as unknown as SharedArrayBuffer
    const chunks = this.#parser.chunks.value
    return {
      module: this.#memory,
      memory: buffer,
      chunks,
      owners: new Uint16Array(buffer, OWNERS, chunks),
      cursors: new Uint32Array(buffer, CURSORS, this.#buckets),
      chunksAt: CHUNKS,
      bits: this.#parser.bits.value,
      sums: [this.#parser.sum0.value, this.#parser.sum1.value],
    }
  }

  #opened(number: number): number {
    if (this.#file?.number !== number) {
      this.close()
      this.#file = { number, open: openFile(this.#texts[number]!.path, 'r') }
    }
    return this.#file.open
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file.open)
    this.#file = null
  }

  #add({ count, from, to, weights }: EntryBlock): void {
    if (weights === null) for (let i = 0; i < count; i++) this.#parser.add(from[i]!, to[i]!)
    else for (let i = 0; i < count; i++) this.#parser.addWeighted(from[i]!, to[i]!, weights[i]!)
  }

  /** Makes room for so many weights, if they get codes. */
  #reserve(weights: number): boolean {
    return this.#codes === undefined || this.#parser.reserve(weights) !== 0
  }

  /** For so many entries, wherever they go. */
  #makeRoom(entries: number): boolean {
    const chunks = this.#parser.chunks.value + Math.ceil((BOTH * entries) / this.#chunkRecords) + this.#buckets
    const bytes = CHUNKS + chunks * CHUNK_BYTES
    const { byteLength } = this.#memory.buffer
    const hasRoom = bytes <= byteLength || growTo(this.#memory, Math.max(bytes, byteLength + GROWTH_BYTES))
    return hasRoom && chunks <= MOST_CHUNKS
  }
}

interface SortedWeights {
  /** Ascending, in shared memory. */
  readonly distinct: Float64Array
  /** Codes in the order of their weights. */
  readonly codes: Uint32Array
  /** 1 for a code of the same weight as the one before. */
  readonly repeats: Uint8Array
}

/** Words of a weight and its code. */
const SORTED_WORDS = 3
/** Positive numbers have the order of their bits, but for that of the sign. */
const VALUE_BITS = 63

/** @param words of the weights, by code @returns null without memory */
function sortedWeights(words: Uint32Array): SortedWeights | null {
  const count = words.length / 2
  const bytes = 4 * SORTED_WORDS * count
  const sorter = openSorter()
  const room = DIGITS_BYTES + 8 * Math.ceil(bytes / 8)
  if (!growTo(sorter.memory, room + bytes)) return null
  const records = new Uint32Array(sorter.memory.buffer)
  for (let code = 0, at = DIGITS_BYTES / 4; code < count; code++) {
    records[at++] = words[2 * code]!
    records[at++] = words[2 * code + 1]!
    records[at++] = code
  }
  let at = sortBits(sorter, { at: DIGITS_BYTES, room, count, size: 12 }, 0, VALUE_BITS) / 4
  const halves = new Uint32Array(new SharedArrayBuffer(8 * count))
  const codes = new Uint32Array(count)
  const repeats = new Uint8Array(count)
  let [used, low, high] = [0, 0, 0]
  for (let i = 0; i < count; i++, at += SORTED_WORDS) {
    codes[i] = records[at + 2]!
    if (records[at] === low && records[at + 1] === high) repeats[i] = 1
    else {
      halves[used++] = low = records[at]!
      halves[used++] = high = records[at + 1]!
    }
  }
  return { distinct: new Float64Array(halves.buffer, 0, used / 2), codes, repeats }
}
