import { z } from 'zod'
import {
  graphFormats,
  mergeRules,
  tableOptions,
  weightRules,
  type TableOptions,
  type FilePreview,
} from '../../workers/contract/jobs.ts'
import { failureSchema } from './failure.ts'

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

export const previewSchema: z.ZodType<FilePreview> = z.object({
  format: z.enum(graphFormats),
  reason: z.string(),
  compression: z.enum(['none', 'gzip']),
  bytes: z.number().int().nonnegative(),
  columns: z.array(z.object({ name: z.string() })).nullable(),
  rows: z.array(z.array(z.string())),
  warnings: z.array(z.string()),
  refusals: z.array(z.object({ count: z.number().int(), failure: failureSchema })),
  looked: z.object({ rows: z.number().int(), complete: z.boolean() }),
  table: z
    .object({
      delimiter: z.string().nullable(),
      elements: z.boolean(),
      header: z.boolean(),
      encoding: z.string(),
      decimal: z.enum(['point', 'comma']),
      source: z.number().int(),
      target: z.number().int(),
      weight: z.number().int().nullable(),
      attributes: z.array(z.number().int()),
      asks: z.enum(['header', 'columns', 'weights']).nullable(),
    })
    .nullable(),
  vertices: z
    .object({ columns: z.array(z.string()), id: z.number().int(), rows: z.array(z.array(z.string())) })
    .nullable(),
})
