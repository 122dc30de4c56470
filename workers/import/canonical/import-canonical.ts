/**
 * The short ways of a file whose graph is canonical: copied in one parallel pass that checks it (job `import`), or linked where it stays (job
 * `link`), and copied later (job `store`), all with checksums (docs/decisions/0007). Where the file system shares bytes a copy costs nothing.
 * What is not canonical, or whose weights are to change, goes the general way. canonical-pieces.ts has the work of threads.
 */

import { constants, copyFileSync, renameSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { asFailure, inputFailure } from '../../base/failure.ts'
import { BehindFlusher, openFile } from '../../base/file-bytes.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import { type Sums, writeSums } from '../../base/sums.ts'
import type { DatasetFacts, GraphPlace, ImportArgs, Jobs } from '../../contract/jobs.ts'
import {
  changedFile,
  GRAPH_FILE,
  type GraphLink,
  grLayout,
  LINK_SUMS,
  readLink,
  stampOf,
  writeLink,
} from '../../graph/graph-file.ts'
import { openGraph } from '../../graph/galois-gr.ts'
import { attachAttributes } from '../attributes/attach-attributes.ts'
import { finishExternal } from '../external/import-external.ts'
import type { ScratchWork } from '../external/scratch-work.ts'
import { ThreadPool, takePieces, writePieces } from '../build/import-threads.ts'
import { type CsrLayout, mayBeCanonical } from '../formats/csr.ts'
import { type LinkableFile, openLinkable, storedLayout } from '../formats/detect.ts'
import { hashFiles } from '../formats/stored-file.ts'
import { type OpenedFile, storedAs } from '../reading/reading.ts'
import { canonicalReport, factsOf } from '../reading/import-report.ts'
import { policyOf } from '../reader/policies.ts'
import { CHECKED_BYTES_EACH } from '../reader/import-resources.ts'
import { makeDatasetFolder, writeReport, requireDisk } from '../build/write-dataset.ts'
import { canonicalArcs, newFingerprintKeys } from '../build/arc-check.ts'

export const COPY_STAGE = 'copy'

/**
 * @returns null where it is not canonical, or its weights are to be changed; nothing is left then @throws Failure
 * (storage); (cancelled)
 */
export async function importCopy(
  args: ImportArgs,
  opened: OpenedFile,
  layout: CsrLayout,
  work: ScratchWork,
  startedMs: number,
): Promise<DatasetFacts | null> {
  const weighted = layout.weights !== null && args.ignoreWeights !== true
  if ((weighted && policyOf(args).needsRange) || !mayBeCanonical(opened.file, layout)) return null
  const { arcs } = layout
  const { fileBytes, targetsAt } = grLayout(layout.vertices, arcs, weighted)
  const { folder, dataset, pool } = work.open('copy')
  requireDisk(dirname(folder), fileBytes, arcs)
  const { stored, file, format } = opened
  const hashes = hashFiles([stored.path], work.job)
  try {
    const path = join(dataset, GRAPH_FILE)
    const task = { source: file.path, name: file.name, layout, keys: newFingerprintKeys(), weighted, path }
    const taken = await writePieces('copy', task, fileBytes, pool, (bytes) => {
      const done = Math.max(0, Math.min(arcs, Math.floor((bytes - targetsAt) / 4)))
      work.job.progress({ phase: 'copy', done, total: arcs, unit: 'arcs' })
    })
    const found = taken && canonicalArcs(taken.arcs)
    if (taken === null || found === null) {
      await work.giveUp()
      return null
    }
    work.job.log('the graph is canonical as it stands in the file, and was copied')
    const [sourceSha256 = null] = await hashes.digests
    work.requireUnwritten()
    const kept = weighted ? layout : { ...layout, weights: null }
    const read = { format: format.name, ...storedAs(stored), sourceSha256 }
    const facts = factsOf(
      canonicalReport(args, read, kept, found, startedMs),
      found.maxDegree,
      taken.sums.root,
      fileBytes,
    )
    await work.stage(COPY_STAGE, () => Promise.resolve(facts))
    return await finishExternal(args, work, facts)
  } finally {
    hashes.stop()
  }
}

/** Continues the copy of an interrupted import. */
export function continueCopy(args: ImportArgs, work: ScratchWork): Promise<DatasetFacts> {
  return work
    .stage<DatasetFacts>(COPY_STAGE, () => Promise.reject(new Error('there is nothing to continue from')))
    .then((facts) => finishExternal(args, work, facts))
}

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
  const { bytes } = file
  const task = { source: path, canonical: { layout, keys: newFingerprintKeys() } }
  const taken = await inThreads(bytes, args.threads, job, (threads) =>
    takePieces('check', task, bytes, threads, (done) =>
      job.progress({ phase: 'check', done, total: bytes, unit: 'bytes' }),
    ),
  )
  const found = taken && canonicalArcs(taken.arcs)
  if (taken === null || found === null) return null
  const now = stampOf(path)
  if (now.bytes !== stamp.bytes || now.changedNs !== stamp.changedNs)
    throw changedFile(path, 'it was written meanwhile')
  const stored = { format, ...storedAs(file), sourceSha256: null }
  const report = canonicalReport(args, stored, layout, found, startedMs)
  const { sums } = taken
  const link: GraphLink = { path, ...stamp, layout: storedLayout(layout) }
  return makeDatasetFolder(args.folder, 40 * sums.crcs.length, async (aside) => {
    writeSums(join(aside, LINK_SUMS), sums)
    writeLink(args.folder, link, aside)
    const full = await inThreads(bytes, args.threads, job, (threads) =>
      attachAttributes(args, aside, report, threads, job),
    )
    await writeReport(aside, full)
    return factsOf(full, found.maxDegree, sums.root, stamp.bytes)
  })
}

/** As many as are worth their start. */
function inThreads<T>(
  bytes: number,
  most = availableParallelism(),
  job: JobContext,
  work: (threads: ThreadPool) => Promise<T>,
): Promise<T> {
  const threads = new ThreadPool(Math.min(most, Math.ceil(bytes / CHECKED_BYTES_EACH)), job)
  const result = work(threads)
  // They end beside what follows, or before a failure is thrown.
  const ended = result.finally(() => threads.end())
  ended.catch(() => {})
  return result.catch(() => ended)
}

const COPY = 'graph.copy'

/**
 * Job `store`: copies a linked file into its dataset, so that its checksum stays. @throws Failure (input) when the
 * file changed; (storage); (cancelled)
 */
export async function storeLink({ folder, checksum }: GraphPlace, job: JobContext): Promise<Jobs['store']['result']> {
  const link = readLink(folder)
  if (link === null || link.path === join(folder, COPY)) return { bytes: 0 }
  throwIfCancelled(job.signal)
  openGraph(folder, checksum, job).close()
  const aside = join(folder, `${COPY}.partial-${process.pid}`)
  const path = join(folder, COPY)
  try {
    const sums = await copied(link.path, link.bytes, aside, job)
    if (sums.root !== checksum)
      throw inputFailure(link.path, 'the file changed while it was copied', 'Wait until it is written, and try again.')
    renameSync(aside, path)
    writeLink(folder, { ...link, path, ...stampOf(path) })
    return { bytes: link.bytes }
  } catch (error) {
    rmSync(aside, { force: true })
    throw asFailure(error, folder)
  }
}

/** Flushed. */
async function copied(source: string, fileBytes: number, path: string, job: JobContext): Promise<Sums> {
  const isClone = cloned(source, path)
  const flusher = new BehindFlusher(openFile(path, isClone ? 'r+' : 'wx'), path)
  try {
    const task = { source, canonical: null, path: isClone ? undefined : path }
    const taken = await inThreads(fileBytes, undefined, job, (threads) =>
      takePieces('check', task, fileBytes, threads, (done) => {
        if (!isClone) flusher.wrote(done)
        job.progress({ phase: 'checksum', done, total: fileBytes, unit: 'bytes' })
      }),
    )
    await flusher.finish()
    return taken!.sums
  } finally {
    await flusher.close()
  }
}

/** Clones a file if the file system shares the bytes of both until one is written. */
function cloned(source: string, path: string): boolean {
  try {
    copyFileSync(source, path, constants.COPYFILE_FICLONE_FORCE)
    return true
  } catch {
    // What else is wrong with them is wrong with a copy too.
    return false
  }
}
