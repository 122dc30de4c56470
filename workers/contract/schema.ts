import { z } from 'zod'
import type { FailureCode, FailureValue, Fix, FixOption } from '../base/failure.ts'

/** Read-only by its type; it is not frozen. */
export const list = <S extends z.ZodType>(item: S): z.ZodType<readonly z.infer<S>[]> => z.array(item)

/** What each maker makes, under its name, made when it is first asked for: a command needs few of all schemas. */
export function lazily<M extends Readonly<Record<string, () => unknown>>>(
  makers: M,
): { readonly [N in keyof M]: ReturnType<M[N]> } {
  const made = {}
  for (const [name, make] of Object.entries(makers))
    Object.defineProperty(made, name, {
      enumerable: true,
      configurable: true,
      get(): unknown {
        const value = make()
        Object.defineProperty(made, name, { enumerable: true, value })
        return value
      },
    })
  return made as { readonly [N in keyof M]: ReturnType<M[N]> }
}

export const texts = list(z.string())
export const numbers = list(z.number())
export const count = z.number().int().nonnegative()
/** null where it is not known. */
export const quantity = z.number().nullable()

/** Whether no cell of a CSV begins as a formula does. */
export const spreadsheetSafe = z.boolean().optional()

/** The folder of a dataset, and the identity of its graph. */
export interface GraphPlace {
  readonly folder: string
  readonly checksum: string
}

const codes = [
  'usage',
  'input',
  'storage',
  'verification',
  'device',
  'lost',
  'engine',
  'fault',
  'cancelled',
] as const satisfies FailureCode[]

const option = z.custom<FixOption>((value) => typeof value === 'string')

const fixSchema: z.ZodType<Fix> = z.lazy(() =>
  z.union([
    z.object({ action: z.literal('set'), option, to: z.union([z.string(), z.number(), z.boolean()]) }),
    z.object({ action: z.enum(['raise', 'lower']), option, to: z.number().optional() }),
    z.object({ action: z.enum(['choose', 'omit']), option }),
    z.object({ action: z.enum(['repeat', 'resume-import', 'other-library', 'discard']) }),
    z.object({ action: z.literal('resume'), run: z.string() }),
    z.object({ action: z.literal('launch'), by: z.enum(['mpirun', 'srun']) }),
    z.object({ action: z.literal('show'), page: z.enum(['devices', 'library', 'runs']) }),
  ]),
)

export const failureSchema: z.ZodType<FailureValue> = z.object({
  code: z.enum(codes),
  what: z.string(),
  where: z.string().optional(),
  remedy: z.string(),
  // Absent in records of earlier versions.
  fixes: z.array(fixSchema).optional(),
})

const choiceSchema = z.object({ value: z.string(), label: z.string(), explanation: z.string() })

const optionEntrySchema = z.lazy(() =>
  z.object({
    name: z.string(),
    /** The flag on the command line, with two hyphens. */
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
    /** The values of another option that need this one, which is a file; else it is not asked for. */
    when: z.object({ option: z.string(), values: texts }).optional(),
  }),
)
export type OptionEntry = z.infer<typeof optionEntrySchema>

const counterSchema = z.object({ name: z.string(), label: z.string(), unit: z.string(), explanation: z.string() })
export type CounterEntry = z.infer<typeof counterSchema>

/** What a result with a u32 for each vertex means. */
const valuesEntrySchema = z.lazy(() =>
  z.object({
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
    /** Whether less or more of the first figure is the better result; absent: neither. */
    better: z.enum(['less', 'more']).optional(),
    /** What values 0, 1, ... are called, where they are no numbers. */
    names: texts.optional(),
    /** The first one is the size of the result: "colours". Some are found by the verifier. */
    figures: list(
      counterSchema.extend({
        of: z.literal('verification').optional(),
        /** The word beside 1, where the label is a plural: "colour". */
        one: z.string().optional(),
      }),
    ),
  }),
)
export type ValuesEntry = z.infer<typeof valuesEntrySchema>

export const algorithmEntrySchema = z.lazy(() =>
  z.object({
    name: z.string(),
    title: z.string(),
    kind: z.enum(['independent-set', 'matching', 'b-matching', 'values']),
    /** The values of a result that has one for each vertex, and only there. */
    values: valuesEntrySchema.optional(),
    summary: z.string(),
    whenToUse: z.string(),
    paper: z.object({ title: z.string(), authors: z.string(), venue: z.string(), year: z.number() }),
    options: list(optionEntrySchema),
    counters: list(counterSchema),
  }),
)
export type AlgorithmEntry = z.infer<typeof algorithmEntrySchema>
