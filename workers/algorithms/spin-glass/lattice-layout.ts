import { processorsHere } from '../../base/host-resources.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import { bitWords, sharedWords } from '../../base/words.ts'
import { ScanBoard } from '../../threads/scan-board.ts'
import { allDone, runInThread } from '../../threads/thread-pool.ts'
import { BONDS_RANGE, type BondsTask, type CubicLattice, latticeOf, takeBonds } from './lattice-bonds.ts'
import { type SpinLayout, groupedVertices } from './spin-layout.ts'
import { type SpinModel, commonCoupling, isGas } from './spin-model.ts'

/** Sites: with fewer, a thread starts no sooner than another has done its part. */
const LEAST_A_THREAD = 1 << 21
const WATCH_MS = 50

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
  const watch = setInterval(() => look(BONDS_RANGE * board.taken), WATCH_MS)
  try {
    const takers = Array.from({ length: threads }, () => runInThread<BondsTask, boolean>('lattice-bonds', task))
    return (await allDone(takers, board)).every((isTaken) => isTaken)
  } finally {
    clearInterval(watch)
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
