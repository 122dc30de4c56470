import { matchFirst } from '../../../kernels/match-first.ts'
import { matchMates } from '../../../kernels/match-mates.ts'
import { matchPoint } from '../../../kernels/match-point.ts'
import { matchSecond } from '../../../kernels/match-second.ts'
import { matchTake } from '../../../kernels/match-take.ts'
import { matchWalk } from '../../../kernels/match-walk.ts'
import type { DeviceBuffer } from '../../device/device.ts'
import type { StopSignal } from '../../job.ts'
import { throwIfCancelled } from '../../job.ts'
import type { DiskEntries } from './entries.ts'
import { restoreState } from './match-state.ts'
import type { MatchPart, MatchRounds } from './part.ts'
import type { Published, RoundReport } from './pointer-exchange.ts'
import type { PointerChanges } from './pointer-forms.ts'
import type { BatchPlace, Layout, MatchWorkspace } from './workspace.ts'
import { ARCS, CHANGED, OPEN, bitWords, roundAt, waitingAt } from './workspace.ts'

/** Visit all vertices of a batch. */
const ALL = 0xffffffff
/** A list is strided over; more threads than this only start and stop. */
const LIST_THREADS = 1 << 18
/** Workgroups for long searches, each of one at a time. */
const WALK_GROUPS = 1 << 10
/** Few vertices have a long search. */
const VERTICES_A_WALK = 128

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

  /** Queues `count` rounds and then looks at their counters. */
  async queue(count: number): Promise<void> {
    const from = this.#round + 1
    this.#clearRounds(from, count)
    for (let round = from; round < from + count; round++) {
      await this.#point(round)
      this.#mate(round, false)
    }
    this.#round += count
    const counters = await this.#part.device.read(this.#space.counters, 0, this.#layout.counterWords)
    for (let round = from; round < from + count && !this.isOver; round++) {
      const at = roundAt(this.#layout, round)
      this.#end(counters[at + OPEN]!, counters[at + ARCS]!)
    }
    this.#noteWaiting(counters.subarray(roundAt(this.#layout, this.#round)))
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
    for (let round = from; round < from + count; round++)
      this.#part.device.clear(this.#space.counters, roundAt(this.#layout, round), this.#layout.roundWords)
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

  /** The pointing phase of all own batches that have somebody waiting; of all of them where the device has heads alone. */
  async #point(round: number): Promise<void> {
    const { device, entries, trace } = this.#part
    if (!entries.isWhole) return this.#pointInHeads(entries, round)
    for (const [index, place] of this.#layout.places.entries()) {
      if (!this.#waits[index]) continue
      const loaded = await entries.of(place.batch)
      const params = this.#pointParams(place, round, index)
      const buffers = { ...this.#space, ...loaded }
      const threads = round === this.#listless ? place.batch.count : Math.min(place.batch.count, LIST_THREADS)
      trace.span('kernel', `point batch ${place.batch.index}`, () => {
        device.launch(matchPoint, threads, params, buffers)
        const groups = Math.min(WALK_GROUPS, Math.ceil(place.batch.count / VERTICES_A_WALK))
        device.launch(matchWalk, matchWalk.workgroup * groups, params, buffers)
      })
    }
  }

  #pointInHeads(entries: DiskEntries, round: number): void {
    const { device, trace } = this.#part
    const { changed, changedCapacity } = this.#layout
    const { cursors: moved, ...space } = this.#space
    for (const { batch, own } of this.#layout.places) {
      const { index, first, count } = batch
      const heads = entries.held(batch)
      if (heads === undefined) throw new Error('the device has no lists to go on in')
      const params = { first, count, own, changed, changedCapacity, round: roundAt(this.#layout, round), number: round }
      trace.span('kernel', `point batch ${index}`, () =>
        device.launch(matchSecond, count, params, { ...space, moved, heads }),
      )
    }
  }

  #pointParams({ batch, own, capacity, lists }: BatchPlace, round: number, index: number) {
    const { changed, changedCapacity, walks, walkCapacity } = this.#layout
    return {
      first: batch.first,
      count: batch.count,
      own,
      listIn: lists[(round + 1) & 1]!,
      listOut: lists[round & 1]!,
      capacity,
      waitIn: round === this.#listless ? ALL : waitingAt(this.#layout, round - 1, index),
      waitOut: waitingAt(this.#layout, round, index),
      changed,
      changedCapacity,
      walks,
      walkCapacity,
      round: roundAt(this.#layout, round),
    }
  }

  #mate(round: number, all: boolean): void {
    const { device, trace } = this.#part
    const { vertices: count, changed, changedCapacity } = this.#layout
    const params = { count, changed, changedCapacity, round: roundAt(this.#layout, round), all: all ? 1 : 0 }
    const threads = all ? count : Math.min(count, LIST_THREADS)
    trace.span('kernel', 'match', () => device.launch(matchMates, threads, params, this.#space))
  }

  /** Brings pairs (vertex, pointer) of other workers to the device. */
  async #take(pairs: Uint32Array, count: number, round: number): Promise<void> {
    const { device } = this.#part
    const { changed, changedCapacity } = this.#layout
    await device.fill(this.#space.updates, 2 * count, (bytes, at) => {
      bytes.set(new Uint8Array(pairs.buffer, pairs.byteOffset + at, bytes.length))
    })
    const params = { count, changed, changedCapacity, round: roundAt(this.#layout, round) }
    device.launch(matchTake, count, params, this.#space)
  }

  #publish(own: RoundReport, changes: PointerChanges): Promise<Published> {
    const { device, exchange } = this.#part
    const round = this.#round
    return exchange!.publish(own, changes, {
      pairs: (pairs, count) => this.#take(pairs, count, round),
      range: (first, pointers) =>
        device.fill(
          this.#space.pointers,
          pointers.length,
          (bytes, at) => bytes.set(new Uint8Array(pointers.buffer, pointers.byteOffset + at, bytes.length)),
          first,
        ),
    })
  }

  #allChanged(): PointerChanges {
    const { device } = this.#part
    const { count, first } = this.#layout
    const whole = async (into: Uint32Array): Promise<void> => {
      if (count > 0) await device.read(this.#space.pointers, first, count, into)
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
