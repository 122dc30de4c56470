/**
 * A device that runs the WGSL of kernels itself (wgsl-program.ts), with workgroups and invocations interleaved at random: what a GPU may do and a
 * software adapter, which runs one workgroup after another, never does. A seed decides all of it, so that what it finds can be found again.
 * Memory is sequentially consistent: an order that only a weaker memory allows is not found.
 */
import type { AnyKernel } from '../../../kernels/kernel.ts'
import type { DeviceBuffer } from '../../../workers/device/device.ts'
import { TwinDevice } from '../twin-device.ts'
import { BARRIER, type Program, programOf, type Workgroup } from './wgsl-program.ts'

/** Workgroups that are under way at a time, at most. */
const MOST_RESIDENT = 32
/** Pauses that an invocation passes in one turn, at most, and barriers that a workgroup does. */
const MOST_PAUSES = 40
const MOST_BARRIERS = 10
/** Turns of whole workgroups, from barrier to barrier; the others are of single invocations, between those of other workgroups. */
const WHOLE = 0.5
/** Turns until the speeds of workgroups are drawn anew, at most: a slow one stands still meanwhile. */
const LONGEST_MOOD = 200
/** Workgroups of a kernel that takes its work in strides: as many as are there. */
const STRIDING = 24

const isStriding = (wgsl: string): boolean => /\+= (stride|.*groups\.x)/.test(wgsl)

const programs = new Map<string, Program>()

export class InterleavedDevice extends TwinDevice {
  /** Launches that were interleaved, by the names of their kernels. */
  readonly launched = new Map<string, number>()
  readonly #random: () => number
  readonly #interleaves: (kernel: AnyKernel) => boolean

  /** @param interleaves which kernels; the others run as their twins */
  constructor(random: () => number, interleaves: (kernel: AnyKernel) => boolean = () => true) {
    super('gpu:0')
    this.#random = random
    this.#interleaves = interleaves
  }

  override launch<P extends string, B extends string>(
    kernel: AnyKernel<P, B>,
    threads: number,
    params: Record<P, number>,
    buffers: Record<B, DeviceBuffer>,
  ): void {
    if (!this.#interleaves(kernel)) return super.launch(kernel, threads, params, buffers)
    const arrays = Object.fromEntries(kernel.buffers.map(({ name }) => [name, arrayOf(buffers[name])]))
    this.launched.set(kernel.name, (this.launched.get(kernel.name) ?? 0) + 1)
    try {
      const all = Math.ceil(threads / kernel.workgroup)
      interleave(kernel, isStriding(kernel.wgsl) ? Math.min(all, STRIDING) : all, params, arrays, this.#random)
    } catch (error) {
      throw new Error(`${kernel.name}: ${String(error)}`, { cause: error })
    }
  }
}

function arrayOf(buffer: DeviceBuffer): Uint32Array {
  if ('array' in buffer && buffer.array instanceof Uint32Array) return buffer.array
  throw new Error(`${buffer.label} is of another device`)
}

/** Runs a kernel once, over so many workgroups. */
export function interleave(
  { wgsl, workgroup }: AnyKernel,
  groups: number,
  params: Readonly<Record<string, number>>,
  buffers: Readonly<Record<string, Uint32Array>>,
  random: () => number,
): void {
  const program = programs.get(wgsl) ?? programOf(wgsl)
  programs.set(wgsl, program)
  const launch = program(params, buffers)
  const below = (n: number): number => Math.floor(n * random())
  const resident: RunningGroup[] = []
  const mostResident = 1 + below(MOST_RESIDENT)
  let next = 0
  for (let mood = 0; next < groups || resident.length > 0; mood--) {
    while (next < groups && resident.length < mostResident) {
      resident.push(new RunningGroup(launch.workgroup(), { group: next++, groups, lanes: workgroup }))
    }
    if (mood <= 0) {
      for (const group of resident) group.speed = random() ** 4
      mood = below(LONGEST_MOOD)
    }
    const at = below(resident.length)
    const group = resident[at]!
    // A slow one waits for most turns, unless it is alone.
    if (resident.length > 1 && random() > group.speed + 0.01) continue
    if (random() < WHOLE) for (let barriers = below(MOST_BARRIERS); barriers >= 0; barriers--) group.proceed(below)
    else group.step(below, 1 + below(MOST_PAUSES))
    if (group.isOver) resident.splice(at, 1)
  }
}

/** A workgroup that is under way. */
class RunningGroup {
  speed = 1
  /** Invocations that may go on, and those that wait at a barrier. */
  readonly #ready: Generator<number | undefined, void>[]
  #waiting: Generator<number | undefined, void>[] = []

  constructor(workgroup: Workgroup, { group, groups, lanes }: { group: number; groups: number; lanes: number }) {
    this.#ready = Array.from({ length: lanes }, (_, lane) => workgroup.invocation({ group, groups, lane }))
  }

  get isOver(): boolean {
    return this.#ready.length === 0 && this.#waiting.length === 0
  }

  /** All of its invocations go on to the next barrier, or to their end. */
  proceed(below: (n: number) => number): void {
    const waiting = this.#waiting
    while (waiting === this.#waiting && !this.isOver) this.step(below, Infinity)
  }

  /** One of its invocations goes on for so many pauses, or to its end or a barrier. */
  step(below: (n: number) => number, pauses: number): void {
    const at = below(this.#ready.length)
    const invocation = this.#ready[at]!
    for (let pause = 0; pause < pauses; pause++) {
      const { done, value } = invocation.next()
      if (done !== true && value !== BARRIER) continue
      this.#ready[at] = this.#ready.at(-1)!
      this.#ready.pop()
      if (done !== true) this.#waiting.push(invocation)
      break
    }
    if (this.#ready.length > 0 || this.#waiting.length === 0) return
    this.#ready.push(...this.#waiting)
    this.#waiting = []
  }
}
