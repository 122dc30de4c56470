/**
 * Connected components in one pass over the lists (ECL-CC: Jaiganesh, Burtscher, HPDC 2018): each worker joins the ends of its arcs in its own
 * forest, then pairs of workers merge theirs; processors have one together, and take chunks of the file in turn. The name of a component is its
 * least vertex. A forest has one word a vertex; lists are streamed in batches, and nothing of them is held by processors. kernels/components has
 * link and flatten.
 */

import { type JobContext, throwIfCancelled } from '../../../base/job.ts'
import { checkComponents } from './check-components.ts'
import { type Algorithm, type Answer, type Run, valuesAnswer, valuesVerifier } from '../../algorithm.ts'
import { holdLists, planRanges, rangeRecord, runRanges, withThreads } from '../../range-run.ts'
import { componentFlatten } from '../../../../kernels/components/component-flatten.ts'
import { componentLink } from '../../../../kernels/components/component-link.ts'
import { componentMerge } from '../../../../kernels/components/component-merge.ts'
import { sharedWords } from '../../../base/words.ts'
import type { DeviceBuffer } from '../../../device/device.ts'
import type { GaloisGr } from '../../../graph/galois-gr.ts'
import { cutRanges } from '../../arc-store.ts'
import type { RangeWork, RangeWorker, RangeWorks } from '../../range-task.ts'

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
  const { vertices } = graph
  const isChunked = takesChunks(run)
  const threaded = isChunked ? withThreads(run) : run
  const shared = {
    forests: shareForests(vertices, isChunked ? 1 : devices.length),
    chunks: isChunked ? shareChunks(graph, threaded.devices.length) : undefined,
  }
  const hostBytes = 4 * vertices * (devices.length + 1)
  const found = await runRanges(threaded, job, shared, componentWorks)
  const values = shared.forests[0]!
  const record = rangeRecord(run, found, { hostBytes })
  return valuesAnswer(run, { values, figures: componentFigures(values), workers: found.reports, record })
}

/** Processors do, unless memory is short: a chunk takes some. */
function takesChunks(run: Run): boolean {
  const { args, graph, devices } = run
  if (args.memoryBytes !== undefined) return holdLists(run, () => componentSpaceBytes(graph.vertices, 1))
  return devices.every(({ kind }) => kind === 'cpu') && (args.batches ?? 1) <= devices.length
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

/** A forest for each worker, which others read once it is finished; or one, in which all join, as processors do. The first is the result. */
export const shareForests = (vertices: number, forests: number): readonly Uint32Array[] =>
  Array.from({ length: forests }, () => sharedWords(vertices))

/** Ranges of vertices with about equal arcs, which processors take one after another. */
interface Chunks {
  readonly bounds: readonly number[]
  /** How many were taken. */
  readonly taken: Int32Array
}

/** Sizes for an even share of each worker, and of a chunk. */
const CHUNKS_A_WORKER = 32
const LEAST_ARCS = 1 << 18
const MOST_ARCS = 1 << 22

export function shareChunks(graph: GaloisGr, workers: number): Chunks {
  const { arcs } = graph
  const wanted = Math.max(CHUNKS_A_WORKER * workers, Math.ceil(arcs / MOST_ARCS))
  const count = Math.max(1, Math.min(wanted, Math.ceil(arcs / LEAST_ARCS)))
  return { bounds: cutRanges(graph, count), taken: new Int32Array(new SharedArrayBuffer(4)) }
}

interface SharedForests {
  readonly forests: ReturnType<typeof shareForests>
  /** What processors take in turn; undefined if a worker is no processor. */
  readonly chunks: Chunks | undefined
}

type ComponentWorker = RangeWorker<SharedForests>

/** Bytes on a device: the own forest, and one that is merged. */
const componentSpaceBytes = (vertices: number, forests: number): number => 4 * vertices * (forests === 1 ? 1 : 2)

/** One worker's part. Afterwards the first forest has the least vertex of its component for every vertex. */
async function computeComponents(worker: ComponentWorker): Promise<RangeWork<null>> {
  const { task, device, graph } = worker
  const { forests, chunks } = task.shared
  const { vertices } = graph
  const own = forests[chunks === undefined ? task.worker : 0]!
  const [first, end] = chunks === undefined ? [0, vertices] : [worker.low, worker.high]
  for (let v = first; v < end; v++) own[v] = v
  const parents = await device.share('forest', own)
  await worker.ready()
  let exchanged = 0
  if (chunks === undefined) {
    await linkBatches(worker, parents)
    exchanged = await mergeForests(worker, parents)
  } else {
    await linkChunks(worker, chunks, parents)
    await worker.arrive('for other links')
  }
  if (first < end && (chunks !== undefined || task.worker === 0)) {
    device.launch(componentFlatten, end - first, { first, count: end - first }, { parents })
    if (!device.sharesMemory) await device.read(parents, 0, vertices, own)
  }
  device.release(parents)
  return { outcome: null, exchanged }
}

async function linkBatches(worker: ComponentWorker, parents: DeviceBuffer): Promise<void> {
  const { device, plan, store, trace, job, low, high } = worker
  let done = 0
  for (const batch of plan.batches) {
    throwIfCancelled(job.signal)
    const { offsets, targets } = await store.load(batch)
    const params = { first: batch.first, rows: batch.count }
    trace.span('kernel', 'link', () => device.launch(componentLink, batch.count, params, { offsets, targets, parents }))
    done += batch.count
    job.progress({ phase: 'scan', done, total: high - low, unit: 'vertices' })
  }
  store.release()
}

/** Links any parts of the graph: nothing of it is held. */
async function linkChunks(worker: ComponentWorker, { bounds, taken }: Chunks, parents: DeviceBuffer): Promise<void> {
  const { device, graph, store, trace, job } = worker
  let space = new Uint32Array(0)
  const take = (): number => Atomics.add(taken, 0, 1)
  for (let chunk = take(); chunk < bounds.length - 1; chunk = take()) {
    await worker.pause()
    const [first, end] = [bounds[chunk]!, bounds[chunk + 1]!]
    const startMs = performance.now()
    const ends = trace.span('disk read', 'offsets', () => graph.readOffsets(first, end))
    const [begin, last] = [ends[0]!, ends[end - first]!]
    if (space.length < last - begin) space = new Uint32Array(last - begin)
    const words = trace.span('disk read', 'targets', () =>
      graph.readTargets(begin, last, space.subarray(0, last - begin)),
    )
    store.bytesRead += 8 * ends.length + 4 * (last - begin)
    store.readMs += performance.now() - startMs
    const offsets = await device.share(
      'offsets',
      Uint32Array.from(ends, (at) => at - begin),
    )
    const buffers = { offsets, targets: await device.share('targets', words), parents }
    trace.span('kernel', 'link', () => device.launch(componentLink, end - first, { first, rows: end - first }, buffers))
    job.progress({ phase: 'scan', done: end, total: graph.vertices, unit: 'vertices' })
  }
}

/** Merges the forests of pairs of workers. @returns bytes that were taken from others */
async function mergeForests({ task, ...worker }: ComponentWorker, parents: DeviceBuffer): Promise<number> {
  const { device, graph, trace, workers } = worker
  const { shared, worker: index } = task
  const { vertices } = graph
  let exchanged = 0
  for (let step = 1; step < workers; step *= 2) {
    if (index % (2 * step) === step && !device.sharesMemory)
      await device.read(parents, 0, vertices, shared.forests[index]!)
    await worker.arrive('for other forests')
    if (index % (2 * step) !== 0 || index + step >= workers) continue
    const forest = await device.share('other forest', shared.forests[index + step]!)
    exchanged += 4 * vertices
    trace.span('kernel', 'merge', () => device.launch(componentMerge, vertices, { vertices }, { forest, parents }))
    device.release(forest)
  }
  return exchanged
}

export const componentWorks: RangeWorks<SharedForests, null> = {
  follow: 'follow-components',
  kernels: [componentFlatten, componentLink, componentMerge],
  needs: ({ shared: { forests, chunks } }, { vertices }) => ({
    spaceBytes: componentSpaceBytes(vertices, forests.length),
    sharedBytes: chunks === undefined ? 0 : 4 * vertices,
  }),
  compute: computeComponents,
}
