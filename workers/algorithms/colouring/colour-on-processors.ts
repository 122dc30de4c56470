import { setImmediate as nextTurn } from 'node:timers/promises'
import { breaksTie } from '../../../kernels/parts/colour-order.ts'
import { processorsHere } from '../../base/host-resources.ts'
import { throwIfCancelled } from '../../base/job.ts'
import { shouldStop } from '../../threads/barrier.ts'
import type { RangeWork } from '../range-task.ts'
import { reportRound } from '../worker-report.ts'
import { ClaimedVertices } from './claimed-vertices.ts'
import { countBands, orderBands } from './colour-bands.ts'
import type { ColouringWorker, Lefts, SharedColouring, SharedLists } from './shared-colouring.ts'

/** Arcs that are read at a time. */
const ARCS_A_READ = 1 << 20
const PAUSE_MS = 20

/**
 * Colours on threads that share all lists and colours: each claims the next vertices in the order of their bands, and reads every list of predecessors
 * about once. Everything is one round.
 */
export async function colourOnProcessors(worker: ColouringWorker, lists: SharedLists): Promise<RangeWork<Lefts>> {
  const { task, graph, trace, job, low, high } = worker
  const { shared, control, worker: index, before = [] } = task
  let lastMs = performance.now()
  const pause = async (): Promise<void> => {
    if (performance.now() - lastMs < PAUSE_MS) return
    await nextTurn()
    throwIfCancelled(job.signal)
    throwIfCancelled({ aborted: shouldStop(control) })
    lastMs = performance.now()
  }
  const { bands, bandCounts, order } = lists
  const own = { first: low, end: high }
  countBands(bands, shared, own, bandCounts.subarray(index * bands.bands, (index + 1) * bands.bands))
  await worker.arrive('for bands')
  const { places, total } = placesOf(bandCounts, bands.bands, index)
  orderBands(bands, shared, own, { places, order, low: 0 })
  await worker.ready()
  const readings = await readPredecessors(worker, lists, pause)
  await worker.arrive('for lists')
  const colourStartMs = performance.now()
  const claimed = new ClaimedVertices(shared, lists, total, control)
  // More threads than processors would wait for those that are not running.
  const claims = index < processorsHere()
  while (claims && trace.span('kernel', 'colour', () => claimed.colourSome(performance.now() + PAUSE_MS))) {
    await pause()
    if (index !== 0) continue
    reportRound(job, 'round', graph.vertices, claimed.left, 1)
    // Others colour meanwhile: what is written is right at any time.
    if (worker.isDue() > 0) worker.keep(before)
  }
  const kernelMs = performance.now() - colourStartMs + readings.kernelMs
  await worker.arrive('for colours')
  if (index === 0 && graph.vertices > 0) reportRound(job, 'round', graph.vertices, 0, 1)
  return {
    outcome: (before.at(-1) ?? graph.vertices) === 0 ? before : [...before, 0],
    exchanged: 0,
    kernelMs,
  }
}

/** Where the vertices of a worker go in each band, behind those of workers before it. */
function placesOf(
  counts: Uint32Array,
  bands: number,
  index: number,
): { readonly places: Uint32Array; readonly total: number } {
  const places = new Uint32Array(bands)
  let total = 0
  for (let band = 0; band < bands; band++)
    for (let at = band; at < counts.length; at += bands) {
      if (at === index * bands + band) places[band] = total
      total += counts[at]!
    }
  return { places, total }
}

/** Of the own lists keeps the predecessors alone. */
async function readPredecessors(
  { task, graph, store, trace, low, high }: ColouringWorker,
  lists: SharedLists,
  pause: () => Promise<void>,
): Promise<{ readonly kernelMs: number }> {
  const startMs = performance.now()
  let kernelMs = 0
  let buffer = new Uint32Array(0)
  const offsets = trace.span('disk read', 'offsets', () => graph.readOffsets(low, high))
  store.bytesRead += 8 * offsets.length
  for (let first = low; first < high;) {
    await pause()
    const begin = offsets[first - low]!
    let end = first + 1
    while (end < high && offsets[end + 1 - low]! - begin <= ARCS_A_READ) end++
    const arcs = offsets[end - low]! - begin
    if (arcs > buffer.length) buffer = new Uint32Array(arcs)
    const targets = buffer.subarray(0, arcs)
    trace.span('disk read', 'targets', () => graph.readTargets(begin, begin + arcs, targets))
    store.bytesRead += 4 * arcs
    const keepMs = performance.now()
    trace.span('kernel', 'predecessors', () =>
      keepPredecessors(task.shared, lists, {
        first,
        end,
        offsets: offsets.subarray(first - low, end + 1 - low),
        targets,
      }),
    )
    kernelMs += performance.now() - keepMs
    first = end
  }
  store.readMs += performance.now() - startMs - kernelMs
  return { kernelMs }
}

interface ReadLists {
  readonly first: number
  readonly end: number
  readonly offsets: Float64Array
  readonly targets: Uint32Array
}

function keepPredecessors(
  { keys, shift }: SharedColouring,
  { predecessors, starts, ends }: SharedLists,
  { first, end, offsets, targets }: ReadLists,
): void {
  const origin = offsets[0]!
  const kept = predecessors.subarray(origin)
  let [at, to] = [0, 0]
  for (let v = first; v < end; v++) {
    starts[v] = origin + to
    const key = keys[v]!
    const last = (offsets[v + 1 - first]! - origin) | 0
    for (; at < last; at++) {
      const u = targets[at]!
      const other = keys[u]!
      if (other > key || (other === key && breaksTie(u, v, shift))) kept[to++] = u
    }
    ends[v] = origin + to
  }
}
