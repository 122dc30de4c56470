import type { Labels } from '../graph/labels.ts'
import { readVertexColumn, readVertexList } from '../graph/vertex-lists.ts'
import type { VertexSet } from '../graph/vertex-set.ts'
import type { RunArgs } from '../contract/jobs.ts'

/** The lists of a run, read and looked up in the graph. */
export interface RunLists {
  readonly keep: VertexSet | undefined
  readonly exclude: VertexSet | undefined
  readonly column: Float64Array | undefined
}

export const NO_LISTS: RunLists = { keep: undefined, exclude: undefined, column: undefined }

export type ListFiles = Pick<RunArgs, 'keepFile' | 'excludeFile' | 'columnFile'>

/** @throws Failure (input) for a list that cannot be read, or is of another graph */
export function readLists(
  { keepFile, excludeFile, columnFile }: ListFiles,
  labels: Labels,
  vertices: number,
): RunLists {
  const list = (file: string | undefined) => (file === undefined ? undefined : readVertexList(file, labels, vertices))
  const column = columnFile === undefined ? undefined : readVertexColumn(columnFile, labels, vertices)
  return { keep: list(keepFile), exclude: list(excludeFile), column }
}
