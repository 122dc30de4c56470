import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { testTimes, timesReport } from '../../support/test-times.mjs'

const times = Array.from({ length: 12 }, (_, i) => ({
  name: `a.test.ts > ${i}`,
  durationMs: 1000 * (i + 1),
  limitMs: i === 7 ? 20_000 : 600_000,
}))

test('the ten longest tests are told with their limits, the longest first, and each beyond a quarter of its limit', () => {
  const file = join(scratchFolder('times'), 'course.times')
  writeFileSync(file, times.map((each) => `${JSON.stringify(each)}\n`).join(''))
  const lines = timesReport(testTimes(file), 150_000)
  expect(lines).toHaveLength(13)
  expect(lines.slice(0, 3)).toEqual([
    '2.5 minutes',
    'The longest tests, with their limits:',
    '  12.0 s of 600 s  a.test.ts > 11',
  ])
  expect(lines[11]).toBe('  3.0 s of 600 s  a.test.ts > 2')
  expect(lines[12]).toBe('warning: more than a quarter of its limit: 8.0 s of 20 s  a.test.ts > 7')
})

test('without tests it tells the minutes alone', () => {
  expect(timesReport(testTimes('/nowhere/course.times'), 30_000)).toEqual(['0.5 minutes'])
})
