import type { FormatName, PreviewArgs } from '../../contract/jobs.ts'
import { inputFailure } from '../../base/failure.ts'
import { EntryOutput } from '../../graph/entries.ts'
import { DamagedFile, type StoredFile } from '../formats/stored-file.ts'
import { wholeFileReader } from '../formats/whole-file.ts'
import { LabelTable } from '../label-table.ts'
import { WeightPolicy } from '../weight-policy.ts'
import { firstEntries } from './first-entries.ts'
import { PREVIEW_ROWS, type PreviewRows } from './preview-rows.ts'

/** XML is searched for weights from end to end before its first edge is read. */
const MAX_XML_BYTES = 64 << 20

/** Thrown to stop a reader once there are rows enough. */
class Enough {}

/** The first rows of a file that is no text in lines. @throws Failure (input) */
export async function previewWhole(format: FormatName, file: StoredFile, args: PreviewArgs): Promise<PreviewRows> {
  try {
    if (format === 'parquet')
      return table(await (await import('../formats/read-parquet.ts')).firstParquetRows(file, PREVIEW_ROWS))
    if (format === 'arrow')
      return table(await (await import('../formats/read-arrow.ts')).firstArrowRows(file, PREVIEW_ROWS))
    if ((format === 'graphml' || format === 'gexf') && file.bytes > MAX_XML_BYTES)
      return { columns: null, rows: [], warnings: ['The file is large: its rows show when it is imported.'] }
    return await previewEntries(format, file, args)
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error
    throw inputFailure(file.name, `the file is damaged: ${error.message}`, 'Is it complete, and of this format?')
  }
}

function table({ names, rows }: { names: string[]; rows: string[][] }): PreviewRows {
  return { columns: names.map((name) => ({ name })), rows, warnings: [] }
}

async function previewEntries(format: FormatName, file: StoredFile, args: PreviewArgs): Promise<PreviewRows> {
  const output = new EntryOutput()
  const labels = new LabelTable()
  const { source, ignoreWeights = false } = args
  // Weights show as they stand in the file, also those that an import would refuse.
  const weights = new WeightPolicy({ rule: 'shift', zeroMeansPattern: false })
  const pump = (): Promise<void> => (output.total < PREVIEW_ROWS ? Promise.resolve() : Promise.reject(new Enough()))
  const context = { source, output, weights, ignoreWeights, memoryBytes: Infinity, newTable: () => labels, pump }
  let warnings: readonly string[] = []
  try {
    warnings = (await wholeFileReader(format)(file, context)).warnings
  } catch (error) {
    if (!(error instanceof Enough)) throw error
  }
  const isText = format === 'graphml' || format === 'gexf'
  return { columns: null, rows: await firstEntries(output, isText ? labels : 0), warnings }
}
