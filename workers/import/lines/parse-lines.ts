import type { JobContext } from '../../base/job.ts'
import type { EntryBlock } from '../../graph/entries.ts'
import { readPiece } from '../external/piece-parser.ts'
import type { ReadOutcome } from '../graph-reader.ts'
import { type FilledBuckets, gatherBuckets } from './buckets.ts'
import type { LinesRange, ParsedLines } from './line-buckets.ts'
import type { ThreadPool } from '../external/thread-pool.ts'
import { OtherLines, rangesOf, type TextFile, textRange, LINE_BYTES, TEXT_BYTES, unpack } from './text-parts.ts'
import type { LinesFile, LinesPlan } from './plan-lines.ts'

/** 2 MiB at most. */
const TASK_RANGES = 8

export interface ParsedFiles {
  readonly buckets: FilledBuckets
  readonly idBits: number
  readonly entries: number
  readonly files: readonly ParsedFile[]
}

export interface ParsedFile extends LinesFile {
  readonly outcome: ReadOutcome
  readonly entries: number
}

/**
 * Other lines go to the reader of their file, in order. @throws OtherLines; Failure (input) at the first line with a fault
 */
export async function parseLines(plan: LinesPlan, threads: ThreadPool, job: JobContext): Promise<ParsedFiles> {
  const { files, shape, table, rangeBytes } = plan
  const texts = files.map(({ path, fileBytes, firstByte }) => ({ path, fileBytes, firstByte, rangeBytes }))
  let recordsBytes = 0
  const count = (piece: ParsedLines | null): ParsedLines => {
    if (piece === null) throw new OtherLines()
    recordsBytes += piece.recordsBytes
    if (recordsBytes > plan.recordsBytes) throw new OtherLines()
    return piece
  }
  const read = (piece: ParsedLines, { reading }: LinesFile): void =>
    readPiece(reading.reader, reading.context.output, piece)
  await threads.open('lines', () => ({ texts, shape, table }))
  const taker = { count, read }
  const plain = await parsePlain(plan, texts, threads, taker, job)
  await parseParts(plan, plain, threads, taker, job)
  const parsedFiles: ParsedFile[] = []
  for (const file of files) parsedFiles.push(await finishFile(file, threads))
  const parsed = await threads.finish('lines')
  const bits = parsed.reduce((all, thread) => all | thread.bits, 0)
  return {
    buckets: gatherBuckets(parsed, table.bounds.length - 1, table.form),
    idBits: 32 - Math.clz32(bits),
    entries: parsedFiles.reduce((sum, { entries }) => sum + entries, 0),
    files: parsedFiles,
  }
}

async function finishFile(file: LinesFile, threads: ThreadPool): Promise<ParsedFile> {
  const { reader, context } = file.reading
  const outcome = reader.finish()
  const { output, weights } = context
  const blocks: EntryBlock[] = []
  await output.drain({ accept: (block) => void blocks.push(block) }, true)
  weights.refuse()
  for (const block of blocks) if (!(await threads.run('lines', 'take', block))) throw new OtherLines()
  return { ...file, outcome, entries: output.entries }
}

/** Threads read ranges of the files by themselves. @returns the bytes of these files */
async function parsePlain(
  { files, fileBytes: total }: LinesPlan,
  texts: readonly TextFile[],
  threads: ThreadPool,
  { count, read }: LinesTaker,
  job: JobContext,
): Promise<number> {
  const tasks = texts.flatMap((text, file) =>
    files[file]!.parts.length > 0
      ? []
      : threads.ranges(rangesOf(text), TASK_RANGES).map((range) => ({ file, ...range })),
  )
  const bytesOf = ({ file, first, end }: LinesRange): number =>
    textRange(texts[file]!, end - 1).end - textRange(texts[file]!, first).at
  const order = new InOrder<readonly ParsedLines[]>()
  let done = 0
  await threads.spread('lines', 'parse', tasks, (pieces, number) => {
    if (pieces === null) throw new OtherLines()
    order.add(number, pieces, (ready, at) => {
      const task = tasks[at]!
      for (const piece of ready) read(count(piece), files[task.file]!)
      done += bytesOf(task)
    })
    job.progress({ phase: 'parse', done, total, unit: 'bytes' })
  })
  return done
}

/** Hands on what arrives in any order in that of the numbers. */
class InOrder<T> {
  readonly #waiting = new Map<number, T>()
  #next = 0

  add(number: number, item: T, take: (item: T, number: number) => void): void {
    this.#waiting.set(number, item)
    for (let ready = this.#waiting.get(this.#next); ready !== undefined; ready = this.#waiting.get(this.#next)) {
      this.#waiting.delete(this.#next)
      take(ready, this.#next++)
    }
  }
}

const NEWLINE = 10
/** Of a part, at least. */
const UNDER_WAY = 3

interface LinesTaker {
  /** @throws OtherLines for other lines, or without room */
  count(piece: ParsedLines | null): ParsedLines
  /** In the order of its file. */
  read(piece: ParsedLines, file: LinesFile): void
}

/** Of compressed files, as many at a time as the pool has threads. */
async function parseParts(
  { files, fileBytes }: LinesPlan,
  before: number,
  threads: ThreadPool,
  taker: LinesTaker,
  job: JobContext,
): Promise<void> {
  const parts = files.flatMap((file) => {
    const order = new PartOrder(file, taker, threads)
    return file.parts.map((part, number) => ({ file, part, number, order }))
  })
  const most = Math.max(UNDER_WAY, Math.ceil((2 * threads.threads.length) / parts.length))
  const done = new Float64Array(parts.length)
  await threads.together(parts.length, async (each) => {
    const { file, part, number, order } = parts[each]!
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
      while (under.length > left) pieces.push(taker.count(await under.shift()!))
    }
    for await (const text of lines.cut(number === 0 ? behind(chunks, file.firstByte) : chunks)) {
      under.push(threads.run('lines', 'parseText', text))
      await settle(most)
    }
    await settle(0)
    await order.add(number, { lines, pieces })
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

class PartOrder {
  readonly #taker: LinesTaker
  readonly #file: LinesFile
  readonly #threads: ThreadPool
  readonly #order = new InOrder<ParsedPart>()
  #carried: Uint8Array = new Uint8Array(0)
  #turn: Promise<void> = Promise.resolve()

  constructor(file: LinesFile, taker: LinesTaker, threads: ThreadPool) {
    this.#file = file
    this.#taker = taker
    this.#threads = threads
  }

  add(number: number, part: ParsedPart): Promise<void> {
    this.#order.add(number, part, (ready, at) => {
      this.#turn = this.#turn.then(() => this.#read(ready, at === this.#file.parts.length - 1))
    })
    return this.#turn
  }

  async #read({ lines, pieces }: ParsedPart, isLast: boolean): Promise<void> {
    const line = Buffer.concat([this.#carried, lines.head])
    if (lines.hasNewline) await this.#parse(line)
    for (const piece of pieces) this.#taker.read(piece, this.#file)
    this.#carried = lines.hasNewline ? lines.tail : line
    if (this.#carried.length > LINE_BYTES) throw new OtherLines()
    if (isLast && this.#carried.length > 0) await this.#parse(Buffer.concat([this.#carried, Uint8Array.of(NEWLINE)]))
  }

  async #parse(lines: Uint8Array): Promise<void> {
    this.#taker.read(this.#taker.count(await this.#threads.run('lines', 'parseText', lines)), this.#file)
  }
}

const NOTHING = new Uint8Array(0)

/** The bytes up to the first newline and after the last are joined with the parts beside it. */
class PartLines {
  /** All of the text without a newline. */
  head: Uint8Array = NOTHING
  tail: Uint8Array = NOTHING
  hasNewline = false
  readonly #slots: (Uint8Array | undefined)[]
  #next = 0

  /** @param slots pieces in use at a time */
  constructor(slots: number) {
    this.#slots = Array.from({ length: slots })
  }

  /** In shared memory, good until all other slots were used. @throws OtherLines for a long line */
  async *cut(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let carried: Uint8Array = NOTHING
    for await (const chunk of chunks) {
      const end = chunk.lastIndexOf(NEWLINE) + 1
      let at = 0
      if (end > 0) {
        at = chunk.indexOf(NEWLINE) + 1
        const border = Buffer.concat([carried, chunk.subarray(0, at)])
        if (border.length > LINE_BYTES) throw new OtherLines()
        if (this.hasNewline) yield this.#slot(border)
        else this.head = border
        this.hasNewline = true
        carried = NOTHING
      }
      while (at < end) {
        const cut = at + TEXT_BYTES >= end ? end : chunk.indexOf(NEWLINE, at + TEXT_BYTES - 1) + 1
        if (cut - at > TEXT_BYTES + LINE_BYTES) throw new OtherLines()
        yield this.#slot(chunk.subarray(at, cut))
        at = cut
      }
      carried = Buffer.concat([carried, chunk.subarray(end)])
      if (carried.length > LINE_BYTES) throw new OtherLines()
    }
    if (this.hasNewline) this.tail = carried
    else this.head = carried
  }

  #slot(lines: Uint8Array): Uint8Array {
    const number = this.#next++ % this.#slots.length
    const slot = (this.#slots[number] ??= new Uint8Array(new SharedArrayBuffer(TEXT_BYTES + LINE_BYTES)))
    slot.set(lines)
    return slot.subarray(0, lines.length)
  }
}
