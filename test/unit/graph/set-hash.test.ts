import { describe, expect, it } from 'vitest'
import { Matching, NO_MATE } from '../../../workers/graph/matching.ts'
import { VertexSet } from '../../../workers/graph/vertex-set.ts'
import { classesOf, hashOfValues } from '../../../workers/graph/result-file.ts'

/** FNV-1a with big integers, straight from its definition but for the basis. */
function fnv(words: readonly number[]): string {
  let hash = 1469598103934665603n
  for (const word of words)
    for (let shift = 0; shift < 32; shift += 8)
      hash = BigInt.asUintN(64, (hash ^ BigInt((word >>> shift) & 0xff)) * 0x100000001b3n)
  return hash.toString(16).padStart(16, '0')
}

describe('the hash of a set', () => {
  it('of a vertex set takes the members in ascending order', () => {
    const set = new VertexSet(100)
    for (const v of [99, 0, 31, 32, 7]) set.add(v)
    expect([...set.members()]).toEqual([0, 7, 31, 32, 99])
    expect(set.summary()).toEqual({ size: 5, hash: fnv([0, 7, 31, 32, 99]) })
  })

  it.each([1, 63, 64, 65, 1_048_576, 1_048_577, 1_200_003])(
    'of %i vertices, every third and the last a member',
    (vertices) => {
      const set = new VertexSet(vertices)
      for (let v = 0; v < vertices; v += 3) set.add(v)
      set.add(vertices - 1)
      const members = [...set.members()]
      expect(set.summary()).toEqual({ size: members.length, hash: fnv(members) })
    },
  )

  it.each([1, 2, 32_768, 32_769, 100_001])(
    'of a matching of %i vertices, whatever is looked at together',
    (vertices) => {
      const mates = new Uint32Array(vertices).fill(NO_MATE)
      // Near ones, and some across all that is looked at together.
      for (let u = 0; u + 1 < vertices; u += 3) [mates[u], mates[u + 1]] = [u + 1, u]
      for (let u = 2; 2 * u < vertices; u += 3) mates[u] = vertices - u
      if (vertices > 2) [mates[0], mates[1], mates[vertices - 1]] = [vertices - 1, NO_MATE, 0]
      const matching = new Matching(mates)
      const pairs = [...matching.pairs()]
      expect(matching.summary()).toEqual({ pairs: pairs.length, hash: fnv(pairs.flat()) })
    },
  )

  it('of a matching takes the pairs by their lower ends, each as lower and upper', () => {
    const matching = new Matching(Uint32Array.of(5, 2, 1, NO_MATE, 6, 0, 4))
    expect(matching.summary()).toEqual({ pairs: 3, hash: fnv([0, 5, 1, 2, 4, 6]) })
  })
})

describe('values of vertices', () => {
  it.each([1, 5, 32_767, 32_768, 32_769, 100_003])('of %i vertices: the hash takes all in their order', (vertices) => {
    // Every other value has a single byte.
    const values = Uint32Array.from(
      { length: vertices },
      (_, v) => Math.imul(v + 1, 0x9e3779b9) >>> (v % 2 === 0 ? 0 : 24),
    )
    expect(hashOfValues(values)).toBe(fnv([...values]))
    expect(hashOfValues(values.toReversed()) === fnv([...values])).toBe(vertices === 1)
  })

  it('are grouped by value, each group ascending', () => {
    const { starts, members: order } = classesOf(Uint32Array.of(2, 0, NO_MATE, 2, 0))
    expect([[...starts], [...order]]).toEqual([
      [0, 2, 2, 4],
      [1, 4, 0, 3],
    ])
  })
})
