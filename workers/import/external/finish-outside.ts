import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DatasetFacts, ImportArgs } from '../../contract/jobs.ts'
import { GRAPH_FILE } from '../../graph/graph-file.ts'
import { finishDataset } from '../write-dataset.ts'
import { DATASET_FOLDER } from './build-outside.ts'
import type { OutsideWork } from './outside-work.ts'

/** Gives a dataset that is whole, in the scratch folder, its name. An earlier life of the import may have done so. */
export async function finishOutside(
  args: Pick<ImportArgs, 'folder' | 'keepScratch'>,
  work: OutsideWork,
  facts: DatasetFacts,
): Promise<DatasetFacts> {
  const { bytes } = facts
  work.job.progress({ phase: 'write', done: bytes, total: bytes, unit: 'bytes' })
  const aside = join(work.folder, DATASET_FOLDER)
  if (existsSync(join(aside, GRAPH_FILE))) await finishDataset(aside, args.folder, facts.report)
  if (args.keepScratch !== true) work.journal!.remove()
  return facts
}
