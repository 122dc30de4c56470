// What `npm test` says of times when it ends: the longest tests beside their limits, and each that took more of its limit than a machine
// that CI uses may take. A limit guards against a run without an end, so a busy machine makes a warning here and no failure.
import { existsSync, readFileSync } from 'node:fs'

const LONGEST = 10
/** The share of its limit that a test may take. */
const SHARE = 1 / 4

/** Reads the lines that the course reporter wrote; none where no test ended. */
export const testTimes = (file) =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    : []

const seconds = (ms, digits = 0) => `${(ms / 1000).toFixed(digits)} s`
const ofLimit = ({ name, durationMs, limitMs }) => `${seconds(durationMs, 1)} of ${seconds(limitMs)}  ${name}`

/** @returns the lines that `npm test` closes with before its figures */
export function timesReport(times, wholeMs) {
  const longest = [...times].sort((a, b) => b.durationMs - a.durationMs)
  const over = longest.filter(({ durationMs, limitMs }) => durationMs > SHARE * limitMs)
  return [
    `${(wholeMs / 60_000).toFixed(1)} minutes`,
    ...(times.length === 0 ? [] : ['The longest tests, with their limits:']),
    ...longest.slice(0, LONGEST).map((test) => `  ${ofLimit(test)}`),
    ...over.map((test) => `warning: more than a quarter of its limit: ${ofLimit(test)}`),
  ]
}
