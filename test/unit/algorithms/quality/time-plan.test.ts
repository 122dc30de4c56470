import { describe, expect, it } from 'vitest'
import { TimePlan } from '../../../../workers/algorithms/quality/time-plan.ts'

const planned = (limitMs: number, arcs = 1000, verifyPasses = 1) => {
  const clock = { ms: 2000 }
  const plan = new TimePlan({ limitMs, waitedMs: () => clock.ms, arcs, lastPasses: 0.5, verifyPasses })
  return { clock, plan }
}

describe('a time limit is what a person waits', () => {
  it('what came before the search and what comes after it are parts of it', () => {
    const { clock, plan } = planned(10_000)
    expect(plan.limitMs).toBe(8000)
    expect(plan.isTooShort).toBe(false)
    const quality = plan.of({ steps: undefined, limitMs: 10_000 })
    clock.ms = 3000
    expect(plan.loaded(1000)).toBe(true)
    expect(plan.limitMs).toBeLessThan(7500)
    expect(plan.limitMs).toBeGreaterThan(5000)
    expect(quality.limitMs).toBe(plan.limitMs)
    expect(plan.leftMs).toBe(plan.limitMs - 1000)
  })

  it('more is left where nothing is verified, and never less than nothing', () => {
    const [verified, bare] = [planned(10_000).plan, planned(10_000, 1000, 0).plan]
    for (const plan of [verified, bare]) plan.loaded(1000)
    expect(bare.limitMs).toBe(7500)
    expect(verified.limitMs).toBeLessThan(bare.limitMs)
    expect(verified.loaded(60_000)).toBe(false)
    expect([verified.limitMs, verified.leftMs]).toEqual([0, 0])
  })

  it('a graph that would not be loaded and verified in time is not searched, and without a limit any is', () => {
    expect([0, 1].map((verified) => planned(7200, 2 ** 28, verified).plan.isTooShort)).toEqual([false, true])
    expect(planned(3000, 2 ** 29).plan.isTooShort).toBe(true)
    expect(planned(Infinity, 2 ** 40).plan.isTooShort).toBe(false)
    expect(planned(Infinity).plan.limitMs).toBe(Infinity)
  })
})
