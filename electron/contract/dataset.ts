import { z } from 'zod'
import {
  attributeKinds,
  graphFormats,
  mergeRules,
  weightRules,
  type ImportReport,
} from '../../workers/contract/jobs.ts'
import { runStates } from './run.ts'

const count = z.number().int().nonnegative()

const attributeColumnSchema = z.object({ name: z.string(), kind: z.enum(attributeKinds), filled: count })
const attributesSchema = z.object({ vertices: z.array(attributeColumnSchema), edges: z.array(attributeColumnSchema) })

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
  skipped: count.optional(),
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
  attributes: attributesSchema.optional(),
  warnings: z.array(z.string()),
  elapsedMs: z.number().nonnegative(),
})

/** 1 to 100 characters, no slash, backslash or control character, no dot or hyphen in front. */
export const datasetNameSchema = z
  .string()
  .max(100)
  .regex(/^[^-.\s/\\\p{Cc}](?:[^/\\\p{Cc}]*[^\s/\\\p{Cc}])?$/u)

export const tagSchema = z.string().regex(/^[^\s,\p{Cc}](?:[^,\p{Cc}]{0,48}[^\s,\p{Cc}])?$/u)
export const tagsSchema = z.array(tagSchema).max(50)

export const storedDatasetSchema = z.object({
  id: z.number().int().positive(),
  name: datasetNameSchema,
  /** In the library's `datasets`. */
  folder: z.string(),
  vertices: count,
  arcs: count,
  maxDegree: count,
  meanDegree: z.number().nonnegative(),
  weighted: z.boolean(),
  /** Of graph.gr and labels. */
  bytes: count,
  /** Of graph.gr, hexadecimal. */
  checksum: z.string(),
  source: z.string(),
  report: importReportSchema,
  /** ISO 8601, UTC. */
  createdAt: z.string(),
  tags: z.array(z.string()),
  /** The newest; `at`: when it ended, else started, else was queued. */
  lastRun: z.object({ run: z.string(), algorithm: z.string(), state: z.enum(runStates), at: z.string() }).nullable(),
})
export type StoredDataset = z.infer<typeof storedDatasetSchema>

export const datasetSchema = storedDatasetSchema.extend({
  /** Of all in its folder. */
  diskBytes: count,
  /** The file outside the library; null where the library has it. */
  linked: z.string().nullable(),
  /** x and y, or longitude and latitude. */
  coordinates: z.boolean(),
})

export type Dataset = z.infer<typeof datasetSchema>

export const withoutEndings = (base: string): string => base.replace(/\.gz$/i, '').replace(/(?<=.)\.[^.]*$/, '')

export const remainderSchema = z.object({
  name: z.string(),
  /** null where it cannot be resumed. */
  source: z.string().nullable(),
  /** In the library's `datasets`. */
  folder: z.string(),
  bytes: z.number().int().nonnegative(),
  /** ISO 8601, UTC. */
  startedAt: z.string(),
  stages: z.array(z.string()),
})

export type Remainder = z.infer<typeof remainderSchema>
