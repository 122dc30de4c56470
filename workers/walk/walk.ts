import type { Worker } from 'node:worker_threads'
import type { SectionSum } from '../graph/section-sums.ts'
import { SectionSums } from '../graph/section-sums.ts'
import type { ViewFile } from '../graph/view-file.ts'
import type { Barrier } from '../exchange/barrier.ts'
import type { ExchangeCounts } from '../exchange/replicated-states.ts'
import type { StopSignal } from '../job.ts'
import { Trace } from '../trace.ts'
import type { WalkMemory } from './walk-memory.ts'
import { walkMemory } from './walk-memory.ts'
import type { WalkSharing, WalkSizes } from './walk-plan.ts'
import { planWalk } from './walk-plan.ts'
import { WalkTeam, defaultWalkers } from './walk-team.ts'

export interface WalkOptions extends WalkSharing {
  readonly sizes: WalkSizes
  /** Threads. */
  readonly walkers?: number
  readonly trace?: Trace
  readonly signal?: StopSignal
  /** Where several workers wait for one another before the clock starts. */
  readonly barrier?: Barrier
}

const neverStops: StopSignal = { aborted: false }

/**
 * A view that does not fit its devices, and the threads that go through it: they read heads, which a device looks at first, read of the
 * tails what the rest needs, decide that, and note the members (docs/decisions/0014-walks-beside-the-device.md).
 */
export class Walk {
  readonly #view: ViewFile
  readonly #tailOffsets: Uint32Array
  readonly #options: WalkOptions
  readonly #trace: Trace
  #threads: Promise<Worker[]> | undefined
  #memory: WalkMemory | undefined
  #team: WalkTeam | undefined
  #sums: readonly SectionSum<'heads' | 'behind'>[] = []
  #bytesRead = 0
  #readMs = 0
  #counts: ExchangeCounts | undefined

  /** @param tailOffsets n + 1 places, in shared memory */
  constructor(view: ViewFile, tailOffsets: Uint32Array, options: WalkOptions) {
    this.#view = view
    this.#tailOffsets = tailOffsets
    this.#options = options
    this.#trace = options.trace ?? new Trace(false)
  }

  /** Has threads start while the caller does something else. */
  start(): void {
    this.#threads ??= WalkTeam.threads(this.#options.walkers ?? defaultWalkers(this.#options.workers ?? 1))
    // Whoever opens them hears of it.
    this.#threads.catch(() => {})
  }

  /** What the threads and the devices' workers share. @param states of all vertices, in shared memory: those to start from; the front is decided */
  lay(states: Uint32Array): WalkMemory {
    const { sizes, walkers, workers = 1 } = this.#options
    const plan = planWalk(this.#view.header, sizes, states, this.#options)
    this.#memory = walkMemory(plan, states, this.#tailOffsets, walkers ?? defaultWalkers(workers))
    return this.#memory
  }

  get barrier(): Barrier | undefined {
    return this.#options.barrier
  }

  /** @param bytes of states that the leading worker's device was told of groups that others took */
  took(bytes: number): void {
    if ((this.#options.workers ?? 1) > 1) this.#counts = countsOf(bytes)
  }

  /** What came from other workers, where there are some. */
  get counts(): ExchangeCounts | undefined {
    return this.#counts
  }

  /** Undefined until it is laid. */
  get memory(): WalkMemory | undefined {
    return this.#memory
  }

  /** Settles when the threads wait for what the board has. @param memory as it was laid */
  async open(memory: WalkMemory): Promise<void> {
    this.start()
    this.#team = await WalkTeam.open(memory, await this.#threads!, this.#view.path, this.#trace.isOn)
  }

  get team(): WalkTeam {
    if (this.#team === undefined) throw new Error('the walk is not open')
    return this.#team
  }

  /** Waits for what the threads do; counts it as reading where they read what the caller waits for. */
  async until(isReady: () => boolean, isReading: boolean): Promise<void> {
    const startMs = performance.now()
    await this.team.board.until(isReady, this.#options.signal ?? neverStops)
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

/** States pass in one pass, and as they are. */
export const countsOf = (bytes: number): ExchangeCounts => ({ bytesTaken: [bytes], listBytes: 0, wholeBytes: bytes })
