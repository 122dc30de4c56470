import { grLayout } from '../graph/graph-file.ts'
import type { PlanStep } from '../contract/jobs.ts'
import type { FileEstimate } from './plan-sample.ts'

/** Entries of an import as they lie in memory and on scratch files: two ids, and a weight. */
const entryBytes = (weighted: boolean): number => (weighted ? 12 : 8)
/** Building a graph in memory: offsets, two lists of entries and one of arcs. */
const buildBytes = (file: FileEstimate): number =>
  16 * file.vertices + 4 * file.entries * (file.weighted ? 8 : 4) + entryBytes(file.weighted) * file.entries
/** An import keeps what it reads in memory while that takes no more than this share of its budget. */
const IN_MEMORY_SHARE = 1 / 4

/** A dataset's own files; ids that are not consecutive are kept, 8 bytes each. */
function datasetBytes(vertices: number, arcs: number, weighted: boolean): number {
  return grLayout(vertices, arcs, weighted).fileBytes + 8 * vertices
}

/**
 * Reading a file into the library. Out of core the entries lie on disk with, later, both directions of them in buckets; then the
 * buckets lie beside the new graph. What is copied as it stands takes nothing else.
 */
export function importStep(file: FileEstimate, budgetBytes: number): PlanStep {
  // A header may promise many vertices and few entries.
  const offsetsBytes = file.exact ? 16 * file.vertices : 0
  const inMemory = entryBytes(file.weighted) * file.entries + offsetsBytes <= IN_MEMORY_SHARE * budgetBytes
  const diskBytes = datasetBytes(file.vertices, file.arcs, file.weighted)
  const entriesBytes = file.entries * entryBytes(file.weighted)
  const weightBytes = file.weighted ? 8 * file.entries : 0
  const scratchBytes =
    inMemory || file.copied === true ? 0 : Math.max(3 * entriesBytes - diskBytes, 2 * entriesBytes + weightBytes)
  const hostBytes = inMemory ? buildBytes(file) : budgetBytes
  return { name: 'import', hostBytes, deviceBytes: 0, scratchBytes, diskBytes, passes: 1 }
}
