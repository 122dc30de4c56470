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
import { planViewMemory } from './views/memory-plan.ts'
import { performViewTask } from './views/perform-view-task.ts'
import { SlabFile } from './views/slab-file.ts'
import { workTogether } from './views/team.ts'

/** Larger pieces are no faster to read, and leave threads without any. */
const PIECE_ARCS = 1 << 20

/**
 * The weight-ordered view of a graph, for matchings: the vertices in the graph's own order, each with all its neighbours, the one
 * over its greatest edge first (the order: workers/graph/views/edge-order.ts). Both directions of every edge are there, so a pointer that
 * moves forward only meets candidates in the order in which they are wanted and never reads a weight. Stored in the slabs of the oriented
 * view, heads of HEAD_WIDTH and tails, with internal ids for entries and no front.
 *
 * Built by one pass over the graph, in pieces, each of which is written where it belongs at once: no scratch file is needed.
 * @param checksum SHA-256 of graph.gr
 * @throws Failure (usage) for weights that the graph does not have; (engine), (storage), (cancelled). Nothing stays behind.
 */
export function buildWeightOrdered(
  graph: GaloisGr,
  path: string,
  checksum: string,
  order: EdgeOrder,
  { budgetBytes, threads }: BuildResources,
  job: JobContext,
): void {
  const { vertices } = graph
  if (order.weights === 'column') requireWeights(graph)
  const needsDegrees = order.ties === 'degree'
  const stateBytes = needsDegrees ? 4 : 0
  const memory = planViewMemory(vertices, budgetBytes, threads, stateBytes, stateBytes)
  const degrees = new Uint32Array(new SharedArrayBuffer(needsDegrees ? 4 * vertices : 0))
  const limits = { arcs: Math.min(memory.pieceArcs, PIECE_ARCS), vertices: Math.min(memory.pieceVertices, PIECE_ARCS) }
  const { bounds } = cutPieces(graph, limits, degrees, job)
  const pieces = Math.max(0, bounds.length - 1)
  const tailFirst = tailStarts(graph, bounds)
  const tailEntries = tailFirst[pieces]!
  requireAddressable(path, tailEntries)
  requireDisk(path, viewBytes(vertices, tailEntries, 'weight-ordered'))
  const identity = {
    kind: 'weight-ordered',
    graph: checksum,
    order: edgeOrderName(order),
    vertices,
    front: 0,
    tailEntries,
  } as const
  const file = new SlabFile(path, identity, pieces)
  try {
    const { outputWords } = memory
    const { output } = file
    const task = { step: 'order', graph: graph.path, pieces: bounds, output, tailFirst, order, degrees, outputWords }
    workTogether({ ...task, step: 'order' }, threads, pieces, performViewTask, 'build view', job)
    const sizes = Array.from({ length: pieces }, (_, piece) => {
      const count = bounds[piece + 1]! - bounds[piece]!
      return { heads: HEAD_WIDTH * count, tailOffsets: count, tails: tailFirst[piece + 1]! - tailFirst[piece]! }
    })
    file.finish(sizes, tailEntries)
  } finally {
    file.close()
  }
}

/** @throws Failure (usage) where the graph has none */
export function requireWeights(graph: GaloisGr): void {
  if (graph.layout.weighted) return
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
