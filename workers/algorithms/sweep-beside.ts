import { misFirst } from '../../kernels/mis-first.ts'
import type { Device, DeviceBuffer, Fill } from '../device/device.ts'
import { HEAD_WIDTH } from '../graph/oriented-view.ts'
import { readFrontBits } from '../graph/prepare-view.ts'
import { VertexSet } from '../graph/vertex-set.ts'
import { stateWords, VERTICES_PER_WORD } from '../graph/vertex-states.ts'
import type { ViewFile } from '../graph/view-file.ts'
import type { JobContext } from '../job.ts'
import { sharedWords } from '../walk/walk-memory.ts'
import type { WalkBoard } from '../walk/walk-memory.ts'
import type { WalkPlan } from '../walk/walk-plan.ts'
import { AHEAD, groupRange } from '../walk/walk-plan.ts'
import type { Walk } from '../walk/walk.ts'
import type { EclMisResult, Part } from './ecl-mis.ts'
import { decideFront, membersOfFront } from './front-vertices.ts'

/** Launches over the heads of a group before the host looks: chains within it are mostly shorter. A processor goes from front to back. */
const LAUNCHES = 3
/** Copies to a device go through so many buffers in turn, which are made at first use. */
const WARM_FILLS = 4

/**
 * A worker alone whose slabs do not fit its device: only heads go there, a group of vertices after another, in the order of the view,
 * while threads walk the groups before it and read those behind it. They decide what the heads leave, so one pass decides everything.
 */
export async function sweepBeside(part: Part, walk: Walk, view: ViewFile, job: JobContext): Promise<EclMisResult> {
  const { device, vertices } = part
  walk.start()
  await device.prepare([misFirst])
  const states = sharedWords(stateWords(vertices))
  if (part.states !== undefined) states.set(part.states)
  decideFront(states, view.header.front)
  const front = membersOfFront(readFrontBits(view), part.states)
  const plan = await walk.open(states)
  const { board, memory } = walk.team
  memory.members.set(front)
  const sweep = await DeviceSweep.open(part, plan, board, states)
  const waitedMs = walk.readMs
  await device.takeKernelMs()
  const startMs = performance.now()
  board.go()
  await sweepTurns(part, walk, plan, sweep, job)
  await walk.until(() => board.isDone, false)
  walk.checkSums()
  const computeMs = performance.now() - startMs - (walk.readMs - waitedMs)
  await part.afterStep?.(true, () => Promise.resolve(states.slice(0, stateWords(vertices))))
  const kernelMs = await device.takeKernelMs()
  sweep.release()
  const set = new VertexSet(vertices, new Uint8Array(memory.members.buffer, 0, Math.ceil(vertices / 8)))
  return { rounds: 1, roundCounts: [{ round: 1, undecided: 0 }], passes: 1, computeMs, kernelMs, set }
}

async function sweepTurns(part: Part, walk: Walk, plan: WalkPlan, sweep: DeviceSweep, job: JobContext): Promise<void> {
  const { board } = walk.team
  const { vertices } = part
  for (let turn = 0; turn < plan.turns.length; turn++) {
    await walk.until(() => sweep.throwIfFailed() || turn < AHEAD || board.isWalked(turn - AHEAD), false)
    await walk.until(() => board.headsAreRead(turn), true)
    await sweep.turn(turn)
    await part.afterStep?.(false, () => Promise.resolve(sweep.states.slice(0, stateWords(vertices))))
    const { end } = groupRange(plan, plan.turns[turn]!)
    job.progress({ phase: 'sweep', done: end, total: vertices, unit: 'vertices', round: 1 })
  }
  await walk.until(() => sweep.throwIfFailed() || sweep.isDone, false)
}

/** The device's side: takes the heads of one group after another, and gives the states of each back to the threads that walk it. */
class DeviceSweep {
  readonly states: Uint32Array
  readonly #part: Part
  readonly #plan: WalkPlan
  readonly #board: WalkBoard
  readonly #onDevice: DeviceBuffer
  readonly #heads: DeviceBuffer | undefined
  /** Turns before this one were decided when the device's states of them were last renewed. */
  #renewed = 0
  /** Groups that the threads may walk. */
  #released = 0
  #begun = 0
  #failed: { readonly error: unknown } | undefined

  private constructor(
    part: Part,
    plan: WalkPlan,
    board: WalkBoard,
    states: Uint32Array,
    onDevice: DeviceBuffer,
    heads: DeviceBuffer | undefined,
  ) {
    this.#part = part
    this.#plan = plan
    this.#board = board
    this.states = states
    this.#onDevice = onDevice
    this.#heads = heads
  }

  /** Whatever takes long the first time is done here. */
  static async open(part: Part, plan: WalkPlan, board: WalkBoard, states: Uint32Array): Promise<DeviceSweep> {
    const { device } = part
    if (device.sharesMemory)
      return new DeviceSweep(part, plan, board, states, await device.share('states', states), undefined)
    const onDevice = await device.allocate('states', states.length)
    await device.fill(onDevice, states.length, copyOf(states))
    const words = HEAD_WIDTH * plan.groupVertices
    const heads = await device.allocate('heads', words)
    for (let i = 0; i < WARM_FILLS; i++) await device.fill(heads, words, () => {})
    device.launch(misFirst, 1, { first: 0, count: 0 }, { states: onDevice, heads })
    await device.read(onDevice, 0, Math.min(states.length, stateWords(plan.groupVertices)))
    return new DeviceSweep(part, plan, board, states, onDevice, heads)
  }

  get isDone(): boolean {
    return this.#released === this.#plan.turns.length
  }

  /** @returns false */
  throwIfFailed(): false {
    if (this.#failed !== undefined) throw this.#failed.error
    return false
  }

  /** Queues the heads of a group; the threads are told when the device is done with it. */
  async turn(turn: number): Promise<void> {
    const { device, trace } = this.#part
    const group = this.#plan.turns[turn]!
    const { first, end } = groupRange(this.#plan, group)
    const params = { first, count: end - first }
    const heads = this.#board.headsOf(turn)
    this.#begun++
    if (device.sharesMemory) {
      const shared = await device.share('heads', heads)
      trace.span('kernel', `heads ${group}`, () => this.#launch(device, params, shared))
      return this.#release()
    }
    await trace.span('copy in', `heads ${group}`, async () => {
      await device.fill(this.#heads!, HEAD_WIDTH * params.count, copyOf(heads))
      await this.#renew(turn)
    })
    for (let launch = 0; launch < LAUNCHES; launch++) this.#launch(device, params, this.#heads!)
    const [word, words] = [first / VERTICES_PER_WORD, stateWords(params.count)]
    const reading = trace.span('kernel', `heads ${group}`, () => device.read(this.#onDevice, word, words))
    reading.then(
      (read) => {
        for (let i = 0; i < words; i++) this.states[word + i]! |= read[i]!
        this.#release()
      },
      (error: unknown) => {
        this.#failed ??= { error }
        this.#board.notify()
      },
    )
  }

  release(): void {
    const { device } = this.#part
    device.release(this.#onDevice)
    if (this.#heads !== undefined) device.release(this.#heads)
  }

  #launch(device: Device, params: { first: number; count: number }, heads: DeviceBuffer): void {
    device.launch(misFirst, params.count, params, { states: this.#onDevice, heads })
  }

  #release(): void {
    this.#released++
    this.#board.release()
  }

  /** Brings the device's states up to what the threads decided in groups that were not decided when it was told of them last. */
  async #renew(turn: number): Promise<void> {
    const from = this.#renewed
    // The device knows the states of groups that it still has to give back better than the host does.
    const to = Math.min(turn, this.#released)
    while (this.#renewed < to && this.#board.isDecided(this.#renewed)) this.#renewed++
    if (from >= to) return
    const first = groupRange(this.#plan, this.#plan.turns[from]!).first / VERTICES_PER_WORD
    const words = Math.ceil(groupRange(this.#plan, this.#plan.turns[to - 1]!).end / VERTICES_PER_WORD) - first
    await this.#part.device.fill(this.#onDevice, words, copyOf(this.states, first), first)
  }
}

/** Words from `first` on. */
function copyOf(words: Uint32Array, first = 0): Fill {
  return (bytes, at) => bytes.set(new Uint8Array(words.buffer, words.byteOffset + 4 * first + at, bytes.length))
}
