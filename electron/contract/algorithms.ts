import { z } from 'zod'

/** How a page asks for one option of an algorithm. `name` is the field of the run request that it fills. */
export const optionEntrySchema = z.object({
  name: z.string(),
  flag: z.string(),
  label: z.string(),
  /** One plain sentence. */
  explanation: z.string(),
  kind: z.enum(['choice', 'integer', 'bytes', 'file', 'text', 'switch']),
  choices: z.array(z.object({ value: z.string(), label: z.string(), explanation: z.string() })).optional(),
  default: z.union([z.string(), z.number(), z.boolean()]).nullable().optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  /** Only where another option has one of these values. */
  when: z.object({ option: z.string(), values: z.array(z.union([z.string(), z.number(), z.boolean()])) }).optional(),
})

/** An algorithm as the registry describes it; pages are made from this alone. */
export const algorithmEntrySchema = z.object({
  name: z.string(),
  title: z.string(),
  kind: z.enum(['independent-set', 'matching']),
  summary: z.string(),
  whenToUse: z.string(),
  paper: z.object({ title: z.string(), authors: z.string(), venue: z.string(), year: z.number() }),
  options: z.array(optionEntrySchema),
  counters: z.array(z.object({ name: z.string(), label: z.string(), unit: z.string(), explanation: z.string() })),
})

export type OptionEntry = z.infer<typeof optionEntrySchema>
export type AlgorithmEntry = z.infer<typeof algorithmEntrySchema>
