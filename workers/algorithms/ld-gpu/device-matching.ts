/**
 * The device that has the state of all vertices in a matching: it scans lists while the next are copied, then queues rounds ahead of the host
 * (LD-GPU, SC 2024, Algorithm 1): every active vertex points at its first free candidate, and mutual pointers match. Rounds are queued several at
 * a time, and the host reads their counters afterwards, as waiting for each takes longer than the round. A vertex whose candidates are all
 * matched scans its list again within the round, if that stays in memory or was collected. device-lists.ts has the lists; match-on-device.ts
 * drives it through the passes.
 */

import {
  ARCS_A_UNIT,
  keptWords,
  counter,
  roundCounter,
  NONE,
  queueable,
  countsOf,
} from '../../../kernels/matching/match-state.ts'
import { matchEnds } from '../../../kernels/matching/match-ends.ts'
import { matchAdopt } from '../../../kernels/matching/match-adopt.ts'
import { matchCollect } from '../../../kernels/matching/match-collect.ts'
import { matchWaiting } from '../../../kernels/matching/match-waiting.ts'
import type { EdgeOrderParams } from '../../../kernels/parts/edge-order.ts'
import type { PieceScan } from '../../streaming/piece-scan.ts'
import {
  type Device,
  type DeviceBuffer,
  fillWords,
  releaseBuffers,
  allocateBuffers,
  readParts,
} from '../../device/device.ts'
import { type Range, united } from '../../base/ranges.ts'
import { bestKernels, lookAtLists, type ListLayout, type Segment, DeviceLists } from './device-lists.ts'
import { CANDIDATES, type MatchSetup, longLists, roundsSpace } from './match-setup.ts'
import { collectLists, collectLong } from './scan-on-device.ts'
import { matchPair } from '../../../kernels/matching/match-pair.ts'
import { counted, matchPoint } from '../../../kernels/matching/match-point.ts'
import { idleRound } from '../../graph/galois-gr.ts'
import { markMutual } from '../../graph/matching.ts'

/** Counts of vertices that may yet find a mate: all, and those whose lists may be needed once more. */
interface Undecided {
  readonly undecided: number
  readonly waiting: number
  /** Words for the lists of these, all of whose neighbours may be free; or all the room that there is. */
  readonly words: number
}

/** The kernels of a device that holds the lists. */
export const matchKernels = (rule: EdgeOrderParams, candidates = CANDIDATES) => ({
  ...bestKernels(candidates, rule),
  point: matchPoint(candidates),
  pair: matchPair,
  ends: matchEnds,
})

/** The kernels for lists that are collected. */
const collectKernels = (candidates: number, rule: EdgeOrderParams, weighted: boolean) => ({
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
    this.#kernels = matchKernels(order, candidates)
    this.#ofCollected = collectKernels(candidates, order, setup.readsWeights)
    this.lists = new DeviceLists(device, setup, layout, scan)
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
      allocateSpace(this.#device, vertices, roundsSpace(vertices, candidates, longs, !keepsLists)),
      this.lists.open(),
      this.#device.prepare(Object.values(first)),
    ])
    this.#space = space
    this.#longest = await this.lists.ends(space)
    this.rounds = new DeviceRounds(this.#device, this.source, this.#kernels, space)
    this.openedMs = performance.now()
  }

  /**
   * Vertices of units from the board keep their best free neighbours.
   * @param allFree no vertex has a mate yet
   * @returns those whose lists are longer than a batch
   */
  scan(allFree: boolean, afterBatch: () => void): Promise<readonly number[]> {
    return this.lists.run((segment) => {
      this.#look(segment, counter.SCAN, { allFree })
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
    this.#device.clear(counters, counter.TAKEN, counter.LACKING + 1 - counter.TAKEN)
    this.#device.clear(counters, counter.WAITING_UNITS, 1)
    const params = { count, waitingAt: waiting.length }
    this.#device.launch(this.#ofCollected.waiting, count, params, { kept, ends, matched, counters })
    const [counts] = await Promise.all([
      this.rounds.counters(),
      this.#device.read(matched, 0, waiting.length, this.#setup.memory.matched),
      this.#device.read(matched, waiting.length, waiting.length, waiting),
    ])
    const waitingVertices = counts[counter.WAITING]!
    const arcs = ARCS_A_UNIT * counts[counter.WAITING_UNITS]!
    const words = waitingVertices + arcs * (this.#setup.readsWeights ? 2 : 1)
    return {
      undecided: counts[counter.UNDECIDED]!,
      waiting: waitingVertices,
      words: Math.min(this.#layout.room, words),
    }
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
    await this.adopt(collectLong(this.#setup, this.source, waiting, deferred))
  }

  /** Lists of an earlier pass are needed no more. */
  async #freeWords(words: number): Promise<DeviceBuffer> {
    if (this.#free !== undefined && this.#free.words >= words) return this.#free
    if (this.#free !== undefined) this.#device.release(this.#free)
    this.#free = undefined
    return (this.#free = await this.#device.allocate('free', Math.max(4, words)))
  }

  /** Lists that others collected, as far as there is room. */
  async adopt({ words, entries }: ReturnType<typeof collectLong>): Promise<void> {
    if (entries.length === 0) return
    const [room] = await this.makeRoom([words.length])
    await this.fillLists(room!, words, 0)
    await this.enterLists(room!, entries)
  }

  /** Room for lists of so many words together, each time as far as there is some. */
  async makeRoom(counts: readonly number[]): Promise<readonly Range[]> {
    if (counts.length === 0) return []
    const most = this.#free!.words
    let taken = Math.min(most, (await this.rounds.counters())[counter.TAKEN]!)
    const rooms = counts.map((count) => ({ first: taken, end: (taken = Math.min(most, taken + count)) }))
    await fillWords(this.#device, this.#space.counters, Uint32Array.of(taken), counter.TAKEN)
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
    return (await this.rounds.counters())[counter.LACKING]!
  }

  /** @param hasLists lists stay, or were collected @param isLast those of all that wait @returns false where the host should resume */
  async match(hasLists: boolean, isLast: boolean, afterRounds: () => Promise<void>): Promise<boolean> {
    await this.#prepared
    const { again, counters } = this.#space
    const segments = this.#layout.keepsLists ? this.lists.segments : [this.#collected]
    const look = (counts: number): void => {
      for (const [i, segment] of segments.entries()) {
        if (i > 0)
          this.#device.clear(counters, counts + roundCounter.LONG, roundCounter.LONGEST + 1 - roundCounter.LONG)
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
    if (listed === undefined)
      this.#device.clear(counters, counts + roundCounter.LONG, roundCounter.LONGEST + 1 - roundCounter.LONG)
    const kernels = segment.targets === this.#free ? this.#ofCollected.again : this.#kernels
    const looks = { listed, allFree, keptFirst: 0, counts, longest: this.#longest }
    lookAtLists(this.#device, kernels, segment, looks, this.#setup.order, this.#space)
  }
}

/** Threads that stride over lists that only the device has counted. */
const STRIDING_THREADS = 1 << 18
/** Rounds queued after the first read of the counters; an empty round takes its launches all the same. */
const NEXT_QUEUED = 4
/** A round that leaves more active vertices changes too little for a pass over all. */
const SLOW = 31 / 32
/** Rounds after which the host resumes, if they still change little: it follows chains one by one. */
const MOST_ROUNDS = 64

/** The state of a matching on a device. */
type MatchSpace = Awaited<ReturnType<typeof allocateSpace>>

/** No vertex has a mate. @throws Failure (device) where the device has not the memory */
async function allocateSpace(device: Device, vertices: number, words: ReturnType<typeof roundsSpace>) {
  const space = await allocateBuffers(device, words)
  device.clear(space.matched, 0, Math.ceil(vertices / 32))
  device.clear(space.counters, 0, counter.COUNT)
  return space
}

type RoundKernels = Pick<ReturnType<typeof matchKernels>, 'point' | 'pair'>

interface RoundsWish {
  /** Queues a scan of the lists of vertices in `again`; undefined: these wait. @param counts words of the counters of this round */
  readonly look: ((counts: number) => void) | undefined
  /** Whether every vertex finds a mate or ends. Else rounds end once they change little. */
  readonly isLast: boolean
  /** Awaited between reads of the counters. */
  readonly afterRounds: () => Promise<void>
}

/** The rounds on a device, queued ahead of the host. */
class DeviceRounds {
  readonly open: number[] = []
  readonly arcs: number[] = []
  readonly #device: Device
  readonly #source: PieceScan
  readonly #kernels: RoundKernels
  readonly #space: MatchSpace
  /** Queued rounds, and whether the active vertices are in a list. */
  #queued = 0
  #isListed = false
  /** Candidates were scanned, or lists collected, since the last round. */
  #isFresh = false
  /** Active vertices of the last round. */
  #last = Infinity

  constructor(device: Device, source: PieceScan, kernels: RoundKernels, space: MatchSpace) {
    this.#device = device
    this.#source = source
    this.#kernels = kernels
    this.#space = space
  }

  /** Any vertex may be active in the next round, which begins with new candidates or lists. */
  refresh(): void {
    this.#isListed = false
    this.#isFresh = this.open.length > 0
    this.#last = Infinity
  }

  /** @returns false where rounds change so little that the host should resume */
  async run({ look, isLast, afterRounds }: RoundsWish): Promise<boolean> {
    for (let most: number | undefined; ; most = NEXT_QUEUED) {
      this.#source.checkStop()
      const side = queueable(this.#queued, most)
      const counts = Array.from({ length: side }, (_, i) => countsOf(this.#queued + i))
      this.#device.clear(this.#space.counters, counts[0]!, side * (countsOf(1) - countsOf(0)))
      this.#device.clear(this.#space.counters, counter.ARCS, 1)
      const before = this.open.length
      const isFresh = this.#isFresh
      for (const at of counts) this.#round(at, look)
      const counters = await this.counters()
      for (const [i, at] of counts.entries()) {
        const arcs = i === 0 ? counters[counter.ARCS]! : 0
        if (this.#isOver(counters[at + roundCounter.OPEN]!, arcs, isFresh && i === 0, isLast)) return true
      }
      await afterRounds()
      if (this.open.length >= MOST_ROUNDS && this.open.at(-1)! > this.open[before]! / 2) return false
    }
  }

  /** Resumes from the pointers of another attempt. */
  async restore(pointers: Uint32Array, open: readonly number[], arcs: readonly number[]): Promise<void> {
    const matched = new Uint32Array(Math.ceil(pointers.length / 32))
    markMutual(pointers, matched)
    await fillWords(this.#device, this.#space.matched, matched)
    await fillWords(this.#device, this.#space.pointers, pointers)
    this.open.push(...open)
    this.arcs.push(...arcs)
    this.#last = open.at(-1) ?? Infinity
  }

  /** The mates after the last round, or NONE. */
  pointers(into: Uint32Array): Promise<void> {
    return readParts(this.#device, this.#space.pointers, into)
  }

  async counters(): Promise<Uint32Array> {
    const counters = await this.#device.read(this.#space.counters, 0, counter.COUNT)
    this.#source.requireAscending(counters[counter.DAMAGE] === 0)
    return counters
  }

  /** Whether no round is to follow one with so many active vertices. */
  #isOver(open: number, arcs: number, isFresh: boolean, isLast: boolean): boolean {
    if (open === 0 && !isFresh) return true
    if (open >= this.#last) {
      if (isLast) throw idleRound(this.#source.pieces.graph.path, this.open.length + 1)
      return true
    }
    const isSlow = !isLast && open > SLOW * this.#last
    if (open > 0) {
      this.open.push(open)
      this.arcs.push(arcs)
    }
    // A fresh round counts no vertex that it scanned.
    this.#last = isFresh ? Infinity : open
    return isSlow
  }

  #round(counts: number, look: RoundsWish['look']): void {
    const { kept, pointers, matched, open, otherOpen, again, longs, counters } = this.#space
    const { point, pair } = this.#kernels
    const count = this.#source.pieces.graph.vertices
    const round = this.#queued++
    const [list, next] = round % 2 === 0 ? [open, otherOpen] : [otherOpen, open]
    const state = { matched, kept, pointers, next, counters }
    const threads = Math.min(count, STRIDING_THREADS)
    const phase = { first: 0, count, counts }
    // Any vertex may be active in the first round, and in the first one after a scan.
    const length = this.#isListed ? countsOf(round - 1) + roundCounter.POINTING : NONE
    const isFirst = round === 0 && this.open.length === 0
    const which = isFirst || this.#isFresh ? counted.pointing : counted.pointed
    const pointing = this.#isListed ? threads : count
    this.#isListed = true
    this.#isFresh = false
    this.#device.launch(point, pointing, { ...phase, length, counted: which }, { ...state, list, again })
    if (look !== undefined) {
      look(counts)
      const scanned = { ...phase, length: counts + roundCounter.AGAIN, counted: counted.none }
      // A vertex that was just scanned has a pointer or ends, or its list is not in memory: nothing is written into `longs`.
      this.#device.launch(point, threads, scanned, { ...state, list: again, again: longs })
    }
    const active = { list: next, pointers, matched, counters }
    this.#device.launch(pair, threads, { count, length: counts + roundCounter.POINTING }, active)
  }
}
