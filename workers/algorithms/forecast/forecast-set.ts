import { openPrepared, orderName, viewPath } from '../../graph/prepare-view.ts'
import { ViewFile } from '../../graph/view-file.ts'
import { tailsAreSpared } from '../../partition/out-of-core.ts'
import type { DeviceEstimate } from '../plan-run.ts'
import { commonBudget, estimateDevice, launchLimit, planRun } from '../plan-run.ts'
import { planLanes } from '../plan-lanes.ts'
import type { SharedView } from '../plan-lanes.ts'
import { runStep, viewStep } from '../plan-steps.ts'
import { requirePriority } from '../require-options.ts'
import type { Forecast, Question } from './forecast.ts'
import { attempt, computeStep, idsOf, MOST_EXACT_VERTICES } from './forecast.ts'

/** ECL-MIS, and MG-MIS with replicated states: what a run refuses before anything is prepared, and bounds of the rest. */
export function forecastSet({ asked, subject, devices }: Question): Forecast {
  const { vertices, arcs, hostBudget } = subject
  const ids = idsOf(devices)
  const budget = commonBudget(devices, asked.memoryBytes)
  const found = preparedSize({ asked, subject, devices })
  const size = found ?? { vertices, tailEntries: arcs / 2, tailsAreSpared: undefined }
  const within = (bytes: number): DeviceEstimate =>
    estimateDevice(vertices, size.tailEntries, asked.batches, bytes, launchLimit(ids), ids.length)
  const tried = attempt(() => within(budget))
  const estimate = tried.plan ?? within(Infinity)
  const step = runStep(vertices, estimate, estimate.deviceBytes < budget, ids.length)
  return {
    devices,
    steps: found === undefined ? [viewStep(vertices, arcs, hostBudget), step] : [step],
    batches: estimate.batches,
    lanes: planLanes(asked, size, devices),
    prepared: found !== undefined,
    exact: false,
    refusal: tried.refusal,
  }
}

/** The same once the view is there: what the run itself plans. undefined where it is not. */
export function planPreparedSet(question: Question, column: Float64Array | undefined): Forecast | undefined {
  const { asked, subject, devices } = question
  if (subject.dataset === undefined || subject.vertices > MOST_EXACT_VERTICES) return undefined
  const order = orderName({ priority: requirePriority(asked.priority), seed: asked.seed, column })
  const prepared = openPrepared(subject.dataset, 'oriented', order)
  if (prepared === undefined) return undefined
  try {
    const tried = attempt(() => planRun(asked, subject, { ...prepared, buildMs: 0 }, devices))
    const bounds = forecastSet(question)
    if (tried.refusal !== null) return { ...bounds, refusal: tried.refusal }
    const { batches, hostBytes, deviceBytes } = tried.plan.plan
    const { header } = prepared.view
    const { tailEntries } = header
    const size = { vertices: header.vertices, tailEntries, tailsAreSpared: tailsAreSpared(header) }
    const lanes = planLanes(asked, size, devices)
    const resident = lanes.every(({ holds }) => holds === 'share') || batches === 1
    const step = computeStep({ batches, hostBytes, deviceBytes, lanes, resident }, Math.ceil(subject.vertices / 8))
    return { ...bounds, steps: [step], batches, lanes, prepared: true, exact: true }
  } finally {
    prepared.view.close()
  }
}

/** The size of the view, where it is there. That of a column has a name that only its values tell. */
function preparedSize({ asked, subject: { dataset } }: Question): SharedView | undefined {
  if (dataset === undefined || asked.priority === 'column') return undefined
  const order = `${asked.priority}-${asked.seed}`
  const view = ViewFile.openIfValid(viewPath(dataset.folder, 'oriented', order), dataset.checksum, order)
  if (view === undefined) return undefined
  const { vertices, tailEntries } = view.header
  const size = { vertices, tailEntries, tailsAreSpared: tailsAreSpared(view.header) }
  view.close()
  return size
}
