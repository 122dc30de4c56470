import { z } from 'zod'
import type { FailureCode, FailureValue } from '../../workers/base/failure.ts'

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

/** An expected failure as it crosses the contract: what happened, where, and what to do about it. */
export const failureSchema: z.ZodType<FailureValue> = z.object({
  code: z.enum(codes),
  what: z.string(),
  where: z.string().optional(),
  remedy: z.string(),
})
