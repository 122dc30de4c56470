import { z } from 'zod'
import type {
  BindingProof,
  DeviceBenchmark,
  DeviceFacts,
  DeviceMemory,
  DevicesOutcome,
  DiskBenchmark,
} from '../../workers/contract/jobs.ts'

const quantity = z.number().nullable()

/** Records of older versions lack the optional fields. */
export const deviceSchema: z.ZodType<DeviceFacts> = z.object({
  id: z.string(),
  kind: z.enum(['cpu', 'gpu']),
  name: z.string(),
  driver: z.string(),
  software: z.boolean(),
  memoryBytes: quantity,
  memoryFreeBytes: quantity.optional(),
  maxBindingBytes: quantity,
  maxBufferBytes: quantity.optional(),
  workgroupStorageBytes: quantity.optional(),
  features: z.array(z.string()),
  subgroupMatrices: z
    .array(z.object({ component: z.string(), result: z.string(), m: z.number(), n: z.number(), k: z.number() }))
    .optional(),
  pciAddress: z.string().nullable().optional(),
  rank: z.number().optional(),
  host: z.string().optional(),
})

const proofSchema: z.ZodType<BindingProof> = z.object({
  id: z.string(),
  name: z.string(),
  pciAddress: z.string().nullable(),
  allocatedBytes: z.number(),
  grew: z.array(z.object({ pciAddress: z.string(), bytes: z.number() })),
  proven: z.boolean().nullable(),
  reason: z.string().nullable(),
})

const spread = z.object({ median: z.number(), min: z.number(), max: z.number() }).nullable()

const benchmarkSchema: z.ZodType<DeviceBenchmark> = z.object({
  id: z.string(),
  bytes: z.number(),
  repeats: z.number(),
  toDevice: spread,
  fromDevice: spread,
  kernel: spread,
  problem: z.string().nullable(),
})

const diskSchema: z.ZodType<DiskBenchmark> = z.object({
  folder: z.string(),
  bytes: z.number(),
  repeats: z.number(),
  read: spread,
  cacheDropped: z.boolean(),
  note: z.string().nullable(),
})

export const devicesSchema: z.ZodType<DevicesOutcome> = z.object({
  devices: z.array(deviceSchema),
  noGpu: z.string().nullable(),
  note: z.string().nullable().optional(),
  proof: z.array(proofSchema).optional(),
  benchmarks: z.array(benchmarkSchema).optional(),
  disk: diskSchema.optional(),
})

/** null where it is not known. */
export const deviceMemorySchema: z.ZodType<DeviceMemory> = z.object({
  devices: z.array(z.object({ id: z.string(), memoryBytes: quantity, memoryFreeBytes: quantity })),
})
