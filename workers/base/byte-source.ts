/** A source of the bytes of a stored file: the file itself, or what is unpacked from it (graph/packed). */

import { closeSync, fstatSync, read } from 'node:fs'
import { asFailure, inputFailure } from './failure.ts'
import { isFaultDue, readError } from './fault-injection.ts'
import { openFile, readFully } from './file-bytes.ts'

/** Whether a range of bytes is wanted. */
export type Wants = (first: number, end: number) => boolean

export interface ByteSource {
  readonly path: string
  /** Whether a piece of 1 MiB that is read whole has been compared with a checksum. */
  readonly verifies: boolean
  /**
   * Fills `bytes` from byte `at` on.
   * @param wants says of ranges of `bytes`, one after another, whether anything in them is looked at: else they may stay as they were
   * @throws Failure (input) where there are fewer, or they are damaged; (storage)
   */
  read(bytes: Uint8Array, at: number, wants?: Wants): void
  /** Does so in threads of Node's own; settles once none of them writes. @throws Failure likewise */
  readBeside(bytes: Uint8Array, at: number): Promise<void>
  close(): void
}

/** The bytes of a file as they are. */
export class FileSource implements ByteSource {
  readonly path: string
  readonly verifies = false
  readonly #file: number

  /** @param file open for reading; its user closes the source */
  constructor(path: string, file: number = openFile(path, 'r')) {
    this.path = path
    this.#file = file
  }

  /** The length of the file. */
  get bytes(): number {
    return fstatSync(this.#file).size
  }

  read(bytes: Uint8Array, at: number): void {
    readFully(this.#file, bytes, at, this.path)
  }

  readBeside(bytes: Uint8Array, at: number): Promise<void> {
    return readBeside(this.#file, bytes, at, this.path)
  }

  close(): void {
    closeSync(this.#file)
  }
}

/** A source that is opened when it is first read. */
export class LateSource<Source extends ByteSource> implements ByteSource {
  readonly path: string
  readonly verifies: boolean
  readonly #open: () => Source
  #opened: Source | undefined

  constructor({ path, verifies }: Pick<ByteSource, 'path' | 'verifies'>, open: () => Source) {
    this.path = path
    this.verifies = verifies
    this.#open = open
  }

  /** @throws Failure as its opening does */
  get opened(): Source {
    return (this.#opened ??= this.#open())
  }

  read(bytes: Uint8Array, at: number, wants?: Wants): void {
    this.opened.read(bytes, at, wants)
  }

  readBeside(bytes: Uint8Array, at: number): Promise<void> {
    return this.opened.readBeside(bytes, at)
  }

  close(): void {
    this.#opened?.close()
  }
}

/** Reads in a thread of Node's own. @throws Failure (input) for a file that is too short, (storage) */
export function readBeside(file: number, bytes: Uint8Array, position: number, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      const failure = asFailure(error, path)
      reject(failure instanceof Error ? failure : new Error(String(failure)))
    }
    const step = (done: number): void => {
      if (isFaultDue('disk-read')) return fail(readError())
      // The staging buffer of a lost device has no bytes; an error in the callback of a read would end the process.
      if (bytes.length === 0) return reject(new DOMException('the staging buffer is not mapped', 'OperationError'))
      read(file, bytes, done, bytes.length - done, position + done, (error, count) => {
        if (error !== null) return fail(error)
        if (count === 0)
          return fail(
            inputFailure(
              path,
              `the file ends at byte ${position + done}, but more was expected`,
              'It is damaged: import the graph again.',
            ),
          )
        if (done + count === bytes.length) resolve()
        else step(done + count)
      })
    }
    step(0)
  })
}
