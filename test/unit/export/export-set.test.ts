import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetReadObjects } from 'hyparquet'
import { afterEach, describe, expect, it } from 'vitest'
import { exportSet } from '../../../workers/export/export-set.ts'
import { quietJob } from '../../../workers/job.ts'
import type { ExportFormat } from '../../../workers/jobs.ts'
import { smallGraph, writeGraphFolder } from '../../support/graphs.ts'

const folders: string[] = []
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })))

/** The set {0, 2, 9} of ten vertices, in a folder with or without text labels. */
function exported(format: ExportFormat, labels?: readonly string[]): Buffer {
  const { folder, checksum } = writeGraphFolder(smallGraph(10, [[0, 1]]))
  folders.push(folder)
  if (labels !== undefined) writeFileSync(join(folder, 'labels'), labelFile(labels))
  const resultFile = join(folder, 'set.bits')
  writeFileSync(resultFile, Uint8Array.of(0b101, 0b10))
  const output = join(folder, 'out', 'set')
  const outcome = exportSet({ folder, checksum, resultFile, format, output }, quietJob)
  const bytes = readFileSync(output)
  expect(outcome).toMatchObject({ files: [output], bytes: bytes.length, members: 3 })
  expect(readdirSync(join(folder, 'out'))).toEqual(['set'])
  return bytes
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
      const { buffer, byteOffset, byteLength } = exported('parquet', labels)
      const file = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer
      return (await parquetReadObjects({ file })).map((row) => row['id'] as unknown)
    }
    expect(await column()).toEqual([0n, 2n, 9n])
    expect(await column(places)).toEqual(['Aba', 'Cork', 'Łódź, "PL"'])
  })

  it('ids: one a line, in the ids of the user', () => {
    expect(exported('ids').toString()).toBe('0\n2\n9\n')
    expect(exported('ids', places).toString()).toBe('Aba\nCork\nŁódź, "PL"\n')
  })

  it('csv: every vertex with 1 or 0, quoted where it must be', () => {
    expect(exported('csv').toString().split('\n').slice(0, 4)).toEqual(['id,in', '0,1', '1,0', '2,1'])
    expect(exported('csv', places).toString().trimEnd().split('\n').at(-1)).toBe('"Łódź, ""PL""",1')
  })

  it('bits: least significant bit first', () => {
    expect([...exported('bits')]).toEqual([0b101, 0b10])
  })

  it('npy: a header of 64-byte multiples that NumPy reads, then u64 ids or UTF-32 strings', () => {
    const numbers = exported('npy')
    const headerBytes = 10 + numbers.readUInt16LE(8)
    expect(headerBytes % 64).toBe(0)
    expect(numbers.toString('latin1', 0, 6)).toBe('\u0093NUMPY')
    expect(numbers.toString('latin1', 10, headerBytes)).toMatch(
      /^\{'descr': '<u8', 'fortran_order': False, 'shape': \(3,\), \} *\n$/,
    )
    expect([0, 1, 2].map((i) => Number(numbers.readBigUInt64LE(headerBytes + 8 * i)))).toEqual([0, 2, 9])
    const texts = exported('npy', places)
    expect(texts.toString('latin1', 10, 40)).toContain("'<U10'")
    expect(String.fromCodePoint(...[0, 1, 2].map((i) => texts.readUInt32LE(10 + texts.readUInt16LE(8) + 4 * i)))).toBe(
      'Aba',
    )
  })
})
