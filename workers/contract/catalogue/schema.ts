import { z } from 'zod'
import { list, texts } from '../schema.ts'

const choiceSchema = z.object({ value: z.string(), label: z.string(), explanation: z.string() })

const optionEntrySchema = z.object({
  name: z.string(),
  /** On the command line, with two hyphens. */
  flag: z.string(),
  label: z.string(),
  explanation: z.string(),
  kind: z.enum(['choice', 'integer', 'number', 'bytes', 'seconds', 'file', 'text', 'switch']),
  choices: list(choiceSchema).optional(),
  /** Absent: the algorithm chooses, or nothing. */
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  /** Every request has it, so that its record says it; else only where it was given. */
  recorded: z.literal(true).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  /** Only where another option has one of these values, which need an option that is a file. */
  when: z.object({ option: z.string(), values: texts }).optional(),
})
export type OptionEntry = z.infer<typeof optionEntrySchema>

const counterSchema = z.object({ name: z.string(), label: z.string(), unit: z.string(), explanation: z.string() })
export type CounterEntry = z.infer<typeof counterSchema>

/** What a result with a u32 for each vertex means. */
const valuesEntrySchema = z.object({
  title: z.string(),
  /** The column of exported tables: "colour". */
  column: z.string(),
  /** The same for people: "Colour". */
  label: z.string(),
  /** `vertex`: internal ids, shown as labels. */
  of: z.enum(['number', 'vertex']),
  /** What 2^32 - 1 says: "not reached"; absent: every vertex has a value. */
  none: z.string().optional(),
  /** Values run from 0 to one less than the first figure. */
  dense: z.literal(true).optional(),
  /** What values 0, 1, ... are called, where they are no numbers. */
  names: texts.optional(),
  /** The first one is the size of the result: "colours". Some are found by the verifier. */
  figures: list(counterSchema.extend({ of: z.literal('verification').optional() })),
})
export type ValuesEntry = z.infer<typeof valuesEntrySchema>

export const algorithmEntrySchema = z.object({
  name: z.string(),
  title: z.string(),
  kind: z.enum(['independent-set', 'matching', 'values']),
  /** Of results with a value for each vertex, and only there. */
  values: valuesEntrySchema.optional(),
  summary: z.string(),
  whenToUse: z.string(),
  paper: z.object({ title: z.string(), authors: z.string(), venue: z.string(), year: z.number() }),
  options: list(optionEntrySchema),
  counters: list(counterSchema),
})
export type AlgorithmEntry = z.infer<typeof algorithmEntrySchema>
