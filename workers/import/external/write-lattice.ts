import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { JobContext } from '../../base/job.ts'
import { LatticeLists, type LatticeShape } from '../../generate/lattice-lists.ts'
import { GRAPH_FILE, grLayout } from '../../graph/graph-file.ts'
import { type BuiltGraph, DATASET_FOLDER } from './build-external.ts'
import type { Scratch } from './spilled-entries.ts'
import { writePieces } from './write-pieces.ts'

/** What {@link buildExternal} makes of the edges of a lattice, straight from the formula. @param entries that its model draws */
export async function writeLattice(
  shape: LatticeShape,
  entries: number,
  { folder, pool }: Scratch,
  job: JobContext,
): Promise<BuiltGraph> {
  const { vertices, arcs, maxDegree } = new LatticeLists(shape)
  const dataset = join(folder, DATASET_FOLDER)
  mkdirSync(dataset, { recursive: true })
  const path = join(dataset, GRAPH_FILE)
  const bytes = grLayout(vertices, arcs, false).fileBytes
  const { root } = await writePieces(path, bytes, pool, () => pool.each('openLattice', () => ({ path, shape })), job)
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
