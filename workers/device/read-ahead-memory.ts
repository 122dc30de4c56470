import { Failure } from '../failure.ts'
import type { FailureValue } from '../failure.ts'
import type { StopSignal } from '../job.ts'
import { throwIfCancelled } from '../job.ts'

const GIVEN_BACK = 0
const STOP = 1
const FAILED = 2
const CONTROL_WORDS = 3
const FAILURE_BYTES = 4096
const LOOK_MS = 50

/** Parts that a job may have: the heads and the tails of a batch. */
const PARTS_OF_JOB = 2
const STATUS_WORDS = 1 + PARTS_OF_JOB
/** How far a job is. */
const WANTED = 0
const READ = 1
const CHECKED = 2
/** Bytes that are read, or checked, between two looks at whether anybody wants them. The system reads ahead by more. */
export const LOOK_BYTES = 256 << 10

/** The memory that a team's threads and their user share. */
export interface ReadAheadMemory {
  /** [0] jobs given back by the user, a counter that only grows; [1] stop; [2] failed. */
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

/** STATUS_WORDS words a job, of the jobs from `first` on: how far it is, then the CRC-32 of each of its parts. */
export interface JobStatus {
  readonly first: number
  readonly words: Int32Array
}

export function jobStatus(first: number, jobs: number): JobStatus {
  return { first, words: new Int32Array(new SharedArrayBuffer(4 * STATUS_WORDS * jobs)) }
}

/** The side of the threads. */
export class TeamSide {
  readonly #memory: ReadAheadMemory

  constructor(memory: ReadAheadMemory) {
    this.#memory = memory
  }

  /** Whether nobody wants any more, or no more can come. */
  get isOver(): boolean {
    const { control } = this.#memory
    return Atomics.load(control, STOP) !== 0 || Atomics.load(control, FAILED) !== 0
  }

  /** Waits until so many jobs were given back; false when it is over. */
  waitForRoom(after: number): boolean {
    const { control } = this.#memory
    for (;;) {
      if (this.isOver) return false
      const back = Atomics.load(control, GIVEN_BACK)
      if (back >= after) return true
      Atomics.wait(control, GIVEN_BACK, back, LOOK_MS)
    }
  }

  read({ first, words }: JobStatus, job: number): void {
    const at = STATUS_WORDS * (job - first)
    Atomics.store(words, at, READ)
    Atomics.notify(words, at)
  }

  /** Waits until a job was read; false when it is over. */
  waitForRead({ first, words }: JobStatus, job: number): boolean {
    const at = STATUS_WORDS * (job - first)
    while (Atomics.load(words, at) === WANTED) {
      if (this.isOver) return false
      Atomics.wait(words, at, WANTED, LOOK_MS)
    }
    return true
  }

  checked({ first, words }: JobStatus, job: number, sums: readonly number[]): void {
    const at = STATUS_WORDS * (job - first)
    for (const [part, sum] of sums.entries()) Atomics.store(words, at + 1 + part, sum | 0)
    Atomics.store(words, at, CHECKED)
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

  /** Waits until a job was read. @throws Failure as a thread failed, or (cancelled) */
  waitForRead(status: JobStatus, job: number, signal: StopSignal | undefined): void {
    this.#waitFor(READ, status, job, signal)
  }

  /** Waits until a job was checked too; the CRC-32 of its parts. @throws Failure as a thread failed, or (cancelled) */
  waitForSums(status: JobStatus, job: number, signal: StopSignal | undefined): number[] {
    const at = this.#waitFor(CHECKED, status, job, signal)
    return Array.from({ length: PARTS_OF_JOB }, (_, part) => Atomics.load(status.words, at + 1 + part) >>> 0)
  }

  #waitFor(wanted: number, { first, words }: JobStatus, job: number, signal: StopSignal | undefined): number {
    const at = STATUS_WORDS * (job - first)
    for (let state = Atomics.load(words, at); state < wanted; state = Atomics.load(words, at)) {
      if (Atomics.load(this.#memory.control, FAILED) !== 0) throw this.#failure()
      if (signal !== undefined) throwIfCancelled(signal)
      Atomics.wait(words, at, state, LOOK_MS)
    }
    return at
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
