/**
 * The device that has the state of all vertices in a matching: it scans lists while the next are copied, then queues rounds ahead of the host
 * (LD-GPU, SC 2024, Algorithm 1). A vertex whose candidates are all matched scans its list again within the round, if that stays in memory or
 * was collected. Beside it, device-rounds.ts has the rounds, device-lists.ts the lists; match-on-device.ts drives it through the passes.
 */

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
import type { PieceScan } from '../../streaming/piece-scan.ts'
import { type Device, type DeviceBuffer, fillWords, releaseBuffers } from '../../device/device.ts'
import { type Range, united } from '../../base/ranges.ts'
import { bestKernels, lookAtLists, type ListLayout, type Segment, DeviceLists } from './device-lists.ts'
import { type MatchSpace, DeviceRounds, allocateSpace, roundKernels } from './device-rounds.ts'
import { type CollectedLists, HostLists } from './host-lists.ts'
import { type MatchSetup, readsWeights } from './match-setup.ts'
import { longLists } from './plan-match.ts'
import { collectLists, collectLong } from './scan-on-device.ts'

/** Counts of vertices that may yet find a mate: all, and those whose lists may be needed once more. */
export interface Undecided {
  readonly undecided: number
  readonly waiting: number
  /** Words for the lists of these, all of whose neighbours may be free; or all the room that there is. */
  readonly words: number
}

/** The kernels of a device that holds the lists. */
export const matchKernels = (candidates: number, rule: EdgeRule) => ({
  ...bestKernels(candidates, rule),
  ...roundKernels(candidates),
  ends: matchEnds,
})

/** The kernels for lists that are collected. */
const collectKernels = (candidates: number, rule: EdgeRule, weighted: boolean) => ({
  again: bestKernels(candidates, rule, true),
  waiting: matchWaiting(candidates),
  collect: matchCollect(weighted),
  adopt: matchAdopt(weighted),
})

/** How the lists come to the device, and words for collected ones. */
interface MatchLayout extends ListLayout {
  readonly room: number
}

/** The state of a matching on the device that does its rounds. */
export class DeviceMatching {
  readonly source: PieceScan
  readonly lists: DeviceLists
  readonly hostLists: HostLists
  rounds!: DeviceRounds
  openedMs = 0
  readonly #device: Device
  readonly #setup: MatchSetup
  readonly #layout: MatchLayout
  readonly #kernels: ReturnType<typeof matchKernels>
  readonly #ofCollected: ReturnType<typeof collectKernels>
  #space!: MatchSpace
  #free: DeviceBuffer | undefined
  /** Arcs of the longest list. */
  #longest = Infinity
  /** Kernels of what follows the first scan. */
  #prepared: Promise<void> | undefined

  constructor(device: Device, setup: MatchSetup, layout: MatchLayout, scan: PieceScan) {
    const { candidates, order } = setup
    this.#device = device
    this.#setup = setup
    this.#layout = layout
    this.source = scan
    this.#kernels = matchKernels(candidates, order)
    this.#ofCollected = collectKernels(candidates, order, readsWeights(order))
    this.lists = new DeviceLists(device, setup, layout, scan)
    this.hostLists = new HostLists(setup, scan)
  }

  /** @throws Failure (device) where the device has not the memory, (input) where the file is damaged */
  async open(): Promise<void> {
    const { graph, candidates } = this.#setup
    const { vertices, arcs } = graph
    const { keepsLists, room } = this.#layout
    const longs = longLists(vertices, keepsLists ? arcs : Math.max(this.lists.batchWords, room))
    const { point, pair, ...first } = this.#kernels
    const { again, ...others } = this.#ofCollected
    const later = [point, pair, ...(keepsLists ? [] : [...Object.values(others), ...Object.values(again)])]
    this.#prepared = this.#device.prepare(later)
    // Thrown when it is awaited.
    this.#prepared.catch(() => {})
    const [space] = await Promise.all([
      allocateSpace(this.#device, vertices, candidates, { longs, collects: !keepsLists }),
      this.lists.open(),
      this.#device.prepare(Object.values(first)),
    ])
    this.#space = space
    this.#longest = await this.lists.ends(space)
    this.rounds = new DeviceRounds(this.#device, graph, this.#kernels, space, this.source.signal)
    this.openedMs = performance.now()
  }

  /**
   * Vertices of units from the board keep their best free neighbours.
   * @param allFree no vertex has a mate yet
   * @returns those whose lists are longer than a batch
   */
  scan(allFree: boolean, afterBatch: () => void): Promise<readonly number[]> {
    return this.lists.run((segment) => {
      this.#look(segment, SCAN_COUNTS, { allFree })
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
    this.#device.launch(this.#ofCollected.waiting, count, params, { kept, ends, matched, counters })
    const [counts] = await Promise.all([
      this.rounds.counters(),
      this.#device.read(matched, 0, waiting.length, this.#setup.memory.matched),
      this.#device.read(matched, waiting.length, waiting.length, waiting),
    ])
    const waitingVertices = counts[WAITING]!
    const arcs = ARCS_A_UNIT * counts[WAITING_UNITS]!
    const words = waitingVertices + arcs * (readsWeights(this.#setup.order) ? 2 : 1)
    return { undecided: counts[UNDECIDED]!, waiting: waitingVertices, words: Math.min(this.#layout.room, words) }
  }

  /** Free neighbours of the marked vertices of units from the board, as far as there is room. @param words for them */
  async collect(waiting: Uint32Array, words: number, afterBatch: () => void): Promise<void> {
    const free = await this.#freeWords(words)
    const { ends, matched, again, counters } = this.#space
    const { vertices } = this.#setup.graph
    this.#device.clear(ends, vertices, vertices)
    // Nothing is entered.
    const buffers = { ends, matched, free, entries: again, counters, isEntered: false }
    const deferred = await this.lists.run((lists) => {
      collectLists(this.#device, this.#setup, lists, buffers)
      afterBatch()
    })
    await this.adopt(collectLong(this.#setup, this.hostLists, waiting, deferred))
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
    if (entries.length === 0) return
    const [room] = await this.makeRoom([words.length])
    await this.fillLists(room!, words, 0)
    await this.enterLists(room!, entries)
  }

  /** Room for lists of so many words together, each time as far as there is some. */
  async makeRoom(counts: readonly number[]): Promise<readonly Range[]> {
    if (counts.length === 0) return []
    const most = this.#free!.words
    let taken = Math.min(most, (await this.rounds.counters())[TAKEN]!)
    const rooms = counts.map((count) => ({ first: taken, end: (taken = Math.min(most, taken + count)) }))
    await fillWords(this.#device, this.#space.counters, Uint32Array.of(taken), TAKEN)
    return rooms
  }

  /** Words of lists from word `at` of them on. */
  async fillLists({ first, end }: Range, words: Uint32Array, at: number): Promise<void> {
    const fitting = words.subarray(0, Math.max(0, end - first - at))
    await fillWords(this.#device, this.#free!, fitting, first + at)
  }

  /** Notes where lists that were filled begin, as far as they found room. */
  async enterLists({ first, end }: Range, entries: Uint32Array): Promise<void> {
    const { ends, again, counters } = this.#space
    const most = 2 * Math.floor(again.words / 2)
    for (let at = 0; at < entries.length; at += most) {
      const part = entries.subarray(at, at + most)
      await fillWords(this.#device, again, part)
      const params = { count: part.length / 2, base: first, limit: end, placesAt: this.#setup.graph.vertices }
      const buffers = { entries: again, free: this.#free!, ends, counters }
      this.#device.launch(this.#ofCollected.adopt, part.length / 2, params, buffers)
    }
  }

  /** Waiting vertices whose lists had no room here. */
  async lacking(): Promise<number> {
    return (await this.rounds.counters())[LACKING]!
  }

  /** @param hasLists lists stay, or were collected @param isLast those of all that wait @returns false where the host should resume */
  async match(hasLists: boolean, isLast: boolean, afterRounds: () => Promise<void>): Promise<boolean> {
    await this.#prepared
    const { again, counters } = this.#space
    const segments = this.#layout.keepsLists ? this.lists.segments : [this.#collected]
    const look = (counts: number): void => {
      for (const [i, segment] of segments.entries()) {
        if (i > 0) this.#device.clear(counters, counts + LONG, LONGEST + 1 - LONG)
        this.#look(segment, counts, { listed: again })
      }
    }
    // A list that is no longer than the candidates is not scanned again.
    const isNeeded = hasLists && this.#longest > this.#setup.candidates
    if (!this.#layout.keepsLists) this.rounds.refresh()
    return this.rounds.run({ look: isNeeded ? look : undefined, isLast, afterRounds })
  }

  release(): void {
    releaseBuffers(this.#device, this.#space)
    if (this.#free !== undefined) this.#device.release(this.#free)
    this.lists.release()
  }

  get #collected(): Segment {
    const { vertices } = this.#setup.graph
    const free = this.#free!
    return { first: 0, end: vertices, targets: free, weightBits: free, origin: vertices, weightsAt: 0 }
  }

  /** @param listed vertices of the segment; undefined: all @param allFree no vertex has a mate yet */
  #look(
    segment: Segment,
    counts: number,
    { listed, allFree = false }: { readonly listed?: DeviceBuffer; readonly allFree?: boolean },
  ): void {
    const { counters } = this.#space
    if (listed === undefined) this.#device.clear(counters, counts + LONG, LONGEST + 1 - LONG)
    const kernels = segment.targets === this.#free ? this.#ofCollected.again : this.#kernels
    const looks = { listed, allFree, keptFirst: 0, counts, longest: this.#longest }
    lookAtLists(this.#device, kernels, segment, looks, this.#setup.order, this.#space)
  }
}
