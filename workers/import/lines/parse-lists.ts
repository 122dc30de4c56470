/**
 * Parses lists of neighbours, as METIS has them, by all threads: they count the lines of each range first, which tells the vertex in whose list
 * a range begins, and then take the numbers that begin in it, so that a list may be longer than any range. As every edge stands in the lists of
 * both its ends, a neighbour is one record; a fingerprint with keys of this import (arc-check.ts) finds an edge that stands in one of them. That,
 * and whatever is no id between blanks, ends the way, and the general import reads. The text is read twice. line-buckets.ts parses.
 */

import type { JobContext } from '../../base/job.ts'
import type { Range } from '../../base/ranges.ts'
import { newFingerprintKeys } from '../build/arc-check.ts'
import type { ThreadPool } from '../build/import-threads.ts'
import { rangeCount, textRange } from '../build/text-parts.ts'
import { declareAll, filledBy, type ParsedFiles } from './parse-lines.ts'
import type { LinesPlan } from './plan-lines.ts'

/** 2 MiB at most. */
const TASK_RANGES = 8

/** Parses the lists of a file as `parseLines` does the lines of several. @returns null for other lists @throws Failure (input) for counts that do not fit the header */
export async function parseLists(plan: LinesPlan, threads: ThreadPool, job: JobContext): Promise<ParsedFiles | null> {
  const { shape, table, rangeBytes, fileBytes } = plan
  const { vertices } = plan.listed!
  const file = plan.files[0]!
  const { reader, context } = file.reading
  const text = { path: file.path, fileBytes, firstByte: file.firstByte, rangeBytes }
  const lists = { vertices, keys: newFingerprintKeys() }
  await threads.open('lines', () => ({ texts: [text], shape, table, lists }))
  const tasks = threads.ranges(rangeCount(text), TASK_RANGES)
  // Each byte is looked at twice.
  let done = file.firstByte
  const progress = ({ first, end }: Range): void => {
    done += (textRange(text, end - 1).end - textRange(text, first).at) / 2
    job.progress({ phase: 'parse', done, total: fileBytes, unit: 'bytes' })
  }
  const counts: (readonly number[])[] = []
  const ranges = tasks.map((task) => ({ file: 0, ...task }))
  const areCounted = await threads.spread('lines', 'countLines', ranges, (lines, number) => {
    if (lines === null) return false
    counts[number] = lines
    progress(tasks[number]!)
  })
  if (!areCounted) return null
  let vertex = 1
  const owned = tasks.map((task, number) => {
    const first = counts[number]!.map((lines) => (vertex += lines) - lines)
    return { file: 0, ...task, vertices: first }
  })
  let [neighbours, loops, recordsBytes] = [0, 0, 0]
  const areParsed = await threads.spread('lines', 'parseLists', owned, (parsed, number) => {
    recordsBytes += parsed?.recordsBytes ?? Infinity
    if (parsed === null || recordsBytes > plan.recordsBytes) return false
    neighbours += parsed.neighbours
    loops += parsed.loops
    progress(owned[number]!)
  })
  if (!areParsed) return null
  reader.tookLists!(vertex - 1, neighbours, loops)
  context.output.entries += neighbours
  const outcome = reader.finish()
  if ('other' in outcome) return null
  const declared = { first: 1, end: vertices + 1 }
  if (!(await declareAll(declared, threads))) return null
  const { filled, buckets, idBits } = await filledBy(threads, table)
  const isWhole = [0, 1].every((i) => filled.reduce((sum, { sums }) => (sum + sums[i]!) | 0, 0) === 0)
  if (!isWhole) return null
  return {
    ...{ buckets, idBits, declared, coded: undefined },
    entries: neighbours,
    files: [{ ...file, outcome, entries: neighbours }],
    table: { declared: 0, skipped: 0, warnings: [] },
    directions: 1,
  }
}
