import { z } from 'zod'
import { graphFormats } from '../../workers/contract/jobs.ts'
import type { FilePreview } from '../../workers/contract/jobs.ts'
import { failureSchema } from './failure.ts'

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
