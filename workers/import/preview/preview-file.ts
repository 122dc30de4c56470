import { inputFailure } from '../../base/failure.ts'
import type { FilePreview, PreviewArgs } from '../../contract/jobs.ts'
import { type DetectedFormat, detectFormat } from '../formats/detect-format.ts'
import { isWholeFileFormat } from '../formats/whole-file.ts'
import { recogniseBinary } from '../formats/recognise.ts'
import { recogniseXml, XML_HEAD_BYTES } from '../formats/recognise-xml.ts'
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
    const [first, second] = file.head(2)
    if (first === 0x1f && second === 0x8b) return await previewCompressed(args, file)
    const whole = wholeFormat(args, file)
    if (whole === null) return await previewLines(args, file)
    return {
      ...whole,
      compression: 'none',
      bytes: file.bytes,
      table: null,
      ...(await previewWhole(whole.format, file, args)),
    }
  } finally {
    file.close()
  }
}

const chosen = (format: DetectedFormat['format']): DetectedFormat => ({ format, reason: 'it was chosen' })

/** The format of a file that is no text in lines; null for text. */
function wholeFormat({ format }: PreviewArgs, file: StoredFile): DetectedFormat | null {
  if (format !== undefined) return isWholeFileFormat(format) ? chosen(format) : null
  return recogniseBinary(file) ?? recogniseXml(file.head(XML_HEAD_BYTES), file.name)
}

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
  if (found === null || !isWholeFileFormat(found.format)) return previewLines(args, file)
  const warnings = ['The import unpacks the file before it reads it, so no rows are shown.']
  return { ...found, compression: 'gzip', bytes: file.bytes, columns: null, rows: [], warnings, table: null }
}

/** What the first bytes under the compression say; null for text. @throws Failure (input) for binary data without a sign */
function compressedFormat({ bytes }: Sample, source: string): DetectedFormat | null {
  const head = Buffer.from(bytes.subarray(0, 64))
  const magic = head.toString('latin1', 0, 6)
  if (magic.startsWith('PAR1')) return { format: 'parquet', reason: 'it begins with PAR1' }
  if (magic === 'ARROW1') return { format: 'arrow', reason: 'it begins with ARROW1' }
  const xml = recogniseXml(bytes, source)
  if (xml !== null) return xml
  if (!head.includes(0)) return null
  throw inputFailure(
    source,
    'the file is binary and compressed: its format shows only when it is unpacked',
    'Choose the format, or import it and let it be found out.',
  )
}
