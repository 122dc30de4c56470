import { dirname, join } from 'node:path'
import type { DatasetFacts, ImportArgs } from '../../contract/jobs.ts'
import { GRAPH_FILE, grLayout } from '../../graph/graph-file.ts'
import { finishExternal } from '../external/import-external.ts'
import { requireDisk } from '../external/memory-shares.ts'
import type { ScratchWork } from '../external/scratch-work.ts'
import { writePieces } from '../external/write-pieces.ts'
import type { CsrLayout } from '../formats/csr.ts'
import { FileHashes } from '../formats/stored-file.ts'
import { type OpenedFile, storedAs } from '../formats/whole-file.ts'
import { factsOf } from '../import-report.ts'
import { canonicalArcs, newFingerprintKeys } from './arc-check.ts'
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
  const { arcs } = layout
  const { fileBytes, targetsAt } = grLayout(layout.vertices, arcs, weighted)
  const { folder, dataset, pool } = work.open('copy')
  requireDisk(dirname(folder), fileBytes, arcs)
  const { stored, file, format } = opened
  const hashes = new FileHashes([stored.path], work.job)
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
    const [sha256] = await hashes.digests
    const kept = weighted ? layout : { ...layout, weights: null }
    const read = { format: format.name, source: storedAs(opened), sha256: sha256!, layout: kept }
    const facts = factsOf(canonicalReport(args, read, found, startedMs), found.maxDegree, taken.sums.root, fileBytes)
    await work.journal!.stage(COPY_STAGE, () => Promise.resolve(facts))
    return await finishExternal(args, work, facts)
  } finally {
    hashes.stop()
  }
}

/** Of an interrupted import. */
export function continueCopy(args: ImportArgs, work: ScratchWork): Promise<DatasetFacts> {
  return work
    .journal!.stage<DatasetFacts>(COPY_STAGE, () => Promise.reject(new Error('there is nothing to continue from')))
    .then((facts) => finishExternal(args, work, facts))
}
