import type { SchemaElement } from 'hyparquet'
import type { AttributeValue } from '../contract/jobs.ts'
import { AttributeTable, EDGE_TABLE, type NamedKind, VERTEX_TABLE } from '../graph/attribute-table.ts'
import type { Column } from './formats/parquet-file.ts'
import { csvField, type CsvTail } from './formats/text-writers.ts'

const parquetTypes = {
  number: { type: 'DOUBLE' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  boolean: { type: 'BOOLEAN' },
} as const

/** Columns behind those of a result: attributes of its vertices, of pairs those of the edge and of both ends. */
export interface AttributeColumns<Row> {
  readonly columns: readonly NamedKind[]
  of(row: Row): readonly AttributeValue[]
}

/** What a dataset knows of vertices and edges, for the rows of a result. */
export class ExportedAttributes {
  readonly #vertices: AttributeTable | null
  readonly #edges: AttributeTable | null

  private constructor(vertices: AttributeTable | null, edges: AttributeTable | null) {
    this.#vertices = vertices
    this.#edges = edges
  }

  /** @throws Failure (input) where a table is damaged */
  static async open(folder: string): Promise<ExportedAttributes> {
    const vertices = await AttributeTable.open(folder, VERTEX_TABLE)
    return new ExportedAttributes(vertices, await AttributeTable.open(folder, EDGE_TABLE))
  }

  /** @param taken names of the columns in front */
  ofVertices(taken: readonly string[]): AttributeColumns<number> {
    const columns = distinct(this.#vertices?.columns ?? [], taken)
    return { columns, of: (v) => this.#vertices?.row(v) ?? [] }
  }

  csvOfVertices(taken: readonly string[], safe?: boolean): CsvTail {
    const { columns, of } = this.ofVertices(taken)
    return { head: csvNames(columns, safe), of: (v) => csvCells(of(v), safe) }
  }

  ofPairs(taken: readonly string[]): AttributeColumns<readonly [number, number]> {
    const edges = this.#edges
    const none = (edges?.columns ?? []).map(() => null)
    const ofEnd = (end: string): NamedKind[] =>
      (this.#vertices?.columns ?? []).map(({ name, kind }) => ({ name: `${end}.${name}`, kind }))
    const all = [...(edges?.columns ?? []), ...ofEnd('source'), ...ofEnd('target')]
    return {
      columns: distinct(all, taken),
      of: ([u, v]) => {
        const row = edges?.rowOfEdge(u, v) ?? -1
        const ofEdge = row < 0 ? none : edges!.row(row)
        return [...ofEdge, ...(this.#vertices?.row(u) ?? []), ...(this.#vertices?.row(v) ?? [])]
      },
    }
  }

  close(): void {
    this.#vertices?.close()
    this.#edges?.close()
  }
}

/** A name that is taken gets underscores. */
function distinct(columns: readonly NamedKind[], taken: readonly string[]): NamedKind[] {
  const names = new Set(taken)
  return columns.map(({ name, kind }) => {
    let free = name
    while (names.has(free)) free += '_'
    names.add(free)
    return { name: free, kind }
  })
}

/** ",A,1.5": what follows the cells of a row. */
export function csvCells(values: readonly AttributeValue[], safe?: boolean): string {
  return values
    .map((value) => `,${value === null ? '' : typeof value === 'string' ? csvField(value, safe) : value}`)
    .join('')
}

export const csvNames = (columns: readonly NamedKind[], safe?: boolean): string =>
  columns.map(({ name }) => `,${csvField(name, safe)}`).join('')

export const parquetColumns = (columns: readonly NamedKind[]): SchemaElement[] =>
  columns.map(({ name, kind }) => ({ name, ...parquetTypes[kind], repetition_type: 'OPTIONAL' }))

/** A row group by column. */
export function parquetValues<Row>({ columns, of }: AttributeColumns<Row>, rows: readonly Row[]): Column[] {
  const values = rows.map(of)
  return columns.map((_, i) => values.map((row) => row[i] ?? null))
}
