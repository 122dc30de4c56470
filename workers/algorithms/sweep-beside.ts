import { misFirst } from '../../kernels/mis-first.ts'
import type { Barrier } from '../exchange/barrier.ts'
import { readFrontBits } from '../graph/prepare-view.ts'
import { VertexSet } from '../graph/vertex-set.ts'
import { stateWords } from '../graph/vertex-states.ts'
import type { ViewFile } from '../graph/view-file.ts'
import type { JobContext, StopSignal } from '../job.ts'
import type { WalkMemory } from '../walk/walk-memory.ts'
import { sharedWords } from '../walk/walk-memory.ts'
import { groupRange } from '../walk/walk-plan.ts'
import type { Walk } from '../walk/walk.ts'
import type { SweepWorker } from './device-sweep.ts'
import { DeviceSweep } from './device-sweep.ts'
import type { EclMisResult, Part, SweepOutcome } from './ecl-mis.ts'
import { decideFront, membersOfFront } from './front-vertices.ts'

/** Makes what all workers of a walk share. @param initial states to start from; undefined: all undecided */
export function layWalk(walk: Walk, { header }: ViewFile, initial: Uint32Array | undefined): WalkMemory {
  const states = sharedWords(stateWords(header.vertices))
  if (initial !== undefined) states.set(initial)
  decideFront(states, header.front)
  return walk.lay(states)
}

/**
 * Slabs that do not fit their devices: only heads go there, a group of vertices after another, in the order of the view and to the
 * devices in turn, while threads walk the groups before it and read those behind it. They decide what the heads leave, so one pass
 * decides everything, and all states are in memory that all workers share. This is the leading worker's part.
 */
export async function sweepBeside(part: Part, walk: Walk, view: ViewFile, job: JobContext): Promise<EclMisResult> {
  const { device, vertices, trace } = part
  walk.start()
  await device.prepare([misFirst])
  const front = membersOfFront(readFrontBits(view), part.states)
  const memory = walk.memory ?? layWalk(walk, view, part.states)
  memory.members.set(front)
  await walk.open(memory)
  const { board } = walk.team
  const sweep = await DeviceSweep.open({ device, trace, worker: 0 }, memory)
  if (memory.plan.stays) board.load()
  await keepHeads(sweep, memory, (isReady) => walk.until(isReady, true))
  await walk.barrier?.arrive()
  const waitedMs = walk.readMs
  await device.takeKernelMs()
  const startMs = performance.now()
  board.go()
  await leadTurns(part, walk, sweep, memory, job)
  await walk.until(() => board.isDone, false)
  walk.checkSums()
  const computeMs = performance.now() - startMs - (walk.readMs - waitedMs)
  await part.afterStep?.(true, () => Promise.resolve(memory.states.slice(0, stateWords(vertices))))
  const kernelMs = await device.takeKernelMs()
  sweep.release()
  walk.took(sweep.taken)
  const set = new VertexSet(vertices, new Uint8Array(memory.members.buffer, 0, Math.ceil(vertices / 8)))
  return { ...onePass, computeMs, kernelMs, set }
}

const onePass = { rounds: 1, roundCounts: [{ round: 1, undecided: 0 }], passes: 1 } as const

/** What a following worker did. */
export interface FollowedSweep extends SweepOutcome {
  /** Bytes of states that its device was told of groups that other workers took. */
  readonly taken: number
  /** Milliseconds that it waited for heads. */
  readonly readMs: number
}

/** A following worker's part. @param memory of {@link layWalk} */
export async function followBeside(
  of: SweepWorker,
  memory: WalkMemory,
  barrier: Barrier,
  stop: StopSignal,
): Promise<FollowedSweep> {
  const { device } = of
  await device.prepare([misFirst])
  const sweep = await DeviceSweep.open(of, memory)
  const { board } = sweep
  let readMs = 0
  const untilRead = async (isReady: () => boolean): Promise<void> => {
    const startMs = performance.now()
    await board.until(isReady, stop)
    readMs += performance.now() - startMs
  }
  await keepHeads(sweep, memory, untilRead)
  await barrier.arrive()
  await device.takeKernelMs()
  const startMs = performance.now()
  for (const turn of sweep.turns) {
    await board.until(() => sweep.throwIfFailed() || mayTake(sweep, memory, turn), stop)
    await untilRead(() => board.headsAreRead(turn))
    await sweep.turn(turn)
  }
  await board.until(() => sweep.throwIfFailed() || sweep.isDone, stop)
  const computeMs = performance.now() - startMs
  const kernelMs = await device.takeKernelMs()
  sweep.release()
  return { ...onePass, computeMs, kernelMs, taken: sweep.taken, readMs }
}

async function keepHeads(
  sweep: DeviceSweep,
  { plan }: WalkMemory,
  until: (isReady: () => boolean) => Promise<void>,
): Promise<void> {
  if (!plan.stays) return
  for (const turn of sweep.turns) {
    await until(() => sweep.board.headsAreRead(turn))
    await sweep.keep(turn)
  }
}

const mayTake = ({ board }: DeviceSweep, { plan }: WalkMemory, turn: number): boolean =>
  turn < plan.ahead || board.isWalked(turn - plan.ahead)

async function leadTurns(
  part: Part,
  walk: Walk,
  sweep: DeviceSweep,
  memory: WalkMemory,
  job: JobContext,
): Promise<void> {
  const { vertices } = part
  const { plan, states } = memory
  for (const turn of sweep.turns) {
    await walk.until(() => sweep.throwIfFailed() || mayTake(sweep, memory, turn), false)
    await walk.until(() => sweep.board.headsAreRead(turn), true)
    await sweep.turn(turn)
    await part.afterStep?.(false, () => Promise.resolve(states.slice(0, stateWords(vertices))))
    const { end } = groupRange(plan, plan.turns[turn]!)
    job.progress({ phase: 'sweep', done: end, total: vertices, unit: 'vertices', round: 1 })
  }
  await walk.until(() => sweep.throwIfFailed() || sweep.isDone, false)
}
