/** A (m x k) times B (k x n), computed by a subgroup. */
export interface SubgroupMatrix {
  readonly component: string
  /** Of the product. */
  readonly result: string
  readonly m: number
  readonly n: number
  readonly k: number
}

/** Unknown facts are null; records of older versions lack the later fields. */
export interface DeviceFacts {
  /** "cpu:0", "gpu:0". GPUs are numbered by PCI address, software adapters last. */
  readonly id: string
  readonly kind: 'cpu' | 'gpu'
  readonly name: string
  readonly driver: string
  readonly software: boolean
  readonly memoryBytes: number | null
  readonly memoryFreeBytes?: number | null | undefined
  readonly maxBindingBytes: number | null
  readonly maxBufferBytes?: number | null | undefined
  /** Memory that a workgroup shares. */
  readonly workgroupStorageBytes?: number | null | undefined
  readonly features: readonly string[]
  readonly subgroupMatrices?: readonly SubgroupMatrix[] | undefined
  /** "0000:19:00.0": domain, bus, device, function. */
  readonly pciAddress?: string | null | undefined
  /** Of a run across ranks: which of them has it, and on which machine. */
  readonly rank?: number | undefined
  readonly host?: string | undefined
}

/** The first hardware GPU, else the processor: software adapters are slower. */
export function autoDevice(devices: readonly Pick<DeviceFacts, 'id' | 'kind' | 'software'>[]): string {
  return devices.find(({ kind, software }) => kind === 'gpu' && !software)?.id ?? 'cpu:0'
}

export interface DevicesArgs {
  /** Allocate on each GPU and see where memory was taken. */
  readonly prove?: boolean | undefined
  readonly benchmark?: { readonly folder: string } | undefined
}

export interface BindingProof {
  readonly id: string
  readonly name: string
  /** The GPU that `id` stands for; null where its address is not known. */
  readonly pciAddress: string | null
  readonly allocatedBytes: number
  /** By half of allocatedBytes or more. */
  readonly grew: readonly { readonly pciAddress: string; readonly bytes: number }[]
  /** null where the system does not say. */
  readonly proven: boolean | null
  readonly reason: string | null
}

export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

export interface DeviceBenchmark {
  readonly id: string
  /** Of each copy. */
  readonly bytes: number
  readonly repeats: number
  /** Bytes a second: to the device, back, read plus written by a copying kernel. */
  readonly toDevice: Spread | null
  readonly fromDevice: Spread | null
  readonly kernel: Spread | null
  readonly problem: string | null
}

export interface DiskBenchmark {
  readonly folder: string
  readonly bytes: number
  readonly repeats: number
  /** Sequential, in bytes a second. */
  readonly read: Spread | null
  /** Else `read` is the speed of memory. */
  readonly cacheDropped: boolean
  readonly note: string | null
}

export interface DevicesOutcome {
  readonly devices: readonly DeviceFacts[]
  /** null where there is one. */
  readonly noGpu: string | null
  /** GPUs that cannot be told apart, and why. */
  readonly note?: string | null | undefined
  readonly proof?: readonly BindingProof[] | undefined
  readonly benchmarks?: readonly DeviceBenchmark[] | undefined
  readonly disk?: DiskBenchmark | undefined
}

export interface DeviceMemoryArgs {
  readonly devices: readonly DeviceFacts[]
}

/** null where the system does not say. */
export interface DeviceMemory {
  readonly devices: readonly {
    readonly id: string
    readonly memoryBytes: number | null
    readonly memoryFreeBytes: number | null
  }[]
}
