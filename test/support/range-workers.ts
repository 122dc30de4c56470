import { cutRanges } from '../../workers/algorithms/arc-store.ts'
import type { Checkpointer } from '../../workers/algorithms/checkpoint.ts'
import { type RangeReport, type RangeWorks, onRangeWorker } from '../../workers/algorithms/range-task.ts'
import { shareSums } from '../../workers/threads/barrier.ts'
import { quietJob } from '../../workers/base/job.ts'
import { CpuDevice } from '../../workers/device/cpu-device.ts'
import type { Device } from '../../workers/device/device.ts'
import { GaloisGr } from '../../workers/graph/galois-gr.ts'
import { LocalBarrier } from './local-barrier.ts'

export interface RangeCase<Shared, Notes> {
  readonly workers: number
  readonly batches?: number
  readonly memoryBytes?: number
  /** Threads of a processor. */
  readonly threads?: number
  readonly before?: Notes | undefined
  readonly checkpointer?: Checkpointer<Notes>
  /** Else about equal arcs. */
  readonly cut?: ((graph: GaloisGr, workers: number) => readonly number[]) | undefined
  share(graph: GaloisGr, bounds: readonly number[]): Shared
}

/** Range workers that take turns on this thread. */
export async function rangesHere<Shared, Outcome, Notes>(
  folder: string,
  { workers, cut = cutRanges, share, checkpointer, memoryBytes = Infinity, ...way }: RangeCase<Shared, Notes>,
  works: RangeWorks<Shared, Outcome, Notes>,
  deviceOf: (worker: number) => Device | undefined = () => undefined,
): Promise<{ shared: Shared; outcome: Outcome; reports: readonly RangeReport[] }> {
  const graph = GaloisGr.inFolder(folder)
  const bounds = cut(graph, workers)
  const shared = share(graph, bounds)
  const barrier = new LocalBarrier(workers)
  const given = { batches: 1, threads: 1, budgetBytes: memoryBytes, before: undefined, ...way }
  const task = {
    device: 'cpu:0',
    graph: graph.handle,
    bounds,
    shared,
    ...given,
    traced: false,
    ...shareSums(workers),
  }
  const own = Array.from({ length: workers }, () => new CpuDevice('cpu:0'))
  const done = await Promise.all(
    Array.from({ length: workers }, (_, worker) => {
      const device = deviceOf(worker) ?? own[worker]!
      return onRangeWorker(
        { ...task, worker },
        device,
        barrier,
        quietJob,
        works,
        worker === 0 ? checkpointer : undefined,
      )
    }),
  )
  for (const device of own) device.close()
  graph.close()
  return { shared, outcome: done[0]!.outcome, reports: done.map(({ report }) => report) }
}
