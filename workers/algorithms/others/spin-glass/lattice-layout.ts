/**
 * Whether a graph is a periodic cubic lattice with even sides whose couplings have one size, and then its layout: everything but the signs of
 * the bonds follows from a formula, 3 bits a site in place of lists. Every list is compared with the formula, by threads that take ranges of
 * sites from a board; the first that differs makes it a graph as any other (spin-model.ts). The kernels of a lattice work on words of 32 sites
 * or replicas.
 */

import { processorsHere } from '../../../base/host-resources.ts'
import { type JobContext, throwIfCancelled } from '../../../base/job.ts'
import { GaloisGr, type GraphHandle } from '../../../graph/galois-gr.ts'
import { bitWords, sharedWords } from '../../../base/words.ts'
import { ScanBoard } from '../../../streaming/piece-scan.ts'
import { allDone, runInThread } from '../../../threads/thread-pool.ts'
import { cutRanges } from '../../arc-store.ts'
import {
  type CubicLattice,
  type SpinLayout,
  groupedVertices,
  type SpinModel,
  commonCoupling,
  isGas,
  couplingsOf,
} from './spin-model.ts'
import { LatticeLists } from '../../../generate/lattice-lists.ts'
import { LATTICE_SPINS } from '../../../../kernels/spin-glass/modules.ts'
import { wasmExports } from '../../../../kernels/parts/wasm-exports.ts'

/** Sites: with fewer, a thread starts no sooner than another has done its part. */
const LEAST_A_THREAD = 1 << 21

/** The lattice that the list of vertex 0 suggests, which names the three sides; undefined: it does not, or a side is odd or below 4. */
function latticeOf(graph: GaloisGr): CubicLattice | undefined {
  const { vertices } = graph
  if (vertices < 64) return undefined
  const { first, end } = graph.arcsOf(0)
  if (end - first !== 6) return undefined
  const [, , width = 0, , area = 0] = graph.readTargets(first, end)
  const [height, depth] = [area / width, vertices / area]
  const areEven = [width, height, depth].every((side) => Number.isInteger(side) && side >= 4 && side % 2 === 0)
  return areEven ? { width, height, depth } : undefined
}

/** Bounds of the workers: whole planes where the graph may be a lattice, else about equal arcs. */
export function spinBounds(graph: GaloisGr, workers: number): number[] {
  const lattice = latticeOf(graph)
  if (lattice === undefined) return cutRanges(graph, workers)
  const { width, height, depth } = lattice
  return Array.from({ length: workers + 1 }, (_, worker) => Math.round((depth * worker) / workers) * width * height)
}

/**
 * The layout of a periodic cubic lattice with even sides whose couplings have one size: all but its bonds by formula. @returns undefined for
 * any other graph @throws Failure (cancelled)
 */
export async function layOutLattice(
  graph: GaloisGr,
  model: SpinModel,
  bounds: readonly number[],
  job: JobContext,
): Promise<SpinLayout | undefined> {
  const lattice = isGas(model) ? undefined : latticeOf(graph)
  if (lattice === undefined) return undefined
  const { vertices } = graph
  const bonds = sharedWords(3 * bitWords(vertices))
  const board = new ScanBoard()
  if (!(await areTaken(graph, { graph: graph.handle, model, lattice, bonds, board: board.words }, board, job)))
    return undefined
  if (!model.weighted && commonCoupling[model.name] < 0) bonds.fill(0xffffffff)
  return {
    ...{ lattice, bonds, colours: new Uint16Array(0), colourCount: 2, largestField: 6, allCouplings: 3 * vertices },
    ...bordersOf(lattice, bounds),
  }
}

async function areTaken(graph: GaloisGr, task: BondsTask, board: ScanBoard, job: JobContext): Promise<boolean> {
  const { vertices } = graph
  const look = (sites: number): void => {
    if (job.signal.aborted) board.stop()
    job.progress({ phase: 'scan', done: Math.min(vertices, sites), total: vertices, unit: 'vertices' })
  }
  const threads = Math.min(processorsHere(), Math.floor(vertices / LEAST_A_THREAD))
  if (threads < 2) return takeBonds(graph, task, look)
  try {
    const takers = Array.from({ length: threads }, () => runInThread<BondsTask, boolean>('lattice-bonds', task))
    const taken = await allDone(takers, board, () => look(BONDS_RANGE * board.taken))
    return taken.every((isTaken) => isTaken)
  } finally {
    throwIfCancelled(job.signal)
  }
}

/** The first and the last plane of every worker, colour by colour. */
function bordersOf(
  { width, height, depth }: CubicLattice,
  bounds: readonly number[],
): Pick<SpinLayout, 'boundary' | 'beside'> {
  const workers = bounds.length - 1
  const area = width * height
  const beside = new Uint8Array(workers ** 2)
  const planes = bounds.map((bound) => bound / area)
  const ownerOf = (plane: number): number => planes.findIndex((_, w) => plane < planes[w + 1]!)
  const outer = planes.slice(1).map((high, worker) => {
    const low = planes[worker]!
    if (workers === 1 || low === high) return []
    for (const plane of [low + depth - 1, high]) beside[worker * workers + ownerOf(plane % depth)] = 1
    return [...new Set([low, high - 1])]
  })
  const boundary = groupedVertices(2 * workers, (look) =>
    outer.forEach((own, worker) => {
      for (const z of own)
        for (let i = 0; i < area; i++) look(z * area + i, 2 * worker + (((i % width) + Math.floor(i / width) + z) & 1))
    }),
  )
  return { boundary, beside }
}

/** The task of every thread that takes bonds; arrays are in shared memory. */
interface BondsTask {
  readonly graph: GraphHandle
  readonly model: SpinModel
  readonly lattice: CubicLattice
  /** A bit a site for each direction, set if the coupling to the next site is negative. */
  readonly bonds: Uint32Array
  /** The words of a {@link ScanBoard}, which counts ranges. */
  readonly board: Int32Array
}

/** Sites that a thread takes at a time: whole words. */
const BONDS_RANGE = 1 << 16

export async function bondsTask(task: BondsTask): Promise<boolean> {
  const graph = GaloisGr.of(task.graph)
  try {
    return takeBonds(graph, task, () => {})
  } finally {
    graph.close()
  }
}

/** @returns false where a list is not that of the lattice, or a coupling is of another size @throws Failure (cancelled) */
function takeBonds(graph: GaloisGr, task: BondsTask, progress: (sites: number) => void): boolean {
  const board = new ScanBoard(task.board)
  const bonds = new LatticeBonds(graph, task)
  for (;;) {
    const first = BONDS_RANGE * board.take('lists', 1)
    if (first >= graph.vertices) return true
    progress(first)
    throwIfCancelled({ aborted: board.isStopped })
    if (!bonds.take(first, Math.min(graph.vertices, first + BONDS_RANGE))) return false
  }
}

type Globals<Type extends WebAssembly.ValueType, Name extends string> = Readonly<Record<Name, WebAssembly.Global<Type>>>

/** Spins that are up, bonds that are not satisfied, bonds between spins that differ, and those of them that are negative. */
export type LatticeSum = 'up' | 'broken' | 'differ' | 'negative'

/** See lattice-spins.wat. */
interface LatticeModule
  extends Globals<'i64', 'seed' | 'flips' | LatticeSum>, Globals<'i32', keyof CubicLattice | 'x' | 'y' | 'z'> {
  readonly memory: WebAssembly.Memory
  draw(bit: number, count: number, lo: number, hi: number): void
  pass(plane: number): void
  measure(plane: number): void
}

export const latticeModule = (): LatticeModule => wasmExports(LATTICE_SPINS)

class LatticeBonds {
  readonly #graph: GaloisGr
  readonly #task: BondsTask
  readonly #lists: LatticeLists
  readonly #drawer = latticeModule()
  readonly #expected = new Uint32Array(6 * BONDS_RANGE)
  readonly #found = new Uint32Array(6 * BONDS_RANGE)

  constructor(graph: GaloisGr, task: BondsTask) {
    this.#graph = graph
    this.#task = task
    this.#lists = new LatticeLists({ ...task.lattice, periodic: true })
    this.#drawer.seed.value = BigInt(task.model.seed)
  }

  take(first: number, last: number): boolean {
    const { model } = this.#task
    if (!this.#areLists(first, last)) return false
    if (model.weighted) return this.#weigh(first, last)
    if (model.name === 'bimodal') this.#draw(first, last)
    return true
  }

  #areLists(first: number, last: number): boolean {
    const offsets = this.#graph.readOffsets(first, last)
    for (let i = 0; i < offsets.length; i++) if (offsets[i] !== 6 * (first + i)) return false
    const words = 6 * (last - first)
    const [expected, found] = [this.#expected.subarray(0, words), this.#found.subarray(0, words)]
    this.#lists.targets(6 * first, 6 * last, expected)
    this.#graph.readTargets(6 * first, 6 * last, found)
    return Buffer.from(expected.buffer, 0, 4 * words).equals(Buffer.from(found.buffer, 0, 4 * words))
  }

  #weigh(first: number, last: number): boolean {
    const { model, bonds } = this.#task
    const words = bonds.length / 3
    const offsets = Uint32Array.from({ length: last - first + 1 }, (_, i) => 6 * i)
    const weights = this.#graph.readFloats(6 * first, 6 * last)
    const couplings = couplingsOf(model, first, offsets, this.#found.subarray(0, weights.length), weights)
    for (let arc = 0; arc < couplings.length; arc++) {
      const coupling = couplings[arc]! | 0
      if (coupling !== 1 && coupling !== -1) return false
      if (coupling === 1) continue
      const v = first + Math.floor(arc / 6)
      const direction = this.#ahead(v).indexOf(this.#found[arc]!)
      if (direction >= 0) bonds[direction * words + (v >>> 5)]! |= 1 << (v & 31)
    }
    return true
  }

  /** The next sites to the right, under and after one. */
  #ahead(v: number): readonly number[] {
    const { width, height, depth } = this.#task.lattice
    const area = width * height
    const [x, y, z] = [v % width, Math.floor(v / width) % height, Math.floor(v / area)]
    return [
      x + 1 === width ? v + 1 - width : v + 1,
      y + 1 === height ? v + width - area : v + width,
      z + 1 === depth ? v - (depth - 1) * area : v + area,
    ]
  }

  #draw(first: number, last: number): void {
    const { lattice, bonds } = this.#task
    const { width } = lattice
    const words = bonds.length / 3
    const drawn = new Uint32Array(this.#drawer.memory.buffer, 0, (3 * BONDS_RANGE) / 32)
    drawn.fill(0)
    // Sites whose next one is at the same distance.
    const draw = (direction: number, v: number, count: number): void => {
      const next = this.#ahead(v)[direction]!
      const bit = direction * BONDS_RANGE + v - first
      this.#drawer.draw(bit, count, Math.min(v, next), Math.max(v, next))
    }
    for (let v = first; v < last;) {
      const end = Math.min(last, v - (v % width) + width)
      const closes = end % width === 0 ? 1 : 0
      if (end - closes > v) draw(0, v, end - closes - v)
      if (closes === 1) draw(0, end - 1, 1)
      draw(1, v, end - v)
      draw(2, v, end - v)
      v = end
    }
    const count = Math.ceil((last - first) / 32)
    for (let direction = 0; direction < 3; direction++) {
      const from = (direction * BONDS_RANGE) / 32
      bonds.set(drawn.subarray(from, from + count), direction * words + first / 32)
    }
  }
}
