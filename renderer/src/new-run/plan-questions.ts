import type { CallArgs, CallResult } from '../../../electron/contract/calls.ts'
import { ask, failureOf, type FailureValue } from '../bridge.ts'
import type { AlgorithmEntry } from '../stores/algorithms.ts'
import { exactly } from '../quantity.ts'
import { requestOf, type RunForm } from './run-form.ts'
import { MOST_RUNS } from './sweep.ts'
import { words } from '../words/words.ts'

export type Plan = CallResult<'plan'>['plan']

export interface Planned {
  readonly dataset: string
  readonly device: string
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

type Lane = Plan['lanes'][number]

export interface LaneGroup extends Pick<Lane, 'holds' | 'shareBytes'> {
  readonly devices: number
  readonly rows: readonly MemoryRow[]
}

interface MemoryRow {
  /** "gpu:3"; "cpu:0 … cpu:7" for workers on the processor, which share the machine's memory. */
  readonly name: string
  readonly device: string
  readonly plannedBytes: number
}

export const isProcessor = (device: string): boolean => device.startsWith('cpu:')

export function laneGroups(lanes: readonly Lane[]): readonly LaneGroup[] {
  const groups = Map.groupBy(lanes, ({ holds, shareBytes }) => `${holds} ${shareBytes}`)
  return [...groups.values()].map((alike) => {
    const { holds, shareBytes } = alike[0]!
    return { holds, shareBytes, devices: alike.length, rows: rowsOf(alike) }
  })
}

function rowsOf(lanes: readonly Lane[]): readonly MemoryRow[] {
  const memories = Map.groupBy(lanes, ({ device }) => (isProcessor(device) ? 'cpu' : device))
  return [...memories.values()].map((sharers) => {
    const [first, last] = [sharers[0]!.device, sharers.at(-1)!.device]
    return {
      name: sharers.length === 1 ? first : sharers.length === 2 ? `${first}, ${last}` : `${first} … ${last}`,
      device: first,
      plannedBytes: sharers.reduce((sum, { deviceBytes }) => sum + deviceBytes, 0),
    }
  })
}

interface Wanted {
  readonly datasets: readonly string[]
  /** How many runs the form asks for; 0 where something is missing or does not fit. */
  readonly orders: number
  /** The newest that are known; while others are worked out they may be of datasets that were left out. */
  readonly plans: readonly Planned[]
}

/** Trouble on the way to a plan says nothing about the run. */
const passing: ReadonlySet<string> = new Set(['lost', 'engine', 'fault', 'cancelled'])

/** Why the runs cannot be started, for beside the button; null when they can. */
export function whyNot({ datasets, orders, plans }: Wanted): string | null {
  const { notYet } = words.newRun
  if (datasets.length === 0) return notYet.dataset
  if (orders === 0) return notYet.option
  if (orders > MOST_RUNS) return notYet.many(exactly(MOST_RUNS))
  const refused = plans.filter(
    ({ dataset, failure }) => failure !== null && !passing.has(failure.code) && datasets.includes(dataset),
  )
  if (refused.length === 0) return null
  return datasets.length === 1 ? notYet.plan : notYet.plans(refused.map(({ dataset }) => `“${dataset}”`).join(', '))
}
