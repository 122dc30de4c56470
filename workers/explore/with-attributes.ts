import type { JobContext } from '../base/job.ts'
import { AttributeTable, VERTEX_TABLE } from '../graph/attribute-table.ts'

interface Asked {
  readonly folder: string
  readonly attributes?: readonly string[] | undefined
}

/** A drawing whose nodes have the attributes that are asked for: `draw` with the table of the vertices, where it is needed. */
export function withAttributes<A extends Asked, R>(
  draw: (args: A, job: JobContext, table: AttributeTable | null) => R,
) {
  return async (args: A, job: JobContext): Promise<R> => {
    const isAsked = (args.attributes ?? []).length > 0
    const table = isAsked ? await AttributeTable.open(args.folder, VERTEX_TABLE) : null
    try {
      return draw(args, job, table)
    } finally {
      table?.close()
    }
  }
}
