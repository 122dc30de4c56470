import { describe, expect, it } from 'vitest'
import { eclPriority, rankVertices, vertexHash } from '../../../workers/graph/priority.ts'
import type { Priority } from '../../../workers/jobs.ts'
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

describe('priorities', () => {
  it.each(['ecl', 'hash', 'degree', 'column'] as const)('%s ranks as its definition does', (priority) => {
    const bytes = eclPriority(input)
    const key = priority === 'ecl' ? (v: number) => [bytes[v]!] : keys[priority]
    const expected = Array.from({ length: vertices }, (_, v) => v).sort((a, b) => compare(key(a), key(b)) || a - b)
    const { order, rank } = rankVertices(priority, input)
    expect([...order]).toEqual(expected)
    expect(order.every((v, i) => rank[v] === i)).toBe(true)
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
