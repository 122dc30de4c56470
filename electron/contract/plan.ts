import { z } from 'zod'
import type { ResourcePlan } from '../../workers/contract/jobs.ts'
import { failureSchema } from './failure.ts'

const bytes = z.number().nonnegative()

export const planSchema: z.ZodType<ResourcePlan> = z.object({
  vertices: z.number(),
  arcs: z.number(),
  exact: z.boolean(),
  basis: z.string(),
  device: z.string(),
  lanes: z.array(
    z.object({
      device: z.string(),
      shareBytes: bytes,
      holds: z.enum(['share', 'nothing']),
      deviceBytes: bytes,
      availableBytes: bytes.nullable(),
    }),
  ),
  deviceAdvice: z.string().optional(),
  batches: z.number(),
  runIsExact: z.boolean().optional(),
  steps: z.array(
    z.object({
      name: z.enum(['import', 'tiles', 'run', 'improve', 'verify']),
      hostBytes: bytes,
      deviceBytes: bytes,
      scratchBytes: bytes,
      diskBytes: bytes,
      passes: z.number(),
    }),
  ),
  passes: z.number(),
  needed: z.object({
    hostBytes: bytes,
    deviceBytes: bytes,
    scratchBytes: bytes,
    diskBytes: bytes,
    peakDiskBytes: bytes,
  }),
  available: z.object({ hostBytes: bytes, deviceBytes: bytes.nullable(), diskBytes: bytes }),
  across: z
    .object({
      ranks: z.number(),
      sliceBytes: bytes,
      replicatedBytes: bytes,
      roundBytes: bytes,
      roundMs: z.number(),
    })
    .optional(),
  refusal: failureSchema.nullable(),
})
