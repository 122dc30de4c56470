import type { PlanLane, RankPlan, ResourcePlan } from '../../workers/contract/jobs.ts'
import { failureText } from './failure-text.ts'
import { bytes, count, duration, facts, table } from './text.ts'

const steps = {
  import: 'import',
  tiles: 'cut into tiles',
  run: 'compute',
  improve: 'improve',
  verify: 'verify',
} as const

const holdings = {
  share: 'all of it stays there',
  nothing: 'it is streamed',
} as const

function laneText({ shareBytes, holds, deviceBytes, availableBytes }: PlanLane, whole: string): string {
  const room = availableBytes === null ? '' : ` of ${bytes(availableBytes)}`
  return `${bytes(shareBytes)} of the ${whole}: ${holdings[holds]}; takes ${bytes(deviceBytes)}${room}`
}

/** Each rank of a run across machines. */
function ranksFacts({ ranks, sliceBytes, replicatedBytes, roundBytes, roundMs }: RankPlan): [string, string][] {
  return [
    ['ranks', `${count(ranks)}; each reads ${bytes(sliceBytes)} and holds ${bytes(replicatedBytes)} of all vertices`],
    ['a whole round', `${bytes(roundBytes)} received by each, in ${duration(roundMs)} over the network`],
  ]
}

export function planText(target: string, plan: ResourcePlan): string {
  const { needed, available } = plan
  const about = plan.exact ? '' : 'about '
  const areTiles = plan.steps.some(({ name }) => name === 'tiles') || plan.basis.endsWith('tiles')
  const whole = areTiles ? 'tiles' : 'graph'
  const head = facts([
    ['vertices', about + count(plan.vertices)],
    ['edges', about + count(Math.ceil(plan.arcs / 2))],
    ['known from', plan.basis],
    ['batches', count(plan.batches)],
    ...plan.lanes.map((lane) => [lane.device, laneText(lane, whole)] as [string, string]),
    ...(plan.across === undefined ? [] : ranksFacts(plan.across)),
    ...(plan.deviceAdvice === undefined ? [] : [['devices', plan.deviceAdvice] as [string, string]]),
  ])
  const rows = plan.steps.map((step) => [
    steps[step.name],
    bytes(step.hostBytes),
    step.deviceBytes === 0 ? '' : bytes(step.deviceBytes),
    step.scratchBytes === 0 ? '' : bytes(step.scratchBytes),
    bytes(step.diskBytes),
    count(step.passes),
  ])
  const total = [
    'at most',
    bytes(needed.hostBytes),
    bytes(needed.deviceBytes),
    bytes(needed.scratchBytes),
    bytes(needed.diskBytes),
    count(plan.passes),
  ]
  const free = [
    'available',
    bytes(available.hostBytes),
    available.deviceBytes === null ? 'unknown' : bytes(available.deviceBytes),
    '',
    bytes(available.diskBytes),
    '',
  ]
  const figures = table('step | memory> | on device> | scratch disk> | disk kept> | passes>', [...rows, total, free])
  const verdict = plan.refusal === null ? 'It fits.' : `It does not fit: ${failureText(plan.refusal)}`
  return `${target}\n${head}\n\n${figures}\n\n${verdict}`
}
