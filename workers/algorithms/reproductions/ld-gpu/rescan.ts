import { matchPair } from '../../../../kernels/matching/match-pair.ts'
import { NONE } from '../../../../kernels/matching/match-state.ts'
import { ARCS, OPEN, SCAN_WIDTH, matchScan } from '../../../../kernels/matching/rescan/match-scan.ts'
import { type Device, type DeviceBuffer, fillWords } from '../../../device/device.ts'
import { idleRound } from '../../../graph/galois-gr.ts'
import type { EdgeOrder } from '../../../graph/edge-order.ts'
import { type JobContext, throwIfCancelled } from '../../../base/job.ts'
import type { Trace } from '../../../base/trace.ts'
import type { MatchState, RoundCheckpointer } from '../../ld-gpu/match-request.ts'
import type { PointerExchange, RoundReport } from './pointer-exchange.ts'
import { type ScanBatch, scanBytes, tieWords } from './scan-arcs.ts'

/** One worker's share of a matching by the method `rescan`. */
export interface ScanPart {
  readonly device: Device
  readonly batches: readonly ScanBatch[]
  readonly order: EdgeOrder
  readonly vertices: number
  /** Of the graph, for messages. */
  readonly path: string
  /** The worker's own vertices are [first, first + count). */
  readonly first: number
  readonly count: number
  readonly exchange: PointerExchange | undefined
  readonly trace: Trace
  readonly start?: MatchState | undefined
  readonly checkpointer?: RoundCheckpointer | undefined
}

/** What a worker's rounds did. */
export interface ScanRounds {
  /** Vertices that were open when each round began, those of all workers; and own arcs that were looked at in it. */
  readonly open: readonly number[]
  readonly arcs: readonly number[]
  readonly computeMs: number
  readonly kernelMs: number
  /** Milliseconds of copying batches to the device. */
  readonly readMs: number
}

const ROUND_WORDS = 4
const bitWords = (vertices: number): number => Math.ceil(vertices / 32)
/** Rounds that are queued before the host looks, where no other worker has a part in them: one at first, then twice as many, and so on. */
const MOST_QUEUED = 16
/** Batches that stay on the device: it has two buffers. */
const BUFFERS = 2

/** Bytes that a worker needs on its device: pointers, bits, and two buffers as large as its largest batch. */
export function scanDeviceBytes(
  vertices: number,
  order: EdgeOrder,
  batches: readonly [count: number, arcs: number][],
): number {
  const largest = Math.max(0, ...batches.map(([count, arcs]) => scanBytes(count, arcs, order)))
  const state = 4 * (vertices + bitWords(vertices) + ROUND_WORDS * MOST_QUEUED)
  return state + Math.min(BUFFERS, batches.length) * largest
}

/**
 * LD-GPU (Mandulak et al., SC 2024) as Algorithms 2 and 3 have it, to measure against: in every round every vertex without a mate looks at
 * all its neighbours, and all pointers are exchanged. Batches go through two buffers in turn; where there are more than two, every
 * round copies each of them again. The mates need no exchange of their own (line 9): each worker has all pointers.
 */
export async function matchRescan(
  part: ScanPart,
  job: JobContext,
  finish?: (pointers: Uint32Array) => void,
): Promise<ScanRounds> {
  const { device, vertices, exchange, start, checkpointer } = part
  await device.prepare([matchScan, matchPair])
  const scan = await Scan.open(part)
  if (part.batches.length <= BUFFERS) await scan.bringAll()
  if (start !== undefined) await scan.resume(start)
  await device.takeKernelMs()
  await exchange?.start()
  const copiedMs = scan.copyMs
  const startMs = performance.now()
  const open = [...(start?.open ?? [])]
  const arcs = [...(start?.arcs ?? [])]
  const allArcs = [...arcs]
  let isOver = false
  const end = (total: number, own: number, all = own): void => {
    isOver ||= total === 0
    if (isOver) return
    // The heaviest edge that is left is pointed at from both its ends: every round makes a pair.
    if (total >= (open.at(-1) ?? Infinity)) throw idleRound(part.path, open.length + 1)
    open.push(total)
    arcs.push(own)
    allArcs.push(all)
  }
  const isQueued = exchange === undefined && part.batches.length <= BUFFERS
  for (let queued = 1; !isOver; queued = Math.min(2 * queued, MOST_QUEUED)) {
    if (job.signal.aborted) await scan.lookAt(end)
    throwIfCancelled(job.signal)
    const isDue = checkpointer?.isDue() === true
    if (isQueued) await scan.queue(queued, end, isDue || queued < MOST_QUEUED ? 0 : 1)
    else {
      const found = await scan.point(open.length + 1)
      const all = exchange === undefined ? found : await scan.publish(exchange, found)
      end(all.open, found.arcs, all.arcs)
      if (!isOver) scan.mate()
    }
    if (isOver) break
    if (isDue) checkpointer.keep({ pointers: await scan.pointers(), open, arcs: allArcs })
    const done = vertices - (open.at(-1) ?? 0)
    job.progress({ phase: 'match', done, total: vertices, unit: 'vertices', round: open.length, decided: done })
  }
  await scan.lookAt(end)
  const pointers = finish === undefined ? undefined : await scan.pointers()
  const computeMs = performance.now() - startMs
  if (pointers !== undefined) finish?.(pointers)
  const kernelMs = await device.takeKernelMs()
  scan.release()
  return { kernelMs, computeMs, open, arcs, readMs: scan.copyMs - copiedMs }
}

/** Told of a round: what was open, and how many arcs were looked at. */
type LookAtRound = (open: number, arcs: number) => void
type ScanBuffers = Readonly<Record<'offsets' | 'targets' | 'weights' | 'ties', DeviceBuffer>>
type ScanState = Readonly<Record<'pointers' | 'matched' | 'counters', DeviceBuffer>>

class Scan {
  copyMs = 0
  readonly #part: ScanPart
  readonly #state: ScanState
  readonly #buffers: readonly ScanBuffers[]
  /** The batch that lies in each buffer. */
  readonly #held: (ScanBatch | undefined)[] = []
  readonly #queued = new QueuedRounds()
  #round = 0

  private constructor(part: ScanPart, state: ScanState, buffers: readonly ScanBuffers[]) {
    this.#part = part
    this.#state = state
    this.#buffers = buffers
  }

  static async open(part: ScanPart): Promise<Scan> {
    const { device, vertices, batches } = part
    const words = (label: string, size: number): Promise<DeviceBuffer> => device.allocate(label, Math.max(1, size))
    const state = {
      pointers: await words('pointers', vertices),
      matched: await words('matched', bitWords(vertices)),
      counters: await words('counters', ROUND_WORDS * MOST_QUEUED),
    }
    const most = (size: (batch: ScanBatch) => number): number => Math.max(0, ...batches.map(size))
    const buffers: ScanBuffers[] = []
    for (let i = 0; i < Math.min(BUFFERS, batches.length); i++)
      buffers.push({
        offsets: await words(
          'offsets',
          most(({ offsets }) => offsets.length),
        ),
        targets: await words(
          'targets',
          most(({ targets }) => targets.length),
        ),
        weights: await words(
          'weights',
          most(({ weights }) => weights.length),
        ),
        ties: await words(
          'ties',
          most(({ ties }) => ties.length),
        ),
      })
    device.clear(state.matched, 0, bitWords(vertices))
    return new Scan(part, state, buffers)
  }

  async bringAll(): Promise<void> {
    for (const [index, batch] of this.#part.batches.entries()) await this.#load(index, batch)
  }

  /** The pointing phase: what was open, and how many arcs were looked at. */
  async point(round: number): Promise<{ open: number; arcs: number }> {
    const { device } = this.#part
    const { counters } = this.#state
    device.clear(counters, 0, ROUND_WORDS)
    await this.#scan(round, 0)
    const words = await device.read(counters, 0, ROUND_WORDS)
    return { open: words[OPEN]!, arcs: words[ARCS]! }
  }

  /** Queues whole rounds, and looks at the counters of those that were, all but the last `ahead` times. Rounds past the end change nothing. */
  async queue(count: number, look: LookAtRound, ahead: number): Promise<void> {
    const { device } = this.#part
    const { counters } = this.#state
    const from = this.#round + 1
    device.clear(counters, 0, ROUND_WORDS * count)
    for (let i = 0; i < count; i++) {
      await this.#scan(from + i, ROUND_WORDS * i)
      this.mate()
    }
    this.#round += count
    this.#queued.add({ from, count, counters: device.read(counters, 0, ROUND_WORDS * count) })
    await this.lookAt(look, ahead)
  }

  lookAt(look: LookAtRound, ahead = 0): Promise<void> {
    return this.#queued.take(ahead, (words, _, count) => {
      for (let at = 0; at < ROUND_WORDS * count; at += ROUND_WORDS) look(words[at + OPEN]!, words[at + ARCS]!)
    })
  }

  /** @param at word of the counters where those of the round begin */
  async #scan(round: number, at: number): Promise<void> {
    const { device, batches, order, trace } = this.#part
    for (const [index, batch] of batches.entries()) {
      const { first, count } = batch
      const buffers = { ...this.#state, ...(await this.#load(index, batch)) }
      const params = { first, count, tieWords: tieWords(order), round: at, isFirst: round === 1 ? 1 : 0 }
      trace.span('kernel', `scan batch ${index}`, () => device.launch(matchScan, SCAN_WIDTH * count, params, buffers))
    }
  }

  /** Takes the pointers of another attempt. */
  async resume(start: MatchState): Promise<void> {
    const { device, vertices } = this.#part
    this.#round = start.open.length
    await fillWords(device, this.#state.pointers, start.pointers.subarray(0, vertices))
    this.mate()
  }

  /** Sends all own pointers and takes all others. Returns what all workers said. */
  publish(exchange: PointerExchange, own: RoundReport): Promise<RoundReport> {
    const { device, first, count } = this.#part
    const { pointers } = this.#state
    const give = (into: Uint32Array): Promise<unknown> =>
      count > 0 ? device.read(pointers, first, count, into) : Promise.resolve()
    return exchange.publish(own, give, (from, theirs) => fillWords(device, pointers, theirs, from))
  }

  mate(): void {
    const { device, vertices: count, trace } = this.#part
    // All vertices: no list is read.
    const buffers = { ...this.#state, list: this.#state.pointers }
    trace.span('kernel', 'match', () => device.launch(matchPair, count, { count, length: NONE }, buffers))
  }

  pointers(): Promise<Uint32Array> {
    return this.#part.device.read(this.#state.pointers, 0, this.#part.vertices)
  }

  release(): void {
    const { device } = this.#part
    for (const buffers of [this.#state, ...this.#buffers])
      for (const buffer of Object.values(buffers) as DeviceBuffer[]) device.release(buffer)
  }

  async #load(index: number, batch: ScanBatch): Promise<ScanBuffers> {
    const { device, trace } = this.#part
    const place = index % BUFFERS
    const buffers = this.#buffers[place]!
    if (this.#held[place] === batch) return buffers
    const startMs = performance.now()
    await trace.span('copy in', `batch ${index}`, async () => {
      for (const name of ['offsets', 'targets', 'weights', 'ties'] as const)
        await fillWords(device, buffers[name], batch[name])
    })
    this.#held[place] = batch
    this.copyMs += performance.now() - startMs
    return buffers
  }
}

/** Some consecutive rounds that are on a device, and their counters once it is done with them. */
interface Queued {
  readonly from: number
  readonly count: number
  readonly counters: Promise<Uint32Array>
}

/** Rounds that a device was given and that were not read yet: it runs these while the host puts together the next. */
export class QueuedRounds {
  readonly #queued: Queued[] = []

  add(queued: Queued): void {
    // Where one fails, so do those behind it.
    queued.counters.catch(() => {})
    this.#queued.push(queued)
  }

  /** Takes them, the oldest first, until `ahead` are left. */
  async take(ahead: number, look: (words: Uint32Array, from: number, count: number) => void): Promise<void> {
    while (this.#queued.length > ahead) {
      const { from, count, counters } = this.#queued.shift()!
      look(await counters, from, count)
    }
  }
}
