import { componentFlatten } from '../../../kernels/components/component-flatten.ts'
import { componentLink } from '../../../kernels/components/component-link.ts'
import { componentMerge } from '../../../kernels/components/component-merge.ts'
import { throwIfCancelled } from '../../base/job.ts'
import { BARRIER_WORDS } from '../../threads/barrier.ts'
import { type RangeTask, type RangeWork, type RangeWorker, type RangeWorks, followRange } from '../range-task.ts'

/** What the workers share: a forest each, which other workers read once it is finished; the first one's is the result. */
export interface SharedForests {
  readonly control: Int32Array
  readonly forests: readonly Uint32Array[]
}

export const componentKernels = [componentFlatten, componentLink, componentMerge]

export function shareForests(vertices: number, workers: number): SharedForests {
  const forests = Array.from({ length: workers }, () => new Uint32Array(new SharedArrayBuffer(4 * vertices)))
  return { control: new Int32Array(new SharedArrayBuffer(4 * BARRIER_WORDS)), forests }
}

/** On a device: the own forest, and one that is merged. */
export const componentSpaceBytes = (vertices: number, workers: number): number => 4 * vertices * (workers === 1 ? 1 : 2)

/**
 * Connected components in one pass over the lists: each worker joins the ends of its arcs in a forest of its own, then pairs of workers merge
 * theirs. Afterwards the forest of the first worker has the least vertex of its component for every vertex.
 */
async function computeComponents(worker: RangeWorker<SharedForests>): Promise<RangeWork<null>> {
  const { task, device, graph, plan, store, barrier, trace, job } = worker
  const { shared, worker: index } = task
  const { vertices } = graph
  const startMs = performance.now()
  await device.prepare(componentKernels)
  const own = shared.forests[index]!
  for (let v = 0; v < vertices; v++) own[v] = v
  const parents = await device.share('forest', own)
  const prepareMs = performance.now() - startMs
  await device.takeKernelMs()
  let done = 0
  for (const batch of plan.batches) {
    throwIfCancelled(job.signal)
    const { offsets, targets } = await store.load(batch)
    const params = { first: batch.first, rows: batch.count }
    trace.span('kernel', 'link', () => device.launch(componentLink, batch.count, params, { offsets, targets, parents }))
    done += batch.count
    job.progress({ phase: 'scan', done, total: worker.high - worker.low, unit: 'vertices' })
  }
  store.release()
  let exchanged = 0
  const workers = shared.forests.length
  for (let step = 1; step < workers; step *= 2) {
    if (index % (2 * step) === step && !device.sharesMemory) await device.read(parents, 0, vertices, own)
    await trace.span('wait', 'for other forests', () => barrier.arrive())
    if (index % (2 * step) !== 0 || index + step >= workers) continue
    const forest = await device.share('other forest', shared.forests[index + step]!)
    exchanged += 4 * vertices
    trace.span('kernel', 'merge', () => device.launch(componentMerge, vertices, { vertices }, { forest, parents }))
    device.release(forest)
  }
  if (index === 0 && vertices > 0) {
    device.launch(componentFlatten, vertices, { vertices }, { parents })
    await device.read(parents, 0, vertices, own)
  }
  device.release(parents)
  return { outcome: null, prepareMs, exchanged }
}

export const componentWorks: RangeWorks<SharedForests, null> = {
  needs: ({ shared }, { vertices }) => ({ spaceBytes: componentSpaceBytes(vertices, shared.forests.length) }),
  compute: computeComponents,
}

/** A worker in a thread of its own. */
export const componentsTask = (task: RangeTask<SharedForests>) => followRange(task, componentWorks)
