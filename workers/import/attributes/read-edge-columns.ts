import type { JobContext } from '../../base/job.ts'
import type { FormatName, ImportArgs } from '../../contract/jobs.ts'
import { YieldScheduler } from '../../threads/yield-scheduler.ts'
import { openWholeFile, tapWholeFile } from '../formats/whole-file.ts'
import { type EdgeTap, TextIdsFound } from '../graph-reader.ts'
import { laterFile } from '../read-graph-file.ts'
import { Reading, Sample } from '../reading.ts'
import { TextSource, wholeLines } from '../text-source.ts'

const NEWLINE = 10
/** Between two looks at the signal. */
const PIECE_BYTES = 512 << 10

/**
 * Reads tables of edges once more, for the columns that are kept.
 * @param ids how those of the first pass were read
 * @throws Failure (input), (cancelled)
 */
export async function readEdgeColumns(
  args: ImportArgs,
  format: FormatName,
  ids: 'integer' | 'text',
  tap: EdgeTap,
  job: JobContext,
): Promise<void> {
  const quiet = { ...job, log: () => {} }
  const opened = await openWholeFile(args, quiet)
  if (opened !== null) {
    try {
      return await tapWholeFile(opened, args, tap, quiet)
    } finally {
      opened.close()
    }
  }
  const text = ids === 'text' ? new TextIdsFound(0, '') : null
  let named = await readLines({ ...args, format }, text, tap, quiet)
  for (const source of args.sources ?? [])
    named = (await readLines(laterFile(args, source, format, { named }), text, tap, quiet)) && named
}

async function readLines(args: ImportArgs, text: TextIdsFound | null, tap: EdgeTap, job: JobContext): Promise<boolean> {
  const source = await TextSource.open(args.source, { encoding: args.table?.encoding })
  const scheduler = new YieldScheduler(job)
  const sample = new Sample()
  let reading: Reading | null = null
  try {
    for await (const { bytes, start, end } of wholeLines(sample.fill(source.chunks()))) {
      reading ??= new Reading(args, sample, job, text, undefined, undefined, { tap })
      for (let at = start; at < end;) {
        const cut = at + PIECE_BYTES >= end ? end : bytes.indexOf(NEWLINE, at + PIECE_BYTES) + 1
        reading.reader.readLines(bytes, at, cut)
        await scheduler.yield({ phase: 'attributes', done: source.readBytes, total: source.storedBytes, unit: 'bytes' })
        at = cut
      }
    }
    return reading?.reader.named === true
  } finally {
    await source.close()
  }
}
