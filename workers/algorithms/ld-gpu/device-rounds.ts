/**
 * Rounds of a matching (LD-GPU, SC 2024, Algorithm 1) on a device that holds the state of all vertices: every active vertex points at its first
 * free candidate, and mutual pointers match. Rounds are queued several at a time, and the host reads their counters afterwards, as waiting for
 * each takes longer than the round. The kernels are those of kernels/matching; device-matching.ts gives the lists that a round may need again.
 */

import {
  AGAIN,
  ARCS,
  COUNTERS,
  DAMAGE,
  MOST_QUEUED,
  NONE,
  OPEN,
  POINTING,
  ROUNDS_COUNTED,
  countsOf,
  keptWords,
} from '../../../kernels/matching/match-state.ts'
import { matchPair } from '../../../kernels/matching/match-pair.ts'
import { counted, matchPoint } from '../../../kernels/matching/match-point.ts'
import { type StopSignal, throwIfCancelled } from '../../base/job.ts'
import { type Buffers, type Device, allocateBuffers, fillWords, readParts } from '../../device/device.ts'
import { damagedGraph, idleRound } from '../../graph/galois-gr.ts'
import { markMutual } from '../../graph/matching.ts'

/** Threads that stride over lists that only the device has counted. */
const STRIDING_THREADS = 1 << 18
/** Rounds queued after the first read of the counters; an empty round takes its launches all the same. */
const NEXT_QUEUED = 4
/** A round that leaves more active vertices changes too little for a pass over all. */
const SLOW = 31 / 32
/** Rounds after which the host resumes, if they still change little: it follows chains one by one. */
const MOST_ROUNDS = 64

/** The state of a matching on a device. Active vertices are listed in turns. */
export type MatchSpace = Buffers<
  'ends' | 'kept' | 'pointers' | 'matched' | 'open' | 'otherOpen' | 'again' | 'longs' | 'counters'
>

/**
 * No vertex has a mate.
 * @param longs long lists of a scan, at most
 * @param collects whether the places of collected lists follow the ends, and bits of waiting vertices those of matched ones
 * @throws Failure (device) where the device has not the memory
 */
export async function allocateSpace(
  device: Device,
  vertices: number,
  candidates: number,
  { longs, collects }: { readonly longs: number; readonly collects: boolean },
): Promise<MatchSpace> {
  const each = collects ? 2 : 1
  const bits = Math.ceil(vertices / 32)
  const state = { ends: each * vertices, kept: keptWords(candidates) * vertices, matched: each * bits }
  const lists = { pointers: vertices, open: vertices, otherOpen: vertices, again: vertices }
  const space = await allocateBuffers(device, { ...state, ...lists, longs, counters: COUNTERS })
  device.clear(space.matched, 0, bits)
  device.clear(space.counters, 0, COUNTERS)
  return space
}

export const roundKernels = (candidates: number) => ({
  point: matchPoint(candidates),
  pair: matchPair,
})

interface RoundsWish {
  /** Queues a scan of the lists of vertices in `again`; undefined: these wait. @param counts words of the counters of this round */
  readonly look: ((counts: number) => void) | undefined
  /** Whether every vertex finds a mate or ends. Else rounds end once they change little. */
  readonly isLast: boolean
  /** Awaited between reads of the counters. */
  readonly afterRounds: () => Promise<void>
}

/** The rounds on a device, queued ahead of the host. */
export class DeviceRounds {
  readonly open: number[] = []
  readonly arcs: number[] = []
  readonly #device: Device
  readonly #path: string
  readonly #vertices: number
  readonly #kernels: ReturnType<typeof roundKernels>
  readonly #space: MatchSpace
  readonly #signal: StopSignal
  /** Queued rounds, and whether the active vertices are in a list. */
  #queued = 0
  #isListed = false
  /** Candidates were scanned, or lists collected, since the last round. */
  #isFresh = false
  /** Active vertices of the last round. */
  #last = Infinity

  constructor(
    device: Device,
    { path, vertices }: { readonly path: string; readonly vertices: number },
    kernels: ReturnType<typeof roundKernels>,
    space: MatchSpace,
    signal: StopSignal,
  ) {
    this.#device = device
    this.#path = path
    this.#vertices = vertices
    this.#kernels = kernels
    this.#space = space
    this.#signal = signal
  }

  /** Any vertex may be active in the next round, which begins with new candidates or lists. */
  refresh(): void {
    this.#isListed = false
    this.#isFresh = this.open.length > 0
    this.#last = Infinity
  }

  /** @returns false where rounds change so little that the host should resume */
  async run({ look, isLast, afterRounds }: RoundsWish): Promise<boolean> {
    for (let queued = MOST_QUEUED; ; queued = NEXT_QUEUED) {
      throwIfCancelled(this.#signal)
      const side = Math.min(queued, ROUNDS_COUNTED - (this.#queued % ROUNDS_COUNTED))
      const counts = Array.from({ length: side }, (_, i) => countsOf(this.#queued + i))
      this.#device.clear(this.#space.counters, counts[0]!, side * (countsOf(1) - countsOf(0)))
      this.#device.clear(this.#space.counters, ARCS, 1)
      const before = this.open.length
      const isFresh = this.#isFresh
      for (const at of counts) this.#round(at, look)
      const counters = await this.counters()
      for (const [i, at] of counts.entries()) {
        const arcs = i === 0 ? counters[ARCS]! : 0
        if (this.#isOver(counters[at + OPEN]!, arcs, isFresh && i === 0, isLast)) return true
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
    const counters = await this.#device.read(this.#space.counters, 0, COUNTERS)
    if (counters[DAMAGE] !== 0) throw damagedGraph(this.#path, 'the offsets')
    return counters
  }

  /** Whether no round is to follow one with so many active vertices. */
  #isOver(open: number, arcs: number, isFresh: boolean, isLast: boolean): boolean {
    if (open === 0 && !isFresh) return true
    if (open >= this.#last) {
      if (isLast) throw idleRound(this.#path, this.open.length + 1)
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
    const count = this.#vertices
    const round = this.#queued++
    const [list, next] = round % 2 === 0 ? [open, otherOpen] : [otherOpen, open]
    const state = { matched, kept, pointers, next, counters }
    const threads = Math.min(count, STRIDING_THREADS)
    const phase = { first: 0, count, counts }
    // In the first round, and the first one after a scan, any vertex may be active.
    const length = this.#isListed ? countsOf(round - 1) + POINTING : NONE
    const isFirst = round === 0 && this.open.length === 0
    const which = isFirst || this.#isFresh ? counted.pointing : counted.pointed
    const pointing = this.#isListed ? threads : count
    this.#isListed = true
    this.#isFresh = false
    this.#device.launch(point, pointing, { ...phase, length, counted: which }, { ...state, list, again })
    if (look !== undefined) {
      look(counts)
      const scanned = { ...phase, length: counts + AGAIN, counted: counted.none }
      // A vertex that was just scanned has a pointer or ends, or its list is not in memory: nothing is written into `longs`.
      this.#device.launch(point, threads, scanned, { ...state, list: again, again: longs })
    }
    const active = { list: next, pointers, matched, counters }
    this.#device.launch(pair, threads, { count, length: counts + POINTING }, active)
  }
}
