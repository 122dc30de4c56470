import type { PreviewArgs } from '../../contract/jobs.ts'
import { inputFailure } from '../../base/failure.ts'
import { EntryOutput } from '../../graph/entries.ts'
import { DamagedFile, type StoredFile } from '../formats/stored-file.ts'
import type { WholeFormat } from '../formats/graph-format.ts'
import { LabelTable } from '../label-table.ts'
import { WeightPolicy } from '../weight-policy.ts'
import { firstEntries } from './first-entries.ts'
import { PREVIEW_ROWS, type PreviewRows } from './preview-rows.ts'

/** Thrown to stop a reader once there are rows enough. */
class Enough {}

/** The first rows of a file that is no text in lines. @throws Failure (input) */
export async function previewWhole(format: WholeFormat, file: StoredFile, args: PreviewArgs): Promise<PreviewRows> {
  try {
    const named = await format.firstRows?.(file, PREVIEW_ROWS)
    if (named !== undefined) return { columns: named.names.map((name) => ({ name })), rows: named.rows, warnings: [] }
    if (file.bytes > (format.mostPreviewBytes ?? Infinity))
      return { columns: null, rows: [], warnings: ['The file is large: its rows show when it is imported.'] }
    return await previewEntries(format, file, args)
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error
    throw inputFailure(file.name, `the file is damaged: ${error.message}`, 'Is it complete, and of this format?')
  }
}

async function previewEntries(format: WholeFormat, file: StoredFile, args: PreviewArgs): Promise<PreviewRows> {
  const output = new EntryOutput()
  // A reader that asks for a table writes places in it.
  let labels: LabelTable | null = null
  const newTable = (): LabelTable => (labels ??= new LabelTable())
  const { source, ignoreWeights = false } = args
  // Weights show as they stand in the file, also those that an import would refuse.
  const weights = new WeightPolicy({ rule: 'shift', zeroMeansPattern: false })
  const pump = (): Promise<void> => (output.total < PREVIEW_ROWS ? Promise.resolve() : Promise.reject(new Enough()))
  const context = { source, output, weights, ignoreWeights, memoryBytes: Infinity, newTable, pump }
  let warnings: readonly string[] = []
  try {
    warnings = (await format.read(file, context)).warnings
  } catch (error) {
    if (!(error instanceof Enough)) throw error
  }
  return { columns: null, rows: await firstEntries(output, labels ?? 0), warnings }
}
