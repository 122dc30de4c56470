import type { Verdict } from '../../workers/contract/jobs.ts'

/** 0 to 1; null without a bound. */
export function shareOfBound({ size, weight, upperBound }: Verdict): number | null {
  return upperBound !== null && upperBound > 0 ? (weight ?? size) / upperBound : null
}
