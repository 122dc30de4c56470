import { componentFlatten } from '../../../kernels/components/component-flatten.ts'
import { componentLink } from '../../../kernels/components/component-link.ts'
import { componentMerge } from '../../../kernels/components/component-merge.ts'
import { throwIfCancelled } from '../../base/job.ts'
import { sharedWords } from '../../base/words.ts'
import type { RangeWork, RangeWorker, RangeWorks } from '../range-task.ts'

/** A forest for each worker, which others read once it is finished; the first one's is the result. */
export const shareForests = (vertices: number, workers: number): readonly Uint32Array[] =>
  Array.from({ length: workers }, () => sharedWords(vertices))

type Forests = ReturnType<typeof shareForests>

/** On a device: the own forest, and one that is merged. */
export const componentSpaceBytes = (vertices: number, workers: number): number => 4 * vertices * (workers === 1 ? 1 : 2)

/**
 * Connected components in one pass over the lists: each worker joins the ends of its arcs in a forest of its own, then pairs of workers merge
 * theirs. Afterwards the forest of the first worker has the least vertex of its component for every vertex.
 */
async function computeComponents(worker: RangeWorker<Forests>): Promise<RangeWork<null>> {
  const { task, device, graph, plan, store, trace, job, workers } = worker
  const { shared: forests, worker: index } = task
  const { vertices } = graph
  const own = forests[index]!
  for (let v = 0; v < vertices; v++) own[v] = v
  const parents = await device.share('forest', own)
  await worker.ready()
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
  for (let step = 1; step < workers; step *= 2) {
    if (index % (2 * step) === step && !device.sharesMemory) await device.read(parents, 0, vertices, own)
    await worker.arrive('for other forests')
    if (index % (2 * step) !== 0 || index + step >= workers) continue
    const forest = await device.share('other forest', forests[index + step]!)
    exchanged += 4 * vertices
    trace.span('kernel', 'merge', () => device.launch(componentMerge, vertices, { vertices }, { forest, parents }))
    device.release(forest)
  }
  if (index === 0 && vertices > 0) {
    device.launch(componentFlatten, vertices, { vertices }, { parents })
    await device.read(parents, 0, vertices, own)
  }
  device.release(parents)
  return { outcome: null, exchanged }
}

export const componentWorks: RangeWorks<Forests, null> = {
  follow: 'follow-components',
  kernels: [componentFlatten, componentLink, componentMerge],
  needs: ({ shared }, { vertices }) => ({ spaceBytes: componentSpaceBytes(vertices, shared.length) }),
  compute: computeComponents,
}
