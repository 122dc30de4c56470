import { z } from 'zod'

/** The hash is of the ascending ids. */
const setResultSchema = z.object({
  kind: z.literal('independent-set'),
  size: z.number(),
  fraction: z.number(),
  /** Where vertices have weights. */
  weight: z.number().optional(),
  hash: z.string(),
})

/** Every edge counts once; the hash is of the pairs u < v, ascending by u. */
const matchingResultSchema = z.object({
  kind: z.literal('matching'),
  pairs: z.number(),
  weight: z.number(),
  hash: z.string(),
})

/** The hash is of the values by vertex. */
const valuesResultSchema = z.object({
  kind: z.literal('values'),
  size: z.number(),
  figures: z.record(z.string(), z.number()),
  hash: z.string(),
})
export type ValuesResult = z.infer<typeof valuesResultSchema>

export const resultSchema = z.discriminatedUnion('kind', [setResultSchema, matchingResultSchema, valuesResultSchema])
export type RunResult = z.infer<typeof resultSchema>

export function sizeOf(result: RunResult): number {
  return result.kind === 'matching' ? result.pairs : result.size
}

/** null where the program chose. */
export const optionValuesSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
export type OptionValues = Readonly<z.infer<typeof optionValuesSchema>>

export interface ResultClaim {
  readonly algorithm: string
  readonly file: string
  readonly result: RunResult
  readonly options: OptionValues
}
