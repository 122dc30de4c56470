import type { Run } from '../../../electron/contract/run.ts'

/** The places of the runs that wait, from 1, as the queue takes them: the highest priority first, then the oldest. */
export function queuePlaces(runs: readonly Run[]): ReadonlyMap<string, number> {
  const waiting = runs
    .filter(({ state }) => state === 'queued')
    .toSorted((a, b) => b.queue.priority - a.queue.priority || (a.createdAt < b.createdAt ? -1 : 1))
  return new Map(waiting.map(({ id }, at) => [id, at + 1]))
}
