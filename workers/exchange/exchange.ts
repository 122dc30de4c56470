import type { DeviceBuffer } from '../device/device.ts'
import type { Batch } from '../graph/batches.ts'

/** How the workers of a run tell each other what they decided. */
export interface Exchange {
  /**
   * Called by every worker once its device is open, its kernels are compiled and its batches are loaded: returns when all are as
   * far, so that no worker's preparation counts as computing or waiting.
   * @param states this worker's copy of the states of all vertices
   */
  ready(states: DeviceBuffer): Promise<void>
  /** Called by every worker when the clock starts, with states that are clear or those to start from: adds what everybody knows. */
  begin(states: DeviceBuffer): Promise<void>
  /**
   * Brings the states up to what the others decided in earlier batches of this pass, where workers go through theirs in step: those before
   * the last step, a batch of each worker, as what the last one gave is on its way while this one is computed.
   */
  catchUp(states: DeviceBuffer, batch: Batch): Promise<void>
  /**
   * Called after the launches over a batch, each at most once a pass and in order: gives away what changed in it once the device is
   * done with it. Does not wait for that, so the next batch is computed meanwhile.
   */
  give(states: DeviceBuffer, batch: Batch): void
  /**
   * Called at the end of each pass: waits for what this worker gives and what the others do, and takes that.
   * @param undecided vertices of this worker that are still undecided
   * @returns the undecided vertices of all workers; the same figure for each
   */
  publish(states: DeviceBuffer, undecided: number): Promise<number>
  /** Gives back what it has on the device. */
  release(): void
  /** After `publish`: the states of all vertices, in memory that the caller may write to once no pass follows. Undefined: nobody keeps them. */
  known(): Uint32Array | undefined
}

/** One worker alone has nobody to tell. */
export const noExchange: Exchange = {
  ready: () => Promise.resolve(),
  begin: () => Promise.resolve(),
  catchUp: () => Promise.resolve(),
  give: () => {},
  publish: (_states, undecided) => Promise.resolve(undecided),
  release: () => {},
  known: () => undefined,
}
