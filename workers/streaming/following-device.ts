import type { Device } from '../device/device.ts'
import { openDevice } from '../device/open-device.ts'
import { isFaultDue, throwOutside } from '../base/fault-injection.ts'
import type { StopSignal } from '../base/job.ts'
import { ScanBoard } from '../threads/scan-board.ts'

/**
 * A device's part of a scan, in a thread of its own. Whatever goes wrong, the others stop.
 * @param board words of the {@link ScanBoard} that all share
 */
export async function onFollowingDevice<Report>(
  board: Int32Array,
  id: string,
  work: (device: Device, signal: StopSignal) => Promise<Report>,
): Promise<Report> {
  const shared = new ScanBoard(board)
  try {
    const device = await openDevice(id)
    if (isFaultDue('part-thread')) {
      throwOutside()
      // A small part would be done before the thread is.
      await new Promise(() => {})
    }
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
