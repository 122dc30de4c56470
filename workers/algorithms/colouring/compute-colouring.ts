import { colourPredecessors } from '../../../kernels/colouring/colour-predecessors.ts'
import { colourVisit } from '../../../kernels/colouring/colour-visit.ts'
import { throwIfCancelled } from '../../base/job.ts'
import { idleRound } from '../../graph/galois-gr.ts'
import { MirroredWords } from '../mirrored-words.ts'
import type { RangeWork, RangeWorks } from '../range-task.ts'
import { reportRound } from '../worker-report.ts'
import { ColourBatches, batchSpaceBytes } from './colour-batches.ts'
import { colourOnProcessors } from './colour-on-processors.ts'
import type { ColouringWorker, Lefts, SharedColouring } from './shared-colouring.ts'

/** On a device: keys and colours, and what its own vertices take. */
export const colouringSpaceBytes = (vertices: number, own: number): number => 8 * vertices + batchSpaceBytes(own)

/**
 * Colours by Jones and Plassmann (1993) in rounds over the batches of every worker. A batch is visited until it waits for others, so that one that is
 * read from the file again has its vertices coloured as far as they can be.
 */
async function computeColouring(worker: ColouringWorker): Promise<RangeWork<Lefts>> {
  const { task, device, graph, trace, job, plan, workers } = worker
  const { shared, before = [] } = task
  const keys = await device.share('keys', shared.keys)
  const colours = await MirroredWords.open(worker, 'colours', shared.colours)
  const batches = await ColourBatches.open(worker, { keys, colours: colours.buffer })
  await worker.ready()
  const lefts = [...before]
  const pause = async (): Promise<void> => {
    throwIfCancelled(job.signal)
    if (workers > 1) return
    reportRound(job, 'round', graph.vertices, batches.left, lefts.length + 1)
    // A resumed run has the rounds of one that was not interrupted.
    if (plan.batches.length > 1 || worker.isDue() === 0) return
    await colours.publish()
    worker.keep(lefts)
  }
  for (let left = before.at(-1) ?? graph.vertices; left > 0;) {
    await batches.round(pause)
    await trace.span('exchange', 'publish colours', () => colours.publish())
    const [total = 0, keeps = 0] = await worker.sum('for colours', [batches.left, worker.isDue()])
    if (workers > 1) await trace.span('exchange', 'take colours', () => colours.take())
    if (total >= left) throw idleRound(graph.path, lefts.length + 1)
    left = total
    lefts.push(left)
    reportRound(job, 'round', graph.vertices, left, lefts.length)
    // Until it is written, no worker changes its colours.
    if (keeps > 0) worker.keep(lefts)
    await worker.arrive('for other workers')
  }
  batches.release()
  device.release(keys)
  colours.release()
  return { outcome: lefts, exchanged: colours.exchanged }
}

export const colouringWorks: RangeWorks<SharedColouring, Lefts, Lefts> = {
  follow: 'colour-range',
  kernels: [colourPredecessors, colourVisit],
  needs: ({ bounds, worker }, { vertices }) => ({
    spaceBytes: colouringSpaceBytes(vertices, bounds[worker + 1]! - bounds[worker]!),
  }),
  compute: (worker) => {
    const { lists } = worker.task.shared
    return lists === undefined ? computeColouring(worker) : colourOnProcessors(worker, lists)
  },
}
