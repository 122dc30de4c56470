import { z } from 'zod'
import { graphFormats, mergeRules, tableOptions, weightRules } from '../../workers/contract/jobs.ts'
import type { TableOptions } from '../../workers/contract/jobs.ts'

const tableSchema = z.object(
  Object.fromEntries(
    Object.entries(tableOptions).map(([name, option]) => [
      name,
      ('choices' in option ? z.enum(option.choices) : z.string()).optional(),
    ]),
  ),
) as unknown as z.ZodType<TableOptions>

/** Meaning: `ImportArgs` in workers/contract/jobs.ts. */
export const importOptions = {
  format: z.enum(graphFormats).optional(),
  weightRule: z.enum(weightRules).optional(),
  ignoreWeights: z.boolean().optional(),
  sources: z.array(z.string()).optional(),
  sourceName: z.string().optional(),
  table: tableSchema.optional(),
  /** A path, as that of the graph. */
  vertices: z.string().optional(),
  merge: z.enum(mergeRules).optional(),
  invertWeights: z.boolean().optional(),
  memoryBytes: z.number().int().positive().optional(),
  threads: z.number().int().positive().optional(),
}

export const tableChoices = {
  header: tableOptions.header.choices,
  encoding: tableOptions.encoding.choices,
  decimal: tableOptions.decimal.choices,
  missingWeight: tableOptions.missingWeight.choices,
  badRows: tableOptions.badRows.choices,
}
