import { z } from 'zod'
import type { FailureCode, FailureValue, Fix, FixOption } from '../../workers/base/failure.ts'

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

/** @param words of a fix: a clause without a capital */
export function remedyText({ remedy, fixes = [] }: FailureValue, words: (fix: Fix) => string): string {
  const clauses = fixes.map(words)
  if (clauses.length === 0) return remedy
  const isMore = fixes[0]!.action === 'repeat' || fixes[0]!.action === 'resume'
  const all = `${remedy === '' || isMore ? '' : 'or '}${clauses.join(', or ')}.`
  return `${remedy} ${capitalised(all)}`.trim()
}

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
