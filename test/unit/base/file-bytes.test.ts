import { describe, expect, it } from 'vitest'
import { crc32 } from 'node:zlib'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crcOf, linesIn, writeFully } from '../../../workers/base/file-bytes.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const GIB = 2 ** 30

describe('bytes beyond what one call takes', () => {
  // Never touched, so that no memory is taken.
  const zeros = new Uint8Array(4 * GIB + 5)

  it('are all written, in order, in calls that the system takes', () => {
    const calls: [number, number, number | null][] = []
    const write = (_file: number, _bytes: Uint8Array, at: number, length: number, position: number | null): number => {
      expect(length).toBeLessThan(2 * GIB)
      calls.push([at, length, position])
      // As a system may: half of what was asked for.
      return Math.ceil(length / 2)
    }
    writeFully(1, zeros, 100, 'file', write)
    let end = 0
    for (const [at, length, position] of calls) {
      expect(at).toBe(end)
      expect(position).toBe(100 + at)
      end = at + Math.ceil(length / 2)
    }
    expect(end).toBe(zeros.length)
  })

  it('have the checksum of their parts', () => {
    const bytes = Uint8Array.from({ length: 1005 }, (_, i) => i * i)
    for (const callBytes of [1, 7, 1004, 1005, 1006]) expect(crcOf(bytes, 5, callBytes)).toBe(crc32(bytes, 5))
    expect(crcOf(Uint8Array.of(1, 2, 3))).toBe(crc32(Uint8Array.of(1, 2, 3)))
  })
})

describe('lines of a text', () => {
  const long = Array.from({ length: 200_000 }, (_, i) => `${i} – ü`).join('\n')
  it.each([
    ['an empty one', ''],
    ['one without an end', '\ufeffa\r\nb'],
    ['one with empty lines', '\n\nx\n\n'],
    ['one of several pieces, which cut characters', long],
    ['the same with an end', `${long}\n`],
  ])('%s', (_what, text) => {
    const path = join(scratchFolder('lines'), 'text')
    writeFileSync(path, text)
    expect([...linesIn(path)]).toEqual(readFileSync(path, 'utf8').split('\n'))
  })

  it('one that is a single line beyond all measure is refused, not held', () => {
    const path = join(scratchFolder('lines'), 'text')
    writeFileSync(path, Buffer.alloc(20 << 20, 'x'))
    expect(() => [...linesIn(path)]).toThrow(/a line is longer than 16777216 characters/)
  })
})
