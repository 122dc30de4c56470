import { join } from 'node:path'
import { BehindFlusher, openFile } from '../../base/file-bytes.ts'
import type { JobContext } from '../../base/job.ts'
import { neverRead, PIECE_BYTES, piecesOf, type Sums, SUMS_SUFFIX, SumsBuilder, writeSums } from '../../base/sums.ts'
import { LatticeLists, type LatticeShape } from '../../generate/lattice-lists.ts'
import { GRAPH_FILE, grLayout } from '../../graph/graph-file.ts'
import type { BuiltGraph } from './build-external.ts'
import type { OpenTask } from './ingest-thread.ts'
import type { Scratch } from './spilled-entries.ts'
import type { ThreadPool } from './thread-pool.ts'

const TASK_PIECES = 16

/**
 * Writes graph.gr piece by piece in all threads, with its sums beside it; on the disk when this returns. @throws Failure (storage); (cancelled)
 */
export async function writePieces(
  path: string,
  fileBytes: number,
  threads: ThreadPool,
  task: OpenTask<'pieces'>,
  job: JobContext,
): Promise<Sums> {
  const tasks = threads.ranges(piecesOf(fileBytes), TASK_PIECES)
  const flusher = new BehindFlusher(openFile(path, 'wx'), path)
  try {
    await threads.open('pieces', () => task)
    let done = 0
    await threads.spread('pieces', 'write', tasks, (_result, number) => {
      done = Math.min(fileBytes, done + (tasks[number]!.last - tasks[number]!.first) * PIECE_BYTES)
      job.progress({ phase: 'write', done, total: fileBytes, unit: 'bytes' })
      flusher.wrote(done)
    })
    const sums = new SumsBuilder()
    for (const summed of await threads.finish('pieces')) sums.take(summed)
    await flusher.finish()
    const all = sums.finish(fileBytes, neverRead)
    writeSums(`${path}${SUMS_SUFFIX}`, all)
    return all
  } finally {
    await flusher.close()
  }
}

/** What {@link buildExternal} makes of the edges of a lattice, straight from the formula. @param entries that its model draws */
export async function writeLattice(
  shape: LatticeShape,
  entries: number,
  { dataset, pool }: Scratch,
  job: JobContext,
): Promise<BuiltGraph> {
  const { vertices, arcs, maxDegree } = new LatticeLists(shape)
  const path = join(dataset, GRAPH_FILE)
  const bytes = grLayout(vertices, arcs, false).fileBytes
  const { root } = await writePieces(path, bytes, pool, { path, shape }, job)
  // A periodic side of one vertex joins it to itself; one of two draws both directions.
  const sides = shape.periodic ? [shape.width, shape.height, shape.depth] : []
  const loopsRemoved = vertices * sides.filter((side) => side === 1).length
  const counted = {
    ...{ vertices, arcs, loopsRemoved, duplicatesMerged: 0, reverseArcsAdded: arcs - (entries - loopsRemoved) },
    isolatedVertices: maxDegree === 0 ? vertices : 0,
    labels: { kind: 'dense', smallest: '0', largest: String(vertices - 1) },
    weights: null,
  } as const
  return { counted, entries, maxDegree, checksum: root, bytes }
}
