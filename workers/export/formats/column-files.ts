import type { SchemaElement } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { AttributeValue } from '../../contract/jobs.ts'
import type { Labels } from '../../graph/labels.ts'
import type { VertexSet } from '../../graph/vertex-set.ts'

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

const NPY_MAGIC = Buffer.from('\u0093NUMPY\u0001\u0000', 'latin1')
const NPY_ALIGNMENT = 64
/** Written at once. */
const TEXT_CHARACTERS = 1 << 18

/** u64, or fixed-width UTF-32 strings where labels are text */
export function* npyIds(set: VertexSet, size: number, labels: Labels): Generator<Uint8Array> {
  if (labels.kind !== 'text') {
    yield npyHeader('<u8', size)
    for (const group of rowGroups(set.members()))
      yield new Uint8Array(BigUint64Array.from(group, (v) => labels.number(v) ?? 0n).buffer)
    return
  }
  let width = 1
  for (const v of set.members()) width = Math.max(width, [...labels.of(v)].length)
  yield npyHeader(`<U${width}`, size)
  for (const group of rowGroups(set.members(), Math.ceil(TEXT_CHARACTERS / width))) {
    const points = new Uint32Array(width * group.length)
    group.forEach((v, row) =>
      [...labels.of(v)].forEach((character, i) => (points[width * row + i] = character.codePointAt(0)!)),
    )
    yield new Uint8Array(points.buffer)
  }
}

/** u32 */
export const npyWords = (words: Uint32Array): readonly Uint8Array[] => [
  npyHeader('<u4', words.length),
  new Uint8Array(words.buffer),
]

function npyHeader(dtype: string, length: number): Uint8Array {
  const dictionary = `{'descr': '${dtype}', 'fortran_order': False, 'shape': (${length},), }`
  const unpadded = NPY_MAGIC.length + 2 + dictionary.length + 1
  const text = Buffer.from(`${dictionary}${' '.repeat((NPY_ALIGNMENT - (unpadded % NPY_ALIGNMENT)) % NPY_ALIGNMENT)}\n`)
  const size = Buffer.alloc(2)
  size.writeUInt16LE(text.length)
  return Buffer.concat([NPY_MAGIC, size, text])
}
