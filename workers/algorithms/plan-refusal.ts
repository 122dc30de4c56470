import type { FailureValue } from '../base/failure.ts'
import { OTHER_LIBRARY } from '../base/failure.ts'
import type { PlanArgs, ResourcePlan } from '../contract/jobs.ts'

/** Memory that the system and other programs are left with. */
const HOST_SHARE = 0.9

/** Why what is planned cannot be done here, with both figures and what to do; null when it fits. */
export function planRefusal(
  { folder, target }: Pick<PlanArgs, 'folder' | 'target'>,
  needed: ResourcePlan['needed'],
  available: ResourcePlan['available'],
): FailureValue | null {
  const what = target.kind === 'file' ? 'importing and computing this' : 'preparing and computing this'
  if (needed.peakDiskBytes > available.diskBytes)
    return {
      code: 'storage',
      where: folder,
      what: `${what} takes up to ${sizeInWords(needed.peakDiskBytes, available.diskBytes)} of disk, and ${sizeInWords(available.diskBytes, needed.peakDiskBytes)} are free`,
      remedy: 'Free some space; nothing was written.',
      fixes: [OTHER_LIBRARY],
    }
  const mayUse = Math.floor(HOST_SHARE * available.hostBytes)
  if (needed.hostBytes > mayUse)
    return {
      code: 'usage',
      what: `${what} takes up to ${sizeInWords(needed.hostBytes, mayUse)} of memory, and ${sizeInWords(mayUse, needed.hostBytes)} of the machine's ${sizeInWords(available.hostBytes)} may be used`,
      remedy: 'Use a machine with more memory; with a smaller limit more goes through the disk.',
      fixes: [{ action: 'lower', option: 'memoryBytes' }],
    }
  return null
}

/**
 * Bytes in the unit that people buy memory and disks in; very few are counted.
 * @param beside another size in the same sentence: where rounding would make both the same, bytes are counted
 */
export function sizeInWords(bytes: number, beside = bytes): string {
  const isSame = beside !== bytes && rounded(beside) === rounded(bytes)
  return isSame ? `${bytes} bytes` : rounded(bytes)
}

function rounded(bytes: number): string {
  if (bytes < 2 ** 10) return `${bytes} bytes`
  if (bytes < 2 ** 20) return `${(bytes / 2 ** 10).toFixed(1)} KiB`
  return bytes < 2 ** 30 ? `${(bytes / 2 ** 20).toFixed(1)} MiB` : `${(bytes / 2 ** 30).toFixed(1)} GiB`
}
