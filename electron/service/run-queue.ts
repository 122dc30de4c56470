import type { Run } from '../contract/run.ts'
import type { Claim } from '../library/run-table.ts'
import { isLocked } from '../library/storage-failure.ts'

/** How soon to look again whether another process has given a device back, or let go of the library. */
const LOOK_AGAIN_MS = 500

/** What the queue asks of its owner. */
export interface QueueHooks {
  /** The runs that wait, in the order in which they are to start. */
  waiting(): readonly Run[]
  /** What `auto` stands for in a run. @throws Failure where nobody can tell */
  resolveAuto(run: Run): Promise<string>
  /** Takes the devices for the run, in the library. */
  claim(run: string, devices: readonly string[]): Claim
  /** Works on a claimed run until it ends or waits again. Never rejects. */
  work(run: Run): Promise<void>
  /** A run that cannot be started. */
  refuse(run: Run, error: unknown): void
  /** The library cannot be used any more: no run will start. */
  abandon(error: unknown): void
}

/**
 * Starts runs: the highest priority first, then the oldest; runs on different devices together, at most one on each. A run
 * that must wait for one of its devices keeps the others from those behind it, so that it is not passed over for ever. It
 * holds no state of its own: who waits and who has which device stands in the library.
 */
export class RunQueue {
  readonly #hooks: QueueHooks
  readonly #work = new Set<Promise<void>>()
  /** What `auto` stands for, by run. */
  #auto = new Map<string, string>()
  #isAtWork = false
  #isAskedAgain = false
  #timer: NodeJS.Timeout | undefined

  constructor(hooks: QueueHooks) {
    this.#hooks = hooks
  }

  /** Looks for runs that can start. Call it whenever one waits, leaves, or is given another place. */
  look(): void {
    this.#isAskedAgain = true
    if (!this.#isAtWork) void this.#lookUntilQuiet()
  }

  /** Forgets what `auto` stands for: a device may be gone. */
  forgetDevices(): void {
    this.#auto.clear()
  }

  /** Settles when nothing is at work. */
  async idle(): Promise<void> {
    clearTimeout(this.#timer)
    while (this.#work.size > 0) await Promise.all(this.#work)
  }

  async #lookUntilQuiet(): Promise<void> {
    this.#isAtWork = true
    clearTimeout(this.#timer)
    // The caller resumes first, so that the run is reported as queued before it starts.
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

  /** `auto` is resolved for each run that waits, or that run is refused. */
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
      // Another process holds the device, and sends no event when it is free.
      if (claim !== undefined && 'heldBy' in claim) this.#lookLater()
      for (const device of devices) taken.add(device)
    }
  }

  /** A library that cannot take the claim ends the run. @throws Failure (storage) where another process holds the library */
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
