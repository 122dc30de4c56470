import { totalmem } from 'node:os'

/** Host memory that preparing may take by default: a quarter of the machine's. */
export const preparingBytes = (): number => Math.floor(totalmem() / 4)

/** Memory of `cpu:N`, which all of them share: this process's limit where it has one. */
export function hostMemory(): { memoryBytes: number; memoryFreeBytes: number } {
  const limit = process.constrainedMemory()
  const total = limit > 0 ? Math.min(limit, totalmem()) : totalmem()
  return { memoryBytes: total, memoryFreeBytes: Math.min(process.availableMemory(), total) }
}
