import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import { type CubicLattice, latticeModule } from './lattice-bonds.ts'

/** See lattice-spins.wat. */
interface Settler {
  readonly memory: WebAssembly.Memory
  readonly flips: WebAssembly.Global<'i64'>
  readonly up: WebAssembly.Global<'i64'>
  readonly broken: WebAssembly.Global<'i64'>
  readonly differ: WebAssembly.Global<'i64'>
  readonly negative: WebAssembly.Global<'i64'>
  readonly width: WebAssembly.Global<'i32'>
  readonly height: WebAssembly.Global<'i32'>
  readonly depth: WebAssembly.Global<'i32'>
  readonly x: WebAssembly.Global<'i32'>
  readonly y: WebAssembly.Global<'i32'>
  readonly z: WebAssembly.Global<'i32'>
  pass(plane: number): void
  measure(plane: number): void
}

export interface LatticeSums {
  readonly flips: number
  readonly up: number
  /** Bonds that are not satisfied, bonds between spins that differ, and those of them that are negative. */
  readonly broken: number
  readonly differ: number
  readonly negative: number
}

const PAGE_BYTES = 1 << 16
/** Read behind the last bits. */
const MARGIN_BYTES = 8

/** What settleSpins does, on a lattice by words. @param spins a bit each */
export function settleLattice(
  { width, height, depth }: CubicLattice,
  bonds: Uint32Array,
  spins: Uint32Array,
  job: JobContext,
): LatticeSums {
  const settler = latticeModule() as unknown as Settler
  const { memory } = settler
  const bytes = 4 * (spins.length + bonds.length) + MARGIN_BYTES
  memory.grow(Math.max(0, Math.ceil(bytes / PAGE_BYTES) - memory.buffer.byteLength / PAGE_BYTES))
  const words = new Uint32Array(memory.buffer, 0, spins.length + bonds.length)
  words.set(spins)
  words.set(bonds, spins.length)
  const [ofX, ofDirection] = [4 * spins.length, (4 * bonds.length) / 3]
  const places = { x: ofX, y: ofX + ofDirection, z: ofX + 2 * ofDirection }
  for (const [name, value] of Object.entries({ width, height, depth, ...places }))
    settler[name as keyof typeof places].value = value
  let flips = 0
  for (let more = 1; more > 0; flips += more) {
    more = 0
    for (let plane = 0; plane < depth; plane++) {
      throwIfCancelled(job.signal)
      job.progress({ phase: 'finish', done: plane * width * height, total: depth * width * height, unit: 'vertices' })
      settler.pass(plane)
      more += Number(settler.flips.value)
    }
  }
  for (let plane = 0; plane < depth; plane++) settler.measure(plane)
  spins.set(words.subarray(0, spins.length))
  const [up, broken, differ, negative] = [settler.up, settler.broken, settler.differ, settler.negative].map((sum) =>
    Number(sum.value),
  ) as [number, number, number, number]
  return { flips, up, broken, differ, negative }
}
