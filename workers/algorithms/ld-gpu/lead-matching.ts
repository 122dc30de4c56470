import {
  LACKING,
  LONG,
  LONGEST,
  SCAN_COUNTS,
  TAKEN,
  UNDECIDED,
  WAITING,
  keptWords,
} from '../../../kernels/matching/match-state.ts'
import { matchAdopt } from '../../../kernels/matching/match-adopt.ts'
import { matchCollect } from '../../../kernels/matching/match-collect.ts'
import { matchWaiting } from '../../../kernels/matching/match-waiting.ts'
import type { EdgeRule } from '../../../kernels/parts/edge-order.ts'
import type { StopSignal } from '../../base/job.ts'
import type { Trace } from '../../base/trace.ts'
import { type Device, type DeviceBuffer, fillWords } from '../../device/device.ts'
import type { Range } from '../../graph/graph-pieces.ts'
import { bestKernels, lookAtLists } from './best-kernels.ts'
import { type CollectedLists, collectLists, collectLong } from './device-collect.ts'
import { DeviceRounds, roundKernels } from './device-rounds.ts'
import { HostLists } from './host-lists.ts'
import { HostMatch } from './host-match.ts'
import { type MatchSetup, readsWeights } from './match-setup.ts'
import { type MatchSpace, allocateSpace, releaseSpace } from './match-space.ts'
import { longLists } from './match-plan.ts'
import { ScannedBatches } from './scanned-batches.ts'

/** Of vertices that may yet find a mate: all, and those whose lists may be needed once more. */
export interface Undecided {
  readonly undecided: number
  readonly waiting: number
}

const leadKernels = (candidates: number, rule: EdgeRule, weighted: boolean) => ({
  scan: bestKernels(candidates, rule),
  again: bestKernels(candidates, rule, true),
  rounds: roundKernels(candidates),
  others: { waiting: matchWaiting(candidates), collect: matchCollect(weighted), adopt: matchAdopt(weighted) },
})

/** The first GPU of a matching whose lists are streamed: the state of all vertices, and the free neighbours of those that wait. */
export class LeadMatching {
  readonly rounds: DeviceRounds
  readonly batches: ScannedBatches
  readonly lists: HostLists
  readonly #device: Device
  readonly #setup: MatchSetup
  readonly #kernels: ReturnType<typeof leadKernels>
  readonly #space: MatchSpace
  readonly #free: DeviceBuffer
  /** Kernels of what follows the first scan. */
  readonly #prepared: Promise<void>

  private constructor(
    device: Device,
    setup: MatchSetup,
    kernels: ReturnType<typeof leadKernels>,
    space: MatchSpace,
    free: DeviceBuffer,
    [batches, lists, signal]: readonly [ScannedBatches, HostLists, StopSignal],
    prepared: Promise<void>,
  ) {
    this.#prepared = prepared
    this.#device = device
    this.#setup = setup
    this.#kernels = kernels
    this.#space = space
    this.#free = free
    this.batches = batches
    this.lists = lists
    this.rounds = new DeviceRounds(device, setup.graph, kernels.rounds, space, signal)
  }

  /** @param ends settles once the ends of all lists are known @param file the graph's, open for reading @throws Failure (device) where the device has not the memory */
  static async open(
    device: Device,
    setup: MatchSetup,
    { batchPieces, room }: { readonly batchPieces: number; readonly room: number },
    ends: Promise<unknown>,
    file: number,
    trace: Trace,
    signal: StopSignal,
  ): Promise<LeadMatching> {
    const { graph, candidates, order, memory } = setup
    const { vertices } = graph
    const kernels = leadKernels(candidates, order, readsWeights(order))
    const batches = new ScannedBatches(device, setup, { batchPieces, side: 'back' }, file, trace, signal)
    const longs = longLists(vertices, Math.max(batches.batchWords, room))
    const [space, free] = await Promise.all([
      allocateSpace(device, { vertices, candidates, longs, collects: true }),
      device.allocate('free', Math.max(4, room)),
      batches.open(),
      device.prepare(Object.values(kernels.scan)),
    ])
    const { again, others, rounds } = kernels
    const prepared = device.prepare([again, others, rounds].flatMap((each) => Object.values(each)))
    // Thrown when it is awaited.
    prepared.catch(() => {})
    await ends
    await fillWords(device, space.ends, memory.ends)
    const lists = new HostLists(setup, file, trace, signal)
    return new LeadMatching(device, setup, kernels, space, free, [batches, lists, signal], prepared)
  }

  /** Vertices of units from the board keep their best free neighbours. @param allFree no vertex has a mate yet */
  async scan(allFree: boolean, afterBatch: () => void): Promise<void> {
    const { ends, kept, matched, longs, counters } = this.#space
    const deferred = await this.batches.run(({ first, end, origin, weightsAt, targets, weightBits }) => {
      this.#device.clear(counters, SCAN_COUNTS + LONG, LONGEST + 1 - LONG)
      const range = { first, end, keptFirst: 0, origin, weightsAt, counts: SCAN_COUNTS }
      const looks = { ...range, listed: undefined, allFree, longest: Infinity }
      const buffers = { ends, targets, weightBits, matched, kept, longs, counters }
      lookAtLists(this.#device, this.#kernels.scan, looks, this.#setup.order, buffers)
      afterBatch()
    })
    const host = new HostMatch(this.#setup, this.lists)
    for (const v of deferred) host.keepLong(v, allFree)
    await this.takeCandidates(deferred.map((v) => ({ first: v, end: v + 1 })))
  }

  /** Candidates of these vertices in the processors' memory. */
  async takeCandidates(ranges: readonly Range[]): Promise<void> {
    const words = keptWords(this.#setup.candidates)
    const { kept } = this.#setup.memory
    for (const { first, end } of ranges)
      await this.fillCandidates(kept.subarray(words * first, words * end), words * first)
  }

  /** Candidates from word `first` on of those of all vertices. */
  fillCandidates(words: Uint32Array, first: number): Promise<void> {
    return fillWords(this.#device, this.#space.kept, words, first)
  }

  /** Marks the vertices that wait. @param waiting for a bit for each of them; matched ones are published, too */
  async mark(waiting: Uint32Array): Promise<Undecided> {
    const { kept, matched, counters } = this.#space
    const count = this.#setup.graph.vertices
    this.#device.clear(counters, TAKEN, LACKING + 1 - TAKEN)
    const params = { count, waitingAt: waiting.length }
    this.#device.launch(this.#kernels.others.waiting, count, params, { kept, matched, counters })
    const [counts] = await Promise.all([
      this.rounds.counters(),
      this.#device.read(matched, 0, waiting.length, this.#setup.memory.matched),
      this.#device.read(matched, waiting.length, waiting.length, waiting),
    ])
    return { undecided: counts[UNDECIDED]!, waiting: counts[WAITING]! }
  }

  /** Free neighbours of the marked vertices of units from the board, as far as there is room. */
  async collect(waiting: Uint32Array, afterBatch: () => void): Promise<void> {
    const { ends, matched, again, counters } = this.#space
    const { vertices } = this.#setup.graph
    this.#device.clear(ends, vertices, vertices)
    // Nothing is entered.
    const buffers = { ends, matched, free: this.#free, entries: again, counters, isEntered: false }
    const deferred = await this.batches.run((lists) => {
      collectLists(this.#device, this.#setup, lists, buffers)
      afterBatch()
    })
    const long = collectLong(this.#setup, this.lists, waiting, deferred)
    if (long !== undefined) await this.adopt(long)
  }

  /** Lists that others collected, as far as there is room. */
  async adopt({ words, entries }: CollectedLists): Promise<void> {
    const { ends, again, counters } = this.#space
    const [free, placesAt] = [this.#free, this.#setup.graph.vertices]
    const base = Math.min(free.words, (await this.rounds.counters())[TAKEN]!)
    const fitting = words.subarray(0, free.words - base)
    await fillWords(this.#device, free, fitting, base)
    const most = 2 * Math.floor(again.words / 2)
    for (let at = 0; at < entries.length; at += most) {
      const part = entries.subarray(at, at + most)
      await fillWords(this.#device, again, part)
      const params = { count: part.length / 2, base, limit: base + fitting.length, placesAt }
      this.#device.launch(this.#kernels.others.adopt, part.length / 2, params, { entries: again, free, ends, counters })
    }
    await fillWords(this.#device, counters, Uint32Array.of(base + fitting.length), TAKEN)
  }

  /** Waiting vertices whose lists had no room here. */
  async lacking(): Promise<number> {
    return (await this.rounds.counters())[LACKING]!
  }

  /** @param hasLists lists were collected @param isLast those of all waiting vertices @returns false where the host should resume */
  async match(hasLists: boolean, isLast: boolean, afterRounds: () => Promise<void>): Promise<boolean> {
    await this.#prepared
    const { ends, kept, matched, again, longs, counters } = this.#space
    const { vertices } = this.#setup.graph
    const listed = { buffer: again, most: vertices }
    const looks = { first: 0, end: vertices, keptFirst: 0, origin: vertices, weightsAt: 0, listed, allFree: false }
    const buffers = { ends, targets: this.#free, weightBits: this.#free, matched, kept, longs, counters }
    const look = (counts: number): void =>
      lookAtLists(
        this.#device,
        this.#kernels.again,
        { ...looks, counts, longest: Infinity },
        this.#setup.order,
        buffers,
      )
    this.rounds.refresh()
    return this.rounds.run({ look: hasLists ? look : undefined, isLast, afterRounds })
  }

  pointers(into: Uint32Array): Promise<void> {
    return this.rounds.pointers(into)
  }

  release(): void {
    releaseSpace(this.#device, this.#space)
    this.#device.release(this.#free)
    this.batches.release()
  }
}
