import { eclMis } from '../../workers/algorithms/ecl-mis.ts'
import type { EclMisResult, Part } from '../../workers/algorithms/ecl-mis.ts'
import { followBeside, layWalk } from '../../workers/algorithms/sweep-beside.ts'
import { BatchStore } from '../../workers/device/batch-store.ts'
import type { Device } from '../../workers/device/device.ts'
import { noExchange } from '../../workers/exchange/exchange.ts'
import { prepareView } from '../../workers/graph/prepare-view.ts'
import type { ViewRequest } from '../../workers/graph/prepare-view.ts'
import type { JobContext } from '../../workers/job.ts'
import { quietJob } from '../../workers/job.ts'
import { bytesReadAhead, releaseStores } from '../../workers/partition/follow.ts'
import { Trace } from '../../workers/trace.ts'
import { Walk } from '../../workers/walk/walk.ts'
import type { WalkOptions } from '../../workers/walk/walk.ts'
import { LocalBarrier } from './local-barrier.ts'

export interface WalkRequest extends Pick<WalkOptions, 'sizes' | 'walkers' | 'stays'> {
  /** Devices of following workers, which take turns on this thread. */
  readonly others?: readonly Device[]
  readonly states?: Uint32Array | undefined
  readonly afterStep?: Part['afterStep']
}

/** The set of a dataset folder with heads alone on the device, whatever its memory, and threads that walk beside it. */
export async function walkedSet(
  view: ViewRequest,
  device: Device,
  { states, afterStep, others = [], ...options }: WalkRequest,
  job: JobContext = quietJob,
): Promise<EclMisResult & { readonly bytesRead: number }> {
  const prepared = prepareView(view, quietJob)
  const { view: file, tailOffsets } = prepared
  const workers = 1 + others.length
  const barrier = new LocalBarrier(workers)
  const walk = new Walk(file, tailOffsets, { ...options, workers, barrier, signal: job.signal })
  const part: Part = {
    device,
    store: new BatchStore(device, file, tailOffsets, 0),
    batches: [],
    vertices: file.header.vertices,
    exchange: noExchange,
    residual: 0,
    trace: new Trace(false),
    states,
    walk,
    afterStep,
  }
  try {
    const memory = layWalk(walk, file, states)
    const following = others.map((other, i) =>
      followBeside({ device: other, trace: part.trace, worker: i + 1 }, memory, barrier, job.signal),
    )
    const leading = eclMis(part, prepared, job).finally(() => releaseStores(part))
    const [found] = await Promise.all([leading, ...following])
    return { ...found, bytesRead: bytesReadAhead(part) }
  } finally {
    file.close()
  }
}
