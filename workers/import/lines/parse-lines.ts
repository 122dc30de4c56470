/**
 * Parses the texts of an import by all threads: plain files by ranges that threads read themselves, compressed ones by parts that inflate side
 * by side, or one after another. Lines between two ranges and lines that are not ordinary go to the reader of their file, in order, which counts
 * lines and finds the first fault. Weights that 32-bit floats do not hold are codes in records, and keys once all are known. What is none of
 * this ends the way, and the general import reads. line-buckets.ts parses, text-parts.ts cuts, exact-weights.ts has the keys.
 */

import type { JobContext } from '../../base/job.ts'
import type { ImportArgs } from '../../contract/jobs.ts'
import { declareVertices } from '../reading/vertex-file.ts'
import type { EntryBlock } from '../../graph/entries.ts'
import { readPiece, sharedSlots } from '../reader/plain-lines.ts'
import { type BucketTable, gatherBuckets } from '../build/filled-buckets.ts'
import type { LinesRange, ParsedLines } from '../build/line-buckets.ts'
import { type Range, rangesOf } from '../../base/ranges.ts'
import type { ThreadPool } from '../build/import-threads.ts'
import { rangeCount, type TextFile, textRange, LINE_BYTES, TEXT_BYTES, unpack } from '../build/text-parts.ts'
import type { LinesFile, LinesPlan } from './plan-lines.ts'
import type { OtherReading } from '../reader/graph-reader.ts'
import { keysOfAll, type ReaderWeights } from '../reader/exact-weights.ts'
import { WeightDigits } from '../reader/weight-codes.ts'

/** 2 MiB at most. */
const TASK_RANGES = 8
const VERTICES_A_TASK = 1 << 18

export type ParsedFiles = Exclude<Awaited<ReturnType<typeof parseLines>>, OtherReading | null>

/**
 * Parses files by all threads; other lines go to the reader of their file, in order.
 * @returns `weights` where floats do not hold them; null for what only the general import reads, from the first line on @throws Failure (input) at the first line with a fault
 */
export async function parseLines(args: ImportArgs, plan: LinesPlan, threads: ThreadPool, job: JobContext) {
  const wide: OtherReading = { other: 'weights' }
  const { files, shape, table, rangeBytes, codes } = plan
  const texts = files.map(({ path, fileBytes, firstByte }) => ({ path, fileBytes, firstByte, rangeBytes }))
  let recordsBytes = 0
  const digits = new WeightDigits()
  const areWide = (): boolean => !digits.areKept && !plan.roundsWeights && codes === undefined
  const fits = (piece: ParsedLines | null): piece is ParsedLines => {
    if (piece === null) return false
    recordsBytes += piece.recordsBytes
    digits.add(piece.digits)
    return recordsBytes <= plan.recordsBytes && !areWide()
  }
  await threads.open('lines', () => ({ texts, shape, table, isExact: codes !== undefined }))
  const plain = await parsePlain(plan, texts, threads, fits, job)
  if (plain === null || !(await parseParts(plan, plain, threads, fits, job))) return areWide() ? wide : null
  const parsedFiles: FinishedFile[] = []
  let areTaken = true
  const take = async (block: EntryBlock, values: Float64Array | null = null): Promise<void> => {
    areTaken &&= await threads.run('lines', 'take', { block, values })
  }
  const takeRead = (block: EntryBlock): Promise<void> =>
    take(block, codes === undefined ? null : codes.valuesOf(block.weights!, block.count))
  for (const file of files) {
    const finished = await finishFile(file, takeRead)
    if (finished === null) return null
    const { digits: own } = file.reading.context.weights
    if (!own.areKept && !plan.roundsWeights && codes === undefined) return wide
    parsedFiles.push(finished)
  }
  const space = parsedFiles[0]!.outcome.vertices
  const added = await declareVertices(
    args,
    space,
    shape.weighted,
    { accept: (block) => take(block) },
    async () => {},
    job,
  )
  if ('other' in added) return null
  const counted = files[0]!.reading.reader.countedVertices ?? 0
  const declared = { first: 1, end: counted + 1 }
  if (!areTaken || !(await declareAll(declared, threads))) return null
  const coded = codes === undefined ? undefined : await codeWeights(codes, threads)
  if (coded === null) return null
  const { buckets, idBits } = await filledBy(threads, table)
  return {
    ...{ buckets, idBits },
    /** Absent where floats hold the weights. */
    coded,
    entries: parsedFiles.reduce((sum, { entries }) => sum + entries, added.declared),
    files: parsedFiles,
    /** What the table of vertices declared. */
    table: added,
    declared: counted === 0 ? null : declared,
    directions: 2 as 1 | 2,
  }
}

/** Puts the keys of weights in place of their codes, in all records. @returns null without memory */
async function codeWeights(codes: ReaderWeights, threads: ThreadPool) {
  const lists = await threads.each('lines', 'weigh', undefined)
  if (!lists.every((list) => list !== null)) return null
  const coded = keysOfAll(lists, codes.distinct())
  const { values, keys } = coded
  await threads.each('lines', 'encode', { values, keys })
  return coded
}

/** What all threads put into buckets. */
export async function filledBy(threads: ThreadPool, { bounds, form }: BucketTable) {
  const filled = await threads.finish('lines')
  const idBits = 32 - Math.clz32(filled.reduce((all, { bits }) => all | bits, 0))
  return { filled, idBits, buckets: gatherBuckets(filled, bounds.length - 1, form) }
}

/** Declares vertices, whether they occur or not. @returns false without room */
export function declareAll(vertices: Range, threads: ThreadPool): Promise<boolean> {
  const ranges = rangesOf(vertices.end - vertices.first, VERTICES_A_TASK).map(({ first, end }) => ({
    first: vertices.first + first,
    end: vertices.first + end,
  }))
  return threads.spread('lines', 'declare', ranges, (isDone) => isDone)
}

type FinishedFile = NonNullable<Awaited<ReturnType<typeof finishFile>>>

/** @returns null where it is to be read in another way, or no value is another than zero */
async function finishFile(file: LinesFile, take: (block: EntryBlock) => Promise<void>) {
  const { reader, context } = file.reading
  const outcome = reader.other ?? reader.finish()
  if ('other' in outcome) return null
  const { output, weights } = context
  const blocks: EntryBlock[] = []
  await output.drain({ accept: (block) => void blocks.push(block) }, true)
  weights.refuse()
  if (weights.zeros > 0 && output.entries === 0) return null
  // As they are written.
  const base = outcome.vertices.kind === 'counted' ? outcome.vertices.base : 0
  for (const block of blocks) {
    for (const ids of base > 0 ? [block.from, block.to] : []) for (let i = 0; i < block.count; i++) ids[i]! += base
    await take(block)
  }
  return { ...file, outcome, entries: output.entries }
}

/** Threads read ranges of the files by themselves. @returns the bytes of these files; null for other lines */
async function parsePlain(
  { files, fileBytes: total }: LinesPlan,
  texts: readonly TextFile[],
  threads: ThreadPool,
  fits: FitsPiece,
  job: JobContext,
): Promise<number | null> {
  const tasks = texts.flatMap((text, file) =>
    files[file]!.parts.length > 0
      ? []
      : threads.ranges(rangeCount(text), TASK_RANGES).map((range) => ({ file, ...range })),
  )
  const bytesOf = ({ file, first, end }: LinesRange): number =>
    textRange(texts[file]!, end - 1).end - textRange(texts[file]!, first).at
  let done = 0
  const take = inOrder<readonly ParsedLines[]>((pieces, number) => {
    const task = tasks[number]!
    const { reader, context } = files[task.file]!.reading
    for (const piece of pieces) {
      if (!fits(piece)) return false
      readPiece(reader, context.output, piece)
      if (reader.other) return false
    }
    done += bytesOf(task)
    return true
  })
  const areParsed = await threads.spread('lines', 'parse', tasks, (pieces, number) => {
    if (pieces === null || !take(pieces, number)) return false
    job.progress({ phase: 'parse', done, total, unit: 'bytes' })
  })
  return areParsed ? done : null
}

type TakeInOrder<T> = (item: T, number: number) => boolean

/** Hands on what arrives in any order in that of the numbers, until it is not taken. */
function inOrder<T>(take: TakeInOrder<T>): TakeInOrder<T> {
  const waiting = new Map<number, T>()
  let next = 0
  return (item, number) => {
    waiting.set(number, item)
    for (let ready = waiting.get(next); ready !== undefined; ready = waiting.get(next)) {
      waiting.delete(next)
      if (!take(ready, next++)) return false
    }
    return true
  }
}

const NEWLINE = 10
/** The least parts under way. */
const UNDER_WAY = 3

/** Whether a piece is of such lines, and has room. */
type FitsPiece = (piece: ParsedLines | null) => piece is ParsedLines

/** Parses parts of compressed files, as many at a time as the pool has threads. @returns false for other lines */
async function parseParts(
  { files, fileBytes }: LinesPlan,
  before: number,
  threads: ThreadPool,
  fits: FitsPiece,
  job: JobContext,
): Promise<boolean> {
  const parts = files.flatMap((file) => {
    const take = partReader(file)
    return file.parts.map((part, number) => ({ file, part, number, take }))
  })
  const most = Math.max(UNDER_WAY, Math.ceil((2 * threads.threads.length) / parts.length))
  const done = new Float64Array(parts.length)
  return threads.together(parts.length, async (each) => {
    const { file, part, number, take } = parts[each]!
    const progress = (bytes: number): void => {
      done[each] = bytes
      const all = done.reduce((sum, one) => sum + one, before)
      job.progress({ phase: 'parse', done: all, total: fileBytes, unit: 'bytes' })
    }
    const chunks = unpack(part, progress)
    const lines = new PartLines(most + 1)
    const pieces: ParsedLines[] = []
    const under: Promise<ParsedLines | null>[] = []
    const settle = async (left: number): Promise<boolean> => {
      let areFit = true
      while (under.length > left) {
        const piece = await under.shift()!
        areFit &&= fits(piece)
        if (areFit) pieces.push(piece!)
      }
      return areFit
    }
    for await (const text of lines.cut(number === 0 ? behind(chunks, file.firstByte) : chunks)) {
      if (text !== null) under.push(threads.run('lines', 'parseText', text))
      if (!(await settle(text === null ? 0 : most)) || text === null) return false
    }
    return (await settle(0)) && take({ lines, pieces }, number)
  })
}

/** The chunks of a text; null where it is other lines. */
type TextChunks = AsyncIterable<Uint8Array | null>

/** A text without its first `skipped` bytes. */
async function* behind(chunks: TextChunks, skipped: number): AsyncGenerator<Uint8Array | null> {
  let left = skipped
  for await (const chunk of chunks) {
    const skip = Math.min(left, chunk?.length ?? 0)
    left -= skip
    yield chunk && chunk.subarray(skip)
  }
  if (left > 0) yield null
}

interface ParsedPart {
  readonly lines: PartLines
  readonly pieces: readonly ParsedLines[]
}

const NOTHING = new Uint8Array(0)

/** Takes parts in order; lines that two of them share go to the reader of their file. */
function partReader({ reading, parts }: LinesFile): TakeInOrder<ParsedPart> {
  const { reader, context } = reading
  let carried: Uint8Array = NOTHING
  const read = (line: Uint8Array): void => reader.readLines(line, 0, line.length)
  return inOrder(({ lines, pieces }, number) => {
    const line = Buffer.concat([carried, lines.head])
    if (lines.hasNewline) read(line)
    for (const piece of pieces) readPiece(reader, context.output, piece)
    carried = lines.hasNewline ? lines.tail : line
    if (carried.length > LINE_BYTES) return false
    const isLast = number === parts.length - 1
    if (isLast && carried.length > 0) read(Buffer.concat([carried, Uint8Array.of(NEWLINE)]))
    return !reader.other
  })
}

/** The bytes up to the first newline and after the last are joined with the parts beside it. */
class PartLines {
  /** All of the text without a newline. */
  head: Uint8Array = NOTHING
  tail: Uint8Array = NOTHING
  hasNewline = false
  readonly #hold: ReturnType<typeof sharedSlots>

  /** @param slots pieces in use at a time */
  constructor(slots: number) {
    this.#hold = sharedSlots(slots, TEXT_BYTES + LINE_BYTES)
  }

  /** Cuts a text into chunks in {@link sharedSlots}; null is the last one of other lines, or behind a long one. */
  async *cut(chunks: TextChunks): AsyncGenerator<Uint8Array | null> {
    let carried: Uint8Array = NOTHING
    for await (const chunk of chunks) {
      if (chunk === null) return yield null
      const end = chunk.lastIndexOf(NEWLINE) + 1
      let at = 0
      if (end > 0) {
        at = chunk.indexOf(NEWLINE) + 1
        const border = Buffer.concat([carried, chunk.subarray(0, at)])
        if (border.length > LINE_BYTES) return yield null
        if (this.hasNewline) yield this.#hold(border)
        else this.head = border
        this.hasNewline = true
        carried = NOTHING
      }
      while (at < end) {
        const cut = at + TEXT_BYTES >= end ? end : chunk.indexOf(NEWLINE, at + TEXT_BYTES - 1) + 1
        if (cut - at > TEXT_BYTES + LINE_BYTES) return yield null
        yield this.#hold(chunk.subarray(at, cut))
        at = cut
      }
      carried = Buffer.concat([carried, chunk.subarray(end)])
      if (carried.length > LINE_BYTES) return yield null
    }
    if (this.hasNewline) this.tail = carried
    else this.head = carried
  }
}
