import type { CallArgs, CallResult } from '../../../electron/contract/calls.ts'
import { ask, failureOf } from '../connection.ts'
import type { FailureValue } from '../connection.ts'
import type { AlgorithmEntry } from '../stores/algorithms.ts'
import { requestOf } from './run-form.ts'
import type { RunForm } from './run-form.ts'

export type Plan = CallResult<'plan'>['plan']

/** What one dataset would take. */
export interface Planned {
  readonly dataset: string
  /** With commas where there are several. */
  readonly device: string
  /** Whether the devices were left to the program. */
  readonly auto: boolean
  readonly plan: Plan | null
  readonly failure: FailureValue | null
}

/** More are not asked for at once: each reads the dataset's folder. */
const MOST = 12

/** The questions of a form: every dataset on the devices that are to share it. */
export function planQuestions(form: RunForm, entry: AlgorithmEntry): readonly CallArgs<'plan'>[] {
  return form.datasets
    .flatMap((dataset) => {
      const request = requestOf(form, entry, dataset, form.options)
      if (request === null) return []
      const { dataset: _name, ...options } = request
      return [{ target: dataset, ...options }]
    })
    .slice(0, MOST)
}

export async function askPlans(questions: readonly CallArgs<'plan'>[]): Promise<readonly Planned[]> {
  return Promise.all(
    questions.map(async (question): Promise<Planned> => {
      const { target: dataset, device } = question
      const auto = device === 'auto'
      try {
        const { plan } = await ask('plan', question)
        return { dataset, device: plan.device, auto, plan, failure: plan.refusal }
      } catch (error) {
        return { dataset, device, auto, plan: null, failure: failureOf(error) }
      }
    }),
  )
}
