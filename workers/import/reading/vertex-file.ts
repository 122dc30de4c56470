/**
 * A table of vertices beside the edges: CSV and the like with names above its columns, Parquet or Arrow, read in pieces. Its ids become
 * vertices, also those without edges, and its other columns attributes; which column has the ids is chosen by name or number, else found. Rows
 * that are none are refused or skipped by the policy of the import. attach-attributes.ts reads it again for the values.
 */

import { isUtf8 } from 'node:buffer'
import { preparingBytes } from '../../base/host-resources.ts'
import { excerpt, Failure, inputFailure } from '../../base/failure.ts'
import { type JobContext, YieldScheduler } from '../../base/job.ts'
import type { FormatName, ImportArgs, TableOptions } from '../../contract/jobs.ts'
import { EntryOutput, type EntrySink } from '../../graph/entries.ts'
import { opening, textOfCell, valueOfCell } from '../formats/columnar.ts'
import { detectMagic } from '../formats/detect.ts'
import { findColumn } from '../formats/column-choice.ts'
import type { Cell, ElementValue } from '../formats/graph-format.ts'
import { StoredFile } from '../formats/stored-file.ts'
import { joinedRows, sampleRows, unmark } from '../formats/quoted-breaks.ts'
import { separatorIn } from '../formats/comment-rule.ts'
import { sampleLines } from '../formats/sample-lines.ts'
import { allFields, delimiterOf, Fields, IdScanner } from '../formats/table-lines.ts'
import { isMissingWord, isNumber } from '../reader/numbers.ts'
import { wholeFormat } from '../formats/registry.ts'
import { sampleOf } from './reading.ts'
import {
  type LineCells,
  type RowLines,
  type RowReader,
  lineTooLong,
  requireUtf8,
  type OtherReading,
  type VertexSpace,
  wholeLines,
} from '../reader/graph-reader.ts'
import { longestLine } from '../reader/import-resources.ts'
import { hasMarks, PlainRow } from '../reader/plain-row.ts'
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

/** What gives rows of a table to threads. */
export interface RowSpreader {
  /** @returns where lines are left that the reader has to read itself @throws Failure at a line of an earlier piece */
  take(lines: RowLines): Promise<number>
  readonly pieceBytes: number
  settle(): Promise<void>
}

/** A table of vertices: CSV and the like with names above its columns, Parquet or Arrow. */
interface VertexFile {
  readonly idColumn: string
  readonly names: readonly string[]
  /** Gives all rows that `spreader` does not take, each until the next, and a turn to others behind each piece. @throws Failure (input) at a row, unless `policy` skips it */
  rows(policy: RowPolicy, take: (row: VertexRow) => void, spreader?: RowSpreader): AsyncGenerator<void>
}

/** @throws Failure (input) for a file that cannot be read, or that has no names above its columns */
export async function openVertexFile(
  path: string,
  table: TableOptions = {},
  memoryBytes = preparingBytes(),
): Promise<VertexFile> {
  const stored = StoredFile.open(path)
  const magic = detectMagic(stored.head(8), path)?.format
  stored.close()
  return magic === undefined ? tableFile(path, table, longestLine(memoryBytes)) : columnarFile(path, magic, table)
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

async function tableFile(path: string, table: TableOptions, lineBytes: number): Promise<VertexFile> {
  const { sample } = await sampleOf(path, table.encoding)
  const { lines } = sampleLines(sampleRows(sample.bytes, { comment: '#' }).lines, { comment: '#' })
  const delimiter = delimiterOf(lines, lines[0]?.includes(9) === true ? { delimiter: 'tab' } : {})
  const names = lines[0] === undefined ? null : allFields(lines[0], delimiter)
  if (names === null || names.some((name) => name === '' || isNumber(name)) || new Set(names).size < names.length)
    throw inputFailure(
      `${path}:1`,
      'the first line of the table of vertices does not name its columns',
      'Put a different name above each column: id,name,group.',
    )
  const id = idOf(path, names, table.vertexColumn)
  const rows: VertexFile['rows'] = async function* (policy, take, spreader) {
    const text = await TextSource.open(path, { encoding: table.encoding })
    const reader = tableRows({ path, names, id, delimiter }, policy, take)
    const tooLong = lineTooLong(path, lineBytes)
    try {
      const spans = joinedRows(
        wholeLines(text.chunks(), lineBytes, () => tooLong),
        { delimiter, comment: Buffer.from('#') },
      )
      for await (const { bytes, start, end } of spans) {
        const left = (await spreader?.take({ reader, bytes, start, end })) ?? start
        if (left < end) reader.readLines(bytes, left, end)
        yield
      }
      await spreader?.settle()
    } catch (error) {
      if (error !== tooLong) throw error
      // Threads may have lines before it.
      await spreader?.settle()
      throw new Failure({ ...tooLong.toValue(), where: `${path}:${reader.line + 1}` })
    } finally {
      await text.close()
    }
  }
  return { names, idColumn: names[id]!, rows }
}

interface TableNames {
  readonly path: string
  readonly names: readonly string[]
  /** The column of ids. */
  readonly id: number
  readonly delimiter: number
}

/** Reads rows of a table in lines, under the names of its columns. */
function tableRows(
  { path, names, id, delimiter }: TableNames,
  policy: RowPolicy,
  take: (row: VertexRow) => void,
): RowReader & { readonly line: number } {
  const others = [...names.keys()].filter((column) => column !== id)
  const named = others.map((column) => names[column]!)
  const fields = new Fields([...names.keys()])
  const cells = fields.cells(named, others)
  const rowShape = { delimiter, ids: [id], weight: null, cells: others, names: named, mostColumns: names.length }
  let [line, continued, isNamed] = [0, 0, false]
  const place = (): string => `${path}:${line}`
  /** The row of the line that was split; the next one takes its place. */
  let bytes: Uint8Array = new Uint8Array(0)
  const row: VertexRow = {
    get id() {
      return fields.text(bytes, id)
    },
    get idBytes() {
      return fields.bytes(bytes, id)
    },
    get rest() {
      return { line: bytes, cells }
    },
    get place() {
      return place()
    },
  }
  const read = (): void => {
    if (!isUtf8(bytes)) requireUtf8(place(), bytes, 'row')
    fields.split(bytes, delimiter)
    if (fields.broken)
      throw new BadRow('quotes', place(), 'a quoted field does not end where it should', 'Close the quotes.')
    if (fields.count > names.length)
      throw new BadRow('columns', place(), `${fields.count} columns under ${names.length} names`, 'Mend the row.')
    if (fields.isEmpty(id)) throw new BadRow('missing-id', place(), 'a vertex has no id', 'Add it, or remove the row.')
    take(row)
  }
  return {
    get line() {
      return line
    },
    get rowShape() {
      return isNamed ? rowShape : undefined
    },
    tookLines: (lines) => void (line += lines),
    readLines: (text, start, end) => {
      for (let at = start; at < end;) {
        const newline = text.indexOf(NEWLINE, at)
        bytes = text.subarray(at, newline > at && text[newline - 1] === RETURN ? newline - 1 : newline)
        at = newline + 1
        line += 1 + continued
        continued = unmark(bytes)
        if (bytes.length === 0 || (!isNamed && (bytes[0] === 35 || separatorIn(bytes) !== null))) continue
        if (!isNamed) isNamed = true
        else
          try {
            read()
          } catch (error) {
            policy.skip(error)
          }
      }
    },
  }
}

async function columnarFile(path: string, format: FormatName, table: TableOptions): Promise<VertexFile> {
  const open = wholeFormat(format)?.columns
  if (open === undefined) throw inputFailure(path, `${format} holds no table of vertices`, 'Write it as CSV.')
  const opened = async function* () {
    const file = StoredFile.open(path)
    try {
      yield* opening(open, file)
    } finally {
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
          const cells = names.map((_, column) => at(column, row))
          try {
            takeRow(cells, place, take)
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
 * @returns why the file of the edges has to be read again: for a text among whole numbers
 * @throws Failure (input) at a row
 */
export async function declareVertices(
  { vertices, table, memoryBytes }: ImportArgs,
  space: VertexSpace,
  weighted: boolean,
  sink: EntrySink,
  between: (drain: () => Promise<void>) => Promise<void>,
  job: JobContext,
) {
  if (vertices === undefined || space.kind === 'counted') return { declared: 0, skipped: 0, warnings: [] }
  const file = await openVertexFile(vertices, table, memoryBytes)
  const policy = new RowPolicy(table)
  const output = new EntryOutput()
  output.weighted = weighted
  output.next()
  const scheduler = new YieldScheduler(job)
  let other: OtherReading | null = null
  const declare =
    space.kind === 'text' ? internTo(space) : addTo(output, (line, id) => void (other ??= { other: 'texts', line, id }))
  let rows = 0
  const wholeIds = plainIds((id) => {
    rows++
    output.addNumbers(id, id, NaN)
  })
  const spreader = space.kind === 'text' ? undefined : wholeIds
  for await (const _ of file.rows(policy, (row) => other ?? declare(row, ++rows), spreader)) {
    if (other !== null) return other as OtherReading
    await output.drain(sink)
    await between(() => output.drain(sink, true))
    await scheduler.yield({ phase: 'parse', done: 0, unit: 'vertices' })
  }
  await output.drain(sink, true)
  if (rows === 0) throw inputFailure(vertices, 'the table of vertices has no rows', 'Is it the right file?')
  return { declared: output.entries, skipped: policy.skipped, warnings: policy.warnings() }
}

/** Takes the whole numbers of ordinary rows, without an object a row; the reader gets all others. */
function plainIds(take: (id: number) => void): RowSpreader {
  let row: PlainRow | null = null
  return {
    pieceBytes: Infinity,
    take: async ({ reader, bytes, start, end }) => {
      const isMarked = hasMarks(bytes.subarray(start, end))
      for (let at = start; at < end;) {
        if (row === null && reader.rowShape !== undefined) row = new PlainRow({ ...reader.rowShape, cells: [] })
        let next = row?.read(bytes, at, isMarked) ?? -1
        if (next >= 0) {
          take(row!.first)
          reader.tookLines?.(1, 0)
        } else {
          next = bytes.indexOf(NEWLINE, at) + 1
          reader.readLines(bytes, at, next)
        }
        at = next
      }
      return end
    },
    settle: async () => {},
  }
}

const badId = (place: string, id: string, what: string): BadRow =>
  new BadRow('bad-id', place, `the id "${excerpt(id)}" ${what}`, 'Mend it.')

function internTo({ table }: Extract<VertexSpace, { kind: 'text' }>) {
  return (row: VertexRow): void => {
    if (table.intern(row.idBytes) < 0) throw badId(row.place, row.id, 'holds control characters or is not UTF-8 text')
  }
}

function addTo(output: EntryOutput, found: (row: number, id: string) => void) {
  const ids = new IdScanner()
  return (row: VertexRow, number: number): void => {
    const { idBytes } = row
    const kind = ids.read(idBytes, 0, idBytes.length, false)
    if (kind === 'text' && isMissingWord(row.id))
      throw badId(row.place, row.id, 'is a word for none among whole numbers')
    if (kind === 'text') return found(number, excerpt(row.id))
    if (kind !== 'integer' && kind !== 'decimal')
      throw badId(row.place, row.id, 'is no whole number from 0 to 2^64 - 1')
    output.addWide(ids.low, ids.high, ids.low, ids.high, NaN)
  }
}
