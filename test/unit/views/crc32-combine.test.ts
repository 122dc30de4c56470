import { crc32 } from 'node:zlib'
import { expect, it } from 'vitest'
import { combineCrc32 } from '../../../workers/graph/views/crc32-combine.ts'
import { randomStream } from '../../support/graphs.ts'

it('the CRC-32 of two parts together is that of the whole', () => {
  const random = randomStream(1)
  const bytes = Uint8Array.from({ length: 5000 }, () => 256 * random())
  for (const cut of [0, 1, 7, 2500, 4999, 5000]) {
    const [first, second] = [bytes.subarray(0, cut), bytes.subarray(cut)]
    expect(combineCrc32(crc32(first), crc32(second), second.length)).toBe(crc32(bytes))
  }
})
