import type { FileHandle } from 'node:fs/promises'
import { setTimeout as after } from 'node:timers/promises'
import { asFailure } from '../../failure.ts'

const PAUSE_MS = 50

/** Has a file written to the disk while it grows, so that little is left to wait for at its end. */
export class Flushing {
  readonly #file: FileHandle
  readonly #path: string
  readonly #running: Promise<void>
  #ended = false
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
    this.#ended = true
    await this.#running
  }

  async #run(): Promise<void> {
    try {
      while (!this.#ended) {
        await this.#file.datasync()
        await after(PAUSE_MS)
      }
    } catch (error) {
      this.#trouble = error
    }
  }
}
