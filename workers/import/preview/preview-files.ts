import { Failure } from '../../base/failure.ts'
import type { FilePreview, PreviewArgs, VertexPreview } from '../../contract/jobs.ts'
import { openVertexFile, type VertexRow } from '../attributes/vertex-file.ts'
import { laterFile, otherWeights, requireEdges } from '../read-graph-file.ts'
import { RowPolicy } from '../row-policy.ts'
import { PREVIEW_ROWS, previewFile } from './preview-file.ts'

/** Of a table of vertices, whose rows are all read by the import. */
const MOST_LOOKED = 1 << 14

/**
 * A file as it would be imported: alone, or behind another one of the same graph; with the table of its vertices.
 * @throws Failure (input) when the file cannot be read, or is of no known format
 */
export async function previewFiles(args: PreviewArgs): Promise<FilePreview> {
  const preview = args.joins === undefined ? await previewFile(args) : await previewLater(args, args.joins)
  if (args.vertices === undefined) return preview
  try {
    const policy = new RowPolicy(args.table, true)
    const vertices = await previewVertices(args.vertices, args, policy)
    return { ...preview, vertices, refusals: [...preview.refusals, ...policy.refusals()] }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { ...preview, refusals: [...preview.refusals, { count: 1, failure: error.toValue() }] }
  }
}

async function previewLater(args: PreviewArgs, first: string): Promise<FilePreview> {
  const before = await previewFile({ ...args, source: first })
  requireEdges(first, before.format)
  const named = before.table?.header === true
  const preview = await previewFile(laterFile({ ...args, folder: '' }, args.source, before.format, { named }))
  const [isWeighted, wasWeighted] = [preview, before].map(({ table }) => (table?.weight ?? null) !== null)
  if (isWeighted === wasWeighted) return preview
  const failure = otherWeights(args.source, isWeighted === true, first).toValue()
  return { ...preview, refusals: [...preview.refusals, { count: 1, failure }] }
}

async function previewVertices(path: string, { table }: PreviewArgs, policy: RowPolicy): Promise<VertexPreview> {
  const file = await openVertexFile(path, table)
  const rows: VertexRow[] = []
  let looked = 0
  for await (const piece of file.rows(policy)) {
    rows.push(...piece.slice(0, PREVIEW_ROWS - rows.length))
    looked += piece.length
    if (looked >= MOST_LOOKED) break
  }
  const cells = rows.map(({ id, values }) => {
    const known = new Map(values)
    return file.names.map((name) => (name === file.idColumn ? id : String(known.get(name) ?? '')))
  })
  return { columns: file.names, id: file.names.indexOf(file.idColumn), rows: cells }
}
