import type { DeviceBuffer } from '../device/device.ts'
import type { Batch } from '../graph/batches.ts'
import type { Stretch } from './shared-states.ts'

/**
 * Which batches of others a worker waits for before it goes on with one of its own; a step is a batch of each worker. "behind": those
 * before the last step, as what the last one gave is on its way while this one is computed; "step": those before this step; "batch":
 * those before this batch.
 */
export type Company = 'behind' | 'step' | 'batch'

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
   * Brings the states up to what the others decided in earlier batches of this pass, where workers go through theirs in step.
   * @param states undefined: those on the host alone, with `learn`
   */
  catchUp(states: DeviceBuffer | undefined, batch: Batch, company: Company): Promise<void>
  /**
   * Called after the launches over a batch, each at most once a pass and in order: gives away what changed in it once the device is
   * done with it. Does not wait for that, so the next batch is computed meanwhile.
   */
  give(states: DeviceBuffer, batch: Batch): void
  /** The same where the host has the states of the batch: at once. */
  giveFrom(states: Uint32Array, batch: Batch): void
  /**
   * Called at the end of each pass: waits for what this worker gives and what the others do, and takes that.
   * @param undecided vertices of this worker that are still undecided
   * @returns the undecided vertices of all workers; the same figure for each
   */
  publish(states: DeviceBuffer, undecided: number): Promise<number>
  /** Brings states on the host up to what was taken from others since the last call. @returns the words that it went over */
  learn(states: Uint32Array): Stretch
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
  giveFrom: () => {},
  publish: (_states, undecided) => Promise.resolve(undecided),
  learn: () => ({ first: 0, words: 0 }),
  release: () => {},
  known: () => undefined,
}
