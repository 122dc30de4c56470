import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetReadObjects } from 'hyparquet'
import { afterEach, describe, expect, it } from 'vitest'
import { finishSums, SumsBuilder } from '../../../workers/base/sums.ts'
import { exportSet } from '../../../workers/export/export-set.ts'
import { writeGraphFile } from '../../../workers/export/formats/write-graph-file.ts'
import { quietJob } from '../../../workers/base/job.ts'
import type { ExportFormat } from '../../../workers/contract/jobs.ts'
import { smallGraph, writeGraphFolder } from '../../support/graphs.ts'

const folders: string[] = []
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })))

/** The set {0, 2, 9} of ten vertices, in a folder with or without text labels. */
async function exported(format: ExportFormat, labels?: readonly string[], spreadsheetSafe?: boolean): Promise<Buffer> {
  const { folder, checksum } = writeGraphFolder(smallGraph(10, [[0, 1]]))
  folders.push(folder)
  if (labels !== undefined) putLabels(folder, labels)
  const resultFile = join(folder, 'set.bits')
  writeFileSync(resultFile, Uint8Array.of(0b101, 0b10))
  const output = join(folder, 'out', 'set')
  const outcome = await exportSet({ folder, checksum, resultFile, format, output, spreadsheetSafe }, quietJob)
  const bytes = readFileSync(output)
  expect(outcome).toMatchObject({ files: [output], bytes: bytes.length, members: 3 })
  expect(readdirSync(join(folder, 'out'))).toEqual(['set'])
  return bytes
}

/** Labels in whatever order, with their sums: of a file without any it is asked whether they ascend. */
function putLabels(folder: string, labels: readonly string[]): void {
  const path = join(folder, 'labels')
  writeFileSync(path, labelFile(labels))
  finishSums(path, new SumsBuilder())
}

/** A text label file, byte by byte as labels.ts documents it. */
function labelFile(labels: readonly string[]): Buffer {
  const header = Buffer.alloc(32 + 8 * labels.length)
  header.write('ACQLABEL', 0, 'latin1')
  header.writeUInt32LE(2, 8)
  header.writeBigUInt64LE(BigInt(labels.length), 16)
  let end = 0
  labels.forEach((label, v) => header.writeBigUInt64LE(BigInt((end += Buffer.byteLength(label))), 32 + 8 * v))
  return Buffer.concat([header, ...labels.map((label) => Buffer.from(label))])
}

const places = ['Aba', 'Bari', 'Cork', 'Dili', 'Ede', 'Fes', 'Graz', 'Homs', 'Iwo', 'Łódź, "PL"']

describe('export of a set', () => {
  it('parquet: a column of the members, in the ids of the user', async () => {
    const column = async (labels?: readonly string[]) => {
      const { buffer, byteOffset, byteLength } = await exported('parquet', labels)
      const file = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer
      return (await parquetReadObjects({ file })).map((row) => row['id'] as unknown)
    }
    expect(await column()).toEqual([0n, 2n, 9n])
    expect(await column(places)).toEqual(['Aba', 'Cork', 'Łódź, "PL"'])
  })

  it('ids: one a line, in the ids of the user', async () => {
    expect((await exported('ids')).toString()).toBe('0\n2\n9\n')
    expect((await exported('ids', places)).toString()).toBe('Aba\nCork\nŁódź, "PL"\n')
  })

  it('csv: every vertex with 1 or 0, quoted where it must be', async () => {
    expect((await exported('csv')).toString().split('\n').slice(0, 4)).toEqual(['id,in', '0,1', '1,0', '2,1'])
    expect((await exported('csv', places)).toString().trimEnd().split('\n').at(-1)).toBe('"Łódź, ""PL""",1')
  })

  it('csv: texts of digits are in quotes, as an import would take them for numbers', async () => {
    const numerals = ['-1', '007', '+5', '7', ...places.slice(4)]
    const lines = (await exported('csv', numerals)).toString().split('\n')
    expect(lines.slice(0, 6)).toEqual(['id,in', '"-1",1', '"007",0', '"+5",1', '"7",0', 'Ede,0'])
  })

  it('csv for spreadsheets: no cell begins as a formula does', async () => {
    const cells = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=cmd|"/c calc"', "'=1", 'a=1', 'Ωmega']
    const safe = [
      "'=1+1",
      "'+1",
      "'-1",
      "'@SUM(A1)",
      "'\t=1",
      '"\'\r=1"',
      '"\'=cmd|""/c calc"""',
      "'=1",
      'a=1',
      'Ωmega',
    ]
    const cellsOf = (csv: Buffer): string[] =>
      csv
        .toString()
        .split(/,[01]\n/)
        .slice(0, -1)
    expect(cellsOf(await exported('csv', cells, true))).toEqual([`id,in\n${safe[0]}`, ...safe.slice(1)])
    expect(cellsOf(await exported('csv', cells)).slice(1, 4)).toEqual(['"+1"', '"-1"', '@SUM(A1)'])
    await expect(exported('ids', cells, true)).rejects.toThrow(/nothing that a spreadsheet opens/)
    const ring = cells.map((_, v): [number, number] => [v, (v + 1) % 10])
    const place = writeGraphFolder(smallGraph(10, ring))
    const { folder } = place
    folders.push(folder)
    putLabels(folder, cells)
    const output = join(folder, 'graph.csv')
    await writeGraphFile({ ...place, format: 'csv', output, spreadsheetSafe: true }, quietJob)
    const lines = readFileSync(output, 'utf8')
    for (const cell of safe.slice(0, 5)) expect(lines).toContain(`"${cell}"`)
    expect(lines).not.toMatch(/^"[=+\-@\t\r]|,"[=+\-@\t\r]/m)
    const metis = writeGraphFile({ ...place, format: 'metis', output, spreadsheetSafe: true }, quietJob)
    await expect(metis).rejects.toThrow(/metis is nothing that a spreadsheet opens/)
  })

  it('bits: least significant bit first', async () => {
    expect([...(await exported('bits'))]).toEqual([0b101, 0b10])
  })

  it('npy: a header of 64-byte multiples that NumPy reads, then u64 ids or UTF-32 strings', async () => {
    const numbers = await exported('npy')
    const headerBytes = 10 + numbers.readUInt16LE(8)
    expect(headerBytes % 64).toBe(0)
    expect(numbers.toString('latin1', 0, 6)).toBe('\u0093NUMPY')
    expect(numbers.toString('latin1', 10, headerBytes)).toMatch(
      /^\{'descr': '<u8', 'fortran_order': False, 'shape': \(3,\), \} *\n$/,
    )
    expect([0, 1, 2].map((i) => Number(numbers.readBigUInt64LE(headerBytes + 8 * i)))).toEqual([0, 2, 9])
    const texts = await exported('npy', places)
    expect(texts.toString('latin1', 10, 40)).toContain("'<U10'")
    expect(String.fromCodePoint(...[0, 1, 2].map((i) => texts.readUInt32LE(10 + texts.readUInt16LE(8) + 4 * i)))).toBe(
      'Aba',
    )
  })

  it('npy: every text is whole, wherever the longest one is', async () => {
    for (const longest of [0, 2, 9]) {
      const labels = places.map((_, v) => (v === longest ? 'Łódź \u{1f600}' : `${v}`))
      const bytes = await exported('npy', labels)
      const at = 10 + bytes.readUInt16LE(8)
      const width = (bytes.length - at) / 12
      const text = (row: number): string =>
        Array.from({ length: width }, (_, i) => bytes.readUInt32LE(at + 4 * (row * width + i)))
          .map((point) => (point === 0 ? '' : String.fromCodePoint(point)))
          .join('')
      expect([0, 1, 2].map(text)).toEqual([0, 2, 9].map((v) => labels[v]))
    }
  })
})

it('parquet of levels: none where a vertex was not reached', async () => {
  const { folder, checksum } = writeGraphFolder(smallGraph(3, [[0, 1]]))
  folders.push(folder)
  const [resultFile, output] = [join(folder, 'levels'), join(folder, 'out')]
  writeFileSync(resultFile, new Uint8Array(Uint32Array.of(0, 1, 2 ** 32 - 1).buffer))
  const kind = { kind: 'values', algorithm: 'bfs', format: 'parquet' } as const
  await exportSet({ folder, checksum, resultFile, output, ...kind }, quietJob)
  const { buffer, byteOffset, byteLength } = readFileSync(output)
  const file = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer
  expect((await parquetReadObjects({ file })).map(({ level }) => level as unknown)).toEqual([0n, 1n, null])
})

describe('export of values', () => {
  it('classes: ids with blanks or quotes are told apart', async () => {
    const { folder, checksum } = writeGraphFolder(smallGraph(3, [[0, 1]]))
    folders.push(folder)
    putLabels(folder, ['New York', 'York', 'a"b'])
    const resultFile = join(folder, 'values')
    writeFileSync(resultFile, Uint32Array.of(0, 1, 0))
    const output = join(folder, 'classes')
    const args = { folder, checksum, resultFile, output, kind: 'values', algorithm: 'colouring' } as const
    await exportSet({ ...args, format: 'classes' }, quietJob)
    expect(readFileSync(output, 'utf8')).toBe('"New York" "a""b"\nYork\n')
    await expect(exportSet({ ...args, format: 'bits' }, quietJob)).rejects.toThrow(/the proper colouring cannot be/)
  })
})
