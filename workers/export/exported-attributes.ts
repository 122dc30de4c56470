import type { SchemaElement } from 'hyparquet'
import type { AttributeValue } from '../contract/jobs.ts'
import { AttributeTable, EDGE_TABLE, type NamedKind, VERTEX_TABLE } from '../graph/attribute-table.ts'
import { openNameFile, textAt } from '../graph/labels.ts'
import type { SideFile } from '../graph/side-file.ts'
import type { Column } from './formats/parquet-file.ts'
import { csvField, type CsvTail } from './formats/text-writers.ts'

const parquetTypes = {
  number: { type: 'DOUBLE' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  boolean: { type: 'BOOLEAN' },
} as const

/** Columns behind those of a result: names and attributes of its vertices, of pairs those of the edge and of both ends. */
export interface AttributeColumns<Row> {
  readonly columns: readonly NamedKind[]
  of(row: Row): readonly AttributeValue[]
}

/** What a dataset knows of vertices and edges, for the rows of a result. */
export class ExportedAttributes {
  readonly #vertices: AttributeTable | null
  readonly #edges: AttributeTable | null
  readonly #names: SideFile | null
  readonly #count: number
  readonly #ofVertex: readonly NamedKind[]

  private constructor(
    tables: { readonly vertices: AttributeTable | null; readonly edges: AttributeTable | null },
    names: SideFile | null,
    count: number,
  ) {
    this.#vertices = tables.vertices
    this.#edges = tables.edges
    this.#names = names
    this.#count = count
    this.#ofVertex = [
      ...(names === null ? [] : [{ name: 'name', kind: 'text' } as const]),
      ...(tables.vertices?.columns ?? []),
    ]
  }

  /** @throws Failure (input) where a table is damaged */
  static async open(folder: string, count: number): Promise<ExportedAttributes> {
    const vertices = await AttributeTable.open(folder, VERTEX_TABLE)
    const edges = await AttributeTable.open(folder, EDGE_TABLE)
    return new ExportedAttributes({ vertices, edges }, openNameFile(folder, count), count)
  }

  #row(v: number): readonly AttributeValue[] {
    const row = this.#vertices?.row(v) ?? []
    return this.#names === null ? row : [textAt(this.#names, this.#count, v).toString('utf8') || null, ...row]
  }

  /** @param taken names of the columns in front */
  ofVertices(taken: readonly string[]): AttributeColumns<number> {
    return { columns: distinct(this.#ofVertex, taken), of: (v) => this.#row(v) }
  }

  csvOfVertices(taken: readonly string[], safe?: boolean): CsvTail {
    const { columns, of } = this.ofVertices(taken)
    return { head: csvNames(columns, safe), of: (v) => csvCells(of(v), safe) }
  }

  ofPairs(taken: readonly string[]): AttributeColumns<readonly [number, number]> {
    const edges = this.#edges
    const none = (edges?.columns ?? []).map(() => null)
    const ofEnd = (end: string): NamedKind[] =>
      this.#ofVertex.map(({ name, kind }) => ({ name: `${end}.${name}`, kind }))
    const all = [...(edges?.columns ?? []), ...ofEnd('source'), ...ofEnd('target')]
    return {
      columns: distinct(all, taken),
      of: ([u, v]) => {
        const row = edges?.rowOfEdge(u, v) ?? -1
        const ofEdge = row < 0 ? none : edges!.row(row)
        return [...ofEdge, ...this.#row(u), ...this.#row(v)]
      },
    }
  }

  close(): void {
    this.#vertices?.close()
    this.#edges?.close()
    this.#names?.close()
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
