import type { DeviceFacts } from '../contract/jobs.ts'
import { liveMemory } from './live-memory.ts'

/** How long an unused GPU device waits for the next run before it gives its memory back to other programs. */
const KEPT_MS = 60_000

/** What can wait: see GpuDevice. */
export interface KeepableGpu {
  readonly facts: DeviceFacts
  readonly isSound: boolean
  renew(facts: DeviceFacts): Promise<void>
  destroy(): void
}

/**
 * The device that this thread used last. Opening one means starting the driver, pinning staging memory and compiling kernels anew,
 * which takes longer than most runs. Only a device on which nothing is left and nothing failed is kept.
 */
let kept: { readonly device: KeepableGpu; readonly timer: NodeJS.Timeout } | undefined

/** Keeps a device that its user is done with; false where it is to be destroyed. The one before it makes way. */
export function keepGpu(device: KeepableGpu): boolean {
  if (!device.isSound) return false
  takeKept()?.destroy()
  kept = { device, timer: setTimeout(() => takeKept()?.destroy(), KEPT_MS).unref() }
  return true
}

/** The kept device of this name, as if it had just been opened; else undefined, and what was kept makes way. */
export async function reopenGpu<D extends KeepableGpu>(
  id: string,
  isOne: (device: KeepableGpu) => device is D,
): Promise<D | undefined> {
  const device = takeKept()
  if (device === undefined) return undefined
  if (device.facts.id === id && device.isSound && isOne(device)) {
    const [memory] = liveMemory({ devices: [device.facts] }).devices
    await device.renew({ ...device.facts, ...memory })
    return device
  }
  device.destroy()
  return undefined
}

function takeKept(): KeepableGpu | undefined {
  clearTimeout(kept?.timer)
  const device = kept?.device
  kept = undefined
  return device
}
