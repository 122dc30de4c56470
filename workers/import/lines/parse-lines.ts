import type { JobContext } from '../../base/job.ts'
import type { EntryBlock } from '../../graph/entries.ts'
import { readPiece } from '../external/line-spreader.ts'
import type { ReadOutcome } from '../graph-reader.ts'
import { type FilledBuckets, gatherBuckets, recordBytesOf } from './buckets.ts'
import type { ParsedLines } from './line-buckets.ts'
import type { LineThreads } from './line-threads.ts'
import { OtherLines, rangesOf, type TextFile } from './text-parts.ts'
import { parseParts } from './parse-parts.ts'
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
 * Parses files in all threads. Other lines go to the reader of their file, in order.
 * @throws OtherLines; Failure (input) at the first line with a fault
 */
export async function parseLines(plan: LinesPlan, threads: LineThreads, job: JobContext): Promise<ParsedFiles> {
  const { files, shape, table, rangeBytes } = plan
  const { path, fileBytes, firstByte, parts } = files[0]!
  const text = { path, fileBytes, firstByte, rangeBytes }
  let recordsBytes = 0
  const count = (piece: ParsedLines | null): ParsedLines => {
    if (piece === null) throw new OtherLines()
    recordsBytes += piece.recordsBytes
    if (recordsBytes > plan.recordsBytes) throw new OtherLines()
    return piece
  }
  const read = (piece: ParsedLines, { reading }: LinesFile): void =>
    readPiece(reading.reader, reading.context.output, piece)
  await threads.each('openLines', { ...text, shape, table })
  if (files.length > 1 || parts.length > 0) await parseParts(plan, threads, { count, read }, job)
  else await parseFile(text, threads, (piece) => read(count(piece), files[0]!), job)
  const parsedFiles: ParsedFile[] = []
  for (const file of files) parsedFiles.push(await finishFile(file, threads))
  const parsed = await threads.each('closeLines', null)
  const bits = parsed.reduce((all, thread) => all | thread.bits, 0)
  return {
    buckets: gatherBuckets(parsed, table.bounds.length - 1, recordBytesOf(shape.weighted)),
    idBits: 32 - Math.clz32(bits),
    entries: parsedFiles.reduce((sum, { entries }) => sum + entries, 0),
    files: parsedFiles,
  }
}

/** Entries of the reader go to a thread. */
async function finishFile(file: LinesFile, threads: LineThreads): Promise<ParsedFile> {
  const { reader, context } = file.reading
  const outcome = reader.finish()
  const { output, weights } = context
  const blocks: EntryBlock[] = []
  await output.drain({ accept: (block) => void blocks.push(block) }, true)
  weights.refuse()
  for (const block of blocks) if (!(await threads.one('takeEntries', block))) throw new OtherLines()
  return { ...file, outcome, entries: output.entries }
}

type Take = (piece: ParsedLines | null) => void

async function parseFile(text: TextFile, threads: LineThreads, take: Take, job: JobContext) {
  const { path, fileBytes, firstByte, rangeBytes } = text
  const tasks = threads.ranges(rangesOf(text), TASK_RANGES)
  const waiting = new Map<number, readonly ParsedLines[]>()
  let read = 0
  threads.startHash([{ path, fileBytes }])
  await threads.spread('parseLines', tasks, (pieces, number) => {
    if (pieces === null) throw new OtherLines()
    waiting.set(number, pieces)
    for (let next = waiting.get(read); next !== undefined; next = waiting.get(++read)) {
      waiting.delete(read)
      for (const piece of next) take(piece)
    }
    const done = tasks[read]?.first ?? Infinity
    job.progress({
      phase: 'parse',
      done: Math.min(fileBytes, firstByte + done * rangeBytes),
      total: fileBytes,
      unit: 'bytes',
    })
  })
}
