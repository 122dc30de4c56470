/** A matrix product that a GPU's subgroups compute at once: A (m x k) times B (k x n). */
export interface SubgroupMatrix {
  /** "u8", "f16" ... of A and B */
  readonly component: string
  /** Of the product. */
  readonly result: string
  readonly m: number
  readonly n: number
  readonly k: number
}

/** A device as `anticlique devices` lists it. What cannot be known is null; records of older versions lack the later fields. */
export interface DeviceFacts {
  /** "cpu:0", "gpu:0". GPUs are numbered by PCI address, software adapters last. */
  readonly id: string
  readonly kind: 'cpu' | 'gpu'
  readonly name: string
  readonly driver: string
  readonly software: boolean
  readonly memoryBytes: number | null
  /** Of memoryBytes, when the device was listed or opened. */
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

/** What `auto` stands for: the first GPU that is one, else the processor. A software adapter is slower than the processor itself. */
export function autoDevice(devices: readonly Pick<DeviceFacts, 'id' | 'kind' | 'software'>[]): string {
  return devices.find(({ kind, software }) => kind === 'gpu' && !software)?.id ?? 'cpu:0'
}

export interface DevicesArgs {
  /** Allocate on each GPU in turn and tell on which one memory was taken. */
  readonly prove?: boolean | undefined
  /** Measure each device, and the disk of this folder. */
  readonly benchmark?: { readonly folder: string } | undefined
}

/** Where memory was taken when it was allocated on a GPU. */
export interface BindingProof {
  readonly id: string
  readonly name: string
  /** The GPU that `id` stands for; null where its address is not known. */
  readonly pciAddress: string | null
  readonly allocatedBytes: number
  /** GPUs whose used memory grew by half of allocatedBytes or more meanwhile. */
  readonly grew: readonly { readonly pciAddress: string; readonly bytes: number }[]
  /** Whether it grew on `pciAddress` and nowhere else; null where the system does not tell how much memory is used. */
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
  /** All in bytes a second: host memory to the device, back, and read plus written by a kernel that copies. */
  readonly toDevice: Spread | null
  readonly fromDevice: Spread | null
  readonly kernel: Spread | null
  /** Why there are no figures; else null. */
  readonly problem: string | null
}

export interface DiskBenchmark {
  readonly folder: string
  readonly bytes: number
  readonly repeats: number
  /** Sequential, in bytes a second. */
  readonly read: Spread | null
  /** Whether the file had left the system's cache before each reading. If not, `read` is the speed of memory. */
  readonly cacheDropped: boolean
  readonly note: string | null
}

export interface DevicesOutcome {
  readonly devices: readonly DeviceFacts[]
  /** Why there is no GPU, when there is none; else null. */
  readonly noGpu: string | null
  /** Which GPUs are not offered because they cannot be told apart, and why. */
  readonly note?: string | null | undefined
  readonly proof?: readonly BindingProof[] | undefined
  readonly benchmarks?: readonly DeviceBenchmark[] | undefined
  readonly disk?: DiskBenchmark | undefined
}

export interface DeviceMemoryArgs {
  /** As they were listed. */
  readonly devices: readonly DeviceFacts[]
}

/** What is free now on devices that were listed before; null where the system does not tell. */
export interface DeviceMemory {
  readonly devices: readonly {
    readonly id: string
    readonly memoryBytes: number | null
    readonly memoryFreeBytes: number | null
  }[]
}
