import { cutRanges } from '../../workers/algorithms/arc-store.ts'
import { type RangeReport, type RangeWorks, onRangeWorker } from '../../workers/algorithms/range-task.ts'
import { quietJob } from '../../workers/base/job.ts'
import { CpuDevice } from '../../workers/device/cpu-device.ts'
import type { Device } from '../../workers/device/device.ts'
import { GaloisGr } from '../../workers/graph/galois-gr.ts'
import { LocalBarrier } from './local-barrier.ts'

export interface RangeCase<Shared> {
  readonly workers: number
  readonly batches?: number
  readonly memoryBytes?: number
  /** Else about equal arcs. */
  readonly cut?: ((graph: GaloisGr, workers: number) => readonly number[]) | undefined
  share(graph: GaloisGr, bounds: readonly number[]): Shared
}

/** Range workers that take turns on this thread. */
export async function rangesHere<Shared extends { readonly control: Int32Array }, Outcome>(
  folder: string,
  { workers, batches = 1, memoryBytes, cut = cutRanges, share }: RangeCase<Shared>,
  works: RangeWorks<Shared, Outcome>,
  deviceOf: (worker: number) => Device | undefined = () => undefined,
): Promise<{ shared: Shared; outcome: Outcome; reports: readonly RangeReport[] }> {
  const graph = GaloisGr.inFolder(folder)
  const bounds = cut(graph, workers)
  const shared = share(graph, bounds)
  const barrier = new LocalBarrier(workers)
  const task = { device: 'cpu:0', graph: graph.handle, bounds, shared, batches, memoryBytes, traced: false }
  const done = await Promise.all(
    Array.from({ length: workers }, (_, worker) => {
      const device = deviceOf(worker) ?? new CpuDevice('cpu:0')
      return onRangeWorker({ ...task, worker }, device, barrier, quietJob, works)
    }),
  )
  graph.close()
  return { shared, outcome: done[0]!.outcome, reports: done.map(({ report }) => report) }
}
