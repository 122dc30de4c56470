import { annealPropose } from '../../../kernels/annealing/anneal-propose.ts'
import { annealSettle } from '../../../kernels/annealing/anneal-settle.ts'
import { Failure } from '../../base/failure.ts'
import { bitWords } from '../../base/words.ts'
import {
  type Buffers,
  type Device,
  allocateBuffers,
  bytesOfBuffers,
  fillWords,
  releaseBuffers,
} from '../../device/device.ts'
import { type Chances, LARGE, type Sweeps, Annealing } from './annealing.ts'
import type { Adjacency } from './in-memory-graph.ts'
import { PIECES, SharedAnnealing, pieceOf } from './shared-annealing.ts'

/** Visits that a device may have before it: some milliseconds. */
const VISITS_AHEAD = 1 << 24

/** Words of the lists, and of the set and its proposals. */
const wordsOf = ({ vertices, targets }: Adjacency) => ({
  ...{ starts: vertices + 1, targets: targets.length },
  ...{ members: bitWords(vertices), proposing: bitWords(vertices) },
})

type SpaceOf = Buffers<keyof ReturnType<typeof wordsOf>>

/** The annealing of {@link SharedAnnealing} by a GPU, which has the lists in its memory: it finds the same set. */
class DeviceAnnealing implements Sweeps {
  readonly pieces = PIECES
  readonly #device: Device
  readonly #vertices: number
  readonly #space: SpaceOf
  #isFilled: Promise<void> | undefined
  #isDone: Promise<void> | undefined
  #visits = 0

  constructor(device: Device, vertices: number, space: SpaceOf) {
    this.#device = device
    this.#vertices = vertices
    this.#space = space
    device.clear(space.members, 0, space.members.words)
  }

  /** @throws Failure (device) without the memory */
  static async open(device: Device, adjacency: Adjacency): Promise<DeviceAnnealing> {
    const space = await allocateBuffers(device, wordsOf(adjacency))
    await fillWords(device, space.starts, adjacency.starts)
    await fillWords(device, space.targets, adjacency.targets)
    return new DeviceAnnealing(device, adjacency.vertices, space)
  }

  async members(): Promise<Uint32Array> {
    await this.#isFilled
    return this.#device.read(this.#space.members, 0, bitWords(this.#vertices))
  }

  replace(members: Uint32Array): void {
    this.#isFilled = fillWords(this.#device, this.#space.members, members.slice())
    this.#isFilled.catch(() => {})
  }

  async sweep(index: number, chances: Chances): Promise<void> {
    const vertices = this.#vertices
    const [first, past] = pieceOf(bitWords(vertices), index)
    await this.#isFilled
    const threads = 32 * (past - first)
    this.#device.launch(annealPropose, threads, { first, past, vertices, ...chances }, this.#space)
    this.#device.launch(annealSettle, threads, { first, past, low: first }, this.#space)
    this.#visits += threads
    if (this.#visits < VISITS_AHEAD) return
    this.#visits = 0
    const before = this.#isDone
    this.#isDone = this.#device.submit()
    this.#isDone.catch(() => {})
    await before
  }

  end(): void {
    releaseBuffers(this.#device, this.#space)
  }
}

/** A GPU that may take part, and what of its memory. */
export interface AnnealingDevice {
  readonly device: Device
  readonly budgetBytes: number
}

/** Sweeps of a large graph by the GPU if its memory holds the lists, else by all threads; of a small one by this thread. */
export async function sweepsOf(adjacency: Adjacency, gpu?: AnnealingDevice): Promise<Sweeps> {
  if (adjacency.vertices < LARGE) return new Annealing(adjacency)
  if (gpu === undefined || !isHeld(wordsOf(adjacency), gpu)) return new SharedAnnealing(adjacency)
  await gpu.device.prepare([annealPropose, annealSettle])
  try {
    return await DeviceAnnealing.open(gpu.device, adjacency)
  } catch (error) {
    // Another program has the memory.
    if (error instanceof Failure && error.code === 'device') return new SharedAnnealing(adjacency)
    throw error
  }
}

const isHeld = (words: Readonly<Record<string, number>>, { device, budgetBytes }: AnnealingDevice): boolean =>
  bytesOfBuffers(words) <= budgetBytes && 4 * Math.max(...Object.values(words)) <= device.maxBufferBytes
