import type { JobContext } from '../base/job.ts'
import type { VertexSearch, VertexSearchArgs } from '../contract/jobs.ts'
import { AttributeTable, VERTEX_TABLE } from '../graph/attribute-table.ts'
import { attributesOf, OpenedDataset } from './opened-dataset.ts'

/** By labels and names. @throws Failure (input) */
export async function searchVertices(args: VertexSearchArgs, job: JobContext): Promise<VertexSearch> {
  const dataset = new OpenedDataset(args, job)
  try {
    const table = dataset.closing(await AttributeTable.open(args.folder, VERTEX_TABLE))
    const vertices = [...new Set(dataset.find(args.text, args.limit))].slice(0, args.limit)
    const attributes = attributesOf(table, vertices)
    const found = vertices.map((v) => ({ ...dataset.describe(v), attributes: attributes(v) }))
    return { columns: table?.columns ?? [], vertices: found }
  } finally {
    dataset.close()
  }
}
