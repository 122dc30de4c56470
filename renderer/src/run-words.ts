import { isFinal, optionsOf, type Run, type RunState } from '../../electron/contract/run.ts'
import { shareOfBound } from '../../electron/contract/verdict.ts'
import { atLeastPercent, percent, quantity, wholePercent } from './quantity.ts'
import { overallOf } from './stores/work.ts'
import type { RunProgress } from './stores/runs.ts'
import { words } from './words/words.ts'

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

export const stateTones: Readonly<Record<RunState, string>> = {
  queued: 'quiet',
  planning: 'tone-waiting',
  running: 'tone-waiting',
  verifying: 'tone-waiting',
  done: 'tone-good',
  failed: 'tone-bad',
  cancelled: 'quiet',
  interrupted: 'tone-bad',
}

export function stateWords(run: Run, progress: RunProgress | undefined, cancelling = false): string {
  const moving = run.state === 'running' || run.state === 'verifying'
  if (cancelling && !isFinal(run.state)) return words.work.states.cancelling
  const overall = moving ? overallOf(progress) : null
  const state = words.states[run.state]
  return overall === null ? state : `${state} ${wholePercent(overall)}`
}

/** "degree 38.2 %" for a finished set, "52,900 pairs" for a matching, the first figure of values, else the state. */
export function runSummary(run: Run): string {
  const result = run.record?.outcome.result
  if (run.state !== 'done' || result === undefined) return words.states[run.state]
  if (result.kind === 'matching') return words.results.pairs(quantity(result.pairs))
  if (result.kind === 'values') return quantity(result.size)
  const { priority } = optionsOf(run.request)
  return `${priority === undefined ? '' : `${priority} `}${percent(result.fraction)}`
}

export function verdictWords(run: Run): { readonly text: string; readonly tone: 'good' | 'bad' | 'none' } {
  const verification = run.record?.outcome.verification
  if (verification === undefined || verification === null) return { text: '', tone: 'none' }
  if (!verification.verified) return { text: words.results.broken(verification.law), tone: 'bad' }
  const share = shareOfBound(verification)
  if (share === null) return { text: words.results.verified, tone: 'good' }
  return { text: share >= 1 ? words.results.best : words.results.bound(atLeastPercent(share)), tone: 'good' }
}
