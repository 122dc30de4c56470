import { z } from 'zod'
import { graphFormats, mergeRules, weightRules } from '../../workers/jobs.ts'
import type { ImportReport } from '../../workers/jobs.ts'

const count = z.number().int().nonnegative()

/** Everything that import counted; see `ImportReport` in workers/jobs.ts for the meaning of each figure. */
export const importReportSchema: z.ZodType<ImportReport> = z.object({
  source: z.string(),
  format: z.enum([...graphFormats, 'generated', 'sample']),
  compression: z.enum(['none', 'gzip']),
  sourceBytes: count,
  sourceSha256: z.string().nullable(),
  lines: count,
  entries: count,
  loopsRemoved: count,
  duplicatesMerged: count,
  reverseArcsAdded: count,
  vertices: count,
  arcs: count,
  isolatedVertices: count,
  labels: z.object({
    kind: z.enum(['dense', 'integer', 'text']),
    smallest: z.string().nullable(),
    largest: z.string().nullable(),
  }),
  sides: z.object({ left: count, right: count }).optional(),
  filtered: count.optional(),
  weights: z
    .object({
      rule: z.enum(weightRules),
      merge: z.enum(mergeRules).optional(),
      map: z.object({ scale: z.union([z.literal(1), z.literal(-1)]), offset: z.number() }).optional(),
      made: z.object({ absolute: count, dropped: count }),
      smallest: z.number(),
      largest: z.number(),
    })
    .nullable(),
  warnings: z.array(z.string()),
  elapsedMs: z.number().nonnegative(),
})

/**
 * A dataset's name: 1 to 100 characters, none of them a slash, a backslash or a control character, and neither a dot nor
 * a hyphen in front (so that it is never taken for an option or a path).
 */
export const datasetNameSchema = z
  .string()
  .max(100)
  .regex(/^[^-.\s/\\\p{Cc}](?:[^/\\\p{Cc}]*[^\s/\\\p{Cc}])?$/u)

/** A row of the library. */
export const datasetSchema = z.object({
  id: z.number().int().positive(),
  name: datasetNameSchema,
  /** Where graph.gr lies: the name of a folder in the library's `datasets`. */
  folder: z.string(),
  vertices: count,
  /** Directed arcs: twice the undirected edges. */
  arcs: count,
  maxDegree: count,
  meanDegree: z.number().nonnegative(),
  weighted: z.boolean(),
  /** Bytes of graph.gr and labels together. */
  bytes: count,
  /** SHA-256 of graph.gr, hexadecimal. */
  checksum: z.string(),
  /** The file, model or sample that the dataset was made from. */
  source: z.string(),
  report: importReportSchema,
  /** ISO 8601, UTC. */
  createdAt: z.string(),
})

export type Dataset = z.infer<typeof datasetSchema>
