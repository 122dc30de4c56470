import { openPrepared, viewPath } from '../../graph/prepare-view.ts'
import { ViewFile } from '../../graph/view-file.ts'
import { edgeOrderName } from '../../graph/views/edge-order.ts'
import type { EdgeOrder } from '../../graph/views/edge-order.ts'
import type { WeightOrderedKind } from '../../graph/weight-ordered-view.ts'
import type { DeviceFacts } from '../../jobs.ts'
import { orderOf } from '../ld-gpu/edge-order-of-run.ts'
import { boundOf, planMatch, viewKindOf } from '../ld-gpu/plan-match.ts'
import { estimateMatching, matchingRunStep, matchingViewStep } from '../ld-gpu/plan-matching.ts'
import { planLanes } from '../plan-lanes.ts'
import { commonBudget } from '../plan-run.ts'
import type { Forecast, Question, Subject } from './forecast.ts'
import { MOST_EXACT_VERTICES, attempt, computeStep, idsOf } from './forecast.ts'

const budgetOf = ({ asked }: Question, devices: readonly DeviceFacts[]): number =>
  commonBudget(devices, asked.memoryBytes)

/** LD-GPU over the weight-ordered view: what a run refuses before it is prepared, and bounds of the rest. */
export function forecastMatching(question: Question): Forecast {
  const { asked, subject, devices } = question
  const { vertices, arcs, hostBudget } = subject
  const kind = likelyKind(question)
  const tails = preparedTails(subject, orderOf(asked, subject), kind)
  const tailEntries = tails ?? arcs
  const alone = devices.slice(0, 1)
  const isEnough =
    boundOf(vertices, tailEntries, idsOf(alone), budgetOf(question, alone), asked.batches).residence === 'whole'
  const used = mayLeaveOut(question) && isEnough ? alone : devices
  const found = estimateMatching(vertices, tailEntries, asked.batches, budgetOf(question, used), idsOf(used))
  const step = matchingRunStep(vertices, found.estimate)
  return {
    devices: used,
    why: used.length < devices.length ? aloneWords(used[0]!) : undefined,
    steps: tails === undefined ? [matchingViewStep(vertices, arcs, hostBudget, kind), step] : [step],
    batches: found.estimate.batches,
    lanes: planLanes(asked, { vertices, tailEntries }, used),
    prepared: tails !== undefined,
    exact: false,
    refusal: found.refusal,
  }
}

/** The same once the view is there: what the run itself plans. undefined where it is not. */
export function planPreparedMatching(question: Question): Forecast | undefined {
  const { asked, subject, devices } = question
  const { dataset, vertices } = subject
  if (dataset === undefined || vertices > MOST_EXACT_VERTICES) return undefined
  const kind = likelyKind(question)
  const prepared = openPrepared(dataset, kind, edgeOrderName(orderOf(asked, subject)))
  if (prepared === undefined) return undefined
  try {
    const on = (some: readonly DeviceFacts[]) => planMatch(asked, subject, { ...prepared, buildMs: 0 }, some)
    const bounds = forecastMatching(question)
    const alone = devices.slice(0, 1)
    const first = mayLeaveOut(question) ? attempt(() => on(alone)) : undefined
    const used = first?.plan?.residence === 'whole' ? alone : devices
    const tried = first?.refusal ? first : attempt(() => on(used))
    if (tried.refusal !== null) return { ...bounds, devices: used, refusal: tried.refusal }
    const { plan, residence } = tried.plan
    const { tailEntries } = prepared.view.header
    const lanes = planLanes(asked, { vertices, tailEntries }, used)
    const run = computeStep({ ...plan, lanes, resident: true }, 4 * vertices)
    const wanted = viewKindOf(residence)
    const isThere = preparedTails(subject, orderOf(asked, subject), wanted) !== undefined
    return {
      devices: used,
      why: used.length < devices.length ? aloneWords(used[0]!) : undefined,
      steps: isThere ? [run] : [matchingViewStep(vertices, subject.arcs, subject.hostBudget, wanted), run],
      batches: plan.batches,
      lanes,
      prepared: true,
      exact: true,
      refusal: null,
    }
  } finally {
    prepared.view.close()
  }
}

/** Several devices with a worker each are asked for more memory: one that holds everything computes alone (run-ld-gpu.ts). */
const mayLeaveOut = ({ asked, devices }: Question): boolean => asked.partitions === undefined && devices.length > 1

const aloneWords = ({ id }: DeviceFacts): string =>
  `uses ${id} alone: it holds the whole view, and others would only wait for it; --partitions shares the work all the same`

/** The kind that a run prepares first, told by an upper bound of the entries. */
function likelyKind(question: Question): WeightOrderedKind {
  const { asked, subject, devices } = question
  const budget = budgetOf(question, devices)
  const { residence } = boundOf(subject.vertices, subject.arcs, idsOf(devices), budget, asked.batches)
  return viewKindOf(residence ?? 'none')
}

/** Entries of the view past its heads, where it is there. */
function preparedTails({ dataset }: Subject, order: EdgeOrder, kind: WeightOrderedKind): number | undefined {
  if (dataset === undefined) return undefined
  const name = edgeOrderName(order)
  const view = ViewFile.openIfValid(viewPath(dataset.folder, kind, name), dataset.checksum, name, kind)
  view?.close()
  return view?.header.tailEntries
}
