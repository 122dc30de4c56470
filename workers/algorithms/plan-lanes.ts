import { changesBytes } from '../exchange/replicated-states.ts'
import { batchBytes } from '../graph/batches.ts'
import { HEAD_WIDTH } from '../graph/oriented-view.ts'
import type { DeviceFacts, PlanArgs, PlanLane } from '../jobs.ts'
import { boundOf } from './ld-gpu/plan-match.ts'
import type { Residence } from './ld-gpu/plan-match.ts'
import { positionsChunk, workspaceBytes } from './mis-workspace.ts'
import { budgetsOf } from './plan-run.ts'

/** The view that is shared out. */
export interface SharedView {
  readonly vertices: number
  readonly tailEntries: number
  /** Whether heads decide nearly everything, so that tails stay on the disk; undefined where nobody knows yet. */
  readonly tailsAreSpared: boolean | undefined
}

/** Heads stay on a device up to this share of what slabs may take (workers/walk/walk-plan.ts). */
const HEADS_SHARE = 1 / 2
const holdings: Readonly<Record<Residence, PlanLane['holds']>> = {
  whole: 'share',
  heads: 'heads',
  none: 'nothing',
}

/** What each device holds when these share a run, one worker on each: all the same, as the least of their budgets decides. */
export function planLanes(
  { algorithm, memoryBytes }: Pick<PlanArgs, 'algorithm' | 'memoryBytes'>,
  view: SharedView,
  devices: readonly DeviceFacts[],
): readonly PlanLane[] {
  const ids = devices.map(({ id }) => id)
  const budgets = budgetsOf(devices, memoryBytes)
  const held = (algorithm === 'ld-gpu' ? matchingLane : setLane)(view, ids, Math.min(...budgets))
  return budgets.map((budget, worker) => {
    const availableBytes = Number.isFinite(budget) ? budget : null
    return { device: ids[worker]!, availableBytes, ...held }
  })
}

type Held = Pick<PlanLane, 'shareBytes' | 'holds' | 'deviceBytes'>

function setLane(
  { vertices, tailEntries, tailsAreSpared }: SharedView,
  { length: workers }: readonly string[],
  budget: number,
): Held {
  const share = Math.ceil(batchBytes({ count: vertices, tailCount: tailEntries }) / workers)
  const batch = { count: Math.ceil(vertices / workers) }
  const state = workspaceBytes([batch], vertices, positionsChunk(vertices, budget)) + changesBytes(vertices, workers)
  const heads = Math.ceil((4 * HEAD_WIDTH * vertices) / workers)
  if (state + share <= budget) return { shareBytes: share, holds: 'share', deviceBytes: state + share }
  if (tailsAreSpared === true && heads <= HEADS_SHARE * (budget - state))
    return { shareBytes: share, holds: 'heads', deviceBytes: state + heads }
  return { shareBytes: share, holds: 'nothing', deviceBytes: budget }
}

function matchingLane({ vertices, tailEntries }: SharedView, ids: readonly string[], budget: number): Held {
  const share = { count: Math.ceil(vertices / ids.length), tailCount: Math.ceil(tailEntries / ids.length) }
  const { residence = 'none', deviceBytes } = boundOf(vertices, tailEntries, ids, budget)
  return { shareBytes: batchBytes(share), holds: holdings[residence], deviceBytes }
}
