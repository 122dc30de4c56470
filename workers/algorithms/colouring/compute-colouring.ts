import { colourPredecessors } from '../../../kernels/colouring/colour-predecessors.ts'
import { colourVisit } from '../../../kernels/colouring/colour-visit.ts'
import { throwIfCancelled } from '../../base/job.ts'
import { idleRound } from '../../graph/galois-gr.ts'
import type { Checkpointer } from '../checkpoint.ts'
import { MirroredWords } from '../mirrored-words.ts'
import { type RangeTask, type RangeWork, type RangeWorker, type RangeWorks, followRange } from '../range-task.ts'
import { reportRound } from '../worker-report.ts'
import { ColourBatches, batchSpaceBytes } from './colour-batches.ts'
import { colourOnProcessors } from './colour-on-processors.ts'
import { COUNTS, type SharedColouring } from './shared-colouring.ts'

/** On a device: keys and colours, and what its own vertices take. */
export const colouringSpaceBytes = (vertices: number, own: number): number => 8 * vertices + batchSpaceBytes(own)

/**
 * Colours by Jones and Plassmann (1993) in rounds over the batches of every worker. A batch is visited until it waits for others, so that one that is
 * read from the file again has its vertices coloured as far as they can be.
 * @returns vertices without a colour after each round
 */
async function computeColouring(
  worker: RangeWorker<SharedColouring>,
  before: readonly number[] = [],
  checkpointer?: Checkpointer<readonly number[]>,
): Promise<RangeWork<readonly number[]>> {
  const { task, device, graph, barrier, trace, job, plan, low, high } = worker
  const { shared, worker: index } = task
  const startMs = performance.now()
  await device.prepare([colourPredecessors, colourVisit])
  const keys = await device.share('keys', shared.keys)
  const colours = await MirroredWords.open(device, 'colours', shared.colours, { low, high })
  const batches = await ColourBatches.open(worker, { keys, colours: colours.buffer })
  await device.takeKernelMs()
  await barrier.arrive()
  const prepareMs = performance.now() - startMs
  const lefts = [...before]
  const workers = task.bounds.length - 1
  const pause = async (): Promise<void> => {
    throwIfCancelled(job.signal)
    if (workers > 1) return
    reportRound(job, 'round', graph.vertices, batches.left, lefts.length + 1)
    // A resumed run has the rounds of one that was not interrupted.
    if (plan.batches.length > 1 || checkpointer?.isDue() !== true) return
    await colours.publish()
    checkpointer.keep(lefts)
  }
  for (let left = before.at(-1) ?? graph.vertices; left > 0;) {
    await batches.round(pause)
    await trace.span('exchange', 'publish colours', () => colours.publish())
    shared.counts.set([batches.left, checkpointer?.isDue() === true ? 1 : 0], COUNTS * index)
    await trace.span('wait', 'for colours', () => barrier.arrive())
    const total = shared.counts.reduce((sum, count, i) => (i % COUNTS === 0 ? sum + count : sum), 0)
    const keeps = shared.counts.some((count, i) => i % COUNTS === 1 && count > 0)
    if (workers > 1) await trace.span('exchange', 'take colours', () => colours.take())
    if (total >= left) throw idleRound(graph.path, lefts.length + 1)
    left = total
    lefts.push(left)
    if (index === 0) reportRound(job, 'round', graph.vertices, left, lefts.length)
    // Until it is written, no worker changes its colours.
    if (keeps && index === 0) checkpointer?.keep(lefts)
    await barrier.arrive()
  }
  batches.release()
  device.release(keys)
  colours.release()
  return { outcome: lefts, prepareMs, exchanged: colours.exchanged }
}

export const colouringWorks = (
  before?: readonly number[],
  checkpointer?: Checkpointer<readonly number[]>,
): RangeWorks<SharedColouring, readonly number[]> => ({
  needs: ({ bounds, worker }, { vertices }) => ({
    spaceBytes: colouringSpaceBytes(vertices, bounds[worker + 1]! - bounds[worker]!),
  }),
  compute: (worker) => {
    const { lists } = worker.task.shared
    if (lists === undefined) return computeColouring(worker, before, checkpointer)
    return colourOnProcessors(worker, lists, before, checkpointer)
  },
})

/** A worker in a thread of its own. */
export const colouringTask = (task: RangeTask<SharedColouring>) => followRange(task, colouringWorks())
