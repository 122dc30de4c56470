import type { AnyKernel, Kernel } from '../../kernels/kernel.ts'
import { fillWords, type Device, type DeviceBuffer } from '../../workers/device/device.ts'

export type Words = Record<string, Uint32Array>

/** What a kernel leaves in its buffers on a device. */
export async function launched<P extends string, B extends string>(
  device: Device,
  kernel: AnyKernel<P, B>,
  threads: number,
  params: Record<P, number>,
  buffers: Record<B, Uint32Array>,
): Promise<Words> {
  await device.prepare([kernel])
  const names = kernel.buffers.map(({ name }) => name)
  const made: (readonly [B, DeviceBuffer])[] = []
  // One after another: a device has fewer staging buffers than some kernels have buffers.
  for (const name of names) {
    const buffer = await device.allocate(name, Math.max(4, buffers[name].length))
    await fillWords(device, buffer, buffers[name])
    made.push([name, buffer])
  }
  device.launch(kernel, threads, params, Object.fromEntries(made) as Record<B, DeviceBuffer>)
  const read = await Promise.all(
    made.map(async ([name, buffer]) => [name, await device.read(buffer, 0, buffers[name].length)] as const),
  )
  for (const [, buffer] of made) device.release(buffer)
  return Object.fromEntries(read)
}

/** What its twin leaves in the same. */
export function twinned<P extends string, B extends string>(
  { twin }: Kernel<P, B>,
  params: Record<P, number>,
  buffers: Record<B, Uint32Array>,
): Words {
  const copies = Object.fromEntries(Object.entries<Uint32Array>(buffers).map(([name, words]) => [name, words.slice()]))
  twin(params, copies as Record<B, Uint32Array>)
  return copies
}
