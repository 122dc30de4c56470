import type { FilePreview, FormatName, PreviewArgs, PreviewTable } from '../../contract/jobs.ts'
import type { EntryBlock, EntryOutput } from '../../graph/entries.ts'
import type { LabelTable } from '../label-table.ts'
import { Failure } from '../../base/failure.ts'
import { quietJob } from '../../base/job.ts'
import { wholeNumber } from '../decimal.ts'
import { delimiterName, sampleLines } from '../formats/text-lines.ts'
import { columnPlaces } from '../formats/column-choice.ts'
import { tableShape, type TableShape } from '../formats/table-shape.ts'
import { allFields } from '../formats/fields.ts'
import { TextIdsFound } from '../graph-reader.ts'
import { Reading, type Sample } from '../reading.ts'
import { textFormat } from '../formats/registry.ts'

export const PREVIEW_ROWS = 20

/** What a preview shows of a file beside its format and size. */
export type PreviewRows = Pick<FilePreview, 'columns' | 'rows' | 'warnings' | 'refusal'> &
  Partial<Pick<FilePreview, 'table'>>

/**
 * The first entries that a reader wrote: the ids of both ends, and the weight where there is one.
 * @param labels the table that entries point into, or what is to be added to internal ids
 */
export async function firstEntries(output: EntryOutput, labels: LabelTable | number): Promise<string[][]> {
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

/** The fewest digits that are this single-precision number: 0.1, not 0.10000000149011612. */
function shortest(weight: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const text = weight.toPrecision(digits)
    if (Math.fround(Number(text)) === weight) return String(Number(text))
  }
  return String(weight)
}

const NEWLINE = 10
/** The first rows of text in lines, as its reader takes them; a line that it refuses is the refusal of the import. */
export async function previewText(format: FormatName, sample: Sample, args: PreviewArgs): Promise<PreviewRows> {
  const { shownAs, firstId = 0 } = textFormat(format, args.source)
  const { output, ...said } = parse(format, sample, args, null)
  if (shownAs === undefined) return { columns: null, rows: await firstEntries(output, firstId), ...said }
  const { table = null, ...rows } = tableRows(sample, args)
  return { ...rows, ...said, table: shownAs === 'table' ? table : null }
}

/** Reads lines of the sample, all where they are few; a second time where ids turn out to be texts. */
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

/** Lines cut into all their fields, as the shape of the table says. */
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

/** How the table is read; columns that were chosen and are not there, or are the same, are asked for again. */
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
