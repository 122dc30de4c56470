import { Failure } from '../failure.ts'
import type { FailureValue } from '../failure.ts'
import type { StopSignal } from '../job.ts'
import { throwIfCancelled } from '../job.ts'

const CLAIMED = 0
const GIVEN_BACK = 1
const STOP = 2
const FAILED = 3
const CONTROL_WORDS = 4
const FAILURE_BYTES = 4096
const LOOK_MS = 50

/** Parts that a job may have: the heads and the tails of a batch. */
export const PARTS_OF_JOB = 2
const STATUS_WORDS = 1 + PARTS_OF_JOB

/** The memory that reading threads and their user share. */
export interface ReadAheadMemory {
  /** [0] jobs claimed by a reader, [1] jobs given back by the user, [2] stop, [3] failed. Both counters only grow. */
  readonly control: Int32Array
  readonly arena: Uint8Array
  /** JSON of the failure, zero-padded. */
  readonly failure: Uint8Array
}

export function readAheadMemory(arena: Uint8Array): ReadAheadMemory {
  return {
    control: new Int32Array(new SharedArrayBuffer(4 * CONTROL_WORDS)),
    arena,
    failure: new Uint8Array(new SharedArrayBuffer(FAILURE_BYTES)),
  }
}

/** STATUS_WORDS words a job, of the jobs from `first` on: whether it is done, then the CRC-32 of each of its parts. */
export interface JobStatus {
  readonly first: number
  readonly words: Int32Array
}

export function jobStatus(first: number, jobs: number): JobStatus {
  return { first, words: new Int32Array(new SharedArrayBuffer(4 * STATUS_WORDS * jobs)) }
}

/** The reading side. */
export class ReadingSide {
  readonly #memory: ReadAheadMemory

  constructor(memory: ReadAheadMemory) {
    this.#memory = memory
  }

  get isStopped(): boolean {
    return Atomics.load(this.#memory.control, STOP) !== 0
  }

  /** Takes the next job before job `end`; undefined when the other readers have them all. */
  claim(end: number): number | undefined {
    const { control } = this.#memory
    for (;;) {
      const next = Atomics.load(control, CLAIMED)
      if (next >= end || this.isStopped) return undefined
      if (Atomics.compareExchange(control, CLAIMED, next, next + 1) === next) return next
    }
  }

  /** Waits until so many jobs were given back; false when nobody wants any more. */
  waitForRoom(after: number): boolean {
    const { control } = this.#memory
    for (;;) {
      if (this.isStopped) return false
      const back = Atomics.load(control, GIVEN_BACK)
      if (back >= after) return true
      Atomics.wait(control, GIVEN_BACK, back, LOOK_MS)
    }
  }

  done({ first, words }: JobStatus, job: number, sums: readonly number[]): void {
    const at = STATUS_WORDS * (job - first)
    for (const [part, sum] of sums.entries()) Atomics.store(words, at + 1 + part, sum | 0)
    Atomics.store(words, at, 1)
    Atomics.notify(words, at)
  }

  /** Nothing more will come. Of several failures the last one told is kept. */
  fail(failure: FailureValue): void {
    const { control, failure: bytes } = this.#memory
    bytes.fill(0).set(Buffer.from(JSON.stringify(failure)).subarray(0, FAILURE_BYTES - 1))
    Atomics.store(control, FAILED, 1)
  }
}

/** The using side. */
export class UsingSide {
  readonly #memory: ReadAheadMemory

  constructor(memory: ReadAheadMemory) {
    this.#memory = memory
  }

  /** Waits for a job; the CRC-32 of its parts. @throws Failure as a reader failed, or (cancelled) */
  waitFor({ first, words }: JobStatus, job: number, signal: StopSignal | undefined): number[] {
    const at = STATUS_WORDS * (job - first)
    while (Atomics.load(words, at) === 0) {
      if (Atomics.load(this.#memory.control, FAILED) !== 0) throw this.#failure()
      if (signal !== undefined) throwIfCancelled(signal)
      Atomics.wait(words, at, 0, LOOK_MS)
    }
    return Array.from({ length: PARTS_OF_JOB }, (_, part) => Atomics.load(words, at + 1 + part) >>> 0)
  }

  giveBack(): void {
    Atomics.add(this.#memory.control, GIVEN_BACK, 1)
    Atomics.notify(this.#memory.control, GIVEN_BACK)
  }

  stop(): void {
    Atomics.store(this.#memory.control, STOP, 1)
    Atomics.notify(this.#memory.control, GIVEN_BACK)
  }

  #failure(): Failure {
    const { failure } = this.#memory
    const text = Buffer.from(failure.slice(0, failure.indexOf(0))).toString('utf8')
    return new Failure(JSON.parse(text) as FailureValue)
  }
}
