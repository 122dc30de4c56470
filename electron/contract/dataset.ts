import { z } from 'zod'
export { complementArcs, MOST_COMPLEMENT_ARCS, nameOfComplement } from '../../workers/contract/complement.ts'
import { graphFigures, importReportSchema } from '../../workers/contract/dataset.ts'
import { count } from '../../workers/contract/schema.ts'
import { runStates } from './run.ts'
import {
  faultOf,
  generators,
  sizeOfModel,
  type GeneratorParameter,
  type ModelRequest,
} from '../../workers/contract/generators.ts'
import { MAX_SEED } from '../../workers/contract/catalogue.ts'

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
  /** The folder in the library's `datasets`. */
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
  /** Bytes of all in its folder. */
  diskBytes: count,
  /** The file outside the library; null where the library has it. */
  linked: z.string().nullable(),
  /** Bytes of the graph where it is packed; null where it is not. */
  packedBytes: count.nullable(),
  /** x and y, or longitude and latitude. */
  coordinates: z.boolean(),
})

export type Dataset = z.infer<typeof datasetSchema>

/** A deleted dataset that can be brought back. */
export const removedDatasetSchema = z.lazy(() =>
  z.object({
    id: z.number().int().positive(),
    name: z.string(),
    vertices: count,
    /** Bytes that deleting it for good would free. */
    bytes: count,
    /** Its runs, which have no dataset meanwhile. */
    runs: z.array(z.string()),
    /** ISO 8601, UTC. */
    until: z.string(),
  }),
)
export type RemovedDataset = z.infer<typeof removedDatasetSchema>

export const nameOfSample = (radiusKm: number): string => `cities-${radiusKm}km`

export const withoutEndings = (base: string): string =>
  base.replace(/\.(?:gz|bz2|xz|zst)$/i, '').replace(/(?<=.)\.[^.]*$/, '')

export const remainderSchema = z.lazy(() =>
  z.object({
    name: z.string(),
    /** null where it cannot be resumed. */
    source: z.string().nullable(),
    /** The folder in the library's `datasets`. */
    folder: z.string(),
    bytes: count,
    /** ISO 8601, UTC. */
    startedAt: z.string(),
    stages: z.array(z.string()),
  }),
)

export type Remainder = z.infer<typeof remainderSchema>

export { MAX_SEED, generators, sizeOfModel }

type GenerateRequest = ModelRequest & { readonly name?: string | undefined; readonly pack?: boolean | undefined }

/** Unknown fields are left out. */
export const generateRequestSchema: z.ZodType<GenerateRequest> = z.lazy(() =>
  z
    .looseObject({
      model: z.string(),
      seed: z.number().int().min(0).max(MAX_SEED),
      shuffle: z.boolean().optional(),
      memoryBytes: z.number().int().min(1).optional(),
      threads: z.number().int().min(1).max(256).optional(),
      pack: z.boolean().optional(),
      name: z.string().optional(),
    })
    .transform((request, context): GenerateRequest => {
      const generator = Object.entries(generators).find(([name]) => name === request.model)?.[1]
      if (generator === undefined) {
        context.addIssue({ code: 'custom', path: ['model'], message: `there is no generator "${request.model}"` })
        return z.NEVER
      }
      const { model, seed, shuffle, memoryBytes, threads, pack, name } = request
      const numbers: Record<string, unknown> = {}
      for (const [key, range] of Object.entries<GeneratorParameter>(generator.parameters)) {
        numbers[key] = request[key]
        const fault = faultOf(request[key], range)
        if (fault !== null) context.addIssue({ code: 'custom', path: [key], message: fault })
      }
      return { model, ...numbers, seed, shuffle, memoryBytes, threads, pack, name } as GenerateRequest
    }),
)

export { importOptions } from '../../workers/contract/dataset.ts'
export { tableOptions } from '../../workers/contract/jobs.ts'
export { canBePart, exportTitles } from '../../workers/contract/graph-formats.ts'
