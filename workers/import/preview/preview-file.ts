import { inputFailure } from '../../base/failure.ts'
import type { FilePreview, PreviewArgs } from '../../contract/jobs.ts'
import { detectFormat, detectMagic, detectWhole, detectXml } from '../formats/detect.ts'
import type { DetectedFormat } from '../formats/graph-format.ts'
import { wholeFormat } from '../formats/registry.ts'
import { StoredFile } from '../formats/stored-file.ts'
import { type Sample, sampleOf } from '../reading.ts'
import { previewText } from './preview-text.ts'
import { previewWhole } from './preview-whole.ts'

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
