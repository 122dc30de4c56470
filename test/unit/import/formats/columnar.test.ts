import {
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Field,
  Int64,
  Struct,
  Table,
  tableToIPC,
} from 'apache-arrow'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Failure } from '../../../../workers/base/failure.ts'
import { previewFiles } from '../../../../workers/import/preview/preview-file.ts'
import { fixturePath } from '../../../support/fixtures.ts'
import { failureOf, Workplace } from '../../../support/ingest-cases.ts'

const work = new Workplace()
const ROWS = 200_000
const ids = (step: number) => BigInt64Array.from({ length: ROWS }, (_, i) => BigInt((i * step) % 5003))

/** An Arrow file of 300,000 rows in many record batches. */
async function manyBatches(): Promise<Uint8Array> {
  const schema = new Schema([new Field('source', new Int64()), new Field('target', new Int64())])
  const writer = new RecordBatchFileWriter()
  const whole = writer.toUint8Array()
  const [from, to] = [ids(7), ids(11)]
  for (let first = 0; first < ROWS; first += 1 << 14) {
    const length = Math.min(1 << 14, ROWS - first)
    const child = (column: BigInt64Array) =>
      makeData({ type: new Int64(), length, data: column.subarray(first, first + length) })
    const children = [child(from), child(to)]
    writer.write(new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length, children })))
  }
  writer.finish()
  return whole
}

function oneGroup(): Uint8Array {
  const columns = { source: ids(7), target: ids(11) }
  const columnData = Object.entries(columns).map(([name, data]) => ({ name, data, type: 'INT64' as const }))
  return new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize: ROWS }))
}

/** A fixture with some bytes exchanged for others, wherever they are. */
function patched(name: string, from: string, to: Uint8Array | string): Uint8Array {
  const bytes = readFileSync(fixturePath(name))
  const parts: Uint8Array[] = []
  let at = 0
  for (let found = bytes.indexOf(from); found >= 0; found = bytes.indexOf(from, at)) {
    parts.push(bytes.subarray(at, found), Buffer.from(to as string))
    at = found + Buffer.from(from).length
  }
  expect(parts.length).toBeGreaterThan(0)
  return Buffer.concat([...parts, bytes.subarray(at)])
}

describe('columnar files', () => {
  it.each([
    ['Arrow in many batches', 'a.arrow', manyBatches],
    ['Parquet in one row group', 'a.parquet', oneGroup],
  ] as const)('%s: what it takes of the disk is told by how much was read', async (_, name, bytes) => {
    const found = await work.imported(name, await bytes(), { memoryBytes: 8 << 20 })
    expect(found.report).toMatchObject({ entries: ROWS, vertices: 5003 })
    const plain = await work.imported(name, await bytes())
    expect(found.graphBytes.equals(plain.graphBytes)).toBe(true)
  })

  it('a row group or record batch that does not fit in the memory is refused, with what would help', async () => {
    const remedy = expect.stringMatching(/rite it with smaller r/) as string
    const fixes = [{ action: 'raise', option: 'memoryBytes', to: expect.any(Number) as number }]
    for (const source of [work.file('a.parquet', oneGroup()), work.file('a.arrow', await manyBatches())])
      expect(await work.refused(source, { memoryBytes: 1 << 18 })).toMatchObject({
        code: 'usage',
        where: source,
        remedy,
        fixes,
      })
  })

  it.each(['parquet/text.parquet', 'arrow/text.arrow'])('%s: ids that are not UTF-8 are no ids', async (name) => {
    const source = work.file(name.replace('/', '.'), patched(name, 'ü', Uint8Array.of(0xff, 0xfe)))
    const failure = await work.refused(source)
    expect(failure.where).toMatch(/, row \d$/)
    expect(failure.what).toMatch(/is not UTF-8/)
  })

  it('a table without rows is a graph without vertices', async () => {
    const empty = new Table(new Schema([new Field('source', new Int64()), new Field('target', new Int64())]))
    const columnData = ['source', 'target'].map((name) => ({ name, data: [], type: 'INT64' as const }))
    const files = {
      'file.arrow': tableToIPC(empty, 'file'),
      'stream.arrow': tableToIPC(empty, 'stream'),
      'e.parquet': new Uint8Array(parquetWriteBuffer({ columnData })),
      'e.graphml': '<graphml><graph/></graphml>',
      'e.gexf': '<gexf><graph><nodes/><edges/></graph></gexf>',
    }
    for (const [name, content] of Object.entries(files)) {
      const { report, arcs } = await work.imported(name, content)
      expect([name, report.vertices, arcs]).toEqual([name, 0, []])
    }
  })

  it('a null is neither more nor less than a number', async () => {
    const columns = { source: [1n, 2n, 3n], target: [2n, 3n, 4n], s: [0.5, null, 2] }
    const types = { source: 'INT64', target: 'INT64', s: 'DOUBLE' } as const
    const columnData = Object.entries(columns).map(([name, data]) => ({
      ...{ name, data, type: types[name as keyof typeof types] },
    }))
    const bytes = new Uint8Array(parquetWriteBuffer({ columnData }))
    const { report, arcs } = await work.imported('n.parquet', bytes, { table: { where: 's < 1 or s is empty' } })
    expect(report).toMatchObject({ filtered: 1 })
    expect(arcs).toEqual(['1 2', '2 1', '2 3', '3 2'])
  })

  it.each([
    [{}, 'weight', ['weightColumn', 'ignoreWeights', 'badRows']],
    [{ where: 'note > 1', weightColumn: '1' }, 'note', ['where', 'badRows']],
  ])('texts among numbers ask for what reads them: %j', async (table, column, options) => {
    const texts = (name: string, ...data: string[]) => ({ name, data, type: 'STRING' as const })
    const columnData = [
      ...[texts('source', 'a', 'b'), texts('target', 'b', 'c')],
      ...[texts('weight', '1,5', '2'), texts('note', 'x', 'y')],
    ]
    const source = work.file('t.parquet', new Uint8Array(parquetWriteBuffer({ columnData })))
    const failure = await work.refused(source, { table })
    expect(failure.what).toContain(`in the column "${column}" is not a number`)
    expect(failure.fixes?.map((fix) => 'option' in fix && fix.option)).toEqual(options)
  })

  it('columns of one name are told apart in Arrow, refused in Parquet, and refused by that name', async () => {
    const [arrow, parquet] = [
      patched('arrow/int64.arrow', 'dst', 'src'),
      patched('parquet/int64-none.parquet', 'dst', 'src'),
    ]
    const found = await work.imported('d.arrow', arrow)
    const whole = await work.imported('w.arrow', readFileSync(fixturePath('arrow/int64.arrow')))
    expect(found.arcs).toEqual(whole.arcs)
    const what = 'two columns are called "src"'
    expect(await work.refused(work.file('d.parquet', parquet))).toMatchObject({ what })
    const table = { sourceColumn: 'src', targetColumn: '2' }
    expect(await work.refused(work.file('d.arrow', arrow), { table })).toMatchObject({ what })
  })

  it.each([
    'parquet/int64-snappy.parquet',
    'parquet/text.parquet',
    'arrow/int64.arrow',
    'arrow/zstd.arrow',
    'npz/csr-packed.npz',
  ])('%s with any bit flipped is read, or refused in our own words', async (name) => {
    const sound = readFileSync(fixturePath(name))
    for (let i = 0; i < 40; i++) {
      const bytes = Buffer.from(sound)
      const bit = (i * 7919) % (8 * bytes.length)
      bytes[bit >> 3]! ^= 1 << (bit & 7)
      const end = await work.imported(`f${i}.${name.split('.').at(-1)}`, bytes).then(
        () => null,
        (error: unknown) => error,
      )
      if (end === null) continue
      if (!(end instanceof Failure)) throw end
      expect(end.message).not.toMatch(
        /undefined|NaN|TypeError|RangeError|Cannot read|thrift|parquet |DataView|invalid code/,
      )
    }
  })

  it('an Arrow stream that ends before its schema is damaged, and says so', async () => {
    const source = work.file('e.arrows', Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0))
    for (const failure of [await work.refused(source), await failureOf(previewFiles({ source }))])
      expect(failure).toMatchObject({ code: 'input', what: 'the file is damaged: there is no schema in it' })
  })
})
