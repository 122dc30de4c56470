import { crc32 } from 'node:zlib'
import type { SectionSum } from '../graph/section-sums.ts'
import type { StopSignal } from '../job.ts'
import { throwIfCancelled } from '../job.ts'
import type { TraceSpan } from '../trace.ts'
import { ReadArena } from './read-arena.ts'
import type { JobStatus, ReadAheadMemory } from './read-ahead-memory.ts'
import { LOOK_BYTES, UsingSide, jobStatus, readAheadMemory } from './read-ahead-memory.ts'
import { ReaderTeam } from './reader-team.ts'

export type ReadSection = 'heads' | 'tails' | 'behind'

/** A stretch of a section of a view, and where in the arena it goes. */
export interface ReadPart {
  readonly section: ReadSection
  /** Bytes from the start of the section. */
  readonly at: number
  readonly bytes: number
  readonly into: number
}

export interface ReadJob {
  /** For the trace. */
  readonly name: string
  readonly parts: readonly ReadPart[]
  /** Jobs that must have been given back before this one's region may be written. */
  readonly after: number
}

/** What is wanted: parts side by side in one region of the arena, at most two, and the bytes of the region. */
export interface Wanted {
  readonly name: string
  /** `into` counts from the start of the region. */
  readonly parts: readonly ReadPart[]
  readonly bytes: number
}

/** A region with what was wanted in it. It is the caller's until the next one is asked for. */
export interface Taken {
  readonly bytes: Uint8Array
  readonly sums: readonly SectionSum<ReadSection>[]
}

export type ReadAheadRequest =
  | { readonly type: 'open'; readonly memory: ReadAheadMemory; readonly path: string; readonly traced: boolean }
  | { readonly type: 'read'; readonly jobs: readonly ReadJob[]; readonly status: JobStatus }
  | { readonly type: 'close' }
  | { readonly type: 'end' }

/** What a thread did, told when it closes. */
export interface ReadAheadReply {
  readonly bytesRead: number
  readonly spans: readonly TraceSpan[]
}

/** What a thread says: that it has started, that it is open for a user, or what it did for one. */
export type ReadAheadMessage = 'ready' | 'opened' | ReadAheadReply

interface Expected {
  readonly job: number
  readonly at: number
  readonly wanted: Wanted
  readonly status: JobStatus
}

/**
 * Threads that read a view while the caller copies and computes: one reads, others make checksums of what was read, where there are processors for it. They are told beforehand what will be wanted, in which order; the caller then takes just that, where it lies.
 */
export class ReadAhead {
  readonly #team: ReaderTeam
  readonly #memory: ReadAheadMemory
  readonly #side: UsingSide
  readonly #plan: ReadArena
  readonly #expected: Expected[] = []
  #jobs = 0
  #isHeld = false
  /** Settles when the threads wait for what is to be read; until then it is only told to them. */
  readonly opened: Promise<void>

  private constructor(team: ReaderTeam, path: string, arenaBytes: number, traced: boolean) {
    this.#team = team
    this.#memory = readAheadMemory(team.arena)
    this.opened = team.open({ type: 'open', memory: this.#memory, path, traced })
    this.#side = new UsingSide(this.#memory)
    this.#plan = new ReadArena(arenaBytes)
  }

  /**
   * @param arenaBytes for what was read and not yet used; at least the largest region
   * @param checkers threads that make the checksums; by default as many as there are processors for. Without any the caller of `take` does
   * @throws Error when no thread can start
   */
  static async open(path: string, arenaBytes: number, traced: boolean, checkers?: number): Promise<ReadAhead> {
    return new ReadAhead(await ReaderTeam.take(arenaBytes, checkers), path, arenaBytes, traced)
  }

  /** Tells what will be taken next, in order. */
  expect(all: readonly Wanted[]): void {
    if (all.length === 0) return
    const status = jobStatus(this.#jobs, all.length)
    const jobs = all.map((wanted): ReadJob => {
      const { at, after } = this.#plan.place(wanted.bytes)
      this.#expected.push({ job: this.#jobs++, at, wanted, status })
      return { name: wanted.name, after, parts: wanted.parts.map((part) => ({ ...part, into: at + part.into })) }
    })
    this.#team.tell({ type: 'read', jobs, status })
  }

  /**
   * Takes the next of what is expected, and gives back what was taken before.
   * @throws Failure (storage, input) as the reading failed, (cancelled)
   */
  take(signal?: StopSignal): Taken {
    this.giveBack()
    const next = this.#expected.shift()
    if (next === undefined) throw new Error('nothing is expected')
    const { at, wanted, job, status } = next
    const bytes = this.#memory.arena.subarray(at, at + wanted.bytes)
    const sums =
      this.#team.checkers > 0 ? this.#side.waitForSums(status, job, signal) : this.#sumsHere(next, bytes, signal)
    this.#isHeld = true
    return {
      bytes,
      sums: wanted.parts.map((part, i) => ({
        section: part.section,
        at: part.at,
        bytes: part.bytes,
        crc32: sums[i]!,
      })),
    }
  }

  #sumsHere({ wanted, status, job }: Expected, bytes: Uint8Array, signal: StopSignal | undefined): number[] {
    this.#side.waitForRead(status, job, signal)
    return wanted.parts.map((part) => sumOf(bytes.subarray(part.into, part.into + part.bytes), signal))
  }

  /** Gives back what was taken, so that its region is read into again. */
  giveBack(): void {
    if (this.#isHeld) this.#side.giveBack()
    this.#isHeld = false
  }

  /** Stops the threads, whatever they do, and says what they did. */
  async close(): Promise<ReadAheadReply> {
    this.#side.stop()
    const replies = await this.#team.close()
    return {
      bytesRead: replies.reduce((sum, { bytesRead }) => sum + bytesRead, 0),
      spans: replies.flatMap(({ spans }) => spans),
    }
  }
}

function sumOf(bytes: Uint8Array, signal: StopSignal | undefined): number {
  let sum = 0
  for (let done = 0; done < bytes.length; done += LOOK_BYTES) {
    if (signal !== undefined) throwIfCancelled(signal)
    sum = crc32(bytes.subarray(done, done + LOOK_BYTES), sum)
  }
  return sum
}
