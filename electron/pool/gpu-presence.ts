import { existsSync, readdirSync } from 'node:fs'

/**
 * Whether a GPU is worth a search, which loads drivers for a tenth of a second. On Linux every driver of a GPU has its nodes
 * under /dev, or is loaded and makes them on demand; elsewhere it is always worth it.
 * @param root "/", or a folder that stands for it
 */
export function mayHaveGpu(root = '/', platform = process.platform): boolean {
  if (platform !== 'linux') return true
  const drivers = ['dev/nvidiactl', 'proc/driver/nvidia/version', 'dev/dxg', 'dev/kfd']
  return drivers.some((path) => existsSync(`${root}${path}`)) || hasRenderNode(`${root}dev/dri`)
}

function hasRenderNode(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => /^(?:card|renderD)\d+$/.test(name))
  } catch {
    return false
  }
}

/** The file of a graph that one thread is done with before others, or a GPU, have started. */
export const SMALL_BYTES = 4 << 20
