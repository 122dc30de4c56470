import { describe, expect, it } from 'vitest'
import { OutOfTime, TimePlan } from '../../../../workers/algorithms/quality/time-plan.ts'

/** What a command takes around a run is a part of its limit, too. */
const AROUND = 200

const planned = (limit: number, verifyPasses = 1, isBegun = false, more = {}) => {
  const clock = { ms: 2000 }
  const limitMs = limit + AROUND
  const wait = {
    steps: 7,
    limitMs,
    waitedMs: () => clock.ms,
    lastPasses: 0.5,
    loadsAlone: true,
    size: { vertices: 0, arcs: 1 },
    firstMs: 0,
    ...more,
  }
  const plan = new TimePlan({ ...wait, verifyPasses, isBegun })
  /** Loads a graph in steps of a thirty-second. @returns the part after which it gives up; 1: it does not */
  const load = (loadingMs: number): number => {
    for (let done = 0; done <= 32; done++) {
      try {
        plan.loading(done / 32)
      } catch (error) {
        expect(error).toBeInstanceOf(OutOfTime)
        return done / 32
      }
      if (done < 32) clock.ms += loadingMs / 32
    }
    return 1
  }
  return { clock, plan, load }
}

describe('a time limit is what a person waits', () => {
  it('what came before the search and what comes after it are parts of it', () => {
    const { clock, plan, load } = planned(10_000)
    expect(plan.limitMs).toBe(8000)
    expect(load(1000)).toBe(1)
    expect(clock.ms).toBe(3000)
    expect(plan.limitMs).toBeLessThan(7500)
    expect(plan.limitMs).toBeGreaterThan(5000)
    expect(plan.steps).toBe(7)
    expect(plan.leftMs).toBe(plan.limitMs - 1000)
  })

  it('more is left where nothing is verified, and never less than nothing', () => {
    const [verified, bare, begun] = [planned(10_000), planned(10_000, 0), planned(10_000, 1, true)]
    for (const { load } of [verified, bare]) expect(load(1000)).toBe(1)
    expect(bare.plan.limitMs).toBe(7500)
    expect(verified.plan.limitMs).toBeLessThan(bare.plan.limitMs)
    // What another attempt began is loaded nevertheless: its answer is not complete.
    expect(begun.load(60_000)).toBe(1)
    expect([begun.plan.limitMs, begun.plan.leftMs]).toEqual([0, 0])
  })

  it('a graph that would not be loaded, swept and verified in time is given up early, and without a limit none is', () => {
    expect(planned(10_000).load(60_000)).toBe(1 / 16)
    // 5 s are left for loading, a quarter of it for a sweep and half for the last pass, but not for verification.
    expect(planned(7000, 0).load(2850)).toBe(1)
    expect(planned(7000, 1).load(2850)).toBeLessThan(1)
    expect(planned(7000, 0).load(3100)).toBeLessThan(1)
    expect(planned(Infinity).load(1e9)).toBe(1)
    expect(planned(Infinity).plan.limitMs).toBe(Infinity)
  })

  it('a graph whose first result left too little time is not even begun, and vertices count beside arcs', () => {
    expect(planned(10_000, 1, false, { firstMs: 1000 }).load(1000)).toBe(1)
    expect(planned(10_000, 1, false, { firstMs: 12_000 }).load(1000)).toBe(0)
    expect(planned(10_000, 1, true, { firstMs: 12_000 }).load(1000)).toBe(1)
    const [dense, sparse] = [planned(10_000, 0), planned(10_000, 0, false, { size: { vertices: 1, arcs: 4 } })]
    for (const { load } of [dense, sparse]) expect(load(1000)).toBe(1)
    expect([dense.plan.limitMs, sparse.plan.limitMs]).toEqual([7500, 7000])
  })

  it('what slows down is given up on the way', () => {
    const { clock, plan } = planned(10_000, 0)
    const parts = [0, 1 / 16, 1 / 8, 1 / 4]
    for (const part of parts) {
      clock.ms = 2000 + 1000 * part
      plan.loading(part)
    }
    clock.ms = 7000
    expect(() => plan.loading(1 / 2)).toThrow(OutOfTime)
  })
})
