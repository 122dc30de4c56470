import { Failure } from '../../base/failure.ts'

/** What is done to make a set larger once it is maximal. */
export interface SetQuality {
  /** Streamed passes of swaps; 0 for "fast". */
  readonly passes: number
  /** No pass is begun after this many milliseconds. */
  readonly limitMs: number
}

const DEFAULT_PASSES = 3
const MAX_PASSES = 1000

/**
 * Reads "fast", "swap", "swap:N" or "swap:N:Ts": N passes, none begun after T seconds. With a time limit the set depends on
 * the machine; the number of passes that were made stands in the run's counters, and "swap:" with it repeats the set.
 * @throws Failure (usage) for anything else
 */
export function parseSetQuality(text: string | undefined): SetQuality {
  if (text === undefined || text === 'fast') return { passes: 0, limitMs: Infinity }
  const match = /^swap(?::(\d{1,4})(?::(\d{1,6})s)?)?$/.exec(text)
  const passes = Number(match?.[1] ?? DEFAULT_PASSES)
  if (match === null || passes < 1 || passes > MAX_PASSES)
    throw new Failure({
      code: 'usage',
      where: `--quality ${text}`,
      what: 'this is no quality of a set',
      remedy: `Use fast, swap:3 (1 to ${MAX_PASSES} passes), or swap:10:60s, which begins no pass after 60 seconds.`,
    })
  return { passes, limitMs: match[2] === undefined ? Infinity : 1000 * Number(match[2]) }
}
