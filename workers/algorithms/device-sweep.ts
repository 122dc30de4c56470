import { misFirst } from '../../kernels/mis-first.ts'
import type { Device, DeviceBuffer } from '../device/device.ts'
import { copyOf } from '../device/fill-words.ts'
import { HEAD_WIDTH } from '../graph/oriented-view.ts'
import { stateWords, VERTICES_PER_WORD } from '../graph/vertex-states.ts'
import type { Trace } from '../trace.ts'
import type { WalkMemory } from '../walk/walk-memory.ts'
import { WalkBoard } from '../walk/walk-board.ts'
import type { WalkPlan } from '../walk/walk-plan.ts'
import { groupRange } from '../walk/walk-plan.ts'

/** Launches over the heads of a group before the host looks: chains within it are mostly shorter. A processor goes from front to back. */
const LAUNCHES = 3
/** Copies to a device go through so many buffers in turn, which are made at first use. */
const WARM_FILLS = 4

/** Of the workers of a walk, one, and its device. */
export interface SweepWorker {
  readonly device: Device
  readonly trace: Trace
  readonly worker: number
}

interface OnDevice {
  readonly states: DeviceBuffer
  /** Of the group that passes through; absent where heads stay, or the device works in the host's memory. */
  readonly passing: DeviceBuffer | undefined
}

/** A device's side of a walk: takes the heads of its groups, one after another, and gives the states of each back to the threads that walk it. */
export class DeviceSweep {
  readonly board: WalkBoard
  /** Turns of this device, ascending. */
  readonly turns: readonly number[]
  readonly #of: SweepWorker
  readonly #plan: WalkPlan
  readonly #states: Uint32Array
  readonly #onDevice: OnDevice
  /** Heads that stay, by turn. */
  readonly #resident = new Map<number, DeviceBuffer>()
  /** Turns before this one were decided when the device's states of them were last renewed; so far it was told of others' groups. */
  #renewed = 0
  #told = 0
  /** Own turns that the threads may walk. */
  #released = 0
  #taken = 0
  #failed: { readonly error: unknown } | undefined

  private constructor(of: SweepWorker, { plan, states }: WalkMemory, board: WalkBoard, onDevice: OnDevice) {
    const all = Array.from(plan.turns.keys())
    this.board = board
    this.turns = all.filter((turn) => turn % plan.workers === of.worker)
    this.#of = of
    this.#plan = plan
    this.#states = states
    this.#onDevice = onDevice
  }

  /** Whatever takes long the first time is done here. */
  static async open(of: SweepWorker, memory: WalkMemory): Promise<DeviceSweep> {
    const { device } = of
    const { plan, states } = memory
    const board = new WalkBoard(memory)
    if (device.sharesMemory) {
      const shared = await device.share('states', states)
      return new DeviceSweep(of, memory, board, { states: shared, passing: undefined })
    }
    const onDevice = await device.allocate('states', states.length)
    await device.fill(onDevice, states.length, copyOf(states))
    const words = HEAD_WIDTH * plan.groupVertices
    const heads = await device.allocate('heads', words)
    for (let i = 0; i < WARM_FILLS; i++) await device.fill(heads, words, () => {})
    device.launch(misFirst, 1, { first: 0, count: 0 }, { states: onDevice, heads })
    await device.read(onDevice, 0, Math.min(states.length, stateWords(plan.groupVertices)))
    if (plan.stays) device.release(heads)
    return new DeviceSweep(of, memory, board, { states: onDevice, passing: plan.stays ? undefined : heads })
  }

  get isDone(): boolean {
    return this.#released === this.turns.length
  }

  /** Bytes of states that the device was told of groups that other workers took. */
  get taken(): number {
    return this.#taken
  }

  /** @returns false */
  throwIfFailed(): false {
    if (this.#failed !== undefined) throw this.#failed.error
    return false
  }

  /** Takes heads to the device that stay there; they are read. */
  async keep(turn: number): Promise<void> {
    const { device, trace } = this.#of
    if (device.sharesMemory) return
    const { first, end } = this.#rangeOf(turn)
    const words = HEAD_WIDTH * (end - first)
    const heads = await device.allocate('heads', words)
    this.#resident.set(turn, heads)
    await trace.span('copy in', `heads ${turn}`, () => device.fill(heads, words, copyOf(this.board.headsOf(turn))))
  }

  /** Queues the heads of a group; the threads are told when the device is done with it. */
  async turn(turn: number): Promise<void> {
    const { device, trace } = this.#of
    const { first, end } = this.#rangeOf(turn)
    const params = { first, count: end - first }
    const words = this.board.headsOf(turn)
    if (device.sharesMemory) {
      const shared = await device.share('heads', words)
      trace.span('kernel', `heads ${turn}`, () => this.#launch(params, shared))
      return this.#release(turn)
    }
    const heads = this.#resident.get(turn) ?? this.#onDevice.passing!
    await trace.span('copy in', `heads ${turn}`, async () => {
      if (heads === this.#onDevice.passing) await device.fill(heads, HEAD_WIDTH * params.count, copyOf(words))
      await this.#renew(turn)
    })
    for (let launch = 0; launch < LAUNCHES; launch++) this.#launch(params, heads)
    this.#giveBack(turn, first / VERTICES_PER_WORD, stateWords(params.count))
  }

  release(): void {
    const { device } = this.#of
    device.release(this.#onDevice.states)
    if (this.#onDevice.passing !== undefined) device.release(this.#onDevice.passing)
    for (const heads of this.#resident.values()) device.release(heads)
  }

  #rangeOf(turn: number): { first: number; end: number } {
    return groupRange(this.#plan, this.#plan.turns[turn]!)
  }

  #giveBack(turn: number, word: number, words: number): void {
    const { device, trace } = this.#of
    const reading = trace.span('kernel', `heads ${turn}`, () => device.read(this.#onDevice.states, word, words))
    reading.then(
      (read) => {
        for (let i = 0; i < words; i++) this.#states[word + i]! |= read[i]!
        this.#release(turn)
      },
      (error: unknown) => {
        this.#failed ??= { error }
        this.board.notify()
      },
    )
  }

  #launch(params: { first: number; count: number }, heads: DeviceBuffer): void {
    this.#of.device.launch(misFirst, params.count, params, { states: this.#onDevice.states, heads })
  }

  #release(turn: number): void {
    this.#released++
    this.board.release(turn)
  }

  /** Brings the device's states up to what was decided elsewhere, in groups that were not decided when it was told of them last. */
  async #renew(turn: number): Promise<void> {
    const from = this.#renewed
    // The device knows the states of groups that it still has to give back better than the host does.
    const to = Math.min(turn, this.turns[this.#released] ?? turn)
    while (this.#renewed < to && this.board.isDecided(this.#renewed)) this.#renewed++
    if (from >= to) return
    const first = this.#rangeOf(from).first / VERTICES_PER_WORD
    const words = Math.ceil(this.#rangeOf(to - 1).end / VERTICES_PER_WORD) - first
    await this.#of.device.fill(this.#onDevice.states, words, copyOf(this.#states, first), first)
    for (; this.#told < to; this.#told++) {
      const { first: begin, end } = this.#rangeOf(this.#told)
      if (this.#told % this.#plan.workers !== this.#of.worker) this.#taken += 4 * stateWords(end - begin)
    }
  }
}
