import { Failure, inputFailure } from '../../base/failure.ts'
import { quietJob } from '../../base/job.ts'
import type { FilePreview, FormatName, PreviewArgs, PreviewTable } from '../../contract/jobs.ts'
import { type EntryBlock, EntryOutput } from '../../graph/entries.ts'
import { attributeColumns } from '../formats/column-choice.ts'
import { detectFormat, detectMagic, detectText, detectWhole } from '../formats/detect.ts'
import { allFields } from '../formats/fields.ts'
import { type DetectedFormat, END_NAMES, type FirstRows, type WholeFormat } from '../formats/graph-format.ts'
import { textFormat, wholeFormat } from '../formats/registry.ts'
import { soundOr, StoredFile } from '../formats/stored-file.ts'
import { type AnyShape, edgePlaces, tableShape } from '../formats/table-shape.ts'
import { delimiterName, sampleLines } from '../formats/text-lines.ts'
import { TextIdsFound } from '../graph-reader.ts'
import { LabelTable } from '../label-table.ts'
import { Reading, type Sample, sampleOf } from '../reading.ts'
import { RowPolicy } from '../row-policy.ts'
import type { TextForm } from '../text-encoding.ts'
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
    return { ...found, compression: 'none', bytes: file.bytes, ...(await previewWhole(whole, file, args)) }
  } finally {
    file.close()
  }
}

const chosen = (format: DetectedFormat['format']): DetectedFormat => ({ format, reason: 'it was chosen' })

async function previewLines(args: PreviewArgs, file: StoredFile): Promise<FilePreview> {
  const { sample, compression, form } = await sampleOf(args.source, args.table?.encoding)
  const { source, format } = args
  const found = format === undefined ? detectFormat(sample.bytes, sample.complete, source) : chosen(format)
  return { ...found, compression, bytes: file.bytes, ...(await previewText(found.format, sample, form, args)) }
}

/** What is read by position has to be unpacked whole, which only the import does. */
async function previewCompressed(args: PreviewArgs, file: StoredFile): Promise<FilePreview> {
  const { format } = args
  const found =
    format === undefined
      ? compressedFormat((await sampleOf(args.source, args.table?.encoding)).sample, args.source)
      : chosen(format)
  if (found === null || wholeFormat(found.format) === null) return previewLines(args, file)
  const warnings = ['The import unpacks the file before it reads it, so no rows are shown.']
  return { ...found, compression: 'gzip', bytes: file.bytes, ...NOTHING_SHOWN, warnings }
}

/** null for text. @throws Failure (input) for binary data without a sign */
function compressedFormat({ bytes }: Sample, source: string): DetectedFormat | null {
  const found = detectMagic(bytes) ?? detectText(bytes, source)
  if (found !== null || !bytes.subarray(0, 64).includes(0)) return found
  throw inputFailure(
    source,
    'the file is binary and compressed: its format shows only when it is unpacked',
    'Choose the format, or import it and let it be found out.',
  )
}

const NOTHING_SHOWN = {
  columns: null,
  rows: [],
  warnings: [],
  refusals: [],
  looked: { rows: 0, complete: false },
  table: null,
  vertices: null,
} as const

/** Stops a reader once there are rows enough. */
class Enough {}

/** @throws Failure (input) */
function previewWhole(format: WholeFormat, file: StoredFile, args: PreviewArgs): Promise<PreviewRows> {
  return soundOr(file.name, async () => {
    const named = await format.firstRows?.(file, PREVIEW_ROWS)
    if (named !== undefined) return namedRows(named, args)
    if (file.bytes > (format.mostPreviewBytes ?? Infinity))
      return { ...NOTHING_SHOWN, warnings: ['The file is large: its rows show when it is imported.'] }
    return previewEntries(format, file, args)
  })
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
  const rows = new RowPolicy()
  const context = { source, output, weights, rows, ignoreWeights, memoryBytes: Infinity, newTable, pump }
  let warnings: readonly string[] = []
  try {
    warnings = (await format.read(file, context)).warnings
  } catch (error) {
    if (!(error instanceof Enough)) throw error
  }
  return { ...NOTHING_SHOWN, rows: await firstEntries(output, labels ?? format.firstId ?? 0), warnings }
}

function namedRows(
  { names, rows, weight }: FirstRows,
  { source, table: said = {}, ignoreWeights = false }: PreviewArgs,
): PreviewRows {
  const [sourceColumn, targetColumn] = END_NAMES
  const elements = weight !== undefined
  const own = { sourceColumn, targetColumn, weightColumn: weight ?? undefined, attributes: 'all' }
  const table = elements ? { ...own, ...said } : said
  const shape = { delimiter: null, header: true, names, table, decimal: 'point' as const, weighted: true, doubt: null }
  const columns = names.map((name) => ({ name }))
  const asEdges = { ...read(shape, rows, names.length, ignoreWeights, source), elements }
  return { ...NOTHING_SHOWN, columns, rows, table: asEdges }
}

export const PREVIEW_ROWS = 20

type PreviewRows = Omit<FilePreview, 'format' | 'reason' | 'compression' | 'bytes'>

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
async function previewText(
  format: FormatName,
  sample: Sample,
  form: TextForm,
  args: PreviewArgs,
): Promise<PreviewRows> {
  const { shownAs, firstId = 0 } = textFormat(format, args.source)
  const { output, ...said } = parse(format, sample, form, args, null)
  const shown = { ...NOTHING_SHOWN, ...said }
  if (shownAs === undefined) return { ...shown, rows: await firstEntries(output, firstId) }
  const { table, ...rows } = tableRows(sample, form, args)
  return { ...shown, ...rows, table: shownAs === 'table' ? table : null }
}

type Parsed = Pick<PreviewRows, 'warnings' | 'refusals' | 'looked'> & { readonly output: EntryOutput }

/** What the import would refuse is counted by rule; a second time where ids turn out to be texts. */
function parse(
  format: FormatName,
  sample: Sample,
  form: TextForm,
  args: PreviewArgs,
  text: TextIdsFound | null,
): Parsed {
  const rows = new RowPolicy(args.table, true)
  const { context, reader } = new Reading(
    { ...args, format, folder: '' },
    sample,
    quietJob,
    text,
    undefined,
    undefined,
    { rows },
  )
  const { output, weights } = context
  const warnings = form.note === null ? [] : [`${form.note}.`]
  if (text !== null) warnings.push(`All ids are read as texts, because line ${text.line} holds "${text.id}".`)
  const looked = () => ({ rows: reader.line, complete: sample.complete })
  const refusals = () => [...rows.refusals(), ...weights.refusals()]
  try {
    const { bytes } = sample
    reader.readLines(endingInNewline(bytes), 0, endingInNewline(bytes).length)
    if (sample.complete) warnings.push(...reader.finish().warnings)
  } catch (error) {
    if (error instanceof TextIdsFound && text === null) return parse(format, sample, form, args, error)
    if (!(error instanceof Failure)) throw error
    return { output, warnings, refusals: [...refusals(), { count: 1, failure: error.toValue() }], looked: looked() }
  }
  return { output, warnings, refusals: refusals(), looked: looked() }
}

function endingInNewline(bytes: Uint8Array): Uint8Array {
  return bytes.at(-1) === NEWLINE ? bytes : Buffer.concat([bytes, Buffer.of(NEWLINE)])
}

function tableRows(
  { bytes }: Sample,
  form: TextForm,
  { table = {}, ignoreWeights = false, source }: PreviewArgs,
): Pick<PreviewRows, 'columns' | 'rows'> & { readonly table: PreviewTable } {
  const shape = tableShape(bytes, table, ignoreWeights)
  const rows = sampleLines(bytes, table, PREVIEW_ROWS + 1).lines.map(
    (line) => allFields(line, shape.delimiter) ?? [Buffer.from(line).toString('utf8')],
  )
  if (shape.header) rows.shift()
  const shown = rows.slice(0, PREVIEW_ROWS)
  const { names } = shape
  // Empty fields at the end of a line do not count.
  const width = Math.max(names?.length ?? 0, ...shown.map((row) => row.length))
  const asEdges = { ...read(shape, shown, width, ignoreWeights, source), encoding: form.decoder ?? 'utf-8' }
  const isUsual = width <= 3 && asEdges.source === 0 && asEdges.target === 1 && asEdges.asks !== 'columns'
  const isNamed = names !== null || !isUsual
  if (isNamed) for (const row of shown) while (row.length < width) row.push('')
  const columns = isNamed ? Array.from({ length: width }, (_, i) => ({ name: names?.[i] || String(i + 1) })) : null
  return { columns, rows: shown, table: asEdges }
}

/** Columns that were chosen and are not there, or are the same, are asked for again. */
function read(
  shape: AnyShape,
  rows: readonly (readonly string[])[],
  width: number,
  ignoreWeights: boolean,
  source: string,
): PreviewTable {
  const { delimiter, header, names, table, decimal, doubt } = shape
  const name = delimiter === null ? null : delimiterName(delimiter)
  const lines = { delimiter: name, elements: false, header, encoding: 'utf-8', decimal }
  try {
    const places = edgePlaces(shape, rows[0], width, ignoreWeights, source)
    const asks = doubt?.asks ?? null
    const weight = asks === 'weights' ? null : places.weight
    const attributes = attributeColumns({ file: source, names, width }, { ...places, weight }, table.attributes)
    return { ...lines, source: places.source, target: places.target, weight, attributes, asks }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { ...lines, source: 0, target: 1, weight: null, attributes: [], asks: 'columns' }
  }
}
