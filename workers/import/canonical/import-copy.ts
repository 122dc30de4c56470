import { dirname, join } from 'node:path'
import { neverRead, SUMS_SUFFIX, writeSums } from '../../base/sums.ts'
import { BehindFlusher, openFile } from '../../base/file-bytes.ts'
import { GRAPH_FILE, grLayout } from '../../graph/graph-file.ts'
import type { JobContext } from '../../base/job.ts'
import type { CsrLayout } from '../formats/csr.ts'
import { FileHashes, type StoredFile } from '../formats/stored-file.ts'
import type { ArcReport } from './arc-check.ts'
import { checkTogether } from './check-pieces.ts'
import type { DatasetFacts, ImportArgs } from '../../contract/jobs.ts'
import { finishExternal } from '../external/import-external.ts'
import { requireDisk } from '../external/memory-shares.ts'
import type { Scratch } from '../external/spilled-entries.ts'
import type { ScratchWork } from '../external/scratch-work.ts'
import { type OpenedFile, storedAs } from '../formats/whole-file.ts'
import { factsOf } from '../import-report.ts'
import { canonicalReport, mayBeCanonical, policyOf } from './linkable-file.ts'

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
  const { vertices, arcs } = layout
  const scratch = work.open('copy')
  requireDisk(dirname(scratch.folder), grLayout(vertices, arcs, weighted).fileBytes, arcs)
  const graphPath = join(scratch.dataset, GRAPH_FILE)
  const copy = { stored: opened.stored, file: opened.file, layout, weighted, graphPath }
  const copied = await copyGraph(copy, scratch, work.job)
  if (copied === null) {
    await work.giveUp()
    return null
  }
  work.job.log('the graph is canonical as it stands in the file, and was copied')
  const read = { format: opened.format.name, source: storedAs(opened), sha256: copied.sourceSha256 }
  const kept = weighted ? layout : { ...layout, weights: null }
  const report = canonicalReport(args, { ...read, layout: kept }, copied, startedMs)
  const facts = await work.journal!.stage(COPY_STAGE, () =>
    Promise.resolve(factsOf(report, copied.maxDegree, copied.checksum, copied.bytes)),
  )
  return finishExternal(args, work, facts)
}

/** Of an interrupted import. */
export function continueCopy(args: ImportArgs, work: ScratchWork): Promise<DatasetFacts> {
  return work
    .journal!.stage<DatasetFacts>(COPY_STAGE, () => Promise.reject(new Error('there is nothing to continue from')))
    .then((facts) => finishExternal(args, work, facts))
}

interface GraphCopy {
  /** As the user gave it: hashed. */
  readonly stored: StoredFile
  /** Unpacked. */
  readonly file: StoredFile
  readonly layout: CsrLayout
  readonly weighted: boolean
  readonly graphPath: string
}

interface CopiedGraph extends ArcReport {
  readonly sourceSha256: string
  readonly checksum: string
  readonly bytes: number
}

/** One pass checks and writes. @returns null where the graph is not canonical; what was written is to be removed */
async function copyGraph(copy: GraphCopy, { pool }: Scratch, job: JobContext): Promise<CopiedGraph | null> {
  const { layout, weighted, file, stored, graphPath } = copy
  const graph = openFile(graphPath, 'w+')
  const flusher = new BehindFlusher(graph, graphPath)
  const hashes = new FileHashes([stored.path], job)
  try {
    const { arcs } = layout
    const { fileBytes, targetsAt } = grLayout(layout.vertices, arcs, weighted)
    const task = { layout, fileBytes, weighted, source: file.path, name: file.name, graphPath }
    const progress = (bytes: number): void => {
      flusher.wrote(bytes)
      const done = Math.max(0, Math.min(arcs, Math.floor((bytes - targetsAt) / 4)))
      job.progress({ phase: 'copy', done, total: arcs, unit: 'arcs' })
    }
    const checked = await checkTogether('copy-canonical', task, pool.threads.length, job, progress)
    if (checked === null) return null
    const sums = checked.sums.finish(fileBytes, neverRead)
    writeSums(`${graphPath}${SUMS_SUFFIX}`, sums)
    const [[sourceSha256]] = await Promise.all([hashes.digests, flusher.finish()])
    return { ...checked.all, sourceSha256: sourceSha256!, checksum: sums.root, bytes: fileBytes }
  } finally {
    hashes.stop()
    await flusher.close()
  }
}
