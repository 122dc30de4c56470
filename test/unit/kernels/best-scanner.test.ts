import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NONE, keptWords, counter } from '../../../kernels/matching/match-state.ts'
import { matchBest } from '../../../kernels/matching/match-best.ts'
import { BestScanner } from '../../../kernels/parts/best-scanner.ts'
import { tieRules, edgeWeightRules } from '../../../kernels/parts/edge-order.ts'

const lists = fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 40 }), {
  minLength: 1,
  maxLength: 12,
})
const orders = fc.record({
  weights: fc.constantFrom(edgeWeightRules.unit, edgeWeightRules.column, edgeWeightRules.random3),
  ties: fc.constantFrom(tieRules.hash, tieRules.id),
  seedLow: fc.constantFrom(0, 7, 0xffffffff),
  seedHigh: fc.constantFrom(0, 1, 0x1fffff),
  least: fc.constantFrom(0, 500),
})

test('a scan in WebAssembly keeps what the twin of its kernel keeps', () => {
  let neighbours = 0
  fc.assert(
    fc.property(lists, orders, fc.integer({ min: 1, max: 4 }), fc.nat({ max: 3 }), (of, order, candidates, shift) => {
      const ends = new Uint32Array(of.length)
      const flat = of.flatMap((list, v) => {
        ends[v] = (ends[v - 1] ?? 0) + list.length
        return [...list].sort((a, b) => a - b)
      })
      neighbours += flat.length
      const targets = Uint32Array.from([...Array<number>(shift).fill(0), ...flat])
      const weightBits = new Uint32Array(Float32Array.from(targets, (u, i) => ((u * 7 + i) % 5) - 1).buffer)
      const each = keptWords(candidates)
      const [kept, expected] = [new Uint32Array(each * of.length), new Uint32Array(each * of.length)]
      const origin = -shift >>> 0
      const scanner = BestScanner.for(order, candidates)!
      expect(scanner.scan(0, of.length, ends, { targets, weightBits }, origin, origin, kept)).toBe(of.length)
      const params = { first: 0, count: of.length, origin, weightsAt: origin, isListed: 0, keptFirst: 0, allFree: 1 }
      const none = new Uint32Array(0)
      const buffers = { ends, targets, weightBits, list: none, longs: none, counters: new Uint32Array(counter.COUNT) }
      matchBest(candidates, order).twin(
        { ...params, ...order, counts: counter.SCAN, longer: NONE, longest: NONE },
        { ...buffers, matched: new Uint32Array(2), kept: expected },
      )
      expect(kept).toEqual(expected)
    }),
    { numRuns: 400 },
  )
  expect(neighbours).toBeGreaterThan(1000)
})
