import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import { checkComponents } from '../../verify/verify-values.ts'
import { type Algorithm, type Answer, type Run, valuesAnswer, valuesVerifier } from '../algorithm.ts'
import { planRanges, rangeRecord, runRanges } from '../range-run.ts'
import { componentFlatten } from '../../../kernels/components/component-flatten.ts'
import { componentLink } from '../../../kernels/components/component-link.ts'
import { componentMerge } from '../../../kernels/components/component-merge.ts'
import { sharedWords } from '../../base/words.ts'
import type { RangeWork, RangeWorker, RangeWorks } from '../range-task.ts'

/** Connected components in one pass (ECL-CC, HPDC 2018). */
export const connectedComponents: Algorithm = {
  plan: (request) => {
    const { size, devices } = request
    const workers = devices.length
    return planRanges(request, () => componentSpaceBytes(size.vertices, workers), 4 * size.vertices * (workers + 1))
  },
  severalGpus: 'needless',
  kernels: () => componentWorks.kernels,
  compute,
  verifier: valuesVerifier(
    ({ vertices }) => ({ hostBytes: 12 * vertices + (64 << 20), passes: 1 }),
    (names, { graph }, job) => checkComponents(graph, names, job),
  ),
}

async function compute(run: Run, job: JobContext): Promise<Answer> {
  const { graph, devices } = run
  const forests = shareForests(graph.vertices, devices.length)
  const hostBytes = 4 * graph.vertices * (devices.length + 1)
  const found = await runRanges(run, job, forests, componentWorks)
  const values = forests[0]!
  const record = rangeRecord(run, found, { hostBytes })
  return valuesAnswer(run, { values, figures: componentFigures(values), workers: found.reports, record })
}

/** How many components there are, and their sizes in short. @param names of the component of every vertex: its least vertex */
function componentFigures(names: Uint32Array) {
  const sizes = new Uint32Array(names.length)
  for (const name of names) sizes[name]!++
  let [components, largest, isolated] = [0, 0, 0]
  for (const size of sizes) {
    if (size > 0) components++
    if (size === 1) isolated++
    largest = Math.max(largest, size)
  }
  return { components, largest, isolated }
}

/** A forest for each worker, which others read once it is finished; the first one's is the result. */
export const shareForests = (vertices: number, workers: number): readonly Uint32Array[] =>
  Array.from({ length: workers }, () => sharedWords(vertices))

type Forests = ReturnType<typeof shareForests>

/** On a device: the own forest, and one that is merged. */
const componentSpaceBytes = (vertices: number, workers: number): number => 4 * vertices * (workers === 1 ? 1 : 2)

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
