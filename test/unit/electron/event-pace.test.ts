import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ServiceEvent } from '../../../electron/contract/events.ts'
import { EventPace } from '../../../electron/host/serve-socket.ts'

const progress = (of: string, done: number): ServiceEvent => ({
  type: 'progress',
  subject: 'run',
  of,
  progress: { phase: 'scan', done, total: 1000, unit: 'arcs' },
})
const told: ServiceEvent[] = []
let pace: EventPace

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  told.length = 0
  pace = new EventPace((event) => told.push(event))
})
afterEach(() => void vi.useRealTimers())

test('of progress the first is told at once, then the newest ten times a second, for each thing by itself', () => {
  for (let done = 0; done < 1000; done++) {
    pace.tell(progress('a', done))
    if (done % 2 === 0) pace.tell(progress('b', done))
    vi.advanceTimersByTime(1)
  }
  vi.advanceTimersByTime(200)
  for (const [of, last] of [
    ['a', 999],
    ['b', 998],
  ] as const) {
    const own = told.flatMap((event) => (event.type === 'progress' && event.of === of ? event.progress.done : []))
    expect(own[0]).toBe(0)
    expect(own.at(-1)).toBe(last)
    expect(own.length).toBeLessThanOrEqual(12)
    expect(own).toEqual([...new Set(own)].sort((a, b) => a - b))
  }
})

test('what is no progress is told at once, each time', () => {
  const removed: ServiceEvent = { type: 'run-removed', run: 'a' }
  pace.tell(progress('a', 1))
  for (let i = 0; i < 5; i++) pace.tell(removed)
  expect(told).toEqual([progress('a', 1), ...Array<ServiceEvent>(5).fill(removed)])
})

test('nothing is told once it is stopped', () => {
  pace.tell(progress('a', 1))
  pace.tell(progress('a', 2))
  pace.stop()
  vi.advanceTimersByTime(1000)
  expect(told).toEqual([progress('a', 1)])
})
