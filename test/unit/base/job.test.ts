import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { throttledProgress, type Progress } from '../../../workers/base/job.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  vi.advanceTimersByTime(1000)
})
afterEach(() => vi.useRealTimers())

test('progress is sent ten times a second at most, but the first of every phase at once', () => {
  const sent: Progress[] = []
  const progress = throttledProgress((step) => sent.push(step))
  for (let ms = 0; ms < 1000; ms++) {
    progress({ phase: ms < 500 ? 'scan' : 'verify', done: ms, unit: 'vertices' })
    vi.advanceTimersByTime(1)
  }
  expect(sent.map(({ done }) => done)).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900])
  progress({ phase: 'write', done: 0, unit: 'bytes' })
  progress({ phase: 'write', done: 1, unit: 'bytes' })
  expect(sent.at(-1)).toMatchObject({ phase: 'write', done: 0 })
})
