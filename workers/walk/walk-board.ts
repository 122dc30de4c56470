import { Failure } from '../failure.ts'
import type { FailureValue } from '../failure.ts'
import { HEAD_WIDTH } from '../graph/oriented-view.ts'
import type { StopSignal } from '../job.ts'
import { throwIfCancelled } from '../job.ts'
import type { WalkMemory } from './walk-memory.ts'
import { CONTROL_WORDS, DECIDED, FAILURE_BYTES, GROUP_WORDS } from './walk-memory.ts'
import type { WalkPlan } from './walk-plan.ts'
import { NAME_SLOTS, PIECES } from './walk-plan.ts'

/** Changes whenever somebody may have something to do. */
const SIGNAL = 0
const GO = 1
const STOP = 2
const FAILED = 3
const NEXT_HEADS = 4
const NEXT_SHARE = 5
const NEXT_BEHIND = 6
const NEXT_NOTED = 7
const ALL_NOTED = 8
/** Of GO: what threads may do before the clock starts. */
const HEADS_ONLY = 1
const EVERYTHING = 2
/** Figures of a group, see GROUP_WORDS. */
const HEADS_READ = 0
const WALKED = 1
const BEHIND_READ = 3
const NOTED = 4
const SEEN = 5
const LOOK_MS = 50
/** Whether a thread failed, and has told why. */
const NO_FAILURE = 0
const FAILING = 1
const TOLD = 2

export type WalkTask =
  | { readonly kind: 'heads'; readonly group: number; readonly piece: number; readonly turn: number }
  | { readonly kind: 'share'; readonly group: number; readonly share: number; readonly turn: number }
  | { readonly kind: 'behind'; readonly group: number; readonly piece: number }
  | { readonly kind: 'members'; readonly group: number; readonly piece: number }

/**
 * What a thread looks for first. Threads that read do little else: where all walk, and wait for the few pages of the tails that they
 * need, nobody asks for what is read whole. Some begin with heads, which the device waits for, some with the names of vertices: a disk is
 * faster when it is asked for several places at a time.
 */
export type Duty = 'all' | 'heads' | 'behind' | 'walk'

const orderOf: Readonly<Record<Duty, readonly WalkTask['kind'][]>> = {
  all: ['heads', 'share', 'members', 'behind'],
  heads: ['heads', 'behind', 'members', 'share'],
  behind: ['behind', 'heads', 'members', 'share'],
  walk: ['share', 'members', 'heads', 'behind'],
}

/** What is to be done next, and how far each group is. There is room for the heads of a few groups, and for the names of some more. */
export class WalkBoard {
  readonly #memory: WalkMemory
  readonly #control: Int32Array
  readonly #plan: WalkPlan

  constructor(memory: WalkMemory) {
    this.#memory = memory
    this.#control = memory.control
    this.#plan = memory.plan
  }

  /** Taken before looking for a task, so that {@link wait} misses nothing. */
  get signal(): number {
    return Atomics.load(this.#control, SIGNAL)
  }

  get isOver(): boolean {
    return Atomics.load(this.#control, STOP) !== 0 || Atomics.load(this.#control, FAILED) !== NO_FAILURE
  }

  /** Whether everything is decided, and every member noted. */
  get isDone(): boolean {
    return Atomics.load(this.#control, ALL_NOTED) === PIECES * this.#plan.groups
  }

  notify(): void {
    Atomics.add(this.#control, SIGNAL, 1)
    Atomics.notify(this.#control, SIGNAL)
  }

  wait(signal: number, ms: number): void {
    Atomics.wait(this.#control, SIGNAL, signal, ms)
  }

  /** For threads that drive devices, which must not block. @throws Failure as a thread that walks failed, or (cancelled) */
  async until(isReady: () => boolean, stop: StopSignal): Promise<void> {
    for (;;) {
      const { signal, failure } = this
      throwIfCancelled(stop)
      if (failure !== undefined) throw failure
      if (isReady()) return
      await Atomics.waitAsync(this.#control, SIGNAL, signal, LOOK_MS).value
    }
  }

  /** Has heads read, and nothing more: those that stay on their devices. */
  load(): void {
    Atomics.store(this.#control, GO, HEADS_ONLY)
    this.notify()
  }

  go(): void {
    Atomics.store(this.#control, GO, EVERYTHING)
    this.notify()
  }

  stop(): void {
    Atomics.store(this.#control, STOP, 1)
    this.notify()
  }

  /** @returns undefined when there is nothing to do now */
  claim(duty: Duty): WalkTask | undefined {
    const go = Atomics.load(this.#control, GO)
    if (go !== EVERYTHING) return go === HEADS_ONLY ? this.#claimHeads() : undefined
    for (const kind of orderOf[duty]) {
      const task = this.#claimOf(kind)
      if (task !== undefined) return task
    }
    return undefined
  }

  /** The heads of the group whose turn it is, NO_ENTRY where a vertex has fewer. */
  headsOf(turn: number): Uint32Array {
    const words = HEAD_WIDTH * this.#plan.groupVertices
    const at = (turn % this.#plan.slots) * words
    return this.#memory.heads.subarray(at, at + words)
  }

  /** The vertices of a group, from its first on. */
  namesOf(group: number): Uint32Array {
    const at = (group % NAME_SLOTS) * this.#plan.groupVertices
    return this.#memory.behind.subarray(at, at + this.#plan.groupVertices)
  }

  headsDone(group: number): void {
    this.#count(group, HEADS_READ, PIECES)
  }

  headsAreRead(turn: number): boolean {
    return this.#of(turn, HEADS_READ) === PIECES
  }

  /** The states of a group are those that its device left: its shares may be walked. */
  release(turn: number): void {
    this.#count(this.#plan.turns[turn]!, SEEN, 1)
  }

  shareWalked(group: number): void {
    this.#count(group, WALKED, this.#plan.sharesOfGroup)
  }

  isWalked(turn: number): boolean {
    return this.#of(turn, WALKED) === this.#plan.sharesOfGroup
  }

  shareDecided(group: number): void {
    this.#count(group, DECIDED, this.#plan.sharesOfGroup)
  }

  isDecided(turn: number): boolean {
    return this.#of(turn, DECIDED) === this.#plan.sharesOfGroup
  }

  behindDone(group: number): void {
    this.#count(group, BEHIND_READ, PIECES)
  }

  membersNoted(group: number): void {
    Atomics.add(this.#control, ALL_NOTED, 1)
    this.#count(group, NOTED, PIECES)
  }

  /** Of several failures the first one is told. */
  fail(failure: FailureValue): void {
    if (Atomics.compareExchange(this.#control, FAILED, NO_FAILURE, FAILING) !== NO_FAILURE) return
    this.#memory.failure.set(Buffer.from(JSON.stringify(failure)).subarray(0, FAILURE_BYTES - 1))
    Atomics.store(this.#control, FAILED, TOLD)
    this.notify()
  }

  /** What a thread failed with. */
  get failure(): Failure | undefined {
    if (Atomics.load(this.#control, FAILED) !== TOLD) return undefined
    const { failure } = this.#memory
    const text = Buffer.from(failure.slice(0, failure.indexOf(0))).toString('utf8')
    return new Failure(JSON.parse(text) as FailureValue)
  }

  #claimOf(kind: WalkTask['kind']): WalkTask | undefined {
    switch (kind) {
      case 'heads':
        return this.#claimHeads()
      case 'share':
        return this.#claimShare()
      case 'behind':
        return this.#claimBehind()
      case 'members':
        return this.#claimMembers()
    }
  }

  #claimHeads(): WalkTask | undefined {
    const { turns, slots } = this.#plan
    for (;;) {
      const next = Atomics.load(this.#control, NEXT_HEADS)
      const turn = Math.floor(next / PIECES)
      if (turn >= turns.length || (turn >= slots && !this.isWalked(turn - slots))) return undefined
      if (this.#take(NEXT_HEADS, next)) return { kind: 'heads', group: turns[turn]!, piece: next % PIECES, turn }
    }
  }

  #claimShare(): WalkTask | undefined {
    const { turns, sharesOfGroup } = this.#plan
    for (;;) {
      const next = Atomics.load(this.#control, NEXT_SHARE)
      const turn = Math.floor(next / sharesOfGroup)
      if (turn >= turns.length || this.#of(turn, SEEN) === 0) return undefined
      if (this.#take(NEXT_SHARE, next)) return { kind: 'share', group: turns[turn]!, share: next % sharesOfGroup, turn }
    }
  }

  #claimBehind(): WalkTask | undefined {
    for (;;) {
      const next = Atomics.load(this.#control, NEXT_BEHIND)
      const group = Math.floor(next / PIECES)
      if (group >= this.#plan.groups) return undefined
      if (group >= NAME_SLOTS && this.#figure(group - NAME_SLOTS, NOTED) < PIECES) return undefined
      if (this.#take(NEXT_BEHIND, next)) return { kind: 'behind', group, piece: next % PIECES }
    }
  }

  #claimMembers(): WalkTask | undefined {
    const { groups, sharesOfGroup } = this.#plan
    for (;;) {
      const next = Atomics.load(this.#control, NEXT_NOTED)
      const group = Math.floor(next / PIECES)
      if (group >= groups || this.#figure(group, DECIDED) < sharesOfGroup) return undefined
      if (this.#figure(group, BEHIND_READ) < PIECES) return undefined
      if (this.#take(NEXT_NOTED, next)) return { kind: 'members', group, piece: next % PIECES }
    }
  }

  #take(counter: number, next: number): boolean {
    return Atomics.compareExchange(this.#control, counter, next, next + 1) === next
  }

  #at(group: number, figure: number): number {
    return CONTROL_WORDS + GROUP_WORDS * group + figure
  }

  #figure(group: number, figure: number): number {
    return Atomics.load(this.#control, this.#at(group, figure))
  }

  #of(turn: number, figure: number): number {
    return this.#figure(this.#plan.turns[turn]!, figure)
  }

  /** Nobody waits for less than all of a group: to wake many threads takes as long as some of their tasks. */
  #count(group: number, figure: number, all: number): void {
    if (Atomics.add(this.#control, this.#at(group, figure), 1) === all - 1) this.notify()
  }
}
