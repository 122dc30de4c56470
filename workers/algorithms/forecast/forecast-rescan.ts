import type { PlanLane } from '../../contract/jobs.ts'
import { orderOf } from '../ld-gpu/edge-order-of-run.ts'
import type { RescanPlan } from '../reproductions/ld-gpu/plan-rescan.ts'
import { planRescan, rescanHostBytes } from '../reproductions/ld-gpu/plan-rescan.ts'
import { scanDeviceBytes } from '../reproductions/ld-gpu/rescan.ts'
import { scanBytes } from '../reproductions/ld-gpu/scan-arcs.ts'
import { commonBudget } from '../plan-run.ts'
import type { Forecast, Planned, Question } from './forecast.ts'
import { MOST_EXACT_VERTICES, attempt, computeStep } from './forecast.ts'
import { withGraph } from './subject.ts'

/** LD-GPU by scans of all lists, by the sizes of the graph alone: as if all lists were equally long. Refuses nothing. */
export function forecastRescan(question: Question): Forecast {
  const { asked, subject, devices } = question
  const { vertices, arcs } = subject
  const workers = devices.length
  const order = orderOf(asked, subject)
  const budget = budgetOf(question)
  const [count, share] = [Math.ceil(vertices / workers), Math.ceil(arcs / workers)]
  const bytesOf = (parts: number): number => {
    const batch: [number, number] = [Math.ceil(count / parts), Math.ceil(share / parts)]
    return scanDeviceBytes(vertices, order, new Array<[number, number]>(parts).fill(batch))
  }
  let parts = Math.max(1, Math.ceil((asked.batches ?? 1) / workers))
  while (bytesOf(parts) > budget && parts < count) parts = Math.ceil(1.5 * parts) + 1
  const deviceBytes = Math.min(bytesOf(parts), budget)
  const batches = parts * workers
  const hostBytes = rescanHostBytes(subject, order)
  return forecastOf(question, {
    batches,
    hostBytes,
    deviceBytes,
    lanes: lanesOf(question, deviceBytes),
    resident: true,
  })
}

/** The same by the lists as they are: what the run itself plans. undefined for a file, and where there are very many lists. */
export function planKnownRescan(question: Question): Forecast | undefined {
  const { asked, subject, devices } = question
  const { dataset, vertices } = subject
  if (dataset === undefined || vertices > MOST_EXACT_VERTICES) return undefined
  const planned = (): RescanPlan =>
    withGraph(dataset, (graph) => planRescan(asked, graph, orderOf(asked, subject), devices))
  const tried = attempt(planned)
  if (tried.refusal !== null) return { ...forecastRescan(question), refusal: tried.refusal }
  const { plan } = tried.plan
  const lanes = lanesOf(question, plan.deviceBytes)
  return { ...forecastOf(question, { ...plan, lanes, resident: true }), exact: true }
}

const budgetOf = ({ asked, devices }: Question): number => commonBudget(devices, asked.memoryBytes)

function lanesOf(question: Question, deviceBytes: number): PlanLane[] {
  const { asked, subject, devices } = question
  const workers = devices.length
  const shareBytes = scanBytes(
    Math.ceil(subject.vertices / workers),
    Math.ceil(subject.arcs / workers),
    orderOf(asked, subject),
  )
  const budget = budgetOf(question)
  const availableBytes = Number.isFinite(budget) ? budget : null
  const holds = shareBytes <= deviceBytes ? 'share' : 'nothing'
  return devices.map(({ id }) => ({ device: id, shareBytes, holds, deviceBytes, availableBytes }))
}

function forecastOf({ subject, devices }: Question, planned: Planned): Forecast {
  const { batches, lanes } = planned
  const steps = [computeStep(planned, 4 * subject.vertices)]
  return { devices, steps, batches, lanes, prepared: false, exact: false, refusal: null }
}
