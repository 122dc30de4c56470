/**
 * A table of vertices beside the edges: CSV and the like with names above its columns, Parquet or Arrow, read in pieces. Its ids become
 * vertices, also those without edges, and its other columns attributes; which column has the ids is chosen by name or number, else found. Rows
 * that are none are refused or skipped by the policy of the import. attach-attributes.ts reads it again for the values.
 */

import { excerpt, inputFailure } from '../../base/failure.ts'
import { type JobContext, YieldScheduler } from '../../base/job.ts'
import type { FormatName, ImportArgs, TableOptions } from '../../contract/jobs.ts'
import { EntryOutput, type EntrySink } from '../../graph/entries.ts'
import { textOfCell, valueOfCell } from '../formats/columnar.ts'
import { detectMagic } from '../formats/detect.ts'
import { findColumn } from '../formats/column-choice.ts'
import type { Cell, ColumnFile, ElementValue } from '../formats/graph-format.ts'
import { StoredFile } from '../formats/stored-file.ts'
import { joinedRows, joinedSample, unmark } from '../formats/quoted-breaks.ts'
import { separatorIn } from '../formats/comment-rule.ts'
import { sampleLines } from '../formats/sample-lines.ts'
import { allFields, delimiterOf, Fields, IdScanner } from '../formats/table-lines.ts'
import { isMissingWord, isNumber } from '../reader/numbers.ts'
import { wholeFormat } from '../formats/registry.ts'
import { sampleOf } from './reading.ts'
import { type LineCells, requireUtf8, TextIdsFound, type VertexSpace, wholeLines } from '../reader/graph-reader.ts'
import { BadRow, RowPolicy } from '../reader/policies.ts'
import { TextSource } from '../reader/text-source.ts'

const encoder = new TextEncoder()
const NEWLINE = 10
const RETURN = 13
const idNames = ['id', 'node', 'vertex', 'node_id', 'vertex_id', 'nodeid', 'vertexid']

export interface VertexRow {
  readonly id: string
  /** The id in UTF-8, valid until the next row. */
  readonly idBytes: Uint8Array
  /** The other columns: cells of a line that was split, valid until the next row; or values by name, without empty ones. */
  readonly rest:
    | { readonly line: Uint8Array; readonly cells: LineCells }
    | { readonly values: readonly (readonly [string, ElementValue])[] }
  /** "nodes.csv:17". */
  readonly place: string
}

/** What the other columns of a row hold, by name. */
export function textsOf({ rest }: VertexRow): ReadonlyMap<string, string> {
  if ('values' in rest) return new Map(rest.values.map(([name, value]) => [name, String(value)]))
  const { line, cells } = rest
  const bytesOf = (cell: number): Uint8Array =>
    cells.unquoted(line, cell) ?? line.subarray(cells.start(cell), cells.end(cell))
  return new Map(cells.names.map((name, cell) => [name, Buffer.from(bytesOf(cell)).toString()]))
}

/** A table of vertices: CSV and the like with names above its columns, Parquet or Arrow. */
interface VertexFile {
  readonly idColumn: string
  readonly names: readonly string[]
  /** Gives all rows, and a turn to others behind each piece of the file. @throws Failure (input) at a row, unless `policy` skips it */
  rows(policy: RowPolicy, take: (row: VertexRow) => void): AsyncGenerator<void>
}

/** @throws Failure (input) for a file that cannot be read, or that has no names above its columns */
export async function openVertexFile(path: string, table: TableOptions = {}): Promise<VertexFile> {
  const stored = StoredFile.open(path)
  const magic = detectMagic(stored.head(8), path)?.format
  stored.close()
  return magic === undefined ? tableFile(path, table) : columnarFile(path, magic, table)
}

/** The column of ids by name or number, if it is chosen; else by its usual name, else the first. @throws Failure (input) */
function idOf(path: string, names: readonly string[], wanted: string | undefined): number {
  if (wanted !== undefined)
    return findColumn({ file: path, names, width: names.length }, wanted, [
      { action: 'choose', option: 'vertexColumn' },
    ])
  const lower = names.map((name) => name.toLowerCase())
  return idNames.map((name) => lower.indexOf(name)).find((at) => at >= 0) ?? 0
}

async function tableFile(path: string, table: TableOptions): Promise<VertexFile> {
  const { sample } = await sampleOf(path, table.encoding)
  const rowsSeen = joinedSample(sample.bytes, { comment: '#' })
  if (rowsSeen !== null) unmark(rowsSeen.bytes)
  const { lines } = sampleLines(rowsSeen?.bytes ?? sample.bytes, { comment: '#' })
  const delimiter = delimiterOf(lines, lines[0]?.includes(9) === true ? { delimiter: 'tab' } : {})
  const names = lines[0] === undefined ? null : allFields(lines[0], delimiter)
  if (names === null || names.some((name) => name === '' || isNumber(name)) || new Set(names).size < names.length)
    throw inputFailure(
      `${path}:1`,
      'the first line of the table of vertices does not name its columns',
      'Put a different name above each column: id,name,group.',
    )
  const id = idOf(path, names, table.vertexColumn)
  const fields = new Fields(names.map((_, i) => i))
  const others = [...names.keys()].filter((column) => column !== id)
  const cells = fields.cells(
    others.map((column) => names[column]!),
    others,
  )
  const rowOf = (line: Uint8Array, place: string): VertexRow => {
    requireUtf8(place, line, 'row')
    fields.split(line, delimiter)
    if (fields.broken)
      throw new BadRow('quotes', place, 'a quoted field does not end where it should', 'Close the quotes.')
    if (fields.count > names.length)
      throw new BadRow('columns', place, `${fields.count} columns under ${names.length} names`, 'Mend the row.')
    if (fields.isEmpty(id)) throw new BadRow('missing-id', place, 'a vertex has no id', 'Add it, or remove the row.')
    return { id: fields.text(line, id), idBytes: fields.bytes(line, id), rest: { line, cells }, place }
  }
  const rows: VertexFile['rows'] = (policy, take) =>
    tableRows(path, table.encoding, delimiter, policy, (line, place) => take(rowOf(line, place)))
  return { names, idColumn: names[id]!, rows }
}

async function* tableRows(
  path: string,
  encoding: TableOptions['encoding'],
  delimiter: number,
  policy: RowPolicy,
  takeRow: (bytes: Uint8Array, place: string) => void,
): AsyncGenerator<void> {
  const text = await TextSource.open(path, { encoding })
  let line = 0
  let continued = 0
  let isNamed = false
  try {
    const spans = joinedRows(wholeLines(text.chunks()), { delimiter, comment: Buffer.from('#') })
    for await (const { bytes, start, end } of spans) {
      for (let at = start; at < end;) {
        const newline = bytes.indexOf(NEWLINE, at)
        const last = newline > at && bytes[newline - 1] === RETURN ? newline - 1 : newline
        const row = bytes.subarray(at, last)
        at = newline + 1
        line += 1 + continued
        continued = unmark(row)
        if (row.length === 0 || (!isNamed && (row[0] === 35 || separatorIn(row) !== null))) continue
        if (!isNamed) {
          isNamed = true
          continue
        }
        try {
          takeRow(row, `${path}:${line}`)
        } catch (error) {
          policy.skip(error)
        }
      }
      yield
    }
  } finally {
    await text.close()
  }
}

async function columnarFile(path: string, format: FormatName, table: TableOptions): Promise<VertexFile> {
  const open = wholeFormat(format)?.columns
  if (open === undefined) throw inputFailure(path, `${format} holds no table of vertices`, 'Write it as CSV.')
  const opened = async function* () {
    const file = StoredFile.open(path)
    let columns: ColumnFile | null = null
    try {
      yield (columns = await open(file))
    } finally {
      await columns?.close()
      file.close()
    }
  }
  let names: readonly string[] = []
  for await (const columns of opened()) names = columns.names
  const id = idOf(path, names, table.vertexColumn)
  const takeRow = (cells: readonly Cell[], place: string, take: (row: VertexRow) => void): void => {
    if (isNone(cells[id]))
      throw new BadRow('missing-id', place, `the column "${names[id]}" is null`, 'Remove such rows first.')
    const filled = [...names.keys()].filter((column) => column !== id && !isNone(cells[column]))
    const values = filled.map((column) => [names[column]!, valueOfCell(cells[column])] as const)
    const text = textOfCell(cells[id])
    take({ id: text, idBytes: encoder.encode(text), rest: { values }, place })
  }
  const rows: VertexFile['rows'] = async function* (policy, take) {
    let number = 0
    for await (const columns of opened())
      for await (const { count, at } of columns.rows([...names.keys()], {})) {
        for (let row = 0; row < count; row++) {
          const place = `${path}, row ${++number}`
          try {
            takeRow(
              names.map((_, column) => at(column, row)),
              place,
              take,
            )
          } catch (error) {
            policy.skip(error)
          }
        }
        yield
      }
  }
  return { names, idColumn: names[id] ?? '', rows }
}

const isNone = (cell: Cell): boolean => cell === null || cell === undefined

/**
 * Makes vertices of all ids in the table of vertices: also those without edges. `declared`: loops among the entries.
 * @param between called between pieces of the table, whose labels may then be emptied
 * @throws Failure (input) at a row; TextIdsFound for a text among whole numbers
 */
export async function declareVertices(
  { vertices, table }: ImportArgs,
  space: VertexSpace,
  weighted: boolean,
  sink: EntrySink,
  between: (drain: () => Promise<void>) => Promise<void>,
  job: JobContext,
) {
  if (vertices === undefined || space.kind === 'counted') return { declared: 0, skipped: 0, warnings: [] }
  const file = await openVertexFile(vertices, table)
  const policy = new RowPolicy(table)
  const output = new EntryOutput()
  output.weighted = weighted
  output.next()
  const scheduler = new YieldScheduler(job)
  const declare = space.kind === 'text' ? internTo(space) : addTo(output)
  let rows = 0
  for await (const _ of file.rows(policy, (row) => declare(row, ++rows))) {
    await output.drain(sink)
    await between(() => output.drain(sink, true))
    await scheduler.yield({ phase: 'parse', done: 0, unit: 'vertices' })
  }
  await output.drain(sink, true)
  if (rows === 0) throw inputFailure(vertices, 'the table of vertices has no rows', 'Is it the right file?')
  return { declared: output.entries, skipped: policy.skipped, warnings: policy.warnings() }
}

const badId = (place: string, id: string, what: string): BadRow =>
  new BadRow('bad-id', place, `the id "${excerpt(id)}" ${what}`, 'Mend it.')

function internTo({ table }: Extract<VertexSpace, { kind: 'text' }>) {
  return ({ id, idBytes, place }: VertexRow): void => {
    if (table.intern(idBytes) < 0) throw badId(place, id, 'holds control characters or is not UTF-8 text')
  }
}

function addTo(output: EntryOutput) {
  const ids = new IdScanner()
  return ({ id, idBytes, place }: VertexRow, row: number): void => {
    const kind = ids.read(idBytes, 0, idBytes.length, false)
    if (kind === 'text' && isMissingWord(id)) throw badId(place, id, 'is a word for none among whole numbers')
    if (kind === 'text') throw new TextIdsFound(row, excerpt(id))
    if (kind !== 'integer' && kind !== 'decimal') throw badId(place, id, 'is no whole number from 0 to 2^64 - 1')
    output.addWide(ids.low, ids.high, ids.low, ids.high, NaN)
  }
}
