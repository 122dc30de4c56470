import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SectionSums } from '../../../workers/graph/section-sums.ts'
import type { SectionSum } from '../../../workers/graph/section-sums.ts'

const bytes = Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) >>> 3)

/** The sums of stretches that end at the cuts, as readers would tell them. */
function sumsOf(cuts: readonly number[]): SectionSum<'heads'>[] {
  const ends = [...new Set([...cuts, bytes.length])].sort((a, b) => a - b)
  return ends.map((end, i) => {
    const at = ends[i - 1] ?? 0
    return { section: 'heads', at, bytes: end - at, crc32: crc32(bytes.subarray(at, end)) }
  })
}

const sums = (checksum: number) =>
  new SectionSums('some.view', { heads: { at: 4096, bytes: bytes.length, crc32: checksum } })
const cuts = fc.array(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 12 })
const shuffled = cuts.chain((at) => fc.shuffledSubarray(sumsOf(at), { minLength: sumsOf(at).length }))

it('stretches in any order, some of them twice, give the checksum of the section', () => {
  fc.assert(
    fc.property(shuffled, (stretches) => {
      const right = sums(crc32(bytes))
      for (const stretch of [...stretches, ...stretches.slice(0, 2)]) right.add(stretch)
      expect(right.parts).toEqual([{ section: 'heads', at: 0, bytes: bytes.length, crc32: crc32(bytes) }])
      const wrong = sums(crc32(bytes) ^ 1)
      expect(() => stretches.forEach((stretch) => wrong.add(stretch))).toThrow(/damaged/)
    }),
  )
})

it('the parts of several readers add up to the same', () => {
  fc.assert(
    fc.property(shuffled, fc.integer({ min: 2, max: 4 }), (stretches, readers) => {
      const all = sums(crc32(bytes) ^ 1)
      const parts = Array.from({ length: readers }, (_, reader) => {
        const own = sums(0)
        for (const [i, stretch] of stretches.entries())
          if (i % readers === reader && stretches.length > 1) own.add(stretch)
        return stretches.length > 1 ? own.parts : stretches
      })
      expect(() => parts.flat().forEach((part) => all.add(part))).toThrow(/damaged/)
    }),
  )
})

it('a section with a gap is not judged', () => {
  const gapped = sums(1)
  for (const stretch of sumsOf([1000, 2000]).filter(({ at }) => at !== 1000)) gapped.add(stretch)
  expect(gapped.parts.map(({ at }) => at)).toEqual([0, 2000])
})
