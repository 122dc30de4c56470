import type { DeviceBuffer } from '../device/device.ts'
import type { Batch } from '../graph/batches.ts'

/** How the workers of a run tell each other what they decided. */
export interface Exchange {
  /**
   * Called by every worker once its device is open, its kernels are compiled and its batches are loaded: returns when all are as
   * far, so that no worker's preparation counts as computing or waiting.
   */
  ready(): Promise<void>
  /**
   * Called by every worker after each of its passes: gives away the states of its own batches, waits for the others, and
   * takes theirs.
   * @param states this worker's copy of the states of all vertices
   * @param own the batches that this worker decides
   * @param undecided vertices of them that are still undecided
   * @returns the undecided vertices of all workers; the same figure for each
   */
  publish(states: DeviceBuffer, own: readonly Batch[], undecided: number): Promise<number>
}

/** One worker alone has nobody to tell. */
export const noExchange: Exchange = {
  ready: () => Promise.resolve(),
  publish: (_states, _own, undecided) => Promise.resolve(undecided),
}
