import type { SchemaElement } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { Labels } from '../../graph/labels.ts'
import type { VertexSet } from '../../graph/vertex-set.ts'

const GROUP_ROWS = 1 << 17

/** Columns of whole numbers and texts as the user's ids are: u64, or UTF-8. */
export function idColumn(name: string, labels: Labels): SchemaElement {
  return labels.kind === 'text'
    ? { name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' }
    : { name, type: 'INT64', converted_type: 'UINT_64', repetition_type: 'REQUIRED' }
}

/** Ids of some vertices as a column. */
export function idValues(vertices: readonly number[], labels: Labels): string[] | BigUint64Array {
  if (labels.kind === 'text') return vertices.map((v) => labels.of(v))
  return BigUint64Array.from(vertices, (v) => labels.number(v) ?? 0n)
}

/** A set as Parquet: one column `id` with its members, ascending. */
export function* parquetSetChunks(set: VertexSet, labels: Labels): Generator<Uint8Array> {
  const bytes = new ByteWriter(1 << 20)
  const schema: SchemaElement[] = [{ name: 'root', num_children: 1 }, idColumn('id', labels)]
  const writer = new ParquetWriter({ writer: bytes, schema, createdBy: 'anticlique' })
  const taken = (): Uint8Array => {
    const chunk = bytes.getBytes().slice()
    bytes.index = 0
    return chunk
  }
  let group: number[] = []
  const write = () =>
    void writer.write({ columnData: [{ name: 'id', data: idValues(group, labels) }], rowGroupSize: group.length })
  for (const v of set.members()) {
    group.push(v)
    if (group.length < GROUP_ROWS) continue
    write()
    group = []
    yield taken()
  }
  if (group.length > 0) write()
  void writer.finish()
  yield taken()
}
