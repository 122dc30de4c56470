import type { DeviceBuffer } from '../device/device.ts'

/** How the workers of a run tell each other what they decided. */
export interface Exchange {
  /**
   * Called by every worker once its device is open, its kernels are compiled and its batches are loaded: returns when all are as
   * far, so that no worker's preparation counts as computing or waiting.
   */
  ready(): Promise<void>
  /**
   * Called by every worker after the launches of each of its passes: waits for them, and reads what this worker decided. The
   * counters of the pass may be read meanwhile.
   * @param states this worker's copy of the states of all vertices
   */
  collect(states: DeviceBuffer): Promise<void>
  /**
   * Called after that: gives away what changed, waits for the other workers, and takes what they changed.
   * @param undecided vertices of this worker that are still undecided
   * @returns the undecided vertices of all workers; the same figure for each
   */
  publish(states: DeviceBuffer, undecided: number): Promise<number>
  /** Brings states on the host up to the last exchange. */
  learn(states: Uint32Array): void
}

/** One worker alone has nobody to tell. */
export const noExchange: Exchange = {
  ready: () => Promise.resolve(),
  collect: () => Promise.resolve(),
  publish: (_states, undecided) => Promise.resolve(undecided),
  learn: () => {},
}
