import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ascendingBits } from '../../../kernels/parts/edge-order.ts'
import { leastKey } from '../../../workers/graph/edge-order.ts'

const keyOf = (weight: number): number => ascendingBits(new Uint32Array(Float32Array.of(weight).buffer)[0]!)

test('a stored weight stays exactly where it is not below the threshold, which may lie between two of them', () => {
  const weights = fc.float({ noNaN: true, noDefaultInfinity: true })
  const beside = fc.tuple(weights, fc.constantFrom(-1e-12, 0, 1e-12)).map(([near, off]) => near * (1 + off) || 0)
  let between = 0
  fc.assert(
    fc.property(weights, fc.oneof(beside, fc.double({ noNaN: true, min: -1e9, max: 1e9 })), (weight, threshold) => {
      for (const stored of [weight, Math.fround(threshold)]) {
        if (!Number.isFinite(stored) || Object.is(stored, -0)) continue
        if (stored !== threshold && Math.fround(threshold) === stored) between++
        expect(keyOf(stored) >= leastKey({ weights: 'column', threshold }), `${stored} ${threshold}`).toBe(
          stored >= threshold,
        )
      }
    }),
    { numRuns: 600 },
  )
  expect(between).toBeGreaterThan(100)
})
