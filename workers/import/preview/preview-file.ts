import { inputFailure } from '../../base/failure.ts'
import type { FilePreview, PreviewArgs } from '../../contract/jobs.ts'
import { detectFormat, detectMagic, detectWhole, detectXml } from '../formats/detect.ts'
import type { DetectedFormat, WholeFormat } from '../formats/graph-format.ts'
import { wholeFormat } from '../formats/registry.ts'
import { DamagedFile, StoredFile } from '../formats/stored-file.ts'
import { type Sample, sampleOf } from '../reading.ts'
import { firstEntries, PREVIEW_ROWS, type PreviewRows, previewText } from './preview-text.ts'
import { EntryOutput } from '../../graph/entries.ts'
import { LabelTable } from '../label-table.ts'
import { WeightPolicy } from '../weight-policy.ts'

/**
 * Tells a file's format as an import would, and reads its first rows; of large files only the beginning is read.
 * @throws Failure (input) when the file cannot be read, or is of no known format
 */
export async function previewFile(args: PreviewArgs): Promise<FilePreview> {
  const file = StoredFile.open(args.source)
  try {
    if (file.isGzip) return await previewCompressed(args, file)
    const { format } = args
    const found = format === undefined ? detectWhole(file) : chosen(format)
    const whole = found === null ? null : wholeFormat(found.format)
    if (found === null || whole === null) return await previewLines(args, file)
    return {
      ...found,
      compression: 'none',
      bytes: file.bytes,
      table: null,
      ...(await previewWhole(whole, file, args)),
    }
  } finally {
    file.close()
  }
}

const chosen = (format: DetectedFormat['format']): DetectedFormat => ({ format, reason: 'it was chosen' })

async function previewLines(args: PreviewArgs, file: StoredFile): Promise<FilePreview> {
  const { sample, compression } = await sampleOf(args.source)
  const { source, format } = args
  const found = format === undefined ? detectFormat(sample.bytes, sample.complete, source) : chosen(format)
  return { ...found, compression, bytes: file.bytes, table: null, ...(await previewText(found.format, sample, args)) }
}

/** Text is unpacked as far as it is shown. What is read by position has to be unpacked whole, which only the import does. */
async function previewCompressed(args: PreviewArgs, file: StoredFile): Promise<FilePreview> {
  const { format } = args
  const found =
    format === undefined ? compressedFormat((await sampleOf(args.source)).sample, args.source) : chosen(format)
  if (found === null || wholeFormat(found.format) === null) return previewLines(args, file)
  const warnings = ['The import unpacks the file before it reads it, so no rows are shown.']
  return { ...found, compression: 'gzip', bytes: file.bytes, columns: null, rows: [], warnings, table: null }
}

/** What the first bytes under the compression say; null for text. @throws Failure (input) for binary data without a sign */
function compressedFormat({ bytes }: Sample, source: string): DetectedFormat | null {
  const found = detectMagic(bytes) ?? detectXml(bytes, source)
  if (found !== null || !bytes.subarray(0, 64).includes(0)) return found
  throw inputFailure(
    source,
    'the file is binary and compressed: its format shows only when it is unpacked',
    'Choose the format, or import it and let it be found out.',
  )
}

/** Thrown to stop a reader once there are rows enough. */
class Enough {}

/** The first rows of a file that is no text in lines. @throws Failure (input) */
async function previewWhole(format: WholeFormat, file: StoredFile, args: PreviewArgs): Promise<PreviewRows> {
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
