import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ExactSum } from '../../../workers/base/exact-sum.ts'

function sumOf(terms: readonly number[]): number {
  const sum = new ExactSum()
  sum.start(terms[0]!)
  for (const term of terms.slice(1)) sum.add(term)
  return sum.value
}

it('does not depend on the order of the terms', () => {
  const terms = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true, min: 0 }), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(terms, (list) => {
      const sorted = list.toSorted((a, b) => a - b)
      expect(sumOf(list)).toBe(sumOf(sorted))
      expect(sumOf(sorted.reverse())).toBe(sumOf(list))
    }),
  )
})

it('is the nearest double, where adding one after another is not', () => {
  expect(sumOf(Array<number>(10).fill(0.1))).toBe(1)
  expect(sumOf([1, 2 ** -60, 2 ** 60, 2 ** -60])).toBe(2 ** 60)
  expect(sumOf([2 ** 53, 1, 2 ** -60])).toBe(2 ** 53 + 2)
  expect(sumOf([2 ** 53, 1])).toBe(2 ** 53)
})
