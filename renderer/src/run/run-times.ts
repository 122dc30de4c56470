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

/** A run that was resumed knows the time of its last attempt alone, which is none of its own. */
export const ownTime = ({ record: { outcome } }: { readonly record: RunRecord }) =>
  outcome.resumed === undefined ? outcome.time : null

/** The time that a person waited for a run, from its start to its end; null where attempts before were not counted. */
export function waitedMs({ record, ...run }: Pick<Run, 'record' | 'startedAt' | 'finishedAt'>): number | null {
  if (record === null) return between(run)
  const own = ownTime({ record })
  if (own === null) return null
  // Clocks of a day may be set back.
  return Math.max(between(record) ?? 0, own.totalMs + (record.outcome.verification?.elapsedMs ?? 0))
}

export function partsOf({ record }: { readonly record: RunRecord }): TimeParts | null {
  const [whole, own] = [waitedMs({ record, startedAt: null, finishedAt: null }), ownTime({ record })]
  if (whole === null || own === null) return null
  const { counters, verification } = record.outcome
  const searched = searchCounters.reduce((sum, name) => sum + (counters[name] ?? 0), 0)
  const search = Math.min(own.totalMs, searched)
  const verified = verification?.elapsedMs ?? 0
  return { set: own.totalMs - search, search, verification: verified, rest: whole - own.totalMs - verified }
}
