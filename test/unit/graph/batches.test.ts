import { describe, expect, it } from 'vitest'
import { batchBytes, planBatches } from '../../../workers/graph/batches.ts'
import { randomStream } from '../../support/graphs.ts'

function randomOffsets(vertices: number, seed: number): Uint32Array {
  const random = randomStream(seed)
  const offsets = new Uint32Array(vertices + 1)
  for (let v = 0; v < vertices; v++) offsets[v + 1] = offsets[v]! + Math.floor(random() ** 8 * 200)
  return offsets
}

describe('batches', () => {
  it('cover every vertex once, begin at multiples of 16 and stay within the limits', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const vertices = seed * 37
      const offsets = randomOffsets(vertices, seed)
      const maxBatchBytes = seed % 2 === 0 ? Infinity : 40_000
      const batches = planBatches(offsets, { batches: seed % 20, maxBufferBytes: 1 << 20, maxBatchBytes })
      let next = 0
      for (const batch of batches) {
        expect(batch.first).toBe(next)
        expect(batch.first % 16).toBe(0)
        expect(batch.tailFirst).toBe(offsets[batch.first])
        expect(batch.tailCount).toBe(offsets[batch.first + batch.count]! - offsets[batch.first]!)
        expect(batchBytes(batch)).toBeLessThanOrEqual(maxBatchBytes)
        next += batch.count
      }
      expect(next).toBe(vertices)
    }
  })

  it('come in the wanted number and balance where there are enough vertices', () => {
    const offsets = randomOffsets(50_000, 5)
    for (const wanted of [1, 3, 17, 40]) {
      const batches = planBatches(offsets, { batches: wanted, maxBufferBytes: Infinity, maxBatchBytes: Infinity })
      expect(Math.abs(batches.length - wanted)).toBeLessThanOrEqual(1)
      const sizes = batches.map(batchBytes)
      expect(Math.max(...sizes)).toBeLessThan((1.2 * sizes.reduce((a, b) => a + b, 0)) / wanted)
    }
  })

  it('an empty graph has none; a limit below 16 vertices is a failure that says so', () => {
    expect(planBatches(new Uint32Array(1), { maxBufferBytes: 100, maxBatchBytes: 100 })).toEqual([])
    expect(() => planBatches(randomOffsets(100, 1), { maxBufferBytes: 8, maxBatchBytes: 8 })).toThrow(/--memory/)
  })
})

it('16 hubs may take more than a batch should, where there is room', () => {
  const offsets = Uint32Array.from({ length: 65 }, (_, v) => (v <= 48 ? 0 : 1000 * (v - 48)))
  const limits = { maxBufferBytes: 2 ** 30, maxBatchBytes: 2000 }
  expect(() => planBatches(offsets, limits)).toThrow(/16 vertices from internal id 48/)
  const batches = planBatches(offsets, { ...limits, mostBatchBytes: 70_000 })
  expect(batches.at(-1)).toMatchObject({ first: 48, count: 16, tailCount: 16_000 })
  expect(batches.slice(0, -1).every((batch) => batchBytes(batch) <= 2000)).toBe(true)
  expect(batches.reduce((sum, { count }) => sum + count, 0)).toBe(64)
})
