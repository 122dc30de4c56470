import type { AttributeValue } from '../contract/jobs.ts'
import { AttributeTable, EDGE_TABLE, type NamedKind, VERTEX_TABLE } from '../graph/attribute-table.ts'
import { openNameFile, textAt } from '../graph/labels.ts'

/** Columns behind those of a result. */
interface AttributeColumns {
  readonly columns: readonly NamedKind[]
  /** @param row a vertex, or both ends of an edge */
  of(row: readonly number[]): readonly AttributeValue[]
}

/** What a dataset knows of vertices and edges, for the rows of a result. */
export interface ExportedAttributes {
  /** Names and attributes of vertices; of pairs those of the edge and of both ends. @param taken names of the columns in front */
  behind(keys: readonly string[], taken: readonly string[]): AttributeColumns
  close(): void
}

/** @throws Failure (input) where a table is damaged */
export async function openExportedAttributes(folder: string, count: number): Promise<ExportedAttributes> {
  const vertices = await AttributeTable.open(folder, VERTEX_TABLE)
  const edges = await AttributeTable.open(folder, EDGE_TABLE)
  const names = openNameFile(folder, count)
  const ofVertex: NamedKind[] = [
    ...(names === null ? [] : [{ name: 'name', kind: 'text' } as const]),
    ...(vertices?.columns ?? []),
  ]
  const rowOf = (v: number): readonly AttributeValue[] => {
    const row = vertices?.row(v) ?? []
    return names === null ? row : [textAt(names, count, v).toString('utf8') || null, ...row]
  }
  const ofEdge = edges?.columns ?? []
  const edgeRow = (u: number, v: number): readonly AttributeValue[] => {
    const row = edges?.rowOfEdge(u, v) ?? -1
    return row < 0 ? ofEdge.map(() => null) : edges!.row(row)
  }
  const ofEnd = (end: string): NamedKind[] => ofVertex.map(({ name, kind }) => ({ name: `${end}.${name}`, kind }))
  return {
    behind: (keys, taken) =>
      keys.length === 1
        ? { columns: distinct(ofVertex, taken), of: ([v]) => rowOf(v!) }
        : {
            columns: distinct([...ofEdge, ...keys.flatMap(ofEnd)], taken),
            of: ([u, v]) => [...edgeRow(u!, v!), ...rowOf(u!), ...rowOf(v!)],
          },
    close: () => {
      for (const file of [vertices, edges, names]) file?.close()
    },
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
