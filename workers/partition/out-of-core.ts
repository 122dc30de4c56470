import type { OutOfCore } from '../algorithms/sweep-heads.ts'
import type { Device } from '../device/device.ts'
import { HeadStore } from '../device/head-store.ts'
import type { Batch } from '../graph/batches.ts'
import { batchBytes } from '../graph/batches.ts'
import type { ViewFile } from '../graph/view-file.ts'
import type { StopSignal } from '../job.ts'
import type { Trace } from '../trace.ts'

/** What a worker needs whose batches do not fit its device together; undefined where they do. */
export function outOfCoreFor(
  device: Device,
  view: ViewFile,
  tailOffsets: Uint32Array,
  batches: readonly Batch[],
  slabBytes: number,
  trace: Trace,
  signal: StopSignal,
): OutOfCore | undefined {
  const bytes = batches.reduce((sum, batch) => sum + batchBytes(batch), 0)
  if (bytes <= slabBytes) return undefined
  return { heads: new HeadStore(device, view, batches, slabBytes, trace, signal), view, tailOffsets }
}
