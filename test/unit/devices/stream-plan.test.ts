import { describe, expect, it } from 'vitest'
import { planStream } from '../../../workers/device/stream-plan.ts'
import { batchBytes } from '../../../workers/graph/batches.ts'
import type { Batch } from '../../../workers/graph/batches.ts'

const MIB = 1 << 20
/** Batches of about so many bytes each. */
const batches = (count: number, bytes: number): Batch[] =>
  Array.from({ length: count }, (_, index) => ({ index, first: 0, count: 16, tailFirst: 0, tailCount: bytes / 4 }))
const sum = (all: readonly Batch[]): number => all.reduce((bytes, batch) => bytes + batchBytes(batch), 0)

describe('the way of batches to a device', () => {
  it('is through reading threads where they are many bytes for memory of its own, and all stay', () => {
    const all = batches(9, 8 * MIB)
    const plan = planStream(all, sum(all), false)
    expect(plan?.resident).toEqual(new Set(all.map(({ index }) => index)))
    expect(plan?.arenaBytes).toBe(16 * MIB)
  })

  it('is direct where they are few bytes, or used where they are read', () => {
    expect(planStream(batches(9, MIB), 100 * MIB, false)).toBe(undefined)
    expect(planStream(batches(9, 8 * MIB), 100 * MIB, true)).toBe(undefined)
  })

  it('lets those pass that do not fit, with room for what passes', () => {
    for (const sharesMemory of [false, true])
      for (const budget of [10, 20, 40, 60, 71].map((mib) => mib * MIB)) {
        const all = batches(9, 8 * MIB)
        const plan = planStream(all, budget, sharesMemory)!
        const staying = all.filter(({ index }) => plan.resident.has(index))
        expect(staying.length).toBeLessThan(all.length)
        const passing = sharesMemory ? plan.arenaBytes : batchBytes(all[0]!)
        expect(sum(staying) + passing).toBeLessThanOrEqual(budget)
      }
  })
})
