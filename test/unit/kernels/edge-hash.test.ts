import { expect, it } from 'vitest'
import { EdgeHash } from '../../../kernels/parts/edge-hash.ts'
import { splitmix64 } from '../../support/matching.ts'

const GOLDEN = 0x9e3779b97f4a7c15n
const ids = [0, 1, 2, 7919, 0x7fffffff, 0x80000000, 0xfffffffd, 0xfffffffe]

// Seeds at both ends of the lower word: sums of its halves carry.
it.each([0, 1, 4, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1])(
  'the hash of edges is splitmix64, by seed %d',
  (seed) => {
    const hash = new EdgeHash(seed)
    for (const lo of ids)
      for (const hi of ids.filter((id) => id > lo)) {
        const expected = splitmix64(BigInt.asUintN(64, BigInt(lo) * GOLDEN + BigInt(hi) + BigInt(seed)))
        for (const [u, v] of [
          [lo, hi],
          [hi, lo],
        ] as const) {
          hash.of(u, v)
          expect((BigInt(hash.high) << 32n) + BigInt(hash.low), `${u} ${v}`).toBe(expected)
          expect(hash.modThousand()).toBe(Number(expected % 1000n))
        }
      }
  },
)
