import {
  ARCS_A_UNIT,
  LACKING,
  LONG,
  LONGEST,
  SCAN_COUNTS,
  TAKEN,
  UNDECIDED,
  WAITING,
  WAITING_UNITS,
  keptWords,
} from '../../../kernels/matching/match-state.ts'
import { matchEnds } from '../../../kernels/matching/match-ends.ts'
import { matchAdopt } from '../../../kernels/matching/match-adopt.ts'
import { matchCollect } from '../../../kernels/matching/match-collect.ts'
import { matchWaiting } from '../../../kernels/matching/match-waiting.ts'
import type { EdgeRule } from '../../../kernels/parts/edge-order.ts'
import type { StopSignal } from '../../base/job.ts'
import type { Trace } from '../../base/trace.ts'
import { type Device, type DeviceBuffer, fillWords } from '../../device/device.ts'
import { type Range, united } from '../../graph/graph-pieces.ts'
import { bestKernels, lookAtLists } from './best-kernels.ts'
import { type CollectedLists, collectLists, collectLong } from './device-collect.ts'
import { DeviceRounds, roundKernels } from './device-rounds.ts'
import { HostLists } from './host-lists.ts'
import { type MatchSetup, readsWeights } from './match-setup.ts'
import { type MatchSpace, allocateSpace, releaseSpace } from './match-space.ts'
import { longLists } from './match-plan.ts'
import { ScannedBatches } from './scanned-batches.ts'

/** Of vertices that may yet find a mate: all, and those whose lists may be needed once more. */
export interface Undecided {
  readonly undecided: number
  readonly waiting: number
  /** For the lists of these, all of whose neighbours may be free; or all the room that there is. */
  readonly words: number
}

const leadKernels = (candidates: number, rule: EdgeRule, weighted: boolean) => ({
  scan: { ...bestKernels(candidates, rule), ends: matchEnds },
  again: bestKernels(candidates, rule, true),
  rounds: roundKernels(candidates),
  others: { waiting: matchWaiting(candidates), collect: matchCollect(weighted), adopt: matchAdopt(weighted) },
})

/** The first GPU of a matching whose lists are streamed: the state of all vertices, and the free neighbours of those that wait. */
export class LeadMatching {
  readonly rounds: DeviceRounds
  readonly batches: ScannedBatches
  readonly lists: HostLists
  readonly openedMs = performance.now()
  readonly #device: Device
  readonly #setup: MatchSetup
  readonly #kernels: ReturnType<typeof leadKernels>
  readonly #space: MatchSpace
  readonly #room: number
  #free: DeviceBuffer | undefined
  /** Kernels of what follows the first scan. */
  readonly #prepared: Promise<void>

  private constructor(
    device: Device,
    setup: MatchSetup,
    kernels: ReturnType<typeof leadKernels>,
    space: MatchSpace,
    room: number,
    [batches, lists, signal]: readonly [ScannedBatches, HostLists, StopSignal],
    prepared: Promise<void>,
  ) {
    this.#prepared = prepared
    this.#device = device
    this.#setup = setup
    this.#kernels = kernels
    this.#space = space
    this.#room = room
    this.batches = batches
    this.lists = lists
    this.rounds = new DeviceRounds(device, setup.graph, kernels.rounds, space, signal)
  }

  /** @param file the graph's, open for reading @throws Failure (device) where the device has not the memory, (input) where the file is damaged */
  static async open(
    device: Device,
    setup: MatchSetup,
    { batchPieces, room }: { readonly batchPieces: number; readonly room: number },
    file: number,
    trace: Trace,
    signal: StopSignal,
  ): Promise<LeadMatching> {
    const { graph, candidates, order } = setup
    const { vertices } = graph
    const kernels = leadKernels(candidates, order, readsWeights(order))
    const { scan, again, others, rounds } = kernels
    const batches = new ScannedBatches(device, setup, { batchPieces, side: 'back' }, file, trace, signal)
    const longs = longLists(vertices, Math.max(batches.batchWords, room))
    const prepared = device.prepare([scan, again, others, rounds].flatMap((each) => Object.values(each)))
    // Thrown when it is awaited.
    prepared.catch(() => {})
    const [space] = await Promise.all([
      allocateSpace(device, { vertices, candidates, longs, collects: true }),
      batches.open(),
      device.prepare(Object.values(scan)),
    ])
    await batches.ends(space)
    const lists = new HostLists(setup, file, trace, signal)
    return new LeadMatching(device, setup, kernels, space, room, [batches, lists, signal], prepared)
  }

  /**
   * Vertices of units from the board keep their best free neighbours.
   * @param allFree no vertex has a mate yet
   * @returns those whose lists are longer than a batch
   */
  async scan(allFree: boolean, afterBatch: () => void): Promise<readonly number[]> {
    const { ends, kept, matched, longs, counters } = this.#space
    return this.batches.run(({ first, end, origin, weightsAt, targets, weightBits }) => {
      this.#device.clear(counters, SCAN_COUNTS + LONG, LONGEST + 1 - LONG)
      const range = { first, end, keptFirst: 0, origin, weightsAt, counts: SCAN_COUNTS }
      const looks = { ...range, listed: undefined, allFree, longest: Infinity }
      const buffers = { ends, targets, weightBits, matched, kept, longs, counters }
      lookAtLists(this.#device, this.#kernels.scan, looks, this.#setup.order, buffers)
      afterBatch()
    })
  }

  /** Candidates of these vertices in the processors' memory. */
  async takeCandidates(ranges: readonly Range[]): Promise<void> {
    const words = keptWords(this.#setup.candidates)
    const { kept } = this.#setup.memory
    const bring = ({ first, end }: Range): Promise<void> =>
      this.fillCandidates(kept.subarray(words * first, words * end), words * first)
    await Promise.all(united(ranges).map(bring))
  }

  /** Candidates from word `first` on of those of all vertices. */
  fillCandidates(words: Uint32Array, first: number): Promise<void> {
    return fillWords(this.#device, this.#space.kept, words, first)
  }

  /** Marks the vertices that wait. @param waiting for a bit for each of them; matched ones are published, too */
  async mark(waiting: Uint32Array): Promise<Undecided> {
    const { kept, ends, matched, counters } = this.#space
    const count = this.#setup.graph.vertices
    this.#device.clear(counters, TAKEN, LACKING + 1 - TAKEN)
    this.#device.clear(counters, WAITING_UNITS, 1)
    const params = { count, waitingAt: waiting.length }
    this.#device.launch(this.#kernels.others.waiting, count, params, { kept, ends, matched, counters })
    const [counts] = await Promise.all([
      this.rounds.counters(),
      this.#device.read(matched, 0, waiting.length, this.#setup.memory.matched),
      this.#device.read(matched, waiting.length, waiting.length, waiting),
    ])
    const waitingVertices = counts[WAITING]!
    const arcs = ARCS_A_UNIT * counts[WAITING_UNITS]!
    const words = waitingVertices + arcs * (readsWeights(this.#setup.order) ? 2 : 1)
    return { undecided: counts[UNDECIDED]!, waiting: waitingVertices, words: Math.min(this.#room, words) }
  }

  /** Free neighbours of the marked vertices of units from the board, as far as there is room. @param words for them */
  async collect(waiting: Uint32Array, words: number, afterBatch: () => void): Promise<void> {
    const free = await this.#freeWords(words)
    const { ends, matched, again, counters } = this.#space
    const { vertices } = this.#setup.graph
    this.#device.clear(ends, vertices, vertices)
    // Nothing is entered.
    const buffers = { ends, matched, free, entries: again, counters, isEntered: false }
    const deferred = await this.batches.run((lists) => {
      collectLists(this.#device, this.#setup, lists, buffers)
      afterBatch()
    })
    const long = collectLong(this.#setup, this.lists, waiting, deferred)
    if (long !== undefined) await this.adopt(long)
  }

  /** Lists of an earlier pass are needed no more. */
  async #freeWords(words: number): Promise<DeviceBuffer> {
    if (this.#free !== undefined && this.#free.words >= words) return this.#free
    if (this.#free !== undefined) this.#device.release(this.#free)
    this.#free = undefined
    return (this.#free = await this.#device.allocate('free', Math.max(4, words)))
  }

  /** Lists that others collected, as far as there is room. */
  async adopt({ words, entries }: CollectedLists): Promise<void> {
    const { ends, again, counters } = this.#space
    const [free, placesAt] = [this.#free!, this.#setup.graph.vertices]
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
    // Unused where nothing was collected.
    const free = this.#free ?? again
    const buffers = { ends, targets: free, weightBits: free, matched, kept, longs, counters }
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
    if (this.#free !== undefined) this.#device.release(this.#free)
    this.batches.release()
  }
}
