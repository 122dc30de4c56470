import { z } from 'zod'
import { graphFormats, headerChoices, mergeRules, weightRules } from '../../workers/contract/jobs.ts'

/** How a file becomes a graph; the same words as `ImportArgs` in workers/contract/jobs.ts, which says what each means. */
export const importOptions = {
  format: z.enum(graphFormats).optional(),
  weightRule: z.enum(weightRules).optional(),
  ignoreWeights: z.boolean().optional(),
  sources: z.array(z.string()).optional(),
  sourceName: z.string().optional(),
  table: z
    .object({
      sourceColumn: z.string().optional(),
      targetColumn: z.string().optional(),
      weightColumn: z.string().optional(),
      delimiter: z.string().optional(),
      header: z.enum(headerChoices).optional(),
      comment: z.string().optional(),
      where: z.string().optional(),
    })
    .optional(),
  merge: z.enum(mergeRules).optional(),
  invertWeights: z.boolean().optional(),
  memoryBytes: z.number().int().positive().optional(),
  threads: z.number().int().positive().optional(),
}
