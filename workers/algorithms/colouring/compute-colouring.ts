import { colourSweep, UNCOLOURED } from '../../../kernels/colouring/colour-sweep.ts'
import { throwIfCancelled } from '../../base/job.ts'
import { type Buffers, allocateBuffers, releaseBuffers } from '../../device/buffers.ts'
import { idleRound } from '../../graph/galois-gr.ts'
import { BARRIER_WORDS } from '../../threads/barrier.ts'
import type { ArcBatch } from '../arc-store.ts'
import type { Checkpointer } from '../checkpoint.ts'
import { MirroredWords } from '../mirrored-words.ts'
import { type RangeTask, type RangeWork, type RangeWorker, type RangeWorks, followRange } from '../range-task.ts'
import { reportRound } from '../worker-report.ts'

/** What the workers share: every word is in shared memory. */
export interface SharedColouring {
  readonly control: Int32Array
  /** Of each worker: vertices left, and whether a checkpoint is due. */
  readonly counts: Uint32Array
  /** The vertex of the larger key is coloured first, of equal ones that of the larger hash. */
  readonly keys: Uint32Array
  /** To begin with, and the result. */
  readonly colours: Uint32Array
  /** Added to an id before it is hashed. */
  readonly shift: number
}

export function shareColouring(vertices: number, workers: number, shift: number): SharedColouring {
  const shared = (words: number): Uint32Array => new Uint32Array(new SharedArrayBuffer(4 * words))
  return {
    control: new Int32Array(new SharedArrayBuffer(4 * BARRIER_WORDS)),
    counts: shared(2 * workers),
    keys: shared(vertices),
    colours: shared(vertices).fill(UNCOLOURED),
    shift,
  }
}

/** On a device: keys, colours, and a cursor for each of its own vertices. */
export const colouringSpaceBytes = (vertices: number, own: number): number => 4 * (2 * vertices + own + 8)

/** Sweeps of a GPU over a batch before the host looks at its counters; the twin follows what a vertex waits for. */
const SWEEPS = 4

type Space = Buffers<'cursors' | 'counters'>

/**
 * Colours by Jones and Plassmann (1993) in rounds over the batches of every worker. A batch is swept until it waits for others, so that one
 * that is read from the file again has its vertices coloured as far as they can be.
 * @returns vertices without a colour after each round
 */
async function computeColouring(
  worker: RangeWorker<SharedColouring>,
  before: readonly number[] = [],
  checkpointer?: Checkpointer<readonly number[]>,
): Promise<RangeWork<readonly number[]>> {
  const { task, device, graph, barrier, trace, job, low, high } = worker
  const { shared, worker: index } = task
  const startMs = performance.now()
  await device.prepare([colourSweep])
  const space = await allocateBuffers(device, { cursors: high - low, counters: 2 })
  const keys = await device.share('keys', shared.keys)
  const colours = await MirroredWords.open(device, 'colours', shared.colours, { low, high })
  device.clear(space.cursors, 0, high - low)
  await device.takeKernelMs()
  await barrier.arrive()
  const prepareMs = performance.now() - startMs
  const lefts = [...before]
  const sweep = new BatchSweeps(worker, space, keys, colours)
  const workers = task.bounds.length - 1
  for (let left = before.at(-1) ?? graph.vertices; left > 0;) {
    throwIfCancelled(job.signal)
    const own = await sweep.all()
    await trace.span('exchange', 'publish colours', () => colours.publish())
    shared.counts.set([own, checkpointer?.isDue() === true ? 1 : 0], 2 * index)
    await trace.span('wait', 'for colours', () => barrier.arrive())
    const total = shared.counts.reduce((sum, count, i) => sum + (i % 2 === 0 ? count : 0), 0)
    const keeps = shared.counts.some((count, i) => i % 2 === 1 && count > 0)
    if (workers > 1) await trace.span('exchange', 'take colours', () => colours.take())
    if (total >= left) throw idleRound(graph.path, lefts.length + 1)
    left = total
    lefts.push(left)
    if (index === 0) reportRound(job, 'round', graph.vertices, left, lefts.length)
    // Until it is written, no worker changes its colours.
    if (keeps && index === 0) checkpointer?.keep(lefts)
    await barrier.arrive()
  }
  releaseBuffers(device, space)
  device.release(keys)
  colours.release()
  return { outcome: lefts, prepareMs, exchanged: colours.exchanged }
}

/** The batches of one worker, and how many of their vertices have no colour. */
class BatchSweeps {
  readonly #worker: RangeWorker<SharedColouring>
  readonly #space: Space
  readonly #keys: MirroredWords['buffer']
  readonly #colours: MirroredWords
  readonly #left: number[]

  constructor(
    worker: RangeWorker<SharedColouring>,
    space: Space,
    keys: MirroredWords['buffer'],
    colours: MirroredWords,
  ) {
    this.#worker = worker
    this.#space = space
    this.#keys = keys
    this.#colours = colours
    this.#left = worker.plan.batches.map(({ count }) => count)
  }

  /** Vertices that are left in all batches. */
  async all(): Promise<number> {
    const { plan, job } = this.#worker
    let left = 0
    for (const batch of plan.batches) {
      throwIfCancelled(job.signal)
      const isRead = plan.batches.length > 1
      while (this.#left[batch.index]! > 0) {
        const coloured = await this.#sweep(batch)
        if (!isRead || coloured === 0) break
      }
      left += this.#left[batch.index]!
    }
    return left
  }

  /** Vertices that the last of some sweeps coloured. */
  async #sweep(batch: ArcBatch): Promise<number> {
    const { device, store, task, trace, low } = this.#worker
    const { cursors, counters } = this.#space
    const { offsets, targets } = await store.load(batch)
    const buffers = { offsets, targets, keys: this.#keys, colours: this.#colours.buffer, cursors, counters }
    const params = { first: batch.first, rows: batch.count, low, shift: task.shared.shift }
    const sweeps = device.sharesMemory ? 1 : SWEEPS
    for (let i = 0; i < sweeps; i++) {
      device.clear(counters, 0, 2)
      trace.span('kernel', 'colour', () => device.launch(colourSweep, batch.count, params, buffers))
    }
    const [left = 0, coloured = 0] = await device.read(counters, 0, 2)
    this.#left[batch.index] = left
    return coloured
  }
}

export const colouringWorks = (
  before?: readonly number[],
  checkpointer?: Checkpointer<readonly number[]>,
): RangeWorks<SharedColouring, readonly number[]> => ({
  needs: ({ bounds, worker }, { vertices }) => ({
    spaceBytes: colouringSpaceBytes(vertices, bounds[worker + 1]! - bounds[worker]!),
  }),
  compute: (worker) => computeColouring(worker, before, checkpointer),
})

/** A worker in a thread of its own. */
export const colouringTask = (task: RangeTask<SharedColouring>) => followRange(task, colouringWorks())
