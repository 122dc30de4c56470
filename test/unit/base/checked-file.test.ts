import { closeSync, openSync, readFileSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { CheckedFile } from '../../../workers/base/checked-file.ts'
import { sumFile, PIECE_BYTES } from '../../../workers/base/sums.ts'
import { quietJob } from '../../../workers/base/job.ts'
import { randomStream } from '../../support/graphs.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const random = randomStream(5)
const LENGTH = 2 * PIECE_BYTES + 4321
const bytes = Uint8Array.from({ length: LENGTH }, () => 256 * random())
const path = join(scratchFolder('checked'), 'file')
writeFileSync(path, bytes)
const { sums } = sumFile(path, quietJob)
const words = { what: 'the file is damaged', remedy: 'Bring another.' }
const open = () => CheckedFile.open(path, sums, words)

function flip(at: number): void {
  const file = openSync(path, 'r+')
  writeSync(file, Uint8Array.of(bytes[at]! ^ 1), 0, 1, at)
  closeSync(file)
}

beforeEach(() => writeFileSync(path, bytes))

describe('a checked file', () => {
  it('gives the bytes that were written, from any place on', () => {
    const file = open()
    const places = Array.from({ length: 200 }, () => {
      const at = Math.floor(random() * LENGTH)
      return [at, Math.floor(random() ** 4 * (LENGTH - at))] as const
    })
    for (const [at, length] of [...places, [0, LENGTH], [LENGTH, 0], [PIECE_BYTES, PIECE_BYTES]] as const)
      expect(Buffer.compare(file.read(at, length), bytes.subarray(at, at + length))).toBe(0)
    const shared = new Uint8Array(new SharedArrayBuffer(LENGTH))
    file.readInto(0, shared)
    expect(Buffer.compare(shared, bytes)).toBe(0)
    file.close()
  })

  it.each([1, 1000])('gives the same to small reads of which %i are to come, and refuses what is damaged', (reads) => {
    const file = open()
    const small = file.forReads(reads)
    for (let i = 0; i < 50; i++) {
      const at = Math.floor(random() * (LENGTH - 8))
      expect(small.read(at, 3)).toEqual(Buffer.from(bytes.subarray(at, at + 3)))
      expect(small.long(at)).toBe(file.long(at))
    }
    expect(() => small.read(LENGTH - 2, 3)).toThrow(/more was expected behind/)
    file.close()
    flip(LENGTH - 1)
    const damaged = open()
    expect(() => damaged.forReads(reads).read(LENGTH - 1, 1)).toThrow(/the file is damaged/)
    damaged.close()
  })

  it('refuses every read that touches a piece with a wrong byte, and no other', () => {
    for (const at of [0, PIECE_BYTES - 1, PIECE_BYTES, 2 * PIECE_BYTES - 1, 2 * PIECE_BYTES, LENGTH - 1]) {
      writeFileSync(path, bytes)
      flip(at)
      const piece = Math.floor(at / PIECE_BYTES)
      const file = open()
      for (let other = 0; other < 3; other++) {
        const read = (): unknown => file.read(other * PIECE_BYTES + 7, 1)
        if (other === piece) expect(read).toThrow(/the file is damaged: the bytes \d+ to \d+ are not/)
        else expect(read).not.toThrow()
      }
      expect(() => file.read(0, LENGTH)).toThrow(expect.objectContaining({ code: 'input', where: path, ...remedy }))
      file.close()
    }
  })

  it('verifies a piece once, for all threads that have it open', () => {
    const first = open()
    const second = CheckedFile.of(first.handle)
    first.read(0, PIECE_BYTES)
    flip(3)
    // It was verified before, and is read again: that is what "once" costs.
    expect(second.read(3, 1)[0]).toBe(bytes[3]! ^ 1)
    flip(PIECE_BYTES + 3)
    expect(() => second.read(PIECE_BYTES, 1)).toThrow(/damaged/)
    expect(() => open().read(3, 1)).toThrow(/damaged/)
    first.close()
    second.close()
  })

  it('is refused when it is shorter or longer than what was written, or gone', () => {
    truncateSync(path, LENGTH - 1)
    expect(open).toThrow(/it has 2101472 bytes, and 2101473 were written/)
    writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.alloc(2)]))
    expect(open).toThrow(/it has 2101474 bytes/)
    expect(() => CheckedFile.open(`${path}-gone`, sums, words)).toThrow(/there is no such file/)
  })

  it('ends where it ends', () => {
    const file = open()
    expect(() => file.read(LENGTH - 3, 4)).toThrow(/more was expected behind its 2101473 bytes/)
    file.close()
  })
})

const remedy = { remedy: words.remedy }
