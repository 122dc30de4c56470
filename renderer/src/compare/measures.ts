import { shareOfBound as shareOfVerdict } from '../../../electron/contract/verdict.ts'
import type { FinishedRun } from './run-groups.ts'

/** What a run is measured by; null where it has no such figure. */
export type Measure = (run: FinishedRun) => number | null

/** A run that was resumed knows the time of its last attempt alone, which is none of its own. */
export const ownTime = ({ record: { outcome } }: Pick<FinishedRun, 'record'>) =>
  outcome.resumed === undefined ? outcome.time : null

export const computeMs: Measure = (run) => ownTime(run)?.computeMs ?? null

export const arcsPerSecond: Measure = ({ record }) => {
  const ms = ownTime({ record })?.computeMs ?? 0
  return ms > 0 ? (record.dataset.arcs / ms) * 1000 : null
}

export const setSize: Measure = ({ record: { outcome } }) =>
  outcome.result.kind === 'independent-set' ? outcome.result.size : null

export const pairs: Measure = ({ record: { outcome } }) =>
  outcome.result.kind === 'matching' ? outcome.result.pairs : null

export const weight: Measure = ({ record: { outcome } }) =>
  outcome.result.kind === 'matching' ? outcome.result.weight : null

/** Of what nobody can exceed, as the verifier proved; null where it was not asked or proved nothing. */
export const shareOfBound: Measure = ({ record: { outcome } }) =>
  outcome.verification === null ? null : shareOfVerdict(outcome.verification)
