import { z } from 'zod'
import { graphFormats, mergeRules, weightRules } from '../../workers/contract/jobs.ts'
import type { ImportReport } from '../../workers/contract/jobs.ts'
import { runStates } from './run.ts'

const count = z.number().int().nonnegative()

/** Everything that import counted; see `ImportReport` in workers/contract/jobs.ts for the meaning of each figure. */
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

/** 1 to 50 characters without commas, control characters, or blanks at the ends. */
export const tagSchema = z.string().regex(/^[^\s,\p{Cc}](?:[^,\p{Cc}]{0,48}[^\s,\p{Cc}])?$/u)
export const tagsSchema = z.array(tagSchema).max(50)

/** What the library's database knows of a dataset. */
export const storedDatasetSchema = z.object({
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
  tags: z.array(z.string()),
  /** The newest run on it; null where there was none. `at`: when it ended, else started, else was queued. */
  lastRun: z.object({ run: z.string(), algorithm: z.string(), state: z.enum(runStates), at: z.string() }).nullable(),
})
export type StoredDataset = z.infer<typeof storedDatasetSchema>

/** A dataset as the library shows it: its row, and what lies in its folder. */
export const datasetSchema = storedDatasetSchema.extend({
  /** Everything in its folder. */
  diskBytes: count,
  /** The file that its graph stays in, outside the library; null where the library has it. */
  linked: z.string().nullable(),
  /** Whether its vertices have places: x and y, or longitude and latitude. */
  coordinates: z.boolean(),
})

export type Dataset = z.infer<typeof datasetSchema>

/** What a dataset is called after a file: "wiki-Vote.txt.gz" is "wiki-Vote". */
export const withoutEndings = (base: string): string => base.replace(/\.gz$/i, '').replace(/(?<=.)\.[^.]*$/, '')
