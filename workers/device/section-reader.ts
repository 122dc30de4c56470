import { crc32 } from 'node:zlib'
import type { SectionSum } from '../graph/section-sums.ts'
import { SectionSums } from '../graph/section-sums.ts'
import type { ViewFile } from '../graph/view-file.ts'
import type { StopSignal } from '../job.ts'
import type { Trace } from '../trace.ts'
import type { ReadSection, Wanted } from './read-ahead.ts'
import { ReadAhead } from './read-ahead.ts'

/** Small enough to stay in the processor's cache between reading, checking and copying. */
const SCRATCH_BYTES = 1 << 20

/** Brings stretches of a view's sections, read here or by threads that read ahead, and keeps the checksums of what came. */
export class SectionReader {
  readonly #view: ViewFile
  readonly #trace: Trace
  readonly #signal: StopSignal | undefined
  readonly #sums: SectionSums<ReadSection>
  #ahead: ReadAhead | undefined
  #bytesAhead = 0
  /** What was taken of a piece and not used yet. */
  #rest: Uint8Array = new Uint8Array(0)

  /** @param signal ends the waiting for a read */
  constructor(view: ViewFile, trace: Trace, signal: StopSignal | undefined) {
    const { heads, tails, behind } = view.header
    this.#view = view
    this.#trace = trace
    this.#signal = signal
    this.#sums = new SectionSums(view.path, { heads, tails, behind })
  }

  /** Checksums of what was read, for the sections that no worker reads alone. */
  get sums(): readonly SectionSum<ReadSection>[] {
    return this.#sums.parts
  }

  /** Bytes that the threads brought. */
  get bytesAhead(): number {
    return this.#bytesAhead
  }

  /** Starts threads that read ahead into an arena of so many bytes. */
  async open(arenaBytes: number): Promise<void> {
    this.#ahead = await ReadAhead.open(this.#view.path, arenaBytes, this.#trace.isOn)
  }

  /** Settles when the threads that read are waiting for work; without them at once. */
  async opened(): Promise<void> {
    await this.#ahead?.opened
  }

  /** Tells the threads what will be taken next, in order. */
  expect(wanted: readonly Wanted[]): void {
    this.#ahead?.expect(wanted)
  }

  /** The next piece that is expected, until another is taken. @throws Failure (storage, input) as the reading failed, (cancelled) */
  take(): Uint8Array {
    if (this.#ahead === undefined) throw new Error('no thread reads')
    const { bytes, sums } = this.#ahead.take(this.#signal)
    for (const sum of sums) {
      this.#sums.add(sum)
      this.#bytesAhead += sum.bytes
    }
    return bytes
  }

  /** Fills `into` from the pieces that are expected. @param onPiece called for each that is begun */
  takeInto(into: Uint8Array, onPiece?: () => void): void {
    for (let done = 0; done < into.length;) {
      if (this.#rest.length === 0) {
        this.#rest = this.take()
        onPiece?.()
      }
      const part = this.#rest.subarray(0, into.length - done)
      into.set(part, done)
      this.#rest = this.#rest.subarray(part.length)
      done += part.length
    }
  }

  /** Nobody wants what is left of the piece that was begun. */
  dropRest(): void {
    this.#rest = new Uint8Array(0)
  }

  /** Fills `into` from byte `at` of a section, without the threads. */
  readHere(section: ReadSection, at: number, into: Uint8Array): void {
    this.#trace.span('disk read', section, () => {
      const scratch = Buffer.allocUnsafe(Math.min(SCRATCH_BYTES, into.length))
      for (let done = 0; done < into.length; done += SCRATCH_BYTES) {
        const part = scratch.subarray(0, Math.min(SCRATCH_BYTES, into.length - done))
        this.#view.read(this.#view.header[section], at + done, part)
        // Not from `into`: it may be memory that is slow to read back, mapped for a device.
        into.set(part, done)
        this.#sums.add({ section, at: at + done, bytes: part.length, crc32: crc32(part) })
      }
    })
  }

  /** Ends the threads, whatever they do. */
  async close(): Promise<void> {
    const read = await this.#ahead?.close()
    this.#ahead = undefined
    this.#trace.add(read?.spans ?? [])
  }
}
