import { UNCOLOURED } from '../../../kernels/parts/colour-order.ts'
import { colourPredecessors } from '../../../kernels/colouring/colour-predecessors.ts'
import { colourVisit } from '../../../kernels/colouring/colour-visit.ts'
import { throwIfCancelled } from '../../base/job.ts'
import { idleRound } from '../../graph/galois-gr.ts'
import { BARRIER_WORDS, shouldStop } from '../../threads/barrier.ts'
import type { Checkpointer } from '../checkpoint.ts'
import { MirroredWords } from '../mirrored-words.ts'
import { type RangeTask, type RangeWork, type RangeWorker, type RangeWorks, followRange } from '../range-task.ts'
import { reportRound } from '../worker-report.ts'
import { ColourBatches, batchSpaceBytes } from './colour-batches.ts'

/** What the workers share: every word is in shared memory. */
export interface SharedColouring {
  readonly control: Int32Array
  /** Of each worker: vertices left, whether a checkpoint is due, and whether it waits for a barrier to see colours of others. */
  readonly counts: Uint32Array
  /** The vertex of the larger key is coloured first, of equal ones that of the larger hash. */
  readonly keys: Uint32Array
  /** To begin with, and the result. */
  readonly colours: Uint32Array
  /** Added to an id before it is hashed. */
  readonly shift: number
}

/** Words of a worker in `counts`. */
const COUNTS = 3
const [LEFT, IS_DUE, NEEDS_BARRIER] = [0, 1, 2]

export function shareColouring(vertices: number, workers: number, shift: number): SharedColouring {
  const shared = (words: number): Uint32Array => new Uint32Array(new SharedArrayBuffer(4 * words))
  return {
    control: new Int32Array(new SharedArrayBuffer(4 * BARRIER_WORDS)),
    counts: shared(COUNTS * workers),
    keys: shared(vertices),
    colours: shared(vertices).fill(UNCOLOURED),
    shift,
  }
}

/** On a device: keys and colours, and what its own vertices take. */
export const colouringSpaceBytes = (vertices: number, own: number): number => 8 * vertices + batchSpaceBytes(own)

/**
 * Colours by Jones and Plassmann (1993) in rounds over the batches of every worker. Processors that hold their lists see each other's colours at
 * once, and colour everything in one round.
 * @returns vertices without a colour after each round
 */
async function computeColouring(
  worker: RangeWorker<SharedColouring>,
  before: readonly number[] = [],
  checkpointer?: Checkpointer<readonly number[]>,
): Promise<RangeWork<readonly number[]>> {
  const { task, device, graph, barrier, trace, job, plan, low, high } = worker
  const { shared, worker: index } = task
  const startMs = performance.now()
  await device.prepare([colourPredecessors, colourVisit])
  const keys = await device.share('keys', shared.keys)
  const colours = await MirroredWords.open(device, 'colours', shared.colours, { low, high })
  const batches = await ColourBatches.open(worker, { keys, colours: colours.buffer })
  await device.takeKernelMs()
  const counts = new WorkerCounts(shared.counts, index, !device.sharesMemory || plan.batches.length > 1)
  counts.set(batches.left, false)
  await barrier.arrive()
  const prepareMs = performance.now() - startMs
  const lefts = [...before]
  const workers = task.bounds.length - 1
  const isLive = workers > 1 && !counts.some(NEEDS_BARRIER)
  const pause = async (): Promise<void> => {
    throwIfCancelled(job.signal)
    throwIfCancelled({ aborted: shouldStop(shared.control) })
    counts.set(batches.left, false)
    if (index !== 0) return
    reportRound(job, 'round', graph.vertices, counts.left, lefts.length + 1)
    // Others may colour meanwhile: what is written is right at any time.
    if ((workers > 1 && !isLive) || checkpointer?.isDue() !== true) return
    await colours.publish()
    checkpointer.keep(lefts)
  }
  for (let left = before.at(-1) ?? graph.vertices; left > 0;) {
    await batches.round(isLive, pause)
    await trace.span('exchange', 'publish colours', () => colours.publish())
    counts.set(batches.left, checkpointer?.isDue() === true)
    await trace.span('wait', 'for colours', () => barrier.arrive())
    const total = counts.left
    const keeps = counts.some(IS_DUE)
    if (workers > 1) await trace.span('exchange', 'take colours', () => colours.take())
    if (total >= left) throw idleRound(graph.path, lefts.length + 1)
    left = total
    lefts.push(left)
    if (index === 0) reportRound(job, 'round', graph.vertices, left, lefts.length)
    // Until it is written, no worker changes its colours.
    if (keeps && index === 0) checkpointer?.keep(lefts)
    await barrier.arrive()
  }
  batches.release()
  device.release(keys)
  colours.release()
  return { outcome: lefts, prepareMs, exchanged: colours.exchanged }
}

/** The counts of all workers, of which each sets its own. */
class WorkerCounts {
  readonly #words: Uint32Array
  readonly #worker: number
  readonly #needsBarrier: boolean

  constructor(words: Uint32Array, worker: number, needsBarrier: boolean) {
    this.#words = words
    this.#worker = worker
    this.#needsBarrier = needsBarrier
  }

  set(left: number, isDue: boolean): void {
    this.#words.set([left, Number(isDue), Number(this.#needsBarrier)], COUNTS * this.#worker)
  }

  get left(): number {
    return this.#words.reduce((sum, count, i) => (i % COUNTS === LEFT ? sum + count : sum), 0)
  }

  some(word: number): boolean {
    return this.#words.some((count, i) => i % COUNTS === word && count > 0)
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
