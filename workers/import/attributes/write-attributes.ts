import { join } from 'node:path'
import { Bool, type Builder, Field, Float64, makeBuilder, Uint32, Utf8 } from 'apache-arrow'
import type { AttributeColumn, AttributeKind, AttributeValue } from '../../contract/jobs.ts'
import { BATCH_ROWS, EDGE_KEYS, EDGE_TABLE, type NamedKind, VERTEX_TABLE } from '../../graph/attribute-table.ts'
import { ArrowWriter } from '../../graph/arrow-writer.ts'
import type { YieldScheduler } from '../../base/job.ts'
import { writeSummed } from '../write-dataset.ts'
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
