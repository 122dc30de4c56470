import { describe, expect, test } from 'vitest'
import type { Progress } from '../../../workers/base/job.ts'
import { OverallProgress } from '../../../workers/engine/serve-jobs.ts'

const unit = 'arcs'
const seen = (overall: OverallProgress, steps: readonly Progress[]): readonly (number | undefined)[] =>
  steps.map((step) => overall.of(step))

describe('how far a whole job is', () => {
  test('a run never goes back, from phase to phase and where a phase comes again', () => {
    const steps = [
      { phase: 'open', done: 0, unit },
      { phase: 'scan', done: 90, total: 100, unit },
      { phase: 'scan', done: 10, total: 100, unit },
      { phase: 'finish', done: 0, total: 10, unit },
      { phase: 'scan', done: 5, total: 10, unit },
      { phase: 'swap', done: 1, total: 10, unit },
      { phase: 'verify', done: 0, total: 10, unit },
      { phase: 'verify', done: 10, total: 10, unit },
    ] as const
    const [first, ...known] = seen(new OverallProgress('run'), steps)
    expect(first).toBeUndefined()
    for (const [i, at] of known.entries()) expect(at).toBeGreaterThanOrEqual(known[i - 1] ?? 0)
    expect(known.at(-1)).toBeCloseTo(1)
    expect(known[1]).toBe(known[0])
  })

  test('a phase takes the room of those that a run does not have', () => {
    const half = (phase: string): Progress => ({ phase, done: 5, total: 10, unit })
    const tiles = seen(new OverallProgress('run'), [half('round')])[0]!
    const matching = seen(new OverallProgress('run'), [half('scan'), { ...half('scan'), done: 10 }, half('match')])
    expect(tiles).toBeCloseTo(0.36)
    expect(matching.map((at) => Math.round(100 * at!))).toEqual([25, 50, 61])
  })

  test('of a run that searches for a time, the search is nearly all', () => {
    const step = (phase: string, done: number): Progress => ({ phase, done, total: 100, unit })
    const steps = [step('scan', 100), step('finish', 100), step('reduce', 100), step('search', 0), step('search', 50)]
    const known = seen(new OverallProgress('run', true), [...steps, step('search', 100), step('verify', 100)])
    expect(known[3]).toBeLessThanOrEqual(0.2)
    expect(known[4]).toBeCloseTo((0.97 + known[3]!) / 2)
    expect(known.slice(5)).toEqual([0.97, 1])
  })

  test('an import that turns out to need more stages stands until they are reached', () => {
    const stage = (number: number, count: number, done: number): Progress => ({
      ...{ phase: 'parse', done, total: 10, unit },
      stage: { number, count },
    })
    const known = seen(new OverallProgress('import'), [
      stage(1, 3, 9),
      stage(1, 5, 10),
      stage(2, 5, 5),
      stage(5, 5, 10),
    ])
    expect(known).toEqual([0.3, 0.3, 0.3, 1])
  })

  test('nothing is known of what has no total', () => {
    expect(new OverallProgress('export').of({ phase: 'write', done: 5, unit: 'bytes' })).toBeUndefined()
  })
})
