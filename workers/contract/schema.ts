import { z } from 'zod'
import type { FailureCode, FailureValue, Fix, FixOption } from '../base/failure.ts'

/** Read-only by its type; it is not frozen. */
export const list = <S extends z.ZodType>(item: S): z.ZodType<readonly z.infer<S>[]> => z.array(item)

export const texts = list(z.string())
export const numbers = list(z.number())
export const count = z.number().int().nonnegative()
/** null where it is not known. */
export const quantity = z.number().nullable()

/** Where a dataset is, and the identity of its graph. */
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

const fixSchema: z.ZodType<Fix> = z.union([
  z.object({ action: z.literal('set'), option, to: z.union([z.string(), z.number(), z.boolean()]) }),
  z.object({ action: z.enum(['raise', 'lower']), option, to: z.number().optional() }),
  z.object({ action: z.enum(['choose', 'omit']), option }),
  z.object({ action: z.enum(['repeat', 'resume-import', 'other-library', 'discard']) }),
  z.object({ action: z.literal('resume'), run: z.string() }),
  z.object({ action: z.literal('launch'), by: z.enum(['mpirun', 'srun']) }),
  z.object({ action: z.literal('show'), page: z.enum(['devices', 'library', 'runs']) }),
])

export const failureSchema: z.ZodType<FailureValue> = z.object({
  code: z.enum(codes),
  what: z.string(),
  where: z.string().optional(),
  remedy: z.string(),
  // Absent in records of earlier versions.
  fixes: z.array(fixSchema).optional(),
})
