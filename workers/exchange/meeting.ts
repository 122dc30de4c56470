import type { Trace } from '../trace.ts'
import type { Barrier } from './barrier.ts'
import { BARRIER_WORDS } from './barrier.ts'

/** Figures that each member may say at a time. */
const FIGURES = 64

/** Memory of those who work on the same thing in steps: the words of a barrier, and what each member says, in two parts used in turn. */
export interface SharedMeeting {
  readonly members: number
  readonly control: Int32Array
  readonly figures: Float64Array
}

export function shareMeeting(members: number): SharedMeeting {
  return {
    members,
    control: new Int32Array(new SharedArrayBuffer(4 * BARRIER_WORDS)),
    figures: new Float64Array(new SharedArrayBuffer(8 * 2 * FIGURES * members)),
  }
}

/** One member's side of a meeting. Every member makes the same calls, in the same order. */
export class Meeting {
  readonly #shared: SharedMeeting
  readonly #member: number
  readonly #barrier: Barrier
  readonly #trace: Trace
  #turn = 0

  constructor(shared: SharedMeeting, member: number, barrier: Barrier, trace: Trace) {
    this.#shared = shared
    this.#member = member
    this.#barrier = barrier
    this.#trace = trace
  }

  /** Settles when all members have come. @throws Failure (cancelled) when they are to stop */
  async start(): Promise<void> {
    if (this.#shared.members > 1) await this.#trace.span('wait', 'for all threads', () => this.#barrier.arrive())
  }

  /** What all members said, added up. */
  async sum(own: number): Promise<number> {
    return (await this.#say([own])).all[0]!
  }

  /** The same figure by figure; members may have different numbers of them. Zeros at the end are left out. */
  async sums(own: readonly number[]): Promise<number[]> {
    const sums: number[] = []
    const most = await this.most(own.length)
    for (let at = 0; at < most; at += FIGURES) sums.push(...(await this.#say(own.slice(at, at + FIGURES))).all)
    while (sums.at(-1) === 0) sums.pop()
    return sums
  }

  /** At most FIGURES figures: those of all members, and of the members before this one. */
  sumsBefore(own: readonly number[]): Promise<{ readonly before: Float64Array; readonly all: Float64Array }> {
    return this.#say(own)
  }

  /** The most that any member said. */
  async most(own: number): Promise<number> {
    const figures = await this.#exchange([own])
    let most = 0
    for (let member = 0; member < this.#shared.members; member++) most = Math.max(most, figures[FIGURES * member]!)
    return most
  }

  async #say(own: readonly number[]): Promise<{ readonly before: Float64Array; readonly all: Float64Array }> {
    const figures = await this.#exchange(own)
    const [before, all] = [new Float64Array(FIGURES), new Float64Array(FIGURES)]
    for (let member = 0; member < this.#shared.members; member++) {
      if (member === this.#member) before.set(all)
      for (let i = 0; i < FIGURES; i++) all[i]! += figures[FIGURES * member + i]!
    }
    return { before, all }
  }

  /** Who is slow still reads the figures of the last turn. */
  async #exchange(own: readonly number[]): Promise<Float64Array> {
    const { figures, members } = this.#shared
    const first = (this.#turn++ & 1) * FIGURES * members
    const turn = figures.subarray(first, first + FIGURES * members)
    const said = turn.subarray(FIGURES * this.#member, FIGURES * (this.#member + 1))
    said.fill(0)
    said.set(own)
    await this.start()
    return turn
  }
}
