import type { Run, RunRecord } from '../../../electron/contract/run.ts'

/** Milliseconds of the time that a person waited, by what they went into; they add up to the whole. */
export interface TimeParts {
  /** Finding a first result: devices, reading, computing, writing. */
  readonly set: number
  /** Making it better. */
  readonly search: number
  readonly verification: number
  /** The plan, the engine's start and the library. */
  readonly rest: number
}

export const timeParts = ['set', 'search', 'verification', 'rest'] as const satisfies readonly (keyof TimeParts)[]

/** Counters of what an algorithm does to its first result, which no other time counts. */
export const searchCounters: readonly string[] = ['searchMs', 'swapMs', 'augmentMs', 'balanceMs']

interface Waited {
  readonly startedAt: string | null
  readonly finishedAt: string | null
}

const between = ({ startedAt, finishedAt }: Waited): number | null =>
  startedAt === null || finishedAt === null ? null : Date.parse(finishedAt) - Date.parse(startedAt)

/** What was measured of a run at work; of one that was resumed only its last attempt was, which is none of its own. */
export const ownTime = ({ record: { outcome } }: { readonly record: RunRecord }) =>
  outcome.resumed === undefined ? outcome.time : null

/** The time that a person waited for a run, from its start to its end, without pauses; null where attempts before were not counted. */
export function waitedMs({ record, ...run }: Pick<Run, 'record' | 'startedAt' | 'finishedAt'>): number | null {
  if (record === null) return between(run)
  const own = ownTime({ record })
  if (own === null) {
    const parts = partsOf({ record })
    return parts && timeParts.reduce((sum, part) => sum + parts[part], 0)
  }
  // Clocks of a day may be set back.
  return Math.max(between(record) ?? 0, own.totalMs + (record.outcome.verification?.elapsedMs ?? 0))
}

export function partsOf({ record }: { readonly record: RunRecord }): TimeParts | null {
  const { counters, verification, waited } = record.outcome
  const own = ownTime({ record })
  if (own === null)
    return waited === undefined
      ? null
      : { set: waited.setMs, search: waited.searchMs, verification: waited.verifyMs, rest: waited.restMs }
  const whole = waitedMs({ record, startedAt: null, finishedAt: null }) ?? own.totalMs
  const searched = searchCounters.reduce((sum, name) => sum + (counters[name] ?? 0), 0)
  const search = Math.min(own.totalMs, searched)
  const verified = verification?.elapsedMs ?? 0
  return { set: own.totalMs - search, search, verification: verified, rest: whole - own.totalMs - verified }
}
