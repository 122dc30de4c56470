import { type FailureValue, type Fix, Failure, MORE_MEMORY, OTHER_LIBRARY } from '../base/failure.ts'
import type { PlanArgs, ResourcePlan } from '../contract/jobs.ts'

/** A device without the memory. @param what with its verb: "the graph takes" */
export function shortOfMemory(
  where: string | undefined,
  what: string,
  neededBytes: number,
  budgetBytes: number,
  remedy = 'Use another device.',
  fixes: readonly Fix[] = [MORE_MEMORY],
): Failure {
  const [needed, budget] = [sizeInWords(neededBytes, budgetBytes), sizeInWords(budgetBytes, neededBytes)]
  return new Failure({
    code: 'usage',
    ...(where === undefined ? {} : { where }),
    what: `${what} ${needed} of the device's memory, and ${budget} may be used`,
    remedy,
    fixes,
  })
}

/** The rest is left to other programs. */
const HOST_SHARE = 0.9

/** Why the plan does not fit this machine, with both figures; null where it does. */
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

/** @param beside another size of the same sentence: where rounding would make both the same, bytes are told apart */
export function sizeInWords(bytes: number, beside = bytes): string {
  const isSame = beside !== bytes && rounded(beside) === rounded(bytes)
  return isSame ? `${bytes} bytes` : rounded(bytes)
}

function rounded(bytes: number): string {
  if (bytes < 2 ** 10) return `${bytes} bytes`
  if (bytes < 2 ** 20) return `${(bytes / 2 ** 10).toFixed(1)} KiB`
  return bytes < 2 ** 30 ? `${(bytes / 2 ** 20).toFixed(1)} MiB` : `${(bytes / 2 ** 30).toFixed(1)} GiB`
}
