import { z } from 'zod'
import { algorithmNames, type AlgorithmEntry, type OptionName } from '../../workers/contract/catalogue.ts'

const optionName = z.custom<OptionName>((value) => typeof value === 'string')

const optionEntrySchema = z.object({
  name: optionName,
  flag: z.string(),
  label: z.string(),
  explanation: z.string(),
  kind: z.enum(['choice', 'integer', 'number', 'bytes', 'seconds', 'file', 'text', 'switch']),
  choices: z.array(z.object({ value: z.string(), label: z.string(), explanation: z.string() })).optional(),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  when: z.object({ option: optionName, values: z.array(z.string()) }).optional(),
})

const counterSchema = z.object({ name: z.string(), label: z.string(), unit: z.string(), explanation: z.string() })

const valuesEntrySchema = z.object({
  title: z.string(),
  column: z.string(),
  label: z.string(),
  of: z.enum(['number', 'vertex']),
  none: z.string().optional(),
  dense: z.literal(true).optional(),
  names: z.array(z.string()).optional(),
  figures: z.array(counterSchema.extend({ of: z.literal('verification').optional() })),
})

/** Meaning: workers/contract/catalogue.ts. */
export const algorithmEntrySchema: z.ZodType<AlgorithmEntry> = z.object({
  name: z.enum(algorithmNames),
  title: z.string(),
  kind: z.enum(['independent-set', 'matching', 'values']),
  values: valuesEntrySchema.optional(),
  summary: z.string(),
  whenToUse: z.string(),
  paper: z.object({ title: z.string(), authors: z.string(), venue: z.string(), year: z.number() }),
  options: z.array(optionEntrySchema),
  counters: z.array(counterSchema),
})
