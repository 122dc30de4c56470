import { describe, expect, it } from 'vitest'
import { eclByte } from '../../../kernels/mis/priority-codes.ts'
import { eclPriority, rankVertices, vertexHash } from '../../../workers/graph/set-order.ts'
import type { Priority } from '../../../workers/contract/jobs.ts'
import { randomStream } from '../../support/graphs.ts'

const random = randomStream(7)
const vertices = 3000
const degrees = Uint32Array.from({ length: vertices }, (_, v) =>
  v % 500 === 0 ? 70000 + v : Math.floor(random() * 40),
)
const column = Float64Array.from({ length: vertices }, (_, v) => [-1.5, 0, -0, 1e300, -1e-300, v % 13][v % 6]!)
const input = { vertices, arcs: degrees.reduce((sum, degree) => sum + degree, 0), degrees, seed: 0, column }

/** What each priority compares, highest last, straight from its definition; the id comes last of all. */
const keys: Record<Priority, (v: number) => readonly number[]> = {
  ecl: (v) => [eclPriority(input)[v]!],
  hash: (v) => [vertexHash(v)],
  degree: (v) => [-degrees[v]!, vertexHash(v)],
  column: (v) => [column[v]! + 0, vertexHash(v)],
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1
  return 0
}

/** A quotient of whole numbers, rounded to the nearest; of two as near the even one. */
function nearestEven(p: bigint, q: bigint): bigint {
  const [floor, twice] = [p / q, 2n * (p % q)]
  return twice > q || (twice === q && floor % 2n === 1n) ? floor + 1n : floor
}

/** The nearest number with 24 bits of a positive quotient, as one. */
function single(p: bigint, q: bigint): { readonly p: bigint; readonly q: bigint } {
  if (p === 0n) return { p, q: 1n }
  let [up, down] = [0n, 0n]
  while (p << up < q << 23n) up++
  while (p >= q << (24n + down)) down++
  return { p: nearestEven(p << up, q << down) << down, q: 1n << up }
}

describe('priorities', () => {
  it.each(['ecl', 'hash', 'degree', 'column'] as const)('%s ranks as its definition does', (priority) => {
    const bytes = eclPriority(input)
    const key = priority === 'ecl' ? (v: number) => [bytes[v]!] : keys[priority]
    const expected = Array.from({ length: vertices }, (_, v) => v).sort((a, b) => compare(key(a), key(b)) || a - b)
    const { order, rank } = rankVertices(priority, input)
    expect([...order]).toEqual(expected)
    expect(order.every((v, i) => rank[v] === i)).toBe(true)
  })

  /** design section 4 in whole numbers: single precision is 24 bits, rounded to nearest even, as is the byte at last. */
  it('the ECL byte is what exact arithmetic makes of its definition, on every side of a half', () => {
    for (const [arcs, n] of [
      [300, 3],
      [12, 7],
      [2 ** 26 + 3, 2 ** 20],
      [5000, 4999],
      [64, 64],
    ] as const) {
      const degrees = Uint32Array.from({ length: 4000 }, (_, v) => [1 + (v % 63), 2 ** 24 + v, 126 * v + 1][v % 3]!)
      const mean = single(BigInt(arcs), BigInt(n))
      const scaled = single(mean.p * 126n, mean.q)
      const bytes = eclPriority({ vertices: n, arcs, degrees: degrees.subarray(0, n), seed: 0 })
      for (let v = 0; v < Math.min(n, 4000); v++) {
        const hash = single(BigInt(vertexHash(v)), 1n)
        const degree = single(BigInt(degrees[v]!), 1n)
        const x = single(degree.p * hash.q * 2n ** 32n - hash.p * degree.q, degree.q * hash.q * 2n ** 32n)
        const sum = single(mean.p * x.q + x.p * mean.q, mean.q * x.q)
        const quotient = single(scaled.p * sum.q, scaled.q * sum.p)
        const rounded = nearestEven(quotient.p, quotient.q)
        expect(bytes[v], `vertex ${v} of ${n}, ${arcs} arcs`).toBe(Number(2n * rounded + 1n))
      }
    }
    // Halves are too rare to be met: of degree 2 and a mean of 0, 2 k + 1 is divided by 2.
    for (let k = 0; k <= 126; k++)
      expect(eclByte(2, 0, 0, 2 * k + 1)).toBe(2 * Number(nearestEven(BigInt(2 * k + 1), 2n)) + 1)
  })

  it('the hash of ids is a bijection for every seed', () => {
    for (const seed of [0, 1, 12345]) {
      expect(new Set(Array.from({ length: 5000 }, (_, v) => vertexHash(v, seed))).size).toBe(5000)
    }
    expect(vertexHash(0)).toBe(0)
    expect(vertexHash(1)).toBe(824515495)
  })

  it('the ECL byte is odd, and low degrees get the high values', () => {
    const bytes = eclPriority({ vertices: 3, arcs: 300, degrees: Uint32Array.of(1, 100, 100000), seed: 0 })
    expect(bytes.every((byte) => byte % 2 === 1)).toBe(true)
    expect(bytes[0]! > bytes[1]! && bytes[1]! > bytes[2]!).toBe(true)
  })
})
