import type { Worker } from 'node:worker_threads'
import type { SectionSum } from '../graph/section-sums.ts'
import { SectionSums } from '../graph/section-sums.ts'
import type { ViewFile } from '../graph/view-file.ts'
import type { StopSignal } from '../job.ts'
import { Trace } from '../trace.ts'
import { walkMemory } from './walk-memory.ts'
import type { WalkPlan, WalkSizes } from './walk-plan.ts'
import { planWalk } from './walk-plan.ts'
import { WalkTeam, defaultWalkers } from './walk-team.ts'

export interface WalkOptions {
  readonly sizes: WalkSizes
  readonly walkers?: number
  readonly trace?: Trace
  readonly signal?: StopSignal
}

const neverStops: StopSignal = { aborted: false }

/**
 * A view that does not fit a device, and the threads that go through it: they read heads, which the device looks at first, read of the
 * tails what the rest needs, decide that, and note the members (docs/decisions/0014-walks-beside-the-device.md).
 */
export class Walk {
  readonly #view: ViewFile
  readonly #tailOffsets: Uint32Array
  readonly #options: WalkOptions
  readonly #trace: Trace
  #threads: Promise<Worker[]> | undefined
  #team: WalkTeam | undefined
  #sums: readonly SectionSum<'heads' | 'behind'>[] = []
  #bytesRead = 0
  #readMs = 0

  /** @param tailOffsets n + 1 places, in shared memory */
  constructor(view: ViewFile, tailOffsets: Uint32Array, options: WalkOptions) {
    this.#view = view
    this.#tailOffsets = tailOffsets
    this.#options = options
    this.#trace = options.trace ?? new Trace(false)
  }

  /** Has threads start while the caller does something else. */
  start(): void {
    this.#threads ??= WalkTeam.threads(this.#options.walkers ?? defaultWalkers())
    // Whoever opens them hears of it.
    this.#threads.catch(() => {})
  }

  /** @param states of all vertices, in shared memory: those to start from; the front is decided */
  async open(states: Uint32Array): Promise<WalkPlan> {
    this.start()
    const threads = await this.#threads!
    const plan = planWalk(this.#view.header, this.#options.sizes, states)
    const memory = walkMemory(plan, states, this.#tailOffsets, threads.length)
    this.#team = await WalkTeam.open(memory, threads, this.#view.path, this.#trace.isOn)
    return plan
  }

  get team(): WalkTeam {
    if (this.#team === undefined) throw new Error('the walk is not open')
    return this.#team
  }

  /** Waits for what the threads do; counts it as reading where they read what the caller waits for. */
  async until(isReady: () => boolean, isReading: boolean): Promise<void> {
    const startMs = performance.now()
    await this.team.until(isReady, this.#options.signal ?? neverStops)
    if (isReading) this.#readMs += performance.now() - startMs
  }

  /** @throws Failure (input) when a section was read whole and is not what was written */
  checkSums(): void {
    const { heads, behind } = this.#view.header
    this.#sums = this.team.sums(this.#view)
    const sums = new SectionSums(this.#view.path, { heads, behind })
    for (const sum of this.#sums) sums.add(sum)
  }

  /** Milliseconds that the caller waited for heads. */
  get readMs(): number {
    return this.#readMs
  }

  get bytesRead(): number {
    return this.#team?.bytesRead ?? this.#bytesRead
  }

  async release(): Promise<void> {
    if (this.#team === undefined) {
      for (const thread of (await this.#threads?.catch(() => [])) ?? []) WalkTeam.keep(thread)
      return
    }
    this.#trace.add(await this.#team.close())
    this.#bytesRead = this.#team.bytesRead
    this.#team = undefined
  }
}
