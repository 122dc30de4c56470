import { z } from 'zod'
import { graphFigures, importReportSchema } from '../../workers/contract/dataset.ts'
import { count } from '../../workers/contract/schema.ts'
import { runStates } from './run.ts'

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
  ...graphFigures,
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
  bytes: count,
  /** ISO 8601, UTC. */
  startedAt: z.string(),
  stages: z.array(z.string()),
})

export type Remainder = z.infer<typeof remainderSchema>
