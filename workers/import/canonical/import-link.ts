import { join, resolve } from 'node:path'
import { availableParallelism } from 'node:os'
import { closeSync, constants, copyFileSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { neverRead, sumFile, type Sums, writeSums } from '../../base/sums.ts'
import { asFailure, inputFailure } from '../../base/failure.ts'
import { changedFile, type GraphLink, LINK_SUMS, readLink, stampOf, writeLink } from '../../graph/graph-file.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import type { DatasetFacts, ImportArgs, StoreArgs, StoreOutcome } from '../../contract/jobs.ts'
import { attachAttributes } from '../attributes/attach-attributes.ts'
import type { CsrLayout } from '../formats/csr.ts'
import { factsOf } from '../import-report.ts'
import { makeDatasetFolder, writeReport } from '../write-dataset.ts'
import { CHECKED_BYTES_EACH } from '../import-tuning.ts'
import type { ArcReport } from './arc-check.ts'
import { checkTogether } from './check-pieces.ts'
import { canonicalReport, type LinkableFile, openLinkable, storedLayout } from './linkable-file.ts'
import { openGraph } from '../../graph/open-graph.ts'

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
  const checked = await checkFile(path, file.bytes, layout, args.threads ?? availableParallelism(), job)
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
  most: number,
  job: JobContext,
): Promise<CheckedGraph | null> {
  const threads = Math.max(1, Math.min(most, Math.ceil(bytes / CHECKED_BYTES_EACH)))
  const task = { path, layout, fileBytes: bytes }
  const checked = await checkTogether('check-canonical', task, threads, job, (done) =>
    job.progress({ phase: 'check', done, total: bytes, unit: 'bytes' }),
  )
  return checked && { ...checked.all, fileSums: checked.sums.finish(bytes, neverRead) }
}

const COPY = 'graph.copy'

/**
 * Job `store`: copies a linked file into its dataset, so that its checksum stays. @throws Failure (input) when the
 * file changed; (storage); (cancelled)
 */
export function storeLink({ folder, checksum }: StoreArgs, job: JobContext): StoreOutcome {
  const link = readLink(folder)
  if (link === null || link.path === join(folder, COPY)) return { bytes: 0 }
  openGraph(folder, checksum, job).close()
  const aside = join(folder, `${COPY}.partial-${process.pid}`)
  const path = join(folder, COPY)
  try {
    copyFileSync(link.path, aside, constants.COPYFILE_FICLONE)
    const { sums } = sumFile(aside, job)
    if (sums.root !== checksum)
      throw inputFailure(link.path, 'the file changed while it was copied', 'Wait until it is written, and try again.')
    sync(aside)
    renameSync(aside, path)
    writeLink(folder, { ...link, path, ...stampOf(path) })
    return { bytes: link.bytes }
  } catch (error) {
    rmSync(aside, { force: true })
    throw asFailure(error, folder)
  }
}

function sync(path: string): void {
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
