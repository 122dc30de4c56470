import { join } from 'node:path'
import type { AttributeKind, AttributeValue, AttributeColumn } from '../../contract/jobs.ts'
import { AppendFile, ScratchFiles } from '../external/scratch-file.ts'
import { isMissingWord, numberOfCell } from '../numbers.ts'
import type { ElementValue } from '../formats/graph-format.ts'
import { Bool, type Builder, Field, Float64, makeBuilder, Uint32, Utf8 } from 'apache-arrow'
import { BATCH_ROWS, EDGE_KEYS, EDGE_TABLE, type NamedKind, VERTEX_TABLE } from '../../graph/attribute-table.ts'
import { ArrowWriter } from '../../graph/arrow-writer.ts'
import type { YieldScheduler } from '../../base/job.ts'
import { writeSummed } from '../write-dataset.ts'

const BUFFER_BYTES = 1 << 16
/** Of one bucket, which is sorted at once. */
const BUCKET_BYTES = 32 << 20
const MOST_BUCKETS = 128
/** Length, u, v; cells follow as JSON. */
const ROW_BYTES = 12
/** How a value came: a cell of a table of texts is what all cells of its column look like. */
type Form = 'cell' | 'text' | 'number' | 'boolean'
type Cell = readonly [column: number, form: Form, text: string]

/** No sign, no zeros in front, no digits that a number would lose: those are codes. */
const asNumber = /^-?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
const isNumberCell = (cell: string): boolean =>
  asNumber.test(cell) && (!/^-?\d+$/.test(cell) || Number.isSafeInteger(Number(cell)))
/** 1,234 may be either. */
const isEither = /^-?[1-9]\d{0,2},\d{3}$/

/** A column of attributes, of whatever kind its values turn out to be. */
class SpilledColumn {
  readonly name: string
  isDropped = false
  readonly #seen = { cell: 0, text: 0, number: 0, boolean: 0 }
  #numbers = 0
  /** All cells so far are numbers, or words for none: under a point, under a comma. */
  #isPoint = true
  #isComma = true
  #isSurelyComma = false
  #final: AttributeKind | null = null

  constructor(name: string) {
    this.name = name
  }

  see(form: Form, text: string): void {
    this.#seen[form]++
    // A text decides.
    if (form !== 'cell' || !(this.#isPoint || this.#isComma)) return
    if (isNumberCell(text)) {
      this.#numbers++
      if (text.includes('.')) this.#isComma = false
    } else if (!isMissingWord(text)) {
      this.#isPoint = false
      this.#isComma &&= text.includes(',') && !Number.isNaN(numberOfCell(text, 'comma'))
      if (this.#isComma) this.#numbers++
      this.#isSurelyComma ||= this.#isComma && !isEither.test(text)
    }
  }

  /** To be asked for once all was seen. */
  get kind(): AttributeKind {
    return (this.#final ??= this.#kind())
  }

  #kind(): AttributeKind {
    const { cell, text, number, boolean } = this.#seen
    if (text > 0) return 'text'
    const areNumbers = this.#numbers > 0 && (this.#isPoint || (this.#isComma && this.#isSurelyComma))
    if (cell > 0) return number + boolean === 0 && areNumbers ? 'number' : 'text'
    if (boolean > 0) return number > 0 ? 'text' : 'boolean'
    return number > 0 ? 'number' : 'text'
  }

  /** What was spilled as a text, as the column's kind. */
  value(form: Form, text: string): AttributeValue {
    if (this.kind === 'text') return text
    if (this.kind === 'boolean') return text === 'true'
    const number = Number(text)
    if (form === 'number' || (this.#isPoint && !Number.isNaN(number))) return number
    if (isMissingWord(text)) return null
    return this.#isPoint ? number : numberOfCell(text, 'comma')
  }
}

/** One row with the ids of its vertices; of a vertex v is 0. */
export interface SpilledRow {
  readonly u: number
  readonly v: number
  /** By column; undefined where there is none. */
  readonly cells: readonly (AttributeValue | undefined)[]
}

/** Rows in any order go to buckets of the disk by their vertex, and come back in order; the first of equal ones stays. */
export class AttributeSpill {
  readonly columns: SpilledColumn[] = []
  repeated = 0
  rows = 0
  readonly #folder: string
  readonly #span: number
  readonly #places = new Map<string, number>()
  readonly #files = new ScratchFiles()
  readonly #buckets: (AppendFile | null)[]

  /** @param bytes about those of all rows */
  constructor(folder: string, vertices: number, bytes: number) {
    this.#folder = folder
    const buckets = Math.min(MOST_BUCKETS, Math.max(1, Math.ceil(bytes / BUCKET_BYTES)))
    this.#span = Math.max(1, Math.ceil(vertices / buckets))
    this.#buckets = Array.from({ length: Math.ceil(Math.max(1, vertices) / this.#span) }, () => null)
  }

  /** @param isCell whether values are cells of a table of texts */
  add(u: number, v: number, values: Iterable<readonly [string, ElementValue]>, isCell: boolean): void {
    const cells: Cell[] = []
    for (const [name, value] of values) {
      if (value === '') continue
      const form: Form = isCell ? 'cell' : typeof value === 'string' ? 'text' : (typeof value as 'number' | 'boolean')
      const text = String(value)
      const column = this.#place(name)
      this.columns[column]!.see(form, text)
      cells.push([column, form, text])
    }
    this.rows++
    const row = JSON.stringify(cells)
    const bytes = Buffer.allocUnsafe(ROW_BYTES + Buffer.byteLength(row))
    bytes.writeUInt32LE(bytes.length, 0)
    bytes.writeUInt32LE(u, 4)
    bytes.writeUInt32LE(v, 8)
    bytes.write(row, ROW_BYTES)
    const index = Math.floor(u / this.#span)
    const bucket = (this.#buckets[index] ??= new AppendFile(
      this.#files,
      join(this.#folder, `rows-${index}`),
      BUFFER_BYTES,
    ))
    bucket.append(bytes)
  }

  /** A column that turned out to be none. */
  drop(name: string): void {
    const column = this.columns.find((one) => one.name === name)
    if (column !== undefined) column.isDropped = true
  }

  /** All rows by u, then v. */
  *sorted(): Generator<SpilledRow> {
    for (const bucket of this.#buckets) {
      if (bucket === null) continue
      bucket.flush()
      const bytes = Buffer.alloc(bucket.bytes)
      this.#files.read(bucket.path, bytes, 0)
      this.#files.remove(bucket.path)
      yield* this.#rowsOf(bytes)
    }
  }

  close(): void {
    this.#files.close()
  }

  *#rowsOf(bytes: Buffer): Generator<SpilledRow> {
    const starts: number[] = []
    for (let at = 0; at < bytes.length; at += bytes.readUInt32LE(at)) starts.push(at)
    const order = (a: number, b: number): number =>
      bytes.readUInt32LE(a + 4) - bytes.readUInt32LE(b + 4) || bytes.readUInt32LE(a + 8) - bytes.readUInt32LE(b + 8)
    starts.sort(order)
    for (const [i, start] of starts.entries()) {
      if (i > 0 && order(starts[i - 1]!, start) === 0) this.repeated++
      else yield this.#rowAt(bytes, start)
    }
  }

  #rowAt(bytes: Buffer, start: number): SpilledRow {
    const cells: (AttributeValue | undefined)[] = this.columns.map(() => undefined)
    const row = bytes.toString('utf8', start + ROW_BYTES, start + bytes.readUInt32LE(start))
    for (const [column, form, text] of JSON.parse(row) as Cell[])
      cells[column] = this.columns[column]!.value(form, text)
    return { u: bytes.readUInt32LE(start + 4), v: bytes.readUInt32LE(start + 8), cells }
  }

  #place(name: string): number {
    const known = this.#places.get(name)
    if (known !== undefined) return known
    this.#places.set(name, this.columns.length)
    return this.columns.push(new SpilledColumn(name)) - 1
  }
}

const typeOf = { number: new Float64(), text: new Utf8(), boolean: new Bool() } as const
const KEY = new Uint32()

/** A value of another kind is none. */
function valueAs(kind: AttributeKind, value: AttributeValue | undefined): AttributeValue {
  if (value === null || value === undefined) return null
  return kind === 'text' ? String(value) : typeof value === kind ? value : null
}

/** Columns, and rows in the order of their vertices. */
interface RowSource {
  readonly columns: readonly (NamedKind & { readonly isDropped?: boolean })[]
  sorted(): Iterable<SpilledRow>
}

/** null for the vertices between. */
function* ofEveryVertex(rows: Iterable<SpilledRow>, vertices: number): Generator<SpilledRow | null> {
  let next = 0
  for (const row of rows) {
    for (; next < row.u; next++) yield null
    next++
    yield row
  }
  for (; next < vertices; next++) yield null
}

/** A row for every vertex, in the order of their ids. @param seen gets each row */
export function writeVertexTable(
  folder: string,
  spill: RowSource,
  vertices: number,
  scheduler: YieldScheduler,
  seen: (row: SpilledRow | null) => void,
): Promise<AttributeColumn[]> {
  const rows = function* () {
    for (const row of ofEveryVertex(spill.sorted(), vertices)) {
      seen(row)
      yield row
    }
  }
  const progress = { phase: 'attributes', total: vertices, unit: 'vertices' } as const
  return writeTable(join(folder, VERTEX_TABLE), spill, [], rows(), (done) => scheduler.yield({ ...progress, done }))
}

/** A row for every edge that has attributes, by its two vertices. */
export function writeEdgeTable(
  folder: string,
  spill: AttributeSpill,
  scheduler: YieldScheduler,
): Promise<AttributeColumn[]> {
  const progress = { phase: 'attributes', total: spill.rows, unit: 'lines' } as const
  const pause = (done: number): Promise<void> => scheduler.yield({ ...progress, done })
  return writeTable(join(folder, EDGE_TABLE), spill, EDGE_KEYS, spill.sorted(), pause)
}

/** Gathers rows to batches of an Arrow file. @param rows null: a vertex of which nothing is known */
async function writeTable(
  path: string,
  spill: RowSource,
  keys: readonly string[],
  rows: Iterable<SpilledRow | null>,
  pause: (done: number) => Promise<void>,
): Promise<AttributeColumn[]> {
  const places = spill.columns.flatMap(({ isDropped }, i) => (isDropped ? [] : [i]))
  const columns = places.map((i) => ({ name: spill.columns[i]!.name, kind: spill.columns[i]!.kind, filled: 0 }))
  const fields = [
    ...keys.map((name) => new Field(name, KEY, false)),
    ...columns.map(({ name, kind }) => new Field(name, typeOf[kind], true, new Map([['kind', kind]]))),
  ]
  const builders = fields.map(({ type }): Builder => makeBuilder({ type, nullValues: [null] }))
  const writer = new ArrowWriter(fields)
  await writeSummed(path, async (file) => {
    let done = 0
    const flush = (count: number): void => {
      const batch = builders.map((builder) => builder.flush())
      file.write(writer.batch(batch, count))
    }
    for (const row of rows) {
      for (let i = 0; i < keys.length; i++) builders[i]!.append(i === 0 ? row?.u : row?.v)
      for (const [i, column] of columns.entries()) {
        const value = row?.cells[places[i]!] ?? null
        builders[keys.length + i]!.append(valueAs(column.kind, value))
        if (value !== null) column.filled++
      }
      if (++done % BATCH_ROWS > 0) continue
      flush(BATCH_ROWS)
      await pause(done)
    }
    if (done % BATCH_ROWS > 0) flush(done % BATCH_ROWS)
    file.write(writer.finish())
  })
  return columns
}
