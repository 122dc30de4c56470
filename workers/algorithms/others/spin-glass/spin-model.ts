/**
 * What is minimised: H = -sum J s s over edges, in whole multiples of a quantum. `bimodal`: J = 1 or -1 by a hash of the edge under a seed;
 * `ising`: J = 1; `couplings`: J is what an edge weighs, less `zero`; `max-cut`: J is that, negative; `independent-set`: a gas, H = -sum x + 2
 * sum x x, x = 1 for a spin that is up. Here are also the layout of any graph for it, first-fit colours and the boundaries between workers, and
 * the words of couplings; lattice-layout.ts has that of cubic lattices.
 */

import { EdgeHash } from '../../../../kernels/parts/edge-hash.ts'
import { type Failure, UNIT_WEIGHTS, inputFailure } from '../../../base/failure.ts'
import type { PlannedOptions, RunArgs } from '../../../contract/jobs.ts'
import type { GaloisGr } from '../../../graph/galois-gr.ts'
import type { ArcBatch, ArcChoice } from '../../arc-store.ts'
import { type JobContext, throwIfCancelled } from '../../../base/job.ts'
import { sharedWords } from '../../../base/words.ts'
import { scanLists } from '../../../graph/scan-lists.ts'
import type { Range } from '../../../base/ranges.ts'

/** A model and its unit. */
export interface SpinModel {
  readonly name: NonNullable<RunArgs['model']>
  /** The seed of the couplings of `bimodal`. */
  readonly seed: number
  /** Whether edges weigh what the graph says, less `zero`; else 1. */
  readonly weighted: boolean
  readonly zero: number
  /** Couplings are whole multiples of it. */
  readonly quantum: number
  /** The mean size of a coupling, not in quanta. */
  readonly size: number
}

export const isGas = ({ name }: Pick<SpinModel, 'name'>): boolean => name === 'independent-set'

/** Whether weights count: as asked, else if the graph has any. */
export const isWeighted = ({ model, weights }: PlannedOptions, graph: Pick<GaloisGr, 'weighted'>): boolean =>
  model === 'couplings' || (model === 'max-cut' && (weights === 'column' || (weights !== 'unit' && graph.weighted)))

/** The coupling of all edges without weights; of `bimodal` but for its sign. */
export const commonCoupling = { bimodal: 1, ising: 1, couplings: 1, 'max-cut': -1, 'independent-set': -2 } as const

/** The couplings of the lists of consecutive vertices, in quanta, as words. */
export function couplingsOf(
  { name, seed, zero, quantum }: SpinModel,
  first: number,
  offsets: Uint32Array,
  targets: Uint32Array,
  weights: Float32Array | undefined,
): Uint32Array {
  const couplings = new Uint32Array(targets.length)
  if (weights !== undefined) {
    const sign = name === 'max-cut' ? -1 : 1
    for (let arc = 0; arc < weights.length; arc++) couplings[arc] = sign * Math.round((weights[arc]! - zero) / quantum)
    return couplings
  }
  if (name !== 'bimodal') return couplings.fill(commonCoupling[name])
  const hash = new EdgeHash(seed)
  let [highs, lows] = [new Uint32Array(64), new Uint32Array(64)]
  for (let row = 0; row + 1 < offsets.length; row++) {
    const [begin, count] = [offsets[row]!, offsets[row + 1]! - offsets[row]!]
    if (count > highs.length) [highs, lows] = [new Uint32Array(2 * count), new Uint32Array(2 * count)]
    hash.ofList(first + row, targets, begin, count, highs, lows)
    for (let i = 0; i < count; i++) couplings[begin + i] = highs[i]! >>> 31 === 0 ? 1 : -1
  }
  return couplings
}

/** The choice of an arc store that adds couplings. */
export function couplingChoice(graph: GaloisGr, model: SpinModel): ArcChoice {
  return (offsets, targets, { first, firstArc, arcs }: ArcBatch) => {
    const weights = model.weighted ? graph.readFloats(firstArc, firstArc + arcs) : undefined
    return { offsets, targets, values: couplingsOf(model, first, offsets, targets, weights) }
  }
}

/** A periodic cubic lattice: vertex (z * height + y) * width + x. */
export interface CubicLattice {
  readonly width: number
  readonly height: number
  readonly depth: number
}

/** How spins are laid out for all workers. */
export interface SpinLayout {
  /** The colour of every vertex: no two neighbours have the same. Empty for a lattice, whose sites have the parity of x + y + z. */
  readonly colours: Uint16Array
  readonly colourCount: number
  /** Whether all couplings have one size and the graph is such a lattice, with even sides. */
  readonly lattice: CubicLattice | undefined
  /** The bonds of the lattice, in shared memory. */
  readonly bonds: Uint32Array
  /** The largest field that a vertex may feel, in quanta. */
  readonly largestField: number
  /** The sum of the sizes of all couplings, each edge once, in quanta. */
  readonly allCouplings: number
  /** Vertices beside others of another worker, worker by worker and colour by colour. */
  readonly boundary: Boundary
  /** Whether workers u and w share an edge, at u * workers + w. */
  readonly beside: Uint8Array
}

/** Those of worker w and colour c are ids [starts[w * colours + c], starts[w * colours + c + 1]). */
interface Boundary {
  readonly ids: Uint32Array
  readonly starts: readonly number[]
}

const MOST_COLOURS = 1 << 16

/** The resolution to which couplings are rounded, by the largest one, unless they are whole numbers up to it. */
export const RESOLUTION = 1024

/** A quantum by which the weights of a graph, less `zero`, are whole numbers, or nearly; and their mean size. */
export function weightScale(graph: GaloisGr, zero: number, job: JobContext): Pick<SpinModel, 'quantum' | 'size'> {
  let [largest, sum, areWhole] = [0, 0, true]
  const STEP = 1 << 20
  for (let first = 0; first < graph.arcs; first += STEP) {
    throwIfCancelled(job.signal)
    for (const weight of graph.readFloats(first, Math.min(graph.arcs, first + STEP))) {
      const size = Math.abs(weight - zero)
      sum += size
      if (size > largest) largest = size
      if (!Number.isInteger(weight - zero)) areWhole = false
    }
  }
  if (largest === 0) return { quantum: 1, size: 1 }
  return { quantum: areWhole && largest <= RESOLUTION ? 1 : largest / RESOLUTION, size: sum / graph.arcs }
}

/** Lays out any graph: colours the vertices first-fit in order of their ids. */
export function layOutSpins(graph: GaloisGr, model: SpinModel, bounds: readonly number[], job: JobContext): SpinLayout {
  const { vertices } = graph
  const colours = new Uint16Array(new SharedArrayBuffer(2 * vertices))
  const usedBy = new Uint32Array(MOST_COLOURS).fill(0xffffffff)
  const borders = new Borders(bounds)
  const common = Math.abs(commonCoupling[model.name])
  let [colourCount, largestField, allCouplings] = [vertices === 0 ? 0 : 1, 0, 0]
  scanLists(graph, job, 'scan', ({ first, offsets, targets, firstArc }) => {
    const weights = model.weighted ? graph.readFloats(firstArc, firstArc + targets.length) : undefined
    const couplings = weights === undefined ? undefined : couplingsOf(model, first, offsets, targets, weights)
    for (let row = 0; row + 1 < offsets.length; row++) {
      const v = first + row
      const [begin, end] = [offsets[row]!, offsets[row + 1]!]
      borders.look(v, targets, begin, end)
      let field = isGas(model) ? 1 : 0
      for (let arc = begin; arc < end; arc++) {
        const size = couplings === undefined ? common : Math.abs(couplings[arc]! | 0)
        field += size
        if (targets[arc]! >= v) continue
        allCouplings += size
        usedBy[colours[targets[arc]!]!] = v
      }
      let colour = 0
      while (usedBy[colour] === v) colour++
      if (colour + 1 >= MOST_COLOURS) throw tooManyColours(graph.path)
      colours[v] = colour
      colourCount = Math.max(colourCount, colour + 1)
      largestField = Math.max(largestField, field)
    }
  })
  const { isBoundary, beside } = borders
  const boundary = groupedVertices((bounds.length - 1) * colourCount, (look) => {
    let owner = 0
    for (let v = 0; v < vertices; v++) {
      while (v >= bounds[owner + 1]!) owner++
      if (isBoundary[v] === 1) look(v, owner * colourCount + colours[v]!)
    }
  })
  return {
    ...{ colours, colourCount, largestField, allCouplings, boundary, beside },
    ...{ lattice: undefined, bonds: new Uint32Array(0) },
  }
}

/** Which vertices have neighbours of other workers, and which workers these are. */
class Borders {
  readonly isBoundary: Uint8Array
  /** Whether workers u and w share an edge, at u * workers + w. */
  readonly beside: Uint8Array
  readonly #bounds: readonly number[]
  #owner = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.isBoundary = new Uint8Array(bounds.at(-1)!)
    this.beside = new Uint8Array((bounds.length - 1) ** 2)
  }

  /** @param v one vertex after another */
  look(v: number, targets: Uint32Array, begin: number, end: number): void {
    const bounds = this.#bounds
    while (v >= bounds[this.#owner + 1]!) this.#owner++
    const [low, high] = [bounds[this.#owner]!, bounds[this.#owner + 1]!]
    // Neighbours ascend: the first or the last one is outside where any is.
    if (begin === end || (targets[begin]! >= low && targets[end - 1]! < high)) return
    this.isBoundary[v] = 1
    let other = 0
    for (let arc = begin; arc < end; arc++) {
      while (targets[arc]! >= bounds[other + 1]!) other++
      this.beside[this.#owner * (bounds.length - 1) + other] = 1
    }
  }
}

/** @param each looks at vertices with their groups, twice */
export function groupedVertices(groups: number, each: (look: (v: number, group: number) => void) => void): Boundary {
  const starts = new Array<number>(groups + 1).fill(0)
  each((_, group) => starts[group + 1]!++)
  for (let group = 1; group < starts.length; group++) starts[group]! += starts[group - 1]!
  const ids = sharedWords(starts.at(-1)!)
  const next = [...starts]
  each((v, group) => (ids[next[group]!++] = v))
  return { ids, starts }
}

const tooManyColours = (where: string): Failure =>
  inputFailure(where, `its vertices need ${MOST_COLOURS} colours or more`, 'Such dense graphs are not annealed.')

/** Vertices of one batch and colour in the order of a worker, those on the boundary first. */
export interface Group {
  readonly at: number
  readonly boundary: number
  readonly count: number
}

/** The own vertices batch by batch and colour by colour. */
export function groupsOf(
  layout: SpinLayout,
  worker: number,
  { first: low, end: high }: Range,
  batches: readonly ArcBatch[],
): { readonly order: Uint32Array; readonly groups: readonly (readonly Group[])[] } {
  if (layout.lattice !== undefined) return { order: new Uint32Array(0), groups: [] }
  const { colours, colourCount, boundary } = layout
  const isBoundary = new Uint8Array(high - low)
  for (let at = boundary.starts[worker * colourCount]!; at < boundary.starts[(worker + 1) * colourCount]!; at++)
    isBoundary[boundary.ids[at]! - low] = 1
  const order = new Uint32Array(high - low)
  const groups = batches.map(({ first, count }) => {
    // Those on the boundary, then the others, of each colour.
    const { ids, starts } = groupedVertices(2 * colourCount, (look) => {
      for (let v = first; v < first + count; v++) look(v, 2 * colours[v]! + 1 - isBoundary[v - low]!)
    })
    order.set(ids, first - low)
    return Array.from({ length: colourCount }, (_, colour): Group => {
      const [near = 0, far = 0, end = 0] = starts.slice(2 * colour, 2 * colour + 3)
      return { at: first - low + near, boundary: far - near, count: end - near }
    })
  })
  return { order, groups }
}

/** The energy in units of the couplings, from a cost as spin-energy counts it. */
export function energyOf(cost: number, model: SpinModel, { allCouplings }: SpinLayout, vertices: number): number {
  return (cost - (isGas(model) ? vertices : allCouplings)) * (isGas(model) ? 1 : model.quantum)
}

/** @throws Failure (input) where there are none */
export function asksForWeights(
  { model, weights }: Pick<PlannedOptions, 'model' | 'weights'>,
  { weighted }: Pick<GaloisGr, 'weighted'>,
): boolean {
  const isCut = model === 'max-cut' && weights === 'column'
  if (model !== 'couplings' && !isCut) return false
  if (weighted) return true
  const [remedy, fixes] = isCut ? ['', [UNIT_WEIGHTS]] : ['Import weights, or use another model.', undefined]
  throw inputFailure(undefined, 'this graph has no weights', remedy, fixes)
}

export function modelOf(args: RunArgs, graph: GaloisGr, job: JobContext): SpinModel {
  const { model = 'bimodal', disorder = 0, zero = 0 } = args
  const weighted = asksForWeights(args, graph) || isWeighted(args, graph)
  const scale = weighted ? weightScale(graph, zero, job) : { quantum: 1, size: 1 }
  return { name: model, seed: disorder, weighted, zero: weighted ? zero : 0, ...scale }
}
