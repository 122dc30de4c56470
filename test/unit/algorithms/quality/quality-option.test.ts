import { expect, it } from 'vitest'
import { parseSetQuality } from '../../../../workers/algorithms/quality/improve-set.ts'

it('reads passes and a time limit', () => {
  expect(parseSetQuality(undefined)).toEqual({ passes: 0, limitMs: Infinity })
  expect(parseSetQuality('fast')).toEqual({ passes: 0, limitMs: Infinity })
  expect(parseSetQuality('swap')).toEqual({ passes: 3, limitMs: Infinity })
  expect(parseSetQuality('swap:7')).toEqual({ passes: 7, limitMs: Infinity })
  expect(parseSetQuality('swap:10:60s')).toEqual({ passes: 10, limitMs: 60_000 })
})

it.each(['', 'swap:0', 'swap:1001', 'swap:-1', 'swap:3:60', 'swaps', 'augment:3', 'swap:3 '])('refuses %j', (text) =>
  expect(() => parseSetQuality(text)).toThrow(/no quality of a set/),
)
