import type { SchemaElement } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { AttributeValue } from '../../contract/jobs.ts'
import type { Labels } from '../../graph/labels.ts'

const GROUP_ROWS = 1 << 17

export type Column = AttributeValue[] | BigUint64Array | Float32Array

/** Of texts, or of whole numbers. */
export function requiredColumn(name: string, isText: boolean): SchemaElement {
  return isText
    ? { name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' }
    : { name, type: 'INT64', converted_type: 'UINT_64', repetition_type: 'REQUIRED' }
}

export function idsOf(vertices: readonly number[], labels: Labels): Column {
  if (labels.kind === 'text') return vertices.map((v) => labels.of(v))
  return BigUint64Array.from(vertices, (v) => labels.number(v) ?? 0n)
}

export function* rowGroups<T>(rows: Iterable<T>, most = GROUP_ROWS): Generator<T[]> {
  let group: T[] = []
  for (const row of rows) {
    group.push(row)
    if (group.length < most) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

/** @param groups the values of each column, by row group */
export function* parquetFile(
  columns: readonly SchemaElement[],
  groups: Iterable<readonly Column[]>,
): Generator<Uint8Array> {
  const bytes = new ByteWriter(1 << 20)
  const schema = [{ name: 'root', num_children: columns.length }, ...columns]
  const writer = new ParquetWriter({ writer: bytes, schema, createdBy: 'anticlique' })
  const taken = (): Uint8Array => {
    const chunk = bytes.getBytes().slice()
    bytes.index = 0
    return chunk
  }
  for (const group of groups) {
    const columnData = columns.map(({ name }, i) => ({ name, data: group[i]! }))
    void writer.write({ columnData, rowGroupSize: group[0]!.length })
    yield taken()
  }
  void writer.finish()
  yield taken()
}
