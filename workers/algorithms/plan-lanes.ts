import { batchBytes } from '../graph/batches.ts'
import type { DeviceFacts, PlanArgs, PlanLane } from '../jobs.ts'
import { boundOf } from './ld-gpu/plan-match.ts'
import type { Residence } from './ld-gpu/plan-match.ts'
import { budgetsOf } from './plan-run.ts'

/** The view that is shared out. */
export interface SharedView {
  readonly vertices: number
  readonly tailEntries: number
}

const holdings: Readonly<Record<Residence, PlanLane['holds']>> = {
  whole: 'share',
  heads: 'heads',
  none: 'nothing',
}

/** What each device holds when these share a run, one worker on each: all the same, as the least of their budgets decides. */
export function planLanes(
  { memoryBytes }: Pick<PlanArgs, 'memoryBytes'>,
  view: SharedView,
  devices: readonly DeviceFacts[],
): readonly PlanLane[] {
  const ids = devices.map(({ id }) => id)
  const budgets = budgetsOf(devices, memoryBytes)
  const held = matchingLane(view, ids, Math.min(...budgets))
  return budgets.map((budget, worker) => {
    const availableBytes = Number.isFinite(budget) ? budget : null
    return { device: ids[worker]!, availableBytes, ...held }
  })
}

type Held = Pick<PlanLane, 'shareBytes' | 'holds' | 'deviceBytes'>

function matchingLane({ vertices, tailEntries }: SharedView, ids: readonly string[], budget: number): Held {
  const share = { count: Math.ceil(vertices / ids.length), tailCount: Math.ceil(tailEntries / ids.length) }
  const { residence = 'none', deviceBytes } = boundOf(vertices, tailEntries, ids, budget)
  return { shareBytes: batchBytes(share), holds: holdings[residence], deviceBytes }
}
