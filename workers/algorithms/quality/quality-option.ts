import { Failure } from '../../base/failure.ts'
import type { PlannedOptions } from '../../contract/jobs.ts'

/** A search for a large or heavy set, or for a heavy matching. */
export interface SearchQuality {
  /** Steps of it; undefined: as many as "better" makes. */
  readonly steps: number | undefined
  /** The search ends after so many milliseconds, of which reductions are a part. */
  readonly limitMs: number
}

/** The end of a search. */
export interface SearchLimits {
  readonly steps: number
  /** Called now and then; true ends the search. What it throws is thrown. */
  readonly pause: () => boolean
}

/** What is done to make a set larger once it is maximal. */
export interface SetQuality {
  /** Streamed passes of swaps; 0 for "fast". */
  readonly passes: number
  /** No pass is begun after this many milliseconds. */
  readonly limitMs: number
}

const isSearch = (text: string | undefined): boolean => text === 'better' || text === 'best'

const DEFAULT_SECONDS = 60

/** The search that "better" and "best" ask for; undefined for another quality. @throws Failure (usage) for a limit without a search */
export function searchQuality({ quality, searchSeconds, searchSteps }: PlannedOptions): SearchQuality | undefined {
  const limits = { '--time': searchSeconds, '--steps': searchSteps }
  for (const [flag, value] of Object.entries(limits))
    if (value !== undefined && quality !== 'best')
      throw new Failure({
        code: 'usage',
        where: flag,
        what: 'it limits a search, and this quality has none',
        remedy: 'Leave it out, or ask for the quality "best".',
      })
  if (!isSearch(quality)) return undefined
  if (quality === 'better') return { steps: undefined, limitMs: Infinity }
  const seconds = searchSeconds ?? (searchSteps === undefined ? DEFAULT_SECONDS : Infinity)
  return { steps: searchSteps ?? Infinity, limitMs: 1000 * seconds }
}

const DEFAULT_PASSES = 3
const MAX_PASSES = 1000

/**
 * Passes of swaps: reads "fast" (and "better", "best", which search in place of them), "swap", "swap:N" or "swap:N:Ts": N passes, none begun
 * after T seconds. With a time limit the set depends on the machine; the number of passes that were made is in the run's counters, and "swap:"
 * with it repeats the set.
 * @throws Failure (usage) for anything else
 */
export function parseSetQuality(text: string | undefined): SetQuality {
  if (text === undefined || text === 'fast' || isSearch(text)) return { passes: 0, limitMs: Infinity }
  const match = /^swap(?::(\d{1,4})(?::(\d{1,6})s)?)?$/.exec(text)
  const passes = Number(match?.[1] ?? DEFAULT_PASSES)
  if (match === null || passes < 1 || passes > MAX_PASSES)
    throw new Failure({
      code: 'usage',
      what: `"${text}" is no quality of a set`,
      remedy: `Use fast, better, best, swap:3 (1 to ${MAX_PASSES} passes), or swap:10:60s, which begins no pass after 60 seconds.`,
    })
  return { passes, limitMs: match[2] === undefined ? Infinity : 1000 * Number(match[2]) }
}

const DEFAULT_ROUNDS = 3
const MOST_ROUNDS = 1000
/** Rounds of "better" if the graph cannot be held, and after a search that was ended. */
export const BETTER_ROUNDS = 10

/** What is done to make a matching heavier. */
interface MatchingQuality {
  /** Rounds of augmentation; of a matching that is searched for, where it cannot be or was ended. */
  readonly rounds: number
  readonly search: SearchQuality | undefined
}

/** @throws Failure (usage) */
export function matchingQuality(options: PlannedOptions): MatchingQuality {
  const { quality = 'fast' } = options
  const search = searchQuality(options)
  if ((options.objective ?? 'weight') !== 'weight' && quality !== 'best')
    throw new Failure({
      code: 'usage',
      what: `the objective ${options.objective} is what a search looks for, and the quality ${quality} has none`,
      remedy: '',
      fixes: [
        { action: 'set', option: 'quality', to: 'best' },
        { action: 'omit', option: 'objective' },
      ],
    })
  if (search !== undefined) return { rounds: search.steps === undefined ? BETTER_ROUNDS : MOST_ROUNDS, search }
  if (quality === 'fast') return { rounds: 0, search }
  const match = /^augment(?::(\d+))?$/.exec(quality)
  const rounds = Number(match?.[1] ?? DEFAULT_ROUNDS)
  if (match !== null && rounds <= MOST_ROUNDS) return { rounds, search }
  throw new Failure({
    code: 'usage',
    what: `"${quality}" is no quality of a matching`,
    remedy: `Use fast, better, best, or augment:3 with up to ${MOST_ROUNDS} rounds.`,
  })
}
