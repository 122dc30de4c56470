import type { FileHandle } from 'node:fs/promises'
import { setTimeout as after } from 'node:timers/promises'
import { asFailure } from '../../base/failure.ts'

const PAUSE_MS = 50

/** Has a file written to the disk while it grows, so that little is left to wait for at its end. */
export class Flushing {
  readonly #file: FileHandle
  readonly #path: string
  readonly #running: Promise<void>
  readonly #stopped = new AbortController()
  #trouble: unknown = null

  constructor(file: FileHandle, path: string) {
    this.#file = file
    this.#path = path
    this.#running = this.#run()
  }

  /** All of the file is on the disk when this returns. @throws Failure (storage) */
  async end(): Promise<void> {
    await this.stop()
    try {
      if (this.#trouble !== null) throw this.#trouble
      await this.#file.sync()
    } catch (error) {
      throw asFailure(error, this.#path)
    }
  }

  /** Needed in every case; may be repeated. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped
    try {
      while (!signal.aborted) {
        await this.#file.datasync()
        // A pause that is cut short rejects: a small graph does not wait for its end.
        await after(PAUSE_MS, undefined, { signal }).catch(() => {})
      }
    } catch (error) {
      this.#trouble = error
    }
  }
}
