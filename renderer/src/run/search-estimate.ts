import { optionsOf, type Run } from '../../../electron/contract/run.ts'
import type { ProgressSample } from '../../../electron/contract/work.ts'

/** A result, and the seconds of search that gave it. */
interface Found {
  readonly seconds: number
  readonly size: number
}

/** A search that is shorter tells nothing of the next minute. */
const LEAST_SECONDS = 4
/** The gain of the last moments is told over so many seconds. */
const RECENT_MS = 10_000

export const searchSeconds = (run: Pick<Run, 'request'>): number | null => {
  const { quality, searchSeconds: asked, searchSteps } = optionsOf(run.request)
  return quality === 'best' && searchSteps === undefined ? (asked ?? 60) : null
}

/** Whether a set is cooled until a time is up: its curve says nothing about its end. */
export function isCooled(run: Pick<Run, 'request'>): boolean {
  const { weights } = optionsOf(run.request)
  return searchSeconds(run) !== null && weights !== 'column' && !('ties' in run.request)
}

/** What was found a second, of late; null before two figures are there. */
export function gainPerSecond(samples: readonly ProgressSample[]): number | null {
  const found = samples.filter(({ best }) => best !== undefined)
  const last = found.at(-1)
  const first = found.findLast(({ ms }) => last !== undefined && ms <= last.ms - RECENT_MS) ?? found[0]
  if (first === undefined || last === undefined || last.ms <= first.ms) return null
  return ((last.best! - first.best!) / (last.ms - first.ms)) * 1000
}

/**
 * What another minute would give by results of other lengths: the gain of each doubling of the time stays as it was from the shorter to
 * the longer. null where the two tell nothing.
 */
function afterMinute(shorter: Found, longer: Found): number | null {
  const doublings = Math.log2(longer.seconds / shorter.seconds)
  const gain = longer.size - shorter.size
  if (!(doublings > 0) || gain < 0) return null
  return (gain / doublings) * Math.log2((longer.seconds + 60) / longer.seconds)
}

/** The estimate by the search itself: what the second half of its time gave, beside the first. */
export function ownEstimate(samples: readonly ProgressSample[]): number | null {
  const found = samples.flatMap(({ ms, best }) => (best === undefined ? [] : [{ ms, best }]))
  const [first, last] = [found[0], found.at(-1)]
  if (first === undefined || last === undefined) return null
  const seconds = (last.ms - first.ms) / 1000
  const half = found.findLast(({ ms }) => ms <= (first.ms + last.ms) / 2)!
  if (seconds < LEAST_SECONDS) return null
  return afterMinute({ seconds: seconds / 2, size: half.best }, { seconds, size: last.best })
}

/** The estimate by the longest two searches of the same question, seeds apart: their lengths differ, and the run is the longest. */
export function estimateByOthers(
  run: Run,
  others: readonly Run[],
  isSame: (a: Run, b: Run) => boolean,
): { readonly gain: number; readonly seconds: readonly [number, number] } | null {
  const own = searchSeconds(run)
  if (own === null || run.size === null || run.record?.outcome.result.kind !== 'independent-set') return null
  const shorter = others
    .flatMap((other) => {
      const seconds = searchSeconds(other)
      if (other.id === run.id || other.size === null || seconds === null || seconds >= own) return []
      return isSame(run, other) ? [{ seconds, size: other.size }] : []
    })
    .toSorted((a, b) => b.seconds - a.seconds || b.size - a.size)[0]
  if (shorter === undefined) return null
  const gain = afterMinute(shorter, { seconds: own, size: run.size })
  return gain === null ? null : { gain, seconds: [shorter.seconds, own] }
}
