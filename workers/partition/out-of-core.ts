import type { OutOfCore } from '../algorithms/sweep-heads.ts'
import type { Device } from '../device/device.ts'
import { HeadStore } from '../device/head-store.ts'
import type { Batch } from '../graph/batches.ts'
import { batchBytes } from '../graph/batches.ts'
import type { ViewFile } from '../graph/view-file.ts'
import type { StopSignal } from '../job.ts'
import type { Trace } from '../trace.ts'

const LATE_POSITIONS = 1 / 16
const LATE_TAILS = 1 / 2

/**
 * Whether half of the tails or more belong to the last sixteenth of the positions: to hubs, where the order goes by degree. Heads
 * nearly always decide a hub, so its long tail is never read. Where tails are spread evenly, some vertex wants every page of
 * them, and the device takes whole batches faster than the host looks vertices up (docs/decisions/0010-heads-first.md).
 */
export function tailsAreLate(tailOffsets: Uint32Array): boolean {
  const vertices = tailOffsets.length - 1
  const all = tailOffsets[vertices]!
  const late = all - tailOffsets[vertices - Math.ceil(LATE_POSITIONS * vertices)]!
  return all > 0 && late >= LATE_TAILS * all
}

/** What a worker needs whose batches do not fit its device together; undefined where they do, or where whole batches are better. */
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
  if (bytes <= slabBytes || !tailsAreLate(tailOffsets)) return undefined
  return { heads: new HeadStore(device, view, batches, slabBytes, trace, signal), view, tailOffsets }
}
