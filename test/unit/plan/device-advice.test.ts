import { describe, expect, it } from 'vitest'
import { deviceAdvice } from '../../../workers/algorithms/plan.ts'
import type { ResourcePlan } from '../../../workers/jobs.ts'

describe('what a plan says of several GPUs', () => {
  const plan = (deviceBytes: number, room: number | null): ResourcePlan =>
    ({ needed: { deviceBytes }, available: { deviceBytes: room } }) as ResourcePlan

  it('uses one where one holds it all, and says that more would share what does not fit', () => {
    expect(deviceAdvice(plan(100, 200), 4)).toMatch(/one GPU of 4 holds it all, so one is fastest/)
    expect(deviceAdvice(plan(100, null), 2)).toMatch(/one GPU of 2 holds it all/)
    expect(deviceAdvice(plan(200, 200), 4)).toMatch(/has to stream it; name several with --devices/)
  })
})
