import { z } from 'zod'
import type { Verdict } from '../../workers/contract/jobs.ts'

const common = {
  size: z.number(),
  hash: z.string(),
  upperBound: z.number().nullable(),
  figures: z.record(z.string(), z.number()).optional(),
  weight: z.number().optional(),
  elapsedMs: z.number(),
}

const broken = { ...common, verified: z.literal(false), sentence: z.string() }
const edge = z.tuple([z.string(), z.string()])

export const verdictSchema: z.ZodType<Verdict> = z.union([
  z.object({ ...common, verified: z.literal(true) }),
  z.object({ ...broken, law: z.enum(['valid', 'maximal-matching', 'locally-dominant']), edge }),
  z.object({ ...broken, law: z.literal('independent'), edge }),
  z.object({ ...broken, law: z.literal('maximal'), vertex: z.string() }),
  z.object({ ...broken, law: z.literal('as claimed'), vertices: z.array(z.string()) }),
])

/** 0 to 1; null without a bound. */
export function shareOfBound({ size, weight, upperBound }: Verdict): number | null {
  return upperBound !== null && upperBound > 0 ? (weight ?? size) / upperBound : null
}
