import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DatasetFacts, ImportArgs } from '../../contract/jobs.ts'
import { grLayout } from '../../graph/graph-file.ts'
import { DATASET_FOLDER } from '../external/build-external.ts'
import { finishExternal } from '../external/import-external.ts'
import type { ScratchWork } from '../external/scratch-work.ts'
import type { CsrLayout } from '../formats/csr.ts'
import { type OpenedFile, storedAs } from '../formats/whole-file.ts'
import { countedReport, factsOf, reportSource } from '../import-report.ts'
import { WeightPolicy } from '../weight-policy.ts'
import { labelFacts } from '../write-labels.ts'
import { copyGraph } from './copy-graph.ts'
import { mayBeCanonical } from './linkable-file.ts'

/** Name of the stage in the journal that holds all that is to be known of a copied graph. */
export const COPY_STAGE = 'copy'

/**
 * Makes a dataset of a binary adjacency file whose graph is canonical, by copying it.
 * @returns null where it is not canonical, or its weights are to be changed; then nothing is left of the attempt
 * @throws Failure (storage); (cancelled)
 */
export async function importCopy(
  args: ImportArgs,
  opened: OpenedFile,
  layout: CsrLayout,
  work: ScratchWork,
  startedMs: number,
): Promise<DatasetFacts | null> {
  const weighted = layout.weights !== null && args.ignoreWeights !== true
  const policy = new WeightPolicy({
    rule: args.weightRule ?? 'reject',
    zeroMeansPattern: false,
    invert: args.invertWeights,
  })
  if ((weighted && policy.needsRange) || !mayBeCanonical(opened.file, layout)) return null
  const { vertices, arcs } = layout
  const { pool, folder } = work.openCopy(arcs, grLayout(vertices, arcs, weighted).fileBytes)
  const aside = join(folder, DATASET_FOLDER)
  mkdirSync(aside)
  const copy = { stored: opened.stored, file: opened.file, layout, weighted, graphPath: join(aside, 'graph.gr') }
  const copied = await copyGraph(copy, pool, work.job)
  if (copied === null) {
    await work.giveUp()
    return null
  }
  work.job.log('the graph is canonical as it stands in the file, and was copied')
  const { smallestWeight: smallest, largestWeight: largest, isolated: isolatedVertices } = copied
  const read = {
    vertices: { kind: 'counted', vertices, base: 0 },
    warnings: layout.warnings,
    format: opened.format.name,
    source: storedAs(opened),
    sha256: copied.sourceSha256,
    lines: 0,
    entries: arcs,
    weighted,
    policy,
    weightMap: null,
  } as const
  const report = countedReport(
    { ...reportSource(args, read), startedMs },
    {
      vertices,
      arcs,
      loopsRemoved: 0,
      duplicatesMerged: 0,
      reverseArcsAdded: 0,
      isolatedVertices,
      labels: labelFacts({ kind: 'dense', base: 0 }, vertices),
      weights: weighted ? { smallest, largest } : null,
    },
  )
  const facts = await work.journal!.stage(COPY_STAGE, () =>
    Promise.resolve(factsOf(report, copied.maxDegree, copied.checksum, copied.bytes)),
  )
  return finishExternal(args, work, facts)
}

/** Finishes a dataset that an earlier life of the import copied. */
export function continueCopy(args: ImportArgs, work: ScratchWork): Promise<DatasetFacts> {
  return work
    .journal!.stage<DatasetFacts>(COPY_STAGE, () => Promise.reject(new Error('there is nothing to continue from')))
    .then((facts) => finishExternal(args, work, facts))
}
