import { COUNTERS } from '../../../kernels/mis/priority-codes.ts'
import { RECORD_WORDS } from '../../../kernels/mis/visit-lists.ts'
import { MOST_SHORT } from '../../../kernels/parts/short-list.ts'
import { type Device, fillWords } from '../../device/device.ts'
import { allocateBuffers } from '../../device/buffers.ts'
import { stateWords } from '../../graph/vertex-states.ts'
import type { StreamLayout } from '../../streaming/device-stream.ts'
import type { ResidualLimits } from './host-kernels.ts'
import type { ScanSetup } from './scan-setup.ts'

export interface DeviceLayout extends ResidualLimits, StreamLayout {
  /** Pieces copied together; a buffer holds them with the rest of their last list. */
  readonly batchPieces: number
}

/** Longer lists take a workgroup each. */
export const LONGER = MOST_SHORT

export type ScanSpace = Awaited<ReturnType<typeof allocateScanSpace>>

/** What a scan has on a device beside its batches. @throws Failure (device) where the device has not the memory */
export async function allocateScanSpace(
  device: Device,
  { graph: { vertices }, order: { codes, column } }: ScanSetup,
  { records, poolWords, batchWords }: DeviceLayout,
) {
  const space = await allocateBuffers(device, {
    ends: vertices,
    states: Math.ceil(vertices / 4),
    packed: stateWords(vertices),
    codes: codes.length,
    column: column.length,
    waiting0: RECORD_WORDS * records,
    waiting1: RECORD_WORDS * records,
    pool: poolWords,
    longs: Math.min(vertices, Math.ceil(batchWords / LONGER) + 1),
    counters: COUNTERS,
  })
  await Promise.all([fillWords(device, space.codes, codes), fillWords(device, space.column, column)])
  device.clear(space.counters, 0, COUNTERS)
  return space
}
