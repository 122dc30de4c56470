import { expect, it } from 'vitest'
import {
  matchingQuality,
  parseSetQuality,
  searchQuality,
} from '../../../../workers/algorithms/quality/quality-option.ts'

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

const asked = { algorithm: 'ecl-mis', device: 'cpu:0', seed: 0 } as const

it('reads what limits a search', () => {
  expect(searchQuality(asked)).toBeUndefined()
  expect(searchQuality({ ...asked, quality: 'swap:3' })).toBeUndefined()
  expect(searchQuality({ ...asked, quality: 'better' })).toEqual({ steps: undefined, limitMs: Infinity })
  expect(searchQuality({ ...asked, quality: 'best' })).toEqual({ steps: Infinity, limitMs: 60_000 })
  expect(searchQuality({ ...asked, quality: 'best', searchSeconds: 2 })).toEqual({ steps: Infinity, limitMs: 2000 })
  expect(searchQuality({ ...asked, quality: 'best', searchSteps: 5 })).toEqual({ steps: 5, limitMs: Infinity })
  expect(parseSetQuality('best')).toEqual({ passes: 0, limitMs: Infinity })
})

it('refuses limits without a search', () => {
  expect(() => searchQuality({ ...asked, quality: 'better', searchSeconds: 2 })).toThrow(/limits a search/)
  expect(() => searchQuality({ ...asked, searchSteps: 2 })).toThrow(/limits a search/)
})

it('reads rounds of augmentation, and refuses other numbers of them', () => {
  expect(matchingQuality(asked)).toEqual({ rounds: 0, search: undefined })
  expect(matchingQuality({ ...asked, quality: 'augment' }).rounds).toBe(3)
  expect(matchingQuality({ ...asked, quality: 'augment:1000' }).rounds).toBe(1000)
  for (const quality of ['augment:1001', 'augment:12345', 'augment:', 'augment:-1', 'swap:3'])
    expect(() => matchingQuality({ ...asked, quality })).toThrow(/no quality of a matching/)
})
