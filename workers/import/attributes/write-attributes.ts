import { join } from 'node:path'
import { Bool, type Builder, Field, Float64, makeBuilder, Uint32, Utf8 } from 'apache-arrow'
import type { AttributeColumn, AttributeKind, AttributeValue } from '../../contract/jobs.ts'
import { BATCH_ROWS, EDGE_KEYS, EDGE_TABLE, type NamedKind, VERTEX_TABLE } from '../../graph/attribute-table.ts'
import { ArrowWriter } from '../../graph/arrow-writer.ts'
import type { YieldScheduler } from '../../threads/yield-scheduler.ts'
import { type FileWriter, writeSummed } from '../write-dataset.ts'
import type { AttributeSpill, SpilledRow } from './attribute-spill.ts'

const typeOf = { number: new Float64(), text: new Utf8(), boolean: new Bool() } as const
const KEY = new Uint32()

/** A value of another kind is none. */
function valueAs(kind: AttributeKind, value: AttributeValue | undefined): AttributeValue {
  if (value === null || value === undefined) return null
  return kind === 'text' ? String(value) : typeof value === kind ? value : null
}

/** Columns, and rows in the order of their vertices. */
export interface RowSource {
  readonly columns: readonly (NamedKind & { readonly isDropped?: boolean })[]
  sorted(): Iterable<SpilledRow>
}

/** Gathers rows to batches of an Arrow file. */
class TableWriter {
  readonly columns: readonly { readonly name: string; readonly kind: AttributeKind }[]
  readonly filled: number[]
  /** Of the columns among those that were spilled. */
  readonly #places: readonly number[]
  /** Of the keys, then of the columns. */
  readonly #builders: readonly Builder[]
  readonly #keys: number
  readonly #writer: ArrowWriter
  readonly #file: FileWriter
  #rows = 0

  constructor(file: FileWriter, spill: RowSource, keys: readonly string[]) {
    this.#file = file
    this.#keys = keys.length
    this.#places = spill.columns.flatMap(({ isDropped }, i) => (isDropped ? [] : [i]))
    this.columns = this.#places.map((i) => ({ name: spill.columns[i]!.name, kind: spill.columns[i]!.kind }))
    this.filled = this.columns.map(() => 0)
    const fields = [
      ...keys.map((name) => new Field(name, KEY, false)),
      ...this.columns.map(({ name, kind }) => new Field(name, typeOf[kind], true, new Map([['kind', kind]]))),
    ]
    this.#builders = fields.map(({ type }): Builder => makeBuilder({ type, nullValues: [null] }))
    this.#writer = new ArrowWriter(fields)
  }

  /** null: a vertex of which nothing is known. */
  add(row: SpilledRow | null): void {
    for (let i = 0; i < this.#keys; i++) this.#builders[i]!.append(i === 0 ? row?.u : row?.v)
    for (const [i, { kind }] of this.columns.entries()) {
      const value = row?.cells[this.#places[i]!] ?? null
      this.#builders[this.#keys + i]!.append(valueAs(kind, value))
      if (value !== null) this.filled[i]!++
    }
    if (++this.#rows === BATCH_ROWS) this.#flush()
  }

  finish(): AttributeColumn[] {
    if (this.#rows > 0) this.#flush()
    this.#file.write(this.#writer.finish())
    return this.columns.map((column, i) => ({ ...column, filled: this.filled[i]! }))
  }

  #flush(): void {
    const columns = this.#builders.map((builder) => builder.flush())
    this.#file.write(this.#writer.batch(columns, this.#rows))
    this.#rows = 0
  }
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
  const rows = ofEveryVertex(spill.sorted(), vertices)
  const progress = { phase: 'attributes', total: vertices, unit: 'vertices' } as const
  return writeTable(join(folder, VERTEX_TABLE), spill, [], rows, seen, (done) => scheduler.yield({ ...progress, done }))
}

/** A row for every edge that has attributes, by its two vertices. */
export function writeEdgeTable(
  folder: string,
  spill: AttributeSpill,
  scheduler: YieldScheduler,
): Promise<AttributeColumn[]> {
  const progress = { phase: 'attributes', total: spill.rows, unit: 'lines' } as const
  return writeTable(
    join(folder, EDGE_TABLE),
    spill,
    EDGE_KEYS,
    spill.sorted(),
    () => {},
    (done) => scheduler.yield({ ...progress, done }),
  )
}

async function writeTable(
  path: string,
  spill: RowSource,
  keys: readonly string[],
  rows: Iterable<SpilledRow | null>,
  seen: (row: SpilledRow | null) => void,
  pause: (done: number) => Promise<void>,
): Promise<AttributeColumn[]> {
  let columns: AttributeColumn[] = []
  await writeSummed(path, async (file) => {
    const table = new TableWriter(file, spill, keys)
    let done = 0
    for (const row of rows) {
      table.add(row)
      seen(row)
      if (++done % BATCH_ROWS === 0) await pause(done)
    }
    columns = table.finish()
  })
  return columns
}
