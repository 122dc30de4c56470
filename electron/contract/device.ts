import { z } from 'zod'
import type { DeviceFacts, DevicesOutcome } from '../../workers/jobs.ts'

/** A device as the engine found it. */
export const deviceSchema: z.ZodType<DeviceFacts> = z.object({
  id: z.string(),
  kind: z.enum(['cpu', 'gpu']),
  name: z.string(),
  driver: z.string(),
  software: z.boolean(),
  memoryBytes: z.number().nullable(),
  maxBindingBytes: z.number().nullable(),
  features: z.array(z.string()),
})

/** All devices, and the reason where there is no GPU. */
export const devicesSchema: z.ZodType<DevicesOutcome> = z.object({
  devices: z.array(deviceSchema),
  noGpu: z.string().nullable(),
})
