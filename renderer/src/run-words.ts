import type { Run, RunState } from '../../electron/contract/run.ts'
import type { ServiceEvent } from '../../electron/contract/events.ts'
import { atLeastPercent, percent } from './quantity.ts'

type Progress = Extract<ServiceEvent, { type: 'progress' }>

/** A sign beside the word, so that a state is never told by colour alone. */
export const stateSigns: Readonly<Record<RunState, string>> = {
  queued: '○',
  planning: '○',
  running: '◐',
  verifying: '◑',
  done: '●',
  failed: '✕',
  cancelled: '–',
  interrupted: '!',
}

/** "running 62 %", or the state alone where nothing can be measured yet. */
export function stateWords(run: Run, progress: Progress | undefined): string {
  const { done, total } = progress?.progress ?? {}
  const moving = run.state === 'running' || run.state === 'verifying'
  if (!moving || done === undefined || total === undefined || total === 0) return run.state
  return `${run.state} ${Math.floor((100 * done) / total)} %`
}

/** "degree 38.2 %" for a finished run, else its state. */
export function runSummary(run: Run): string {
  const result = run.record?.outcome.result
  const fraction = result?.kind === 'independent-set' ? result.fraction : undefined
  return run.state === 'done' && fraction !== undefined ? `${run.request.priority} ${percent(fraction)}` : run.state
}

/** What the verifier said, with the bound that it proved. */
export function verdictWords(run: Run): { readonly text: string; readonly tone: 'good' | 'bad' | 'none' } {
  const verification = run.record?.outcome.verification
  if (verification === undefined || verification === null) return { text: '', tone: 'none' }
  if (!verification.verified) return { text: `not ${verification.law}`, tone: 'bad' }
  if (verification.upperBound === 0) return { text: 'verified', tone: 'good' }
  return {
    text: `verified, ≥ ${atLeastPercent(verification.size / verification.upperBound)} of the best`,
    tone: 'good',
  }
}
