import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  sumFile,
  writeSums,
  PIECE_BYTES,
  SumsBuilder,
  decodeSums,
  encodeSums,
  identityOf,
  readSums,
  sealed,
} from '../../../workers/base/sums.ts'
import { Failure } from '../../../workers/base/failure.ts'
import { quietJob } from '../../../workers/base/job.ts'
import { randomStream } from '../../support/graphs.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const random = randomStream(11)
const bytes = Uint8Array.from({ length: 3 * PIECE_BYTES + 12_345 }, () => 256 * random())
const path = join(scratchFolder('sums'), 'file')
writeFileSync(path, bytes)
const { sums, whole } = sumFile(path, quietJob, true)

/** Fills from the bytes, and notes what was asked for. */
function reader() {
  const asked: number[] = []
  const read = (at: number, into: Uint8Array): void => {
    asked.push(at / PIECE_BYTES)
    into.set(bytes.subarray(at, at + into.length))
  }
  return { asked, read }
}

describe('the sums of a file', () => {
  it('are those of its pieces, as docs/formats.md has them', () => {
    const file = Buffer.from(encodeSums(sums))
    expect(file.toString('latin1', 0, 8)).toBe('ACQ.SUMS')
    expect([file.readUInt32LE(8), file.readUInt32LE(12)]).toEqual([1, 2 ** 20])
    expect(file.readBigUInt64LE(16)).toBe(BigInt(bytes.length))
    for (let piece = 0; piece < 4; piece++) {
      const part = bytes.subarray(piece * 2 ** 20, (piece + 1) * 2 ** 20)
      expect(file.readUInt32LE(24 + 4 * piece)).toBe(crc32(part))
      expect(file.toString('hex', 40 + 32 * piece, 72 + 32 * piece)).toBe(
        createHash('sha256').update(part).digest('hex'),
      )
    }
    expect(file.length).toBe(24 + 36 * 4 + 32)
    expect(sums.root).toBe(createHash('sha256').update(file.subarray(0, -32)).digest('hex'))
    expect(file.toString('hex', 24 + 36 * 4)).toBe(sums.root)
    expect(whole).toBe(createHash('sha256').update(bytes).digest('hex'))
  })

  it('do not depend on who saw what when', () => {
    for (let seed = 0; seed < 20; seed++) {
      const draw = randomStream(seed)
      // Stretches in order within each of a few threads; the threads take turns.
      const threads = Array.from({ length: 1 + Math.floor(3 * draw()) }, () => new SumsBuilder())
      const ends = [0, ...Array.from({ length: 30 }, () => Math.floor(draw() * bytes.length)), bytes.length]
      ends.sort((a, b) => a - b)
      for (let i = 1; i < ends.length; i++) {
        const thread = threads[Math.floor(draw() * threads.length)]!
        thread.add(ends[i - 1]!, bytes.subarray(ends[i - 1], ends[i]))
      }
      const all = new SumsBuilder()
      for (const { pieces } of threads) all.take(pieces)
      const { asked, read } = reader()
      expect(all.finish(bytes.length, read)).toEqual(sums)
      expect(new Set(asked).size).toBe(asked.length)
    }
  })

  it('need no other reading where one thread wrote all, whatever the steps', () => {
    for (const step of [1000, PIECE_BYTES, 2 * PIECE_BYTES + 1]) {
      const builder = new SumsBuilder()
      for (let at = 0; at < bytes.length; at += step) builder.add(at, bytes.subarray(at, at + step))
      const { asked, read } = reader()
      expect(builder.finish(bytes.length, read)).toEqual(sums)
      expect(asked).toEqual([])
    }
  })

  it('forget a piece that was changed behind them', () => {
    const builder = new SumsBuilder()
    const earlier = bytes.slice()
    earlier[5]! ^= 1
    builder.add(0, earlier)
    builder.forget(0)
    const { asked, read } = reader()
    expect(builder.finish(bytes.length, read)).toEqual(sums)
    expect(asked).toEqual([0])
  })

  it('of an empty file and of one whole piece are sums too', () => {
    for (const length of [0, PIECE_BYTES]) {
      const builder = new SumsBuilder()
      builder.add(0, bytes.subarray(0, length))
      const made = builder.finish(length, reader().read)
      expect(made.crcs).toHaveLength(length / PIECE_BYTES)
      expect(decodeSums(encodeSums(made), 'x')).toEqual(made)
    }
  })

  it('are read as they were written, with the identity of version 0.1 where there is one', () => {
    expect(decodeSums(encodeSums(sums), 'x')).toEqual(sums)
    expect(identityOf(sums)).toBe(sums.root)
    const old = sealed({ ...sums, whole })
    expect(decodeSums(encodeSums(old), 'x')).toEqual(old)
    expect(identityOf(old)).toBe(whole)
    writeSums(`${path}.sums`, old)
    expect(readSums(`${path}.sums`)).toEqual(old)
    expect(readSums(`${path}.none`)).toBe(null)
  })

  it('notice every byte that changes in their own file, and every length', () => {
    for (const made of [sums, sealed({ ...sums, whole })]) {
      const file = encodeSums(made)
      for (let at = 0; at < file.length; at++) {
        const damaged = Uint8Array.from(file)
        damaged[at]! ^= 1 << (at % 8)
        expect(() => decodeSums(damaged, 'x')).toThrow(Failure)
        expect(() => decodeSums(file.subarray(0, at), 'x')).toThrow(Failure)
      }
      expect(() => decodeSums(Buffer.concat([file, file]), 'x')).toThrow(Failure)
    }
  })
})
