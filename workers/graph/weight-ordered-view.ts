import { Failure } from '../failure.ts'
import type { JobContext } from '../job.ts'
import type { GaloisGr } from './galois-gr.ts'
import { HEAD_WIDTH } from './oriented-view.ts'
import { viewBytes } from './view-file.ts'
import type { BuildResources } from './views/build-oriented.ts'
import { requireAddressable } from './views/build-oriented.ts'
import { cutPieces } from './views/cut-pieces.ts'
import { requireDisk } from './views/disk-space.ts'
import type { EdgeOrder } from './views/edge-order.ts'
import { edgeOrderName } from './views/edge-order.ts'
import { layLevels, sumLevels } from './views/lay-levels.ts'
import { planViewMemory } from './views/memory-plan.ts'
import { performViewTask } from './views/perform-view-task.ts'
import { SlabFile } from './views/slab-file.ts'
import { workTogether } from './views/team.ts'

/** Views of all neighbours by the order of edges: with the tails by vertex, for devices that hold them, or in levels, for disks. */
export type WeightOrderedKind = 'weight-ordered' | 'weight-levels'

/** The view that is to be built. */
export interface WeightOrderedTarget {
  readonly kind: WeightOrderedKind
  readonly path: string
  /** SHA-256 of graph.gr */
  readonly checksum: string
  readonly order: EdgeOrder
}

/** Larger pieces are no faster to read, and leave threads without any. */
const PIECE_ARCS = 1 << 20
const VERTEX_BYTES = 4

/**
 * The weight-ordered view of a graph, for matchings: the vertices in the graph's own order, each with all its neighbours, the one
 * over its greatest edge first (the order: workers/graph/views/edge-order.ts). Both directions of every edge are there, so a pointer that
 * moves forward only meets candidates in the order in which they are wanted and never reads a weight. Stored in the slabs of the oriented
 * view, heads of HEAD_WIDTH and tails, with internal ids for entries and no front.
 *
 * Built by one pass over the graph, in pieces, each of which is written where it belongs at once: no scratch file is needed. In levels
 * (view-levels.ts), a pass before finds the first entry of every list; then it is known where everything goes.
 * @throws Failure (usage) for weights that the graph does not have; (engine), (storage), (cancelled). Nothing stays behind.
 */
export function buildWeightOrdered(
  graph: GaloisGr,
  { kind, path, checksum, order }: WeightOrderedTarget,
  { budgetBytes, threads }: BuildResources,
  job: JobContext,
): void {
  const { vertices } = graph
  if (order.weights === 'column') requireWeights(graph)
  const isInLevels = kind === 'weight-levels'
  const [degreeBytes, firstBytes] = [order.ties === 'degree' ? VERTEX_BYTES : 0, isInLevels ? VERTEX_BYTES : 0]
  const stateBytes = degreeBytes + firstBytes
  const memory = planViewMemory(vertices, budgetBytes, threads, stateBytes, stateBytes)
  const degrees = new Uint32Array(new SharedArrayBuffer(degreeBytes * vertices))
  const limits = { arcs: Math.min(memory.pieceArcs, PIECE_ARCS), vertices: Math.min(memory.pieceVertices, PIECE_ARCS) }
  const cut = cutPieces(graph, limits, degrees, job)
  const pieces = Math.max(0, cut.bounds.length - 1)
  const tailFirst = tailStarts(graph, cut.bounds)
  const tailEntries = tailFirst[pieces]!
  requireAddressable(path, tailEntries)
  requireDisk(path, viewBytes(vertices, tailEntries, kind))
  const lists = { graph: graph.handle, pieces: cut.bounds, order, degrees }
  const firsts = new Uint32Array(new SharedArrayBuffer(firstBytes * vertices))
  if (isInLevels)
    workTogether({ ...lists, step: 'first', firsts }, threads, pieces, performViewTask, 'find first entries', job)
  const levels = isInLevels ? layLevels(graph, cut, firsts, job) : undefined
  const identity = { kind, graph: checksum, order: edgeOrderName(order), vertices, front: 0, tailEntries }
  const file = new SlabFile(path, identity, pieces)
  try {
    const task = { ...lists, step: 'order', output: file.output, tailFirst, outputWords: memory.outputWords, levels }
    workTogether({ ...task, step: 'order' }, threads, pieces, performViewTask, 'build view', job)
    const sizes = Array.from({ length: pieces }, (_, piece) => {
      const count = cut.bounds[piece + 1]! - cut.bounds[piece]!
      return { heads: HEAD_WIDTH * count, tailOffsets: count, tails: tailFirst[piece + 1]! - tailFirst[piece]! }
    })
    const sums = levels && sumLevels(levels)
    file.finish(sizes, sums?.openTails ?? tailEntries, undefined, undefined, sums?.tailsSum)
  } finally {
    file.close()
  }
}

/** @throws Failure (usage) where the graph has none */
export function requireWeights(graph: GaloisGr): void {
  if (graph.weighted) return
  throw new Failure({
    code: 'usage',
    where: graph.path,
    what: 'this graph has no weights',
    remedy: 'Use --weights unit or --weights random3.',
  })
}

/** Where the tails of each piece begin, and at the end where the last one's end: a vertex has max(0, degree - HEAD_WIDTH). */
function tailStarts(graph: GaloisGr, bounds: Uint32Array): Float64Array {
  const starts = new Float64Array(new SharedArrayBuffer(8 * Math.max(1, bounds.length)))
  for (let piece = 0; piece + 1 < bounds.length; piece++) {
    const offsets = graph.readOffsets(bounds[piece]!, bounds[piece + 1]!)
    let tails = 0
    for (let i = 0; i + 1 < offsets.length; i++) tails += Math.max(0, offsets[i + 1]! - offsets[i]! - HEAD_WIDTH)
    starts[piece + 1] = starts[piece]! + tails
  }
  return starts
}
