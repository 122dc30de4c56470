import type { Run } from '../contract/run.ts'
import type { Claim } from '../library/run-table.ts'
import { isLocked } from '../library/storage-failure.ts'

/** The time between looks for a device of another process, or the library. */
const LOOK_AGAIN_MS = 500

interface QueueHooks {
  /** Runs that wait, in the order of starting. */
  waiting(): readonly Run[]
  resolveAuto(run: Run): Promise<string>
  claim(run: string, devices: readonly string[]): Claim
  /** Works on a run until it ends or waits again. Never rejects. */
  work(run: Run): Promise<void>
  refuse(run: Run, error: unknown): void
  /** No run will start any more. */
  abandon(error: unknown): void
}

/**
 * The highest rank first, then the oldest; one run at most on a device. A run that waits for a device keeps the
 * others from those after it. All state is in the library.
 */
export class RunQueue {
  readonly #hooks: QueueHooks
  readonly #work = new Set<Promise<void>>()
  /** The device of each run that asked for any. */
  #auto = new Map<string, string>()
  #isAtWork = false
  #isAskedAgain = false
  #timer: NodeJS.Timeout | undefined

  constructor(hooks: QueueHooks) {
    this.#hooks = hooks
  }

  /** Looks for runs to start: to be called whenever one waits, ends or moves. */
  look(): void {
    this.#isAskedAgain = true
    if (!this.#isAtWork) void this.#lookUntilQuiet()
  }

  /** A device may be gone. */
  forgetDevices(): void {
    this.#auto.clear()
  }

  async idle(): Promise<void> {
    clearTimeout(this.#timer)
    while (this.#work.size > 0) await Promise.all(this.#work)
  }

  async #lookUntilQuiet(): Promise<void> {
    this.#isAtWork = true
    clearTimeout(this.#timer)
    // The run is reported as queued first.
    await Promise.resolve()
    while (this.#isAskedAgain) {
      this.#isAskedAgain = false
      try {
        await this.#resolveAuto()
        this.#startAll()
      } catch (error) {
        if (isLocked(error)) this.#lookLater()
        else this.#hooks.abandon(error)
      }
    }
    this.#isAtWork = false
  }

  /** Chooses the device of each run that asked for any, or refuses the run. */
  async #resolveAuto(): Promise<void> {
    const waiting = this.#hooks.waiting()
    for (const id of this.#auto.keys()) if (!waiting.some((run) => run.id === id)) this.#auto.delete(id)
    for (const run of waiting.filter(({ id, request }) => request.device === 'auto' && !this.#auto.has(id)))
      try {
        this.#auto.set(run.id, await this.#hooks.resolveAuto(run))
      } catch (error) {
        this.#hooks.refuse(run, error)
      }
  }

  #startAll(): void {
    const taken = new Set<string>()
    for (const run of this.#hooks.waiting()) {
      const devices = this.#devicesOf(run)
      if (devices === undefined) continue
      const isFree = !devices.some((device) => taken.has(device))
      const claim = isFree ? this.#claim(run, devices) : undefined
      if (claim !== undefined && 'run' in claim) this.#start(claim.run)
      // Another process sends no event.
      if (claim !== undefined && 'heldBy' in claim) this.#lookLater()
      for (const device of devices) taken.add(device)
    }
  }

  /** @throws Failure (storage) where another process holds the library */
  #claim(run: Run, devices: readonly string[]): Claim | undefined {
    try {
      return this.#hooks.claim(run.id, devices)
    } catch (error) {
      if (isLocked(error)) throw error
      this.#hooks.refuse(run, error)
      return undefined
    }
  }

  #devicesOf({ id, request }: Run): string[] | undefined {
    const list = request.device === 'auto' ? this.#auto.get(id) : request.device
    return list === undefined ? undefined : [...new Set(list.split(','))]
  }

  #start(run: Run): void {
    const work = this.#hooks.work(run).finally(() => {
      this.#work.delete(work)
      this.look()
    })
    this.#work.add(work)
  }

  #lookLater(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.look(), LOOK_AGAIN_MS)
  }
}
