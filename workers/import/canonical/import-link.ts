import { join, resolve } from 'node:path'
import { neverRead, type Sums, writeSums } from '../../base/sums.ts'
import { asFailure } from '../../base/failure.ts'
import { changedFile, type GraphLink, LINK_SUMS, stampOf, writeLink } from '../../graph/graph-file.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import type { DatasetFacts, ImportArgs } from '../../contract/jobs.ts'
import { attachAttributes } from '../attributes/attach-attributes.ts'
import type { CsrLayout } from '../formats/csr.ts'
import { factsOf } from '../import-report.ts'
import { makeDatasetFolder, writeReport } from '../write-dataset.ts'
import type { ArcReport } from './arc-check.ts'
import { checkTogether, piecesThreads } from './check-pieces.ts'
import { canonicalReport, type LinkableFile, openLinkable, storedLayout } from './linkable-file.ts'

/**
 * Job `link`: one parallel pass checks a file that stays where it is
 * (docs/decisions/0007-canonical-files-are-copied.md) and sums its pieces. @returns null where it is not canonical,
 * packed, of ids of 64 bits, or its weights are to be changed @throws Failure (input) for a file that changes
 * meanwhile; (storage); (cancelled)
 */
export async function importLink(args: ImportArgs, job: JobContext): Promise<DatasetFacts | null> {
  const startedMs = performance.now()
  throwIfCancelled(job.signal)
  const linkable = openLinkable(args)
  if (linkable === null) return null
  try {
    return await linkFile(args, linkable, job, startedMs)
  } catch (error) {
    throw asFailure(error, args.source)
  } finally {
    linkable.file.close()
  }
}

async function linkFile(
  args: ImportArgs,
  { format, file, layout }: LinkableFile,
  job: JobContext,
  startedMs: number,
): Promise<DatasetFacts | null> {
  const path = resolve(args.source)
  const stamp = stampOf(path)
  const checked = await checkFile(path, file.bytes, layout, args.threads, job)
  if (checked === null) return null
  const now = stampOf(path)
  if (now.bytes !== stamp.bytes || now.changedNs !== stamp.changedNs)
    throw changedFile(path, 'it was written meanwhile')
  const source = { compression: 'none', storedBytes: file.bytes } as const
  const report = {
    ...canonicalReport(args, { format, layout, source, sha256: '' }, checked, startedMs),
    sourceSha256: null,
  }
  const { fileSums: sums } = checked
  const link: GraphLink = { path, ...stamp, layout: storedLayout(layout) }
  return makeDatasetFolder(args.folder, 40 * sums.crcs.length, async (aside) => {
    writeSums(join(aside, LINK_SUMS), sums)
    writeLink(args.folder, link, aside)
    const full = await attachAttributes(args, aside, report, job)
    await writeReport(aside, full)
    return factsOf(full, checked.maxDegree, sums.root, stamp.bytes)
  })
}

interface CheckedGraph extends ArcReport {
  readonly fileSums: Sums
}

async function checkFile(
  path: string,
  bytes: number,
  layout: CsrLayout,
  most: number | undefined,
  job: JobContext,
): Promise<CheckedGraph | null> {
  const task = { path, layout, fileBytes: bytes }
  const checked = await checkTogether('check-canonical', task, piecesThreads(bytes, most), job, (done) =>
    job.progress({ phase: 'check', done, total: bytes, unit: 'bytes' }),
  )
  return checked && { ...checked.all, fileSums: checked.sums.finish(bytes, neverRead) }
}
