/**
 * Parses the texts of an import by all threads: plain files by ranges that threads read themselves, compressed ones by parts that inflate side
 * by side, or one after another. Lines between two ranges and lines that are not ordinary go to the reader of their file, in order, which counts
 * lines and finds the first fault. What is none of this ends the way, and the general import reads. line-buckets.ts parses, text-parts.ts cuts.
 */

import type { JobContext } from '../../base/job.ts'
import type { ImportArgs } from '../../contract/jobs.ts'
import { declareVertices } from '../reading/vertex-file.ts'
import type { EntryBlock } from '../../graph/entries.ts'
import { readPiece, sharedSlots } from '../reader/plain-lines.ts'
import { gatherBuckets } from '../build/filled-buckets.ts'
import type { LinesRange, ParsedLines } from '../build/line-buckets.ts'
import { rangesOf } from '../../base/ranges.ts'
import type { ThreadPool } from '../build/import-threads.ts'
import {
  OtherLines,
  rangeCount,
  type TextFile,
  textRange,
  LINE_BYTES,
  TEXT_BYTES,
  unpack,
} from '../build/text-parts.ts'
import type { LinesFile, LinesPlan } from './plan-lines.ts'
import { WeightDigits, WideWeights } from '../reader/weight-codes.ts'

/** 2 MiB at most. */
const TASK_RANGES = 8
const VERTICES_A_TASK = 1 << 18

export type ParsedFiles = Awaited<ReturnType<typeof parseLines>>

/**
 * Other lines go to the reader of their file, in order. @throws OtherLines; Failure (input) at the first line with a fault
 */
export async function parseLines(args: ImportArgs, plan: LinesPlan, threads: ThreadPool, job: JobContext) {
  const { files, shape, table, rangeBytes } = plan
  const texts = files.map(({ path, fileBytes, firstByte }) => ({ path, fileBytes, firstByte, rangeBytes }))
  let recordsBytes = 0
  const digits = new WeightDigits()
  const count = (piece: ParsedLines | null): ParsedLines => {
    if (piece === null) throw new OtherLines()
    recordsBytes += piece.recordsBytes
    if (recordsBytes > plan.recordsBytes) throw new OtherLines()
    digits.add(piece.digits)
    if (!digits.areKept && !plan.roundsWeights) throw new WideWeights()
    return piece
  }
  await threads.open('lines', () => ({ texts, shape, table }))
  const plain = await parsePlain(plan, texts, threads, count, job)
  await parseParts(plan, plain, threads, count, job)
  const parsedFiles: Awaited<ReturnType<typeof finishFile>>[] = []
  for (const file of files) parsedFiles.push(await finishFile(file, threads, plan.roundsWeights))
  const take = async (block: EntryBlock): Promise<void> => {
    if (!(await threads.run('lines', 'take', block))) throw new OtherLines()
  }
  const space = parsedFiles[0]!.outcome.vertices
  const added = await declareVertices(args, space, shape.weighted, { accept: take }, async () => {}, job)
  const declared = files[0]!.reading.reader.countedVertices ?? 0
  await declareCounted(declared, threads)
  const parsed = await threads.finish('lines')
  const bits = parsed.reduce((all, thread) => all | thread.bits, 0)
  return {
    buckets: gatherBuckets(parsed, table.bounds.length - 1, table.form),
    idBits: 32 - Math.clz32(bits),
    entries: parsedFiles.reduce((sum, { entries }) => sum + entries, added.declared),
    files: parsedFiles,
    /** What the table of vertices declared. */
    table: added,
    declared: declared === 0 ? null : { first: 1, end: declared + 1 },
    directions: 2 as 1 | 2,
  }
}

/** Declares vertices from 1 on. @throws OtherLines without room */
export async function declareCounted(vertices: number, threads: ThreadPool): Promise<void> {
  const ranges = rangesOf(vertices, VERTICES_A_TASK).map(({ first, end }) => ({ first: first + 1, end: end + 1 }))
  await threads.spread('lines', 'declare', ranges, (isDone) => {
    if (!isDone) throw new OtherLines()
  })
}

async function finishFile(file: LinesFile, threads: ThreadPool, roundsWeights: boolean) {
  const { reader, context } = file.reading
  const outcome = reader.finish()
  const { output, weights } = context
  const blocks: EntryBlock[] = []
  await output.drain({ accept: (block) => void blocks.push(block) }, true)
  weights.refuse()
  if (weights.zeros > 0 && output.entries === 0) throw new OtherLines()
  if (!weights.digits.areKept && !roundsWeights) throw new WideWeights()
  // As they are written.
  const base = outcome.vertices.kind === 'counted' ? outcome.vertices.base : 0
  for (const block of blocks) {
    for (const ids of base > 0 ? [block.from, block.to] : []) for (let i = 0; i < block.count; i++) ids[i]! += base
    if (!(await threads.run('lines', 'take', block))) throw new OtherLines()
  }
  return { ...file, outcome, entries: output.entries }
}

/** Threads read ranges of the files by themselves. @returns the bytes of these files */
async function parsePlain(
  { files, fileBytes: total }: LinesPlan,
  texts: readonly TextFile[],
  threads: ThreadPool,
  count: CountPiece,
  job: JobContext,
): Promise<number> {
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
    for (const piece of pieces) readPiece(reader, context.output, count(piece))
    done += bytesOf(task)
  })
  await threads.spread('lines', 'parse', tasks, (pieces, number) => {
    if (pieces === null) throw new OtherLines()
    take(pieces, number)
    job.progress({ phase: 'parse', done, total, unit: 'bytes' })
  })
  return done
}

/** Hands on what arrives in any order in that of the numbers. */
function inOrder<T>(take: (item: T, number: number) => void): (item: T, number: number) => void {
  const waiting = new Map<number, T>()
  let next = 0
  return (item, number) => {
    waiting.set(number, item)
    for (let ready = waiting.get(next); ready !== undefined; ready = waiting.get(next)) {
      waiting.delete(next)
      take(ready, next++)
    }
  }
}

const NEWLINE = 10
/** The least parts under way. */
const UNDER_WAY = 3

/** @throws OtherLines for other lines, or without room */
type CountPiece = (piece: ParsedLines | null) => ParsedLines

/** Parses parts of compressed files, as many at a time as the pool has threads. */
async function parseParts(
  { files, fileBytes }: LinesPlan,
  before: number,
  threads: ThreadPool,
  count: CountPiece,
  job: JobContext,
): Promise<void> {
  const parts = files.flatMap((file) => {
    const take = partReader(file)
    return file.parts.map((part, number) => ({ file, part, number, take }))
  })
  const most = Math.max(UNDER_WAY, Math.ceil((2 * threads.threads.length) / parts.length))
  const done = new Float64Array(parts.length)
  await threads.together(parts.length, async (each) => {
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
    const settle = async (left: number): Promise<void> => {
      while (under.length > left) pieces.push(count(await under.shift()!))
    }
    for await (const text of lines.cut(number === 0 ? behind(chunks, file.firstByte) : chunks)) {
      under.push(threads.run('lines', 'parseText', text))
      await settle(most)
    }
    await settle(0)
    take({ lines, pieces }, number)
  })
}

/** Without the first `skipped` bytes. @throws OtherLines */
async function* behind(chunks: AsyncIterable<Uint8Array>, skipped: number): AsyncGenerator<Uint8Array> {
  let left = skipped
  for await (const chunk of chunks) {
    const skip = Math.min(left, chunk.length)
    left -= skip
    yield chunk.subarray(skip)
  }
  if (left > 0) throw new OtherLines()
}

interface ParsedPart {
  readonly lines: PartLines
  readonly pieces: readonly ParsedLines[]
}

const NOTHING = new Uint8Array(0)

/** Takes parts in order; lines that two of them share go to the reader of their file. */
function partReader({ reading, parts }: LinesFile): (part: ParsedPart, number: number) => void {
  const { reader, context } = reading
  let carried: Uint8Array = NOTHING
  const read = (line: Uint8Array): void => reader.readLines(line, 0, line.length)
  return inOrder(({ lines, pieces }, number) => {
    const line = Buffer.concat([carried, lines.head])
    if (lines.hasNewline) read(line)
    for (const piece of pieces) readPiece(reader, context.output, piece)
    carried = lines.hasNewline ? lines.tail : line
    if (carried.length > LINE_BYTES) throw new OtherLines()
    const isLast = number === parts.length - 1
    if (isLast && carried.length > 0) read(Buffer.concat([carried, Uint8Array.of(NEWLINE)]))
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

  /** Cuts a text into chunks in {@link sharedSlots}. @throws OtherLines for a long line */
  async *cut(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let carried: Uint8Array = NOTHING
    for await (const chunk of chunks) {
      const end = chunk.lastIndexOf(NEWLINE) + 1
      let at = 0
      if (end > 0) {
        at = chunk.indexOf(NEWLINE) + 1
        const border = Buffer.concat([carried, chunk.subarray(0, at)])
        if (border.length > LINE_BYTES) throw new OtherLines()
        if (this.hasNewline) yield this.#hold(border)
        else this.head = border
        this.hasNewline = true
        carried = NOTHING
      }
      while (at < end) {
        const cut = at + TEXT_BYTES >= end ? end : chunk.indexOf(NEWLINE, at + TEXT_BYTES - 1) + 1
        if (cut - at > TEXT_BYTES + LINE_BYTES) throw new OtherLines()
        yield this.#hold(chunk.subarray(at, cut))
        at = cut
      }
      carried = Buffer.concat([carried, chunk.subarray(end)])
      if (carried.length > LINE_BYTES) throw new OtherLines()
    }
    if (this.hasNewline) this.tail = carried
    else this.head = carried
  }
}
