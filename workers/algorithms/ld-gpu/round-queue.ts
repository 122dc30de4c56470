import { matchFirst } from '../../../kernels/match-first.ts'
import { matchMates } from '../../../kernels/match-mates.ts'
import { matchTake } from '../../../kernels/match-take.ts'
import { matchTakeBits } from '../../../kernels/match-take-bits.ts'
import type { DeviceBuffer } from '../../device/device.ts'
import { fillWords } from '../../device/fill-words.ts'
import { readWords } from '../../device/read-words.ts'
import { idleRound } from '../../graph/galois-gr.ts'
import type { StopSignal } from '../../job.ts'
import { throwIfCancelled } from '../../job.ts'
import { restoreState } from './match-state.ts'
import type { MatchPart, MatchRounds } from './part.ts'
import { QueuedRounds } from './queued-rounds.ts'
import { LIST_THREADS, pointBatches } from './point-phase.ts'
import type { Published, RoundReport } from './pointer-exchange.ts'
import type { BitmapPart, PointerChanges } from './pointer-forms.ts'
import type { BatchPlace, Layout, MatchWorkspace } from './workspace.ts'
import { ARCS, CHANGED, OPEN, bitWords, roundAt, waitingAt } from './workspace.ts'

/** Puts the phases of rounds on a device and takes their counters. Rounds count from 1. */
export class RoundQueue {
  /** Vertices that were open when each round began, those of all workers; of a round that nobody needed there is none. */
  readonly open: number[]
  readonly arcs: number[]
  /** Arcs that all workers looked at. */
  readonly allArcs: number[]
  isOver = false
  readonly #part: MatchPart
  readonly #layout: Layout
  readonly #space: MatchWorkspace
  readonly #signal: StopSignal
  /** Whether each batch may have vertices that wait. */
  readonly #waits: boolean[]
  readonly #queued = new QueuedRounds()
  readonly #rooms = new Map<string, Uint32Array>()
  /** The first round that has no list of those who wait. */
  readonly #listless: number
  #round: number
  #kernelMs = 0
  #pointMs = 0
  #mateMs = 0

  /** @param signal looked at wherever a phase may take long */
  constructor(part: MatchPart, layout: Layout, space: MatchWorkspace, signal: StopSignal) {
    this.#part = part
    this.#signal = signal
    this.#layout = layout
    this.#space = space
    this.#waits = layout.places.map(() => true)
    const { open = [], arcs = [] } = part.start ?? {}
    this.open = [...open]
    this.arcs = [...arcs]
    this.allArcs = [...arcs]
    this.#round = open.length
    this.#listless = Math.max(1, open.length) + 1
  }

  /** Goes on behind the rounds of another attempt. */
  async goOn(): Promise<void> {
    const { device, start } = this.#part
    device.clear(this.#space.matched, 0, bitWords(this.#layout.vertices))
    device.clear(this.#space.counters, 0, this.#layout.counterWords)
    if (start !== undefined) await restoreState(this.#part, this.#layout, this.#space, start)
    this.#mate(this.#round, true)
  }

  /** Round 1: everybody points at the first entry, so that nothing need be searched. */
  async first(): Promise<void> {
    const { device, exchange } = this.#part
    const { matched, counters } = this.#space
    this.#round = 1
    device.clear(matched, 0, bitWords(this.#layout.vertices))
    device.clear(counters, 0, this.#layout.counterWords)
    for (const place of this.#layout.places) await this.#firstOf(place)
    const words = await device.read(counters, roundAt(this.#layout, 1), this.#layout.roundWords)
    await this.#note('point')
    const own = words[OPEN]!
    const report = { open: own, arcs: own, keeps: false }
    const { open, arcs } = exchange === undefined ? report : await this.#publish(report, this.#allChanged())
    this.#mate(1, true)
    await this.#note('mate')
    this.#end(open, own, arcs)
  }

  /** Arcs looked at in all rounds so far. */
  get arcsLooked(): number {
    return this.arcs.reduce((sum, arcs) => sum + arcs, 0)
  }

  /**
   * Queues `count` rounds, and then looks at the counters of those that were queued, all but the last `ahead` times: the device goes on
   * with these meanwhile. Rounds past the end change nothing.
   */
  async queue(count: number, ahead = 0): Promise<void> {
    const from = this.#round + 1
    this.#clearRounds(from, count)
    for (let round = from; round < from + count; round++) {
      await this.#point(round)
      this.#mate(round, false)
    }
    this.#round += count
    const counters = this.#part.device.read(this.#space.counters, 0, this.#layout.counterWords)
    this.#queued.add({ from, count, counters })
    await this.lookAt(ahead)
  }

  /** Looks at the counters of rounds that are queued, all but the last `ahead` times. */
  lookAt(ahead = 0): Promise<void> {
    return this.#queued.take(ahead, (words, from, count) => {
      for (let round = from; round < from + count && !this.isOver; round++) {
        const at = roundAt(this.#layout, round)
        this.#end(words[at + OPEN]!, words[at + ARCS]!)
      }
      this.#noteWaiting(words.subarray(roundAt(this.#layout, from + count - 1)))
    })
  }

  /**
   * One round, with the other workers.
   * @param keeps whether all are to keep their state after it
   * @returns what the leader said of that
   */
  async single(keeps: boolean): Promise<boolean> {
    const { device, exchange } = this.#part
    const round = ++this.#round
    const { counters } = this.#space
    this.#clearRounds(round, 1)
    await this.#point(round)
    const words = await device.read(counters, roundAt(this.#layout, round), this.#layout.roundWords)
    await this.#note('point')
    const report = { open: words[OPEN]!, arcs: words[ARCS]!, keeps }
    const all =
      exchange === undefined
        ? { ...report, ranges: false }
        : await this.#publish(report, await this.#changes(words[CHANGED]!))
    this.#noteWaiting(words)
    this.#mate(round, all.ranges)
    await this.#note('mate')
    this.#end(all.open, report.arcs, all.arcs)
    return all.keeps
  }

  /** Kernel times so far. */
  async times(): Promise<Pick<MatchRounds, 'kernelMs' | 'pointMs' | 'mateMs'>> {
    const { device } = this.#part
    // What was queued last counts once the device is done with it.
    await device.read(this.#space.counters, 0, 1)
    this.#kernelMs += await device.takeKernelMs()
    return { kernelMs: this.#kernelMs, pointMs: this.#pointMs, mateMs: this.#mateMs }
  }

  #end(open: number, arcs: number, allArcs = arcs): void {
    this.isOver = open === 0
    if (this.isOver) return
    this.open.push(open)
    // Every round makes a pair.
    if (this.open.length > this.#part.vertices) throw idleRound(undefined, this.open.length)
    this.arcs.push(arcs)
    this.allArcs.push(allArcs)
  }

  /** Where phases are timed, what ran since the last call is this phase's. */
  async #note(phase: 'point' | 'mate'): Promise<void> {
    if (!this.#part.timed) return
    const { device } = this.#part
    // Timestamps are there once the device is done.
    if (phase === 'mate') await device.read(this.#space.counters, 0, 1)
    const ms = await device.takeKernelMs()
    this.#kernelMs += ms
    if (phase === 'point') this.#pointMs += ms
    else this.#mateMs += ms
  }

  #clearRounds(from: number, count: number): void {
    const { rounds, roundWords } = this.#layout
    // They take the slots in turn.
    const beforeEnd = Math.min(count, rounds - (from % rounds))
    const clear = (round: number, some: number): void =>
      this.#part.device.clear(this.#space.counters, roundAt(this.#layout, round), some * roundWords)
    clear(from, beforeEnd)
    if (beforeEnd < count) clear(from + beforeEnd, count - beforeEnd)
  }

  #noteWaiting(words: Uint32Array): void {
    const base = waitingAt(this.#layout, 0, 0)
    for (let index = 0; index < this.#waits.length; index++) this.#waits[index] = words[base + 2 * index]! > 0
  }

  async #firstOf({ batch, own }: BatchPlace): Promise<void> {
    const { device, entries, trace } = this.#part
    const { pointers, cursors, counters } = this.#space
    for await (const { offset, count, heads } of entries.heads(batch)) {
      throwIfCancelled(this.#signal)
      const params = { first: batch.first + offset, count, own: own + offset, round: roundAt(this.#layout, 1) }
      trace.span('kernel', `first pointers of batch ${batch.index}`, () =>
        device.launch(matchFirst, count, params, { pointers, cursors, heads, counters }),
      )
    }
  }

  #point(round: number): Promise<void> {
    const at = { round, waits: this.#waits, isListless: round === this.#listless }
    return pointBatches(this.#part, this.#layout, this.#space, at)
  }

  #mate(round: number, all: boolean): void {
    const { device, trace } = this.#part
    const { vertices: count, changed, changedCapacity } = this.#layout
    const params = { count, changed, changedCapacity, round: roundAt(this.#layout, round), all: all ? 1 : 0 }
    const threads = all ? count : Math.min(count, LIST_THREADS)
    trace.span('kernel', 'match', () => device.launch(matchMates, threads, params, this.#space))
  }

  /** Brings pointers of other workers to the device. */
  async #takePairs(pairs: Uint32Array, count: number, round: number): Promise<void> {
    const { changed, changedCapacity } = this.#layout
    await fillWords(this.#part.device, this.#space.updates, pairs.subarray(0, 2 * count))
    const params = { count, changed, changedCapacity, round: roundAt(this.#layout, round) }
    this.#part.device.launch(matchTake, count, params, this.#space)
  }

  async #takeBits({ first, words, updates }: BitmapPart, round: number): Promise<void> {
    const { changed, changedCapacity } = this.#layout
    await fillWords(this.#part.device, this.#space.updates, updates)
    const params = { first, words, changed, changedCapacity, round: roundAt(this.#layout, round) }
    this.#part.device.launch(matchTakeBits, words, params, this.#space)
  }

  #publish(own: RoundReport, changes: PointerChanges): Promise<Published> {
    const { device, exchange } = this.#part
    const round = this.#round
    return exchange!.publish(own, changes, {
      pairs: (pairs, count) => this.#takePairs(pairs, count, round),
      bits: (part) => this.#takeBits(part, round),
      range: (first, pointers) => fillWords(device, this.#space.pointers, pointers, first),
    })
  }

  #allChanged(): PointerChanges {
    const { device } = this.#part
    const { count, first } = this.#layout
    const whole = async (into: Uint32Array): Promise<void> => {
      await readWords(device, this.#space.pointers, first, into.subarray(0, count))
    }
    return { count, pairs: undefined, whole }
  }

  async #changes(count: number): Promise<PointerChanges> {
    const { changed, changedCapacity } = this.#layout
    if (count > changedCapacity) return this.#allChanged()
    const pairs = count === 0 ? new Uint32Array(0) : await this.#read('pairs', this.#space.lists, changed, 2 * count)
    return { ...this.#allChanged(), count, pairs }
  }

  /** Reads into memory that is kept from one round to the next: pages that are touched for the first time cost more than the copy. */
  #read(what: string, buffer: DeviceBuffer, first: number, words: number): Promise<Uint32Array> {
    let room = this.#rooms.get(what)
    if (room === undefined || room.length < words) this.#rooms.set(what, (room = new Uint32Array(words)))
    return this.#part.device.read(buffer, first, words, room.subarray(0, words))
  }
}
