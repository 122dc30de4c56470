import { endThreadIfDue } from '../base/fault-injection.ts'
import type { StopSignal } from '../base/job.ts'
import type { Device } from '../device/device.ts'
import { openDevice } from '../device/open-device.ts'
import { ScanBoard } from './piece-scan.ts'

/** The work of a thread that opens a device of its own; also where that fails, the other workers of the board stop. */
export async function onFollowingDevice<Report>(
  board: Int32Array,
  id: string,
  work: (device: Device, signal: StopSignal) => Promise<Report>,
): Promise<Report> {
  const shared = new ScanBoard(board)
  try {
    const device = await openDevice(id)
    await endThreadIfDue()
    try {
      return await work(device, shared.signal)
    } finally {
      device.close()
    }
  } catch (error) {
    shared.stop()
    throw error
  }
}
