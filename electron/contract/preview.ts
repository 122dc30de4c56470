import { z } from 'zod'
import { graphFormats } from '../../workers/contract/jobs.ts'
import type { FilePreview } from '../../workers/contract/jobs.ts'
import { failureSchema } from './failure.ts'

/** The beginning of a file as an import would read it; see `FilePreview` in workers/contract/jobs.ts. */
export const previewSchema: z.ZodType<FilePreview> = z.object({
  format: z.enum(graphFormats),
  reason: z.string(),
  compression: z.enum(['none', 'gzip']),
  bytes: z.number().int().nonnegative(),
  columns: z.array(z.object({ name: z.string() })).nullable(),
  rows: z.array(z.array(z.string())),
  warnings: z.array(z.string()),
  refusal: failureSchema.optional(),
  table: z
    .object({
      delimiter: z.string(),
      header: z.boolean(),
      source: z.number().int(),
      target: z.number().int(),
      weight: z.number().int().nullable(),
      asks: z.enum(['header', 'columns', 'weights']).nullable(),
    })
    .nullable(),
})
