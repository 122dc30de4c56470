import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ProgressLog, readSamples } from '../../../electron/service/run-history.ts'
import { coarsest, traceEvents } from '../../../workers/base/trace.ts'
import { temporaryFolder } from '../library/fixtures.ts'

const step = (phase: string, done: number) => ({ phase, done, total: 100_000, unit: 'vertices' as const })

test('a log of any length keeps a bounded number of samples, the first and the last of every phase among them', () => {
  const path = join(temporaryFolder(), 'progress.json')
  const log = new ProgressLog(path, false)
  for (let i = 0; i < 20_000; i++) log.add(step('view', i))
  for (let i = 0; i < 50_000; i++) log.add(step('sweep', i))
  log.add(step('verify', 1))
  log.save()
  const samples = readSamples(path)
  expect(samples).toEqual(log.samples)
  expect(samples.length).toBeGreaterThan(400)
  expect(samples.length).toBeLessThanOrEqual(1010)
  for (const phase of ['view', 'sweep', 'verify']) expect(samples.map((sample) => sample.phase)).toContain(phase)
  expect(samples[0]).toMatchObject({ phase: 'view', done: 0 })
  expect(samples.at(-1)).toMatchObject({ phase: 'verify', done: 1 })
  for (const [i, { ms }] of samples.entries()) expect(ms).toBeGreaterThanOrEqual(samples[i - 1]?.ms ?? 0)
  expect(readdirSync(join(path, '..'))).toEqual(['progress.json'])
})

test('a run that goes on has the samples from before, and its time goes on from there', () => {
  const path = join(temporaryFolder(), 'progress.json')
  writeFileSync(path, JSON.stringify({ samples: [{ ms: 5000, phase: 'sweep', done: 7, total: 9 }] }))
  const log = new ProgressLog(path, true)
  log.add(step('sweep', 8))
  expect(log.samples.map(({ done }) => done)).toEqual([7, 8])
  expect(log.samples[1]!.ms).toBeGreaterThanOrEqual(5000)
  expect(new ProgressLog(path, false).samples).toEqual([])
})

test('what a person waited is of all attempts, by what it went into, and adds up', () => {
  const path = join(temporaryFolder(), 'progress.json')
  // Opened, computed, searched; resumed, opened, searched, verified.
  const before = [
    ...[
      [100, 'open'],
      [300, 'scan'],
      [1000, 'reduce'],
      [1200, 'search'],
      [4200, 'search'],
    ],
    ...[
      [4700, 'open'],
      [4900, 'search'],
      [5000, 'search'],
    ],
  ].map(([ms, phase]) => ({ ms, phase, done: 0, total: null }))
  writeFileSync(path, JSON.stringify({ samples: before }))
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const log = new ProgressLog(path, true)
  for (const [phase, ms] of [
    ['open', 20],
    ['search', 30],
    ['verify', 40],
  ] as const) {
    log.add(step(phase, 0))
    vi.advanceTimersByTime(ms)
  }
  expect(log.waited()).toMatchObject({
    attempts: 3,
    setMs: 700 + 200 + 200 + 20,
    searchMs: 200 + 3000 + 100 + 30,
    restMs: 100 + 500,
    verifyMs: 40,
  })
})

test('attempts that are killed before their log is saved again count, too', () => {
  const path = join(temporaryFolder(), 'progress.json')
  for (const resume of [false, true, true]) {
    const killed = new ProgressLog(path, resume)
    killed.add(step('open', 0))
    killed.add(step('scan', 1))
  }
  const log = new ProgressLog(path, true)
  log.add(step('open', 0))
  log.add(step('scan', 1))
  expect(log.waited().attempts).toBe(4)
})

test('a file that is not one of ours has no samples, and a folder that is gone stops nothing', () => {
  const path = join(temporaryFolder(), 'progress.json')
  writeFileSync(path, '{"samples": 7}')
  expect(readSamples(path)).toEqual([])
  const log = new ProgressLog(join(path, 'nothing', 'progress.json'), false)
  log.add(step('sweep', 1))
  expect(() => log.save()).not.toThrow()
  expect(readFileSync(path, 'utf8')).toBe('{"samples": 7}')
})

test('a file with any bit flipped has no samples', () => {
  const path = join(temporaryFolder(), 'progress.json')
  const log = new ProgressLog(path, false)
  log.add(step('sweep', 8))
  log.save()
  const bytes = readFileSync(path)
  expect(readSamples(path)).toHaveLength(1)
  for (let bit = 0; bit < 8 * bytes.length; bit++) {
    writeFileSync(path, bytes.with(bit >> 3, bytes[bit >> 3]! ^ (1 << (bit & 7))))
    expect(readSamples(path)).toEqual([])
  }
})

test('a timeline keeps the longest spans of all workers, in their order', () => {
  const spans = (lengths: number[]) =>
    lengths.map((length, i) => ({ lane: 'kernel' as const, name: String(i), startMs: 10 * i, endMs: 10 * i + length }))
  const kept = coarsest(
    [
      { name: 'a', spans: spans([1, 9, 2, 8]) },
      { name: 'b', spans: spans([7, 3]) },
    ],
    3,
  )
  expect(kept.map(({ name, spans: few }) => [name, few.map((span) => span.name)])).toEqual([
    ['a', ['1', '3']],
    ['b', ['0']],
  ])
  const { traceEvents: events } = traceEvents(kept) as { traceEvents: { ph: string; ts: number }[] }
  expect(events.filter(({ ph }) => ph === 'X').map(({ ts }) => ts)).toEqual([10_000, 30_000, 0])
})
