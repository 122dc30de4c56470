import { Failure, inputFailure } from '../../base/failure.ts'
import { quietJob } from '../../base/job.ts'
import type { FilePreview, FormatName, PreviewArgs, PreviewTable } from '../../contract/jobs.ts'
import { type EntryBlock, EntryOutput } from '../../graph/entries.ts'
import { wholeNumber } from '../decimal.ts'
import { columnPlaces } from '../formats/column-choice.ts'
import { detectFormat, detectMagic, detectWhole, detectXml } from '../formats/detect.ts'
import { allFields } from '../formats/fields.ts'
import type { DetectedFormat, WholeFormat } from '../formats/graph-format.ts'
import { textFormat, wholeFormat } from '../formats/registry.ts'
import { DamagedFile, StoredFile } from '../formats/stored-file.ts'
import { tableShape, type TableShape } from '../formats/table-shape.ts'
import { delimiterName, sampleLines } from '../formats/text-lines.ts'
import { TextIdsFound } from '../graph-reader.ts'
import { LabelTable } from '../label-table.ts'
import { Reading, type Sample, sampleOf } from '../reading.ts'
import { WeightPolicy } from '../weight-policy.ts'

/**
 * The format as an import would find it, and the first rows; of large files only the beginning is read.
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

/** What is read by position has to be unpacked whole, which only the import does. */
async function previewCompressed(args: PreviewArgs, file: StoredFile): Promise<FilePreview> {
  const { format } = args
  const found =
    format === undefined ? compressedFormat((await sampleOf(args.source)).sample, args.source) : chosen(format)
  if (found === null || wholeFormat(found.format) === null) return previewLines(args, file)
  const warnings = ['The import unpacks the file before it reads it, so no rows are shown.']
  return { ...found, compression: 'gzip', bytes: file.bytes, columns: null, rows: [], warnings, table: null }
}

/** null for text. @throws Failure (input) for binary data without a sign */
function compressedFormat({ bytes }: Sample, source: string): DetectedFormat | null {
  const found = detectMagic(bytes) ?? detectXml(bytes, source)
  if (found !== null || !bytes.subarray(0, 64).includes(0)) return found
  throw inputFailure(
    source,
    'the file is binary and compressed: its format shows only when it is unpacked',
    'Choose the format, or import it and let it be found out.',
  )
}

/** Stops a reader once there are rows enough. */
class Enough {}

/** @throws Failure (input) */
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
  // Weights show as they are, also those that an import would refuse.
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

const PREVIEW_ROWS = 20

type PreviewRows = Pick<FilePreview, 'columns' | 'rows' | 'warnings' | 'refusal'> & Partial<Pick<FilePreview, 'table'>>

/** Both ids, and the weight where there is one. @param labels the table that entries point into, or what is added to internal ids */
async function firstEntries(output: EntryOutput, labels: LabelTable | number): Promise<string[][]> {
  const rows: string[][] = []
  const accept = (block: EntryBlock): void => {
    for (let i = 0; i < block.count && rows.length < PREVIEW_ROWS; i++)
      rows.push([
        idOf(block.from[i]!, block.fromHigh?.[i] ?? 0, labels),
        idOf(block.to[i]!, block.toHigh?.[i] ?? 0, labels),
        ...(block.weights === null ? [] : [shortest(block.weights[i]!)]),
      ])
  }
  await output.drain({ accept }, true)
  return rows
}

function idOf(low: number, high: number, labels: LabelTable | number): string {
  if (typeof labels !== 'number') return Buffer.from(labels.bytes(low)).toString('utf8')
  return String((BigInt(high) << 32n) + BigInt(low) + BigInt(labels))
}

/** The fewest digits that are this f32: 0.1, not 0.10000000149011612. */
function shortest(weight: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const text = weight.toPrecision(digits)
    if (Math.fround(Number(text)) === weight) return String(Number(text))
  }
  return String(weight)
}

const NEWLINE = 10
/** A line that the reader refuses is the refusal of the import. */
async function previewText(format: FormatName, sample: Sample, args: PreviewArgs): Promise<PreviewRows> {
  const { shownAs, firstId = 0 } = textFormat(format, args.source)
  const { output, ...said } = parse(format, sample, args, null)
  if (shownAs === undefined) return { columns: null, rows: await firstEntries(output, firstId), ...said }
  const { table = null, ...rows } = tableRows(sample, args)
  return { ...rows, ...said, table: shownAs === 'table' ? table : null }
}

/** A second time where ids turn out to be texts. */
function parse(
  format: FormatName,
  sample: Sample,
  args: PreviewArgs,
  text: TextIdsFound | null,
): Pick<PreviewRows, 'warnings' | 'refusal'> & { readonly output: Reading['context']['output'] } {
  const { context, reader } = new Reading({ ...args, format, folder: '' }, sample, quietJob, text)
  const warnings = text === null ? [] : [`All ids are read as texts, because line ${text.line} holds "${text.id}".`]
  try {
    const { bytes } = sample
    reader.readLines(endingInNewline(bytes), 0, endingInNewline(bytes).length)
    if (sample.complete) warnings.push(...reader.finish().warnings)
    if (sample.complete) context.weights.refuse()
  } catch (error) {
    if (error instanceof TextIdsFound && text === null) return parse(format, sample, args, error)
    if (!(error instanceof Failure)) throw error
    return { output: context.output, warnings, refusal: error.toValue() }
  }
  return { output: context.output, warnings }
}

function endingInNewline(bytes: Uint8Array): Uint8Array {
  return bytes.at(-1) === NEWLINE ? bytes : Buffer.concat([bytes, Buffer.of(NEWLINE)])
}

function tableRows(
  { bytes }: Sample,
  { table = {}, ignoreWeights = false, source }: PreviewArgs,
): Pick<PreviewRows, 'columns' | 'rows' | 'table'> {
  const shape = tableShape(bytes, table, ignoreWeights)
  const rows = sampleLines(bytes, table, PREVIEW_ROWS + 1).lines.map(
    (line) => allFields(line, shape.delimiter) ?? [Buffer.from(line).toString('utf8')],
  )
  if (shape.header) rows.shift()
  const shown = rows.slice(0, PREVIEW_ROWS)
  const { names } = shape
  // Empty fields at the end of a line do not count.
  const width = Math.max(names?.length ?? 0, ...shown.map((row) => row.length))
  const asEdges = read(shape, shown, width, ignoreWeights, source)
  const isUsual = width <= 3 && asEdges.source === 0 && asEdges.target === 1 && asEdges.asks !== 'columns'
  const isNamed = names !== null || !isUsual
  if (isNamed) for (const row of shown) while (row.length < width) row.push('')
  const columns = isNamed ? Array.from({ length: width }, (_, i) => ({ name: names?.[i] || String(i + 1) })) : null
  return { columns, rows: shown, table: asEdges }
}

/** Columns that were chosen and are not there, or are the same, are asked for again. */
function read(
  { delimiter, header, names, table, doubt }: TableShape,
  rows: readonly (readonly string[])[],
  width: number,
  ignoreWeights: boolean,
  source: string,
): PreviewTable {
  const third = Buffer.from(rows[0]?.[2] ?? '')
  const thirdIsNumber = wholeNumber(third, 0, third.length) !== undefined
  const lines = { delimiter: delimiterName(delimiter), header }
  try {
    const places = columnPlaces(source, names, width, table, ignoreWeights, thirdIsNumber)
    const asks = doubt?.asks ?? null
    const weight = asks === 'weights' ? null : places.weight
    return { ...lines, source: places.source, target: places.target, weight, asks }
  } catch (error) {
    if (error instanceof Failure) return { ...lines, source: 0, target: 1, weight: null, asks: 'columns' }
    throw error
  }
}
