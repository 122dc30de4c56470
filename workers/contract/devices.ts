import { z } from 'zod'
import { list, quantity, texts } from './schema.ts'

/** A (m x k) times B (k x n), computed by a subgroup; `result`: of the product. */
const subgroupMatrixSchema = z.object({
  component: z.string(),
  result: z.string(),
  m: z.number(),
  n: z.number(),
  k: z.number(),
})
export type SubgroupMatrix = z.infer<typeof subgroupMatrixSchema>

/** Unknown facts are null; records of older versions lack the later fields. */
export const deviceSchema = z.object({
  /** "cpu:0", "gpu:0". GPUs are numbered by PCI address, software adapters last. */
  id: z.string(),
  kind: z.enum(['cpu', 'gpu']),
  name: z.string(),
  driver: z.string(),
  software: z.boolean(),
  memoryBytes: quantity,
  memoryFreeBytes: quantity.optional(),
  maxBindingBytes: quantity,
  maxBufferBytes: quantity.optional(),
  /** Memory that a workgroup shares. */
  workgroupStorageBytes: quantity.optional(),
  features: texts,
  subgroupMatrices: list(subgroupMatrixSchema).optional(),
  /** "0000:19:00.0": domain, bus, device, function. */
  pciAddress: z.string().nullable().optional(),
  /** The rank, in a run across ranks, that has it, and its machine. */
  rank: z.number().optional(),
  host: z.string().optional(),
})
export type DeviceFacts = z.infer<typeof deviceSchema>

const proofSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    name: z.string(),
    /** The GPU that `id` stands for; null where its address is not known. */
    pciAddress: z.string().nullable(),
    allocatedBytes: z.number(),
    /** GPUs whose used memory grew by half of allocatedBytes or more. */
    grew: list(z.object({ pciAddress: z.string(), bytes: z.number() })),
    /** null where the system does not say. */
    proven: z.boolean().nullable(),
    reason: z.string().nullable(),
  }),
)
export type BindingProof = z.infer<typeof proofSchema>

const spreadSchema = z.object({ median: z.number(), min: z.number(), max: z.number() })
export type Spread = z.infer<typeof spreadSchema>
const rate = spreadSchema.nullable()

const benchmarkSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    /** Bytes of each copy. */
    bytes: z.number(),
    repeats: z.number(),
    /** Bytes a second: to the device, back, read plus written by a copying kernel. */
    toDevice: rate,
    fromDevice: rate,
    kernel: rate,
    problem: z.string().nullable(),
  }),
)
export type DeviceBenchmark = z.infer<typeof benchmarkSchema>

const diskSchema = z.lazy(() =>
  z.object({
    folder: z.string(),
    bytes: z.number(),
    repeats: z.number(),
    /** Sequential, in bytes a second. */
    read: rate,
    /** Else `read` is the speed of memory. */
    cacheDropped: z.boolean(),
    note: z.string().nullable(),
  }),
)
export type DiskBenchmark = z.infer<typeof diskSchema>

export const devicesSchema = z.lazy(() =>
  z.object({
    devices: list(deviceSchema),
    /** null where there is one. */
    noGpu: z.string().nullable(),
    /** GPUs that cannot be told apart, and why. */
    note: z.string().nullable().optional(),
    proof: list(proofSchema).optional(),
    benchmarks: list(benchmarkSchema).optional(),
    disk: diskSchema.optional(),
  }),
)
export type DevicesOutcome = z.infer<typeof devicesSchema>

export const deviceMemorySchema = z.lazy(() =>
  z.object({
    devices: list(z.object({ id: z.string(), memoryBytes: quantity, memoryFreeBytes: quantity })),
  }),
)
export type DeviceMemory = z.infer<typeof deviceMemorySchema>

export interface DevicesArgs {
  /** Allocate on each GPU and see where memory was taken. */
  readonly prove?: boolean | undefined
  readonly benchmark?: { readonly folder: string } | undefined
}

export interface DeviceMemoryArgs {
  readonly devices: readonly DeviceFacts[]
}

export interface DeviceJobs {
  devices: { args: DevicesArgs; result: DevicesOutcome }
  'device-memory': { args: DeviceMemoryArgs; result: DeviceMemory }
}
