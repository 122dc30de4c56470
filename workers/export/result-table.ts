import type { SchemaElement } from 'hyparquet'
import type { AttributeValue } from '../contract/jobs.ts'
import type { NamedKind } from '../graph/attribute-table.ts'
import type { Labels } from '../graph/labels.ts'
import type { ExportedAttributes } from './exported-attributes.ts'
import { requiredColumn, idsOf, parquetFile, rowGroups } from './formats/parquet-file.ts'
import { csvField } from './formats/text-writers.ts'
import { textChunks } from './write-chunks.ts'

/** A result as rows: vertices by their labels, perhaps a value, then what the dataset knows of them. */
export interface ResultTable {
  /** Columns of vertices. */
  readonly keys: readonly string[]
  readonly rows: Iterable<readonly number[]>
  /** Of tables of one key. */
  readonly value?: NamedKind & { of(v: number): string | number }
}

export interface RowWords {
  readonly labels: Labels
  readonly attributes: ExportedAttributes
}

/** RFC 4180. */
export function csvTable({ keys, rows, value }: ResultTable, words: RowWords, safe?: boolean): Iterable<Uint8Array> {
  const { labels, attributes } = words
  const front = value === undefined ? keys : [...keys, value.name]
  const { columns, of } = attributes.behind(keys, front)
  const cell = (one: AttributeValue): string => (typeof one === 'string' ? csvField(one, safe) : String(one ?? ''))
  const line = (cells: readonly AttributeValue[]): string => `${cells.map(cell).join(',')}\n`
  const lines = function* (): Generator<string> {
    yield line([...front, ...columns.map(({ name }) => name)])
    for (const row of rows) {
      const ids = row.map((v) => labels.of(v))
      yield line([...ids, ...(value === undefined ? [] : [value.of(row[0]!)]), ...of(row)])
    }
  }
  return textChunks(lines())
}

const parquetTypes = {
  number: { type: 'DOUBLE' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  boolean: { type: 'BOOLEAN' },
} as const

export function parquetTable(
  { keys, rows, value }: ResultTable,
  { labels, attributes }: RowWords,
): Iterable<Uint8Array> {
  const front = value === undefined ? keys : [...keys, value.name]
  const { columns, of } = attributes.behind(keys, front)
  const isText = value?.kind === 'text'
  const schema: SchemaElement[] = [
    ...keys.map((key) => requiredColumn(key, labels.kind === 'text')),
    ...(value === undefined ? [] : [requiredColumn(value.name, isText)]),
    ...columns.map(({ name, kind }) => ({ name, ...parquetTypes[kind], repetition_type: 'OPTIONAL' as const })),
  ]
  const groups = function* () {
    for (const group of rowGroups(rows)) {
      const ids = keys.map((_, end) =>
        idsOf(
          group.map((row) => row[end]!),
          labels,
        ),
      )
      const values = value === undefined ? [] : group.map((row) => value.of(row[0]!))
      const known = group.map(of)
      yield [
        ...ids,
        ...(value === undefined ? [] : [isText ? values : BigUint64Array.from(values, BigInt)]),
        ...columns.map((_, i) => known.map((row) => row[i] ?? null)),
      ]
    }
  }
  return parquetFile(schema, groups())
}
