import type { JobContext } from '../../job.ts'
import type { EntryBlock } from '../entries.ts'
import { readPiece } from '../external/line-spreader.ts'
import type { ReadOutcome } from '../graph-reader.ts'
import { type FilledBuckets, gatherBuckets, recordBytesOf } from './buckets.ts'
import type { ParsedLines } from './line-buckets.ts'
import type { LineThreads } from './line-threads.ts'
import { OtherLines } from './other-lines.ts'
import type { LinesPlan } from './plan-lines.ts'
import { textRanges } from './text-window.ts'

/** A file whose entries are in memory. */
export interface ParsedFile {
  readonly buckets: FilledBuckets
  /** All ids have at most so many bits. */
  readonly idBits: number
  readonly entries: number
  readonly outcome: ReadOutcome
}

/**
 * Has the lines of a file parsed by all threads. Lines that are not plain go to the reader, in the order of the file.
 * @throws OtherLines; Failure (input) at the first line with a fault
 */
export async function parseLines(plan: LinesPlan, threads: LineThreads, job: JobContext): Promise<ParsedFile> {
  const { path, fileBytes, firstByte, shape, table, rangeBytes } = plan
  const { reader, context } = plan.reading
  const ranges = textRanges(firstByte, fileBytes, rangeBytes)
  const waiting = new Map<number, ParsedLines>()
  let read = 0
  let recordsBytes = 0
  await threads.each('openLines', { path, shape, table })
  threads.startHash(path, fileBytes)
  await threads.spread('parseLines', ranges, (piece, number) => {
    if (piece === null) throw new OtherLines()
    waiting.set(number, piece)
    recordsBytes += piece.recordsBytes
    if (recordsBytes > plan.recordsBytes) throw new OtherLines()
    for (let next = waiting.get(read); next !== undefined; next = waiting.get(++read)) {
      waiting.delete(read)
      readPiece(reader, context.output, next)
    }
    const done = Math.min(fileBytes, firstByte + read * rangeBytes)
    job.progress({ phase: 'parse', done, total: fileBytes, unit: 'bytes' })
  })
  const outcome = reader.finish()
  const { output, weights } = context
  const blocks: EntryBlock[] = []
  await output.drain({ accept: (block) => void blocks.push(block) }, true)
  weights.refuse()
  for (const block of blocks) if (!(await threads.one('takeEntries', block))) throw new OtherLines()
  const parsed = await threads.each('closeLines', null)
  const bits = parsed.reduce((all, thread) => all | thread.bits, 0)
  return {
    buckets: gatherBuckets(parsed, table.bounds.length - 1, recordBytesOf(shape.weighted)),
    idBits: 32 - Math.clz32(bits),
    entries: output.entries,
    outcome,
  }
}
