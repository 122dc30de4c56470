import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import { Failure } from '../../base/failure.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import { scanLists } from '../../graph/scan-lists.ts'
import type { Range } from '../../graph/graph-pieces.ts'
import { type ArcBatch, cutRanges } from '../arc-store.ts'
import { type SpinModel, couplingsOf, quantumOf } from './spin-model.ts'

/** A periodic cubic lattice: vertex (z * height + y) * width + x. */
export interface CubicLattice {
  readonly width: number
  readonly height: number
  readonly depth: number
}

/** What one pass over the lists finds, for all workers. */
export interface SpinLayout {
  /** Of every vertex: no two neighbours have the same. */
  readonly colours: Uint16Array
  readonly colourCount: number
  /** Whether all couplings have one size and the graph is such a lattice, with even sides. */
  readonly lattice: CubicLattice | undefined
  /** That a vertex may feel, in quanta. */
  readonly largestField: number
  /** The sum of the sizes of all couplings, each edge once, in quanta. */
  readonly allCouplings: number
  /** Vertices beside others of another worker, worker by worker and colour by colour. */
  readonly boundary: Boundary
}

/** Those of worker w and colour c are ids [starts[w * colours + c], starts[w * colours + c + 1]). */
export interface Boundary {
  readonly ids: Uint32Array
  readonly starts: readonly number[]
}

const MOST_COLOURS = 1 << 16

/** A quantum by which the weights of a graph are whole numbers, or nearly. */
export function weightQuantum(graph: GaloisGr, job: JobContext): number {
  let [largest, areWhole] = [0, true]
  const STEP = 1 << 20
  for (let first = 0; first < graph.arcs; first += STEP) {
    throwIfCancelled(job.signal)
    for (const weight of graph.readWeights(first, Math.min(graph.arcs, first + STEP))) {
      if (weight > largest) largest = weight
      if (!Number.isInteger(weight)) areWhole = false
    }
  }
  return quantumOf(Math.max(largest, Number.MIN_VALUE), areWhole)
}

/** Colours the vertices first-fit in order of their ids: a lattice of even sides gets its checkerboard. */
export function layOutSpins(graph: GaloisGr, model: SpinModel, bounds: readonly number[], job: JobContext): SpinLayout {
  const { vertices } = graph
  const colours = new Uint16Array(new SharedArrayBuffer(2 * vertices))
  const usedBy = new Int32Array(MOST_COLOURS).fill(-1)
  const isBoundary = new Uint8Array(vertices)
  let owner = 0
  const lattice = guessLattice(graph)
  let isLattice = lattice !== undefined && model.name !== 'independent-set' && !model.weighted
  let [colourCount, largestField, allCouplings] = [vertices === 0 ? 0 : 1, 0, 0]
  scanLists(graph, job, 'scan', ({ first, offsets, targets, firstArc }) => {
    const weights = model.weighted ? graph.readWeights(firstArc, firstArc + targets.length) : undefined
    const sizes = model.weighted ? couplingsOf(model, first, offsets, targets, weights) : undefined
    for (let row = 0; row + 1 < offsets.length; row++) {
      const v = first + row
      while (v >= bounds[owner + 1]!) owner++
      const [begin, end] = [offsets[row]!, offsets[row + 1]!]
      // Neighbours ascend: the first or the last one is outside where any is.
      if (begin < end && (targets[begin]! < bounds[owner]! || targets[end - 1]! >= bounds[owner + 1]!))
        isBoundary[v] = 1
      let field = model.name === 'independent-set' ? 1 : 0
      for (let arc = begin; arc < end; arc++) {
        const size = sizes === undefined ? (model.name === 'independent-set' ? 2 : 1) : Math.abs(sizes[arc]! | 0)
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
      if (isLattice) isLattice = isLatticeList(lattice!, v, targets.subarray(begin, end))
    }
  })
  const boundary = boundaryOf(isBoundary, colours, colourCount, bounds)
  return { colours, colourCount, lattice: isLattice ? lattice : undefined, largestField, allCouplings, boundary }
}

function boundaryOf(
  isBoundary: Uint8Array,
  colours: Uint16Array,
  colourCount: number,
  bounds: readonly number[],
): Boundary {
  const starts = new Array<number>((bounds.length - 1) * colourCount + 1).fill(0)
  const each = (look: (v: number, group: number) => void): void => {
    let owner = 0
    for (let v = 0; v < isBoundary.length; v++) {
      while (v >= bounds[owner + 1]!) owner++
      if (isBoundary[v] === 1) look(v, owner * colourCount + colours[v]!)
    }
  }
  each((_, group) => starts[group + 1]!++)
  for (let group = 1; group < starts.length; group++) starts[group]! += starts[group - 1]!
  const ids = new Uint32Array(new SharedArrayBuffer(4 * starts.at(-1)!))
  const next = [...starts]
  each((v, group) => (ids[next[group]!++] = v))
  return { ids, starts }
}

/** Bounds of the workers: whole planes where the graph may be a lattice, else about equal arcs. */
export function spinBounds(graph: GaloisGr, workers: number): number[] {
  const lattice = guessLattice(graph)
  if (lattice === undefined) return cutRanges(graph, workers)
  const { width, height, depth } = lattice
  return Array.from({ length: workers + 1 }, (_, worker) => Math.round((depth * worker) / workers) * width * height)
}

const tooManyColours = (where: string): Failure =>
  new Failure({
    code: 'input',
    where,
    what: `its vertices need ${MOST_COLOURS} colours or more`,
    remedy: 'Such dense graphs are not annealed.',
  })

/** By the list of vertex 0, which names the three sides; undefined where it does not. */
function guessLattice(graph: GaloisGr): CubicLattice | undefined {
  const { vertices } = graph
  if (vertices < 64) return undefined
  const { first, end } = graph.arcsOf(0)
  if (end - first !== 6) return undefined
  const [, , width = 0, , area = 0] = graph.readTargets(first, end)
  const [height, depth] = [area / width, vertices / area]
  const areEven = [width, height, depth].every((side) => Number.isInteger(side) && side >= 4 && side % 2 === 0)
  return areEven ? { width, height, depth } : undefined
}

function isLatticeList({ width, height, depth }: CubicLattice, v: number, list: Uint32Array): boolean {
  const area = width * height
  const [x, y, z] = [v % width, Math.floor(v / width) % height, Math.floor(v / area)]
  const expected = [
    x === 0 ? v + width - 1 : v - 1,
    x + 1 === width ? v + 1 - width : v + 1,
    y === 0 ? v + area - width : v - width,
    y + 1 === height ? v + width - area : v + width,
    z === 0 ? v + (depth - 1) * area : v - area,
    z + 1 === depth ? v - (depth - 1) * area : v + area,
  ]
  return list.length === 6 && expected.every((u) => list.includes(u))
}

/** Bits of spin-lattice: for each direction a bit a site, set where the coupling to the next site is negative. */
export function latticeBonds(lattice: CubicLattice, model: SpinModel): Uint32Array {
  const { width, height, depth } = lattice
  const area = width * height
  const sites = area * depth
  const words = Math.ceil(sites / 32)
  const bonds = new Uint32Array(3 * words)
  if (model.name === 'max-cut') return bonds.fill(0xffffffff)
  if (model.name === 'ising') return bonds
  const targets = new Uint32Array(3)
  const offsets = Uint32Array.of(0, 3)
  for (let v = 0; v < sites; v++) {
    const [x, y, z] = [v % width, Math.floor(v / width) % height, Math.floor(v / area)]
    targets[0] = x + 1 === width ? v + 1 - width : v + 1
    targets[1] = y + 1 === height ? v + width - area : v + width
    targets[2] = z + 1 === depth ? v - (depth - 1) * area : v + area
    const couplings = couplingsOf(model, v, offsets, targets, undefined)
    for (let direction = 0; direction < 3; direction++)
      if ((couplings[direction]! | 0) < 0) bonds[words * direction + (v >>> 5)]! |= 1 << (v & 31)
  }
  return bonds
}

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
  let end = 0
  const groups = batches.map(({ first, count }) => {
    const lists = Array.from({ length: 2 * colourCount }, () => [] as number[])
    for (let v = first; v < first + count; v++) lists[2 * colours[v]! + 1 - isBoundary[v - low]!]!.push(v)
    return Array.from({ length: colourCount }, (_, colour): Group => {
      const [near, far] = [lists[2 * colour]!, lists[2 * colour + 1]!]
      const at = end
      order.set(near, at)
      order.set(far, at + near.length)
      end += near.length + far.length
      return { at, boundary: near.length, count: near.length + far.length }
    })
  })
  return { order, groups }
}
