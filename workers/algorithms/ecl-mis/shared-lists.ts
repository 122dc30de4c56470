import { HOST_LISTS } from '../../../kernels/mis/modules.ts'

/** The module of host-lists.wat, compiled, and the memory that all threads share; both are sent to them. */
export interface SharedLists {
  readonly module: WebAssembly.Module
  readonly memory: WebAssembly.Memory
}

export const PAGE_BYTES = 1 << 16
export const MOST_PAGES = 1 << 16

/** @returns undefined where a memory of WebAssembly cannot have so many bytes */
export function shareLists(bytes: number): SharedLists | undefined {
  const pages = Math.max(1, Math.ceil(bytes / PAGE_BYTES))
  if (pages > MOST_PAGES) return undefined
  try {
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
    return { module: new WebAssembly.Module(Buffer.from(HOST_LISTS, 'base64')), memory }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
