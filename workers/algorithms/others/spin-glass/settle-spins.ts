/**
 * The end of a spin run, on the host: spins of the best replica are flipped in order of their ids while that lowers the energy, until no single
 * flip does, and what they amount to is counted in whole quanta. Passes over the streamed graph by one thread; on a lattice by words, in
 * WebAssembly. The result does not depend on the workers that found the spins. spin-glass.ts calls it; check-spins.ts counts
 * again.
 */

import { PAGE_BYTES } from '../../../../kernels/kernel.ts'
import { bitWords } from '../../../base/words.ts'
import { type JobContext, throwIfCancelled } from '../../../base/job.ts'
import type { GaloisGr } from '../../../graph/galois-gr.ts'
import { type ListsRead, scanLists } from '../../../graph/scan-lists.ts'
import { type LatticeSum, latticeModule } from './lattice-layout.ts'
import { type CubicLattice, type SpinLayout, type SpinModel, couplingsOf, isGas } from './spin-model.ts'

/** Spins that no single flip betters, and what they amount to, in quanta. */
export interface SettledSpins {
  /** The spin of each vertex, 1 or 0. */
  readonly values: Uint32Array
  readonly up: number
  /** Above the least conceivable energy: see spin-energy.wgsl. */
  readonly cost: number
  /** Sizes of the couplings between spins that differ; of a cut what the edges weigh. */
  readonly cut: number
  readonly flips: number
}

/**
 * Flips spins in order of their ids while that lowers the energy, until no single flip does. Where all spins may be turned, the first one
 * is up. @param bits of the spins
 */
export function settleSpins(
  graph: GaloisGr,
  model: SpinModel,
  { lattice, bonds }: Pick<SpinLayout, 'lattice' | 'bonds'>,
  bits: Uint32Array,
  job: JobContext,
): SettledSpins {
  const { vertices } = graph
  if (lattice !== undefined) {
    const { flips, up, broken, differ, negative } = settleLattice(lattice, bonds, bits, job)
    const isTurned = (bits[0]! & 1) === 0
    const values = unpack(bits, vertices, isTurned ? 1 : 0)
    const cut = model.name === 'max-cut' ? 2 * negative - differ : differ
    return { values, up: isTurned ? vertices - up : up, cost: 2 * broken, cut, flips }
  }
  const spins = unpack(bits, vertices, 0)
  const flips = flipWhileBetter(graph, model, spins, job)
  const { cost, cut } = measured(graph, model, spins, job)
  const values = !isGas(model) && spins[0] === 0 ? spins.map((spin) => 1 - spin) : spins
  return { values, up: sum(values), cost: cost + (isGas(model) ? vertices - sum(spins) : 0), cut, flips }
}

const sum = (spins: Uint32Array): number => spins.reduce((all, spin) => all + spin, 0)

/** A word a vertex. @param turned 1: the other spins */
function unpack(bits: Uint32Array, vertices: number, turned: 0 | 1): Uint32Array {
  const values = new Uint32Array(vertices)
  for (let w = 0; w < bits.length; w++) {
    const word = turned === 1 ? ~bits[w]! : bits[w]!
    const first = 32 * w
    const count = Math.min(32, vertices - first)
    for (let i = 0; i < count; i++) values[first + i] = (word >>> i) & 1
  }
  return values
}

/** Passes over the lists until no flip betters. A vertex is looked at again only where a neighbour flipped since. @returns the flips */
function flipWhileBetter(graph: GaloisGr, model: SpinModel, spins: Uint32Array, job: JobContext): number {
  const constant = isGas(model) ? 1 : 0
  const isOpen = new Uint8Array(spins.length).fill(1)
  let open = spins.length
  let flips = 0
  while (open > 0)
    scanLists(graph, job, 'finish', (lists) => {
      const { first, offsets, targets } = lists
      const rows = offsets.length - 1
      if (!isOpen.subarray(first, first + rows).includes(1)) return
      const couplings = couplingsIn(lists, graph, model)
      for (let row = 0; row < rows; row++) {
        const v = first + row
        if (isOpen[v] === 0) continue
        isOpen[v] = 0
        open--
        let field = constant
        for (let arc = offsets[row]!; arc < offsets[row + 1]!; arc++) {
          const coupling = couplings[arc]! | 0
          if (spins[targets[arc]!] === 1) field += coupling
          else if (constant === 0) field -= coupling
        }
        if (spins[v] === 1 ? field >= 0 : field <= 0) continue
        spins[v]! ^= 1
        flips++
        for (let arc = offsets[row]!; arc < offsets[row + 1]!; arc++) {
          open += 1 - isOpen[targets[arc]!]!
          isOpen[targets[arc]!] = 1
        }
      }
    })
  return flips
}

/** What the edges cost, each from its larger end, and what those weigh that are cut. */
function measured(
  graph: GaloisGr,
  model: SpinModel,
  spins: Uint32Array,
  job: JobContext,
): { cost: number; cut: number } {
  const gas = isGas(model)
  let [cost, cut] = [0, 0]
  scanLists(graph, job, 'finish', (lists) => {
    const { first, offsets, targets } = lists
    const couplings = couplingsIn(lists, graph, model)
    for (let row = 0; row + 1 < offsets.length; row++) {
      const v = first + row
      for (let arc = offsets[row]!; arc < offsets[row + 1]! && targets[arc]! < v; arc++) {
        const coupling = couplings[arc]! | 0
        const isCut = spins[targets[arc]!] !== spins[v]
        if (isCut) cut += gas ? 1 : model.name === 'max-cut' ? -coupling : Math.abs(coupling)
        if (gas) cost += 2 * (spins[targets[arc]!]! & spins[v]!)
        else if (isCut === coupling > 0) cost += 2 * Math.abs(coupling)
      }
    }
  })
  return { cost, cut }
}

function couplingsIn({ first, offsets, targets, firstArc }: ListsRead, graph: GaloisGr, model: SpinModel): Uint32Array {
  const weights = model.weighted ? graph.readFloats(firstArc, firstArc + targets.length) : undefined
  return couplingsOf(model, first, offsets, targets, weights)
}

/** Read behind the last bits. */
const MARGIN_BYTES = 8

/** The same on a lattice, by words. @param spins a bit each */
function settleLattice(
  { width, height, depth }: CubicLattice,
  bonds: Uint32Array,
  spins: Uint32Array,
  job: JobContext,
): Readonly<Record<LatticeSum | 'flips', number>> {
  const settler = latticeModule()
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
  const of = (sum: LatticeSum): number => Number(settler[sum].value)
  return { flips, up: of('up'), broken: of('broken'), differ: of('differ'), negative: of('negative') }
}

/** The bits of all workers. */
export function joinedBits(best: readonly Uint32Array[], bounds: readonly number[]): Uint32Array {
  const bits = new Uint32Array(bitWords(bounds.at(-1)!))
  best.forEach((words, worker) => {
    const first = bounds[worker]! >>> 5
    const shift = bounds[worker]! & 31
    for (let i = 0; i < words.length; i++) {
      bits[first + i]! |= words[i]! << shift
      // Beyond the end where all of these bits are 0.
      if (shift > 0) bits[first + i + 1]! |= words[i]! >>> (32 - shift)
    }
  })
  return bits
}

/** Bits from a vertex on, of bits from the first on. */
export function bitsFrom(all: Uint32Array | undefined, first: number, words: number): Uint32Array {
  const bits = new Uint32Array(words)
  if (all === undefined) return bits
  for (let i = 0; i < 32 * words && first + i < 32 * all.length; i++)
    bits[i >>> 5]! |= ((all[(first + i) >>> 5]! >>> ((first + i) & 31)) & 1) << (i & 31)
  return bits
}
