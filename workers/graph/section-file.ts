import { closeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { DamageWords } from '../base/checked-file.ts'
import { Failure, inputFailure } from '../failure.ts'
import { readFully } from '../file-bytes.ts'

/** A part of a view's file: where it lies, and the CRC-32 of its bytes. */
export interface ViewSection {
  readonly at: number
  readonly bytes: number
  readonly crc32: number
}

/** Fills `bytes` from byte `at` of a section on. */
export type SectionReader = (at: number, bytes: Uint8Array) => void

/** Small enough to stay in the processor's cache between reading, checking and copying. */
const SCRATCH_BYTES = 1 << 20

export const VIEW_DAMAGE: DamageWords = {
  what: 'the view is damaged',
  remedy: 'Delete this file, or drop it with "anticlique datasets views NAME --drop all"; it is built again at need.',
}

/** Whether this says that a view's bytes are not those that were written. */
export function isDamagedView(error: unknown): error is Failure & { readonly where: string } {
  return error instanceof Failure && error.what.startsWith(VIEW_DAMAGE.what) && error.where !== undefined
}

/** What is said of a view whose checksum is not that of its header. */
export function damagedFile(path: string): Failure {
  return inputFailure(path, `${VIEW_DAMAGE.what}: its checksum does not match`, VIEW_DAMAGE.remedy)
}

/** An open file of sections, which are read in ranges straight into the caller's memory. */
export class SectionFile {
  readonly path: string
  readonly #file: number
  #bytesRead = 0

  constructor(path: string, file: number) {
    this.path = path
    this.#file = file
  }

  get bytesRead(): number {
    return this.#bytesRead
  }

  /** Reads `bytes.length` bytes at `at` of a section. */
  read(section: ViewSection, at: number, bytes: Uint8Array): void {
    readFully(this.#file, bytes, section.at + at, this.path)
    this.#bytesRead += bytes.length
  }

  /** A reader of one section that checks the section's CRC-32 once it was read from its start to its end in order. */
  checkedReader(section: ViewSection): SectionReader {
    const scratch = Buffer.allocUnsafe(SCRATCH_BYTES)
    let seen = 0
    let value = 0
    return (at, bytes) => {
      for (let done = 0; done < bytes.length; done += SCRATCH_BYTES) {
        const part = scratch.subarray(0, Math.min(SCRATCH_BYTES, bytes.length - done))
        this.read(section, at + done, part)
        // Not from `bytes`: it may be memory that is slow to read back, mapped for a device.
        bytes.set(part, done)
        if (at + done !== seen) continue
        value = crc32(part, value)
        seen += part.length
        if (seen === section.bytes && value !== section.crc32) throw damagedFile(this.path)
      }
    }
  }

  close(): void {
    closeSync(this.#file)
  }
}
