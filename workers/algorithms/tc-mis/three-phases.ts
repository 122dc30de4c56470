import { tcCountsMatrix } from '../../../kernels/tc-mis/tc-counts-matrix.ts'
import type { TcCounts } from '../../../kernels/tc-mis/tc-counts.ts'
import { tcCounts } from '../../../kernels/tc-mis/tc-counts.ts'
import type { JobContext } from '../../base/job.ts'
import { Failure } from '../../base/failure.ts'
import type { Counting, DeviceFacts } from '../../contract/jobs.ts'
import { finishSerially } from './finish.ts'
import { Rounds, roundKernels } from './rounds.ts'
import type { TcTask } from './rounds.ts'
import type { RoundFigures } from './tc-state.ts'
import { figuresOf } from './tc-state.ts'
import { allocateWorkspace, releaseWorkspace } from './workspace.ts'

export interface TcResult extends RoundFigures {
  readonly isOnTensorCores: boolean
  readonly computeMs: number
  readonly kernelMs: number
  /** Milliseconds of the phases `candidates`, `counts` and `update`; empty where the device has no clock for them. */
  readonly phaseMs: Readonly<Record<string, number>>
}

/** Whether a device multiplies 16 x 32 by 32 x 16 bytes exactly. */
export function hasTensorCores({ features, subgroupMatrices }: DeviceFacts): boolean {
  const fits = (subgroupMatrices ?? []).some(
    ({ component, result, m, n, k }) => component === 'u8' && result === 'u32' && m === 16 && n === 16 && k === 32,
  )
  return fits && (tcCountsMatrix.features ?? []).every((feature) => features.includes(feature))
}

/**
 * The kernel of phase 2: as asked; left open, plain integers, which are faster on every graph measured (docs/decisions/0008):
 * tiles of real graphs hold so few arcs that a matrix product mostly multiplies zeros.
 * @throws Failure (usage) for tensor cores on a device without them
 */
export function countsKernel(facts: DeviceFacts, counting: Counting = 'auto'): TcCounts {
  const has = hasTensorCores(facts)
  if (counting === 'tensor' && !has)
    throw new Failure({
      code: 'usage',
      where: '--counting tensor',
      what: `${facts.id} (${facts.name}) does not multiply matrices of bytes`,
      remedy: 'Leave it out, or use --counting integer: the set is the same.',
    })
  return counting === 'tensor' ? tcCountsMatrix : tcCounts
}

/**
 * TC-MIS (Nijhara and Banerjee, arXiv 2605.29604, Algorithm 2), for several seeds at once. Each round: the open vertices that no
 * open neighbour precedes are candidates; a product over the tiles of the adjacency matrix tells who has a candidate beside it;
 * candidates join, and their neighbours are out. Rounds are synchronous, so nothing depends on timing, batches or the device.
 */
export async function threePhases(task: TcTask, job: JobContext): Promise<TcResult> {
  const { device, vertices, seeds, keys, store, start, keeper } = task
  const counts = countsKernel(device.facts, task.counting)
  const isOnTensorCores = counts === tcCountsMatrix
  if (start?.isOver === true) return { ...figuresOf(start), isOnTensorCores, computeMs: 0, kernelMs: 0, phaseMs: {} }
  await device.prepare([...roundKernels, counts])
  const space = await allocateWorkspace(device, { vertices, seeds }, keys.keys)
  if (task.isResident) await loadAll(task)
  const settling = keys.settling === undefined ? undefined : await device.share('settling keys', keys.settling)
  const waitedMs = store.readMs
  await device.takeKernelMs()
  await device.takePhaseMs()
  const startMs = performance.now()
  const rounds = new Rounds(task, space, counts, job)
  await rounds.begin()
  if (start?.settledFrom === undefined) await rounds.run()
  if (settling !== undefined) {
    if (start?.settledFrom === undefined) await rounds.reopenOrphans()
    rounds.settle(settling)
    await rounds.run()
  }
  const members = await device.read(space.members, 0, space.members.words)
  if (rounds.left > 0) {
    const open = await device.read(space.open, 0, space.open.words)
    const left = { open, members, keys: keys.settling ?? keys.keys }
    finishSerially(task.graph, left, seeds, job)
  }
  if (keeper?.isDue(true) === true)
    keeper.keep({ ...rounds.notes, open: new Uint32Array(members.length), members, isOver: true })
  const computeMs = performance.now() - startMs - (store.readMs - waitedMs)
  const [kernelMs, phaseMs] = [await device.takeKernelMs(), await device.takePhaseMs()]
  if (settling !== undefined) device.release(settling)
  releaseWorkspace(device, space)
  return { ...figuresOf({ ...rounds.notes, members }), isOnTensorCores, computeMs, kernelMs, phaseMs }
}

async function loadAll({ store, listBatches, tileBatches }: TcTask): Promise<void> {
  for (const batch of listBatches) await store.lists(batch)
  for (const batch of tileBatches) await store.tiles(batch)
}
