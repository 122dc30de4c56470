import { type FailureValue, type Fix, Failure, MORE_MEMORY, OTHER_LIBRARY } from '../base/failure.ts'
import { hostMemory, processorsHere } from '../base/host-resources.ts'
import { defaultBudgetBytes } from '../device/device.ts'
import type { DeviceFacts, PlanArgs, ResourcePlan, RunArgs } from '../contract/jobs.ts'

/** Of the host beside the device's memory: offsets, the result, and states that are read back. */
export function runHostBytes(vertices: number): number {
  return 4 * (vertices + 1) + Math.ceil(vertices / 4) * 2
}

/** Of each of `sharers` workers: what was asked for, else the default of device.ts. Infinity where it is not known: allocating shows it. */
export function deviceBudget(facts: DeviceFacts, askedBytes: number | undefined, sharers = 1): number {
  const known = facts.kind === 'cpu' ? { ...facts, ...hostMemory() } : facts
  return Math.floor((askedBytes ?? defaultBudgetBytes(known) ?? Infinity) / sharers)
}

/** Of each worker: those on one device share its memory, and so do all processors where none was given its own. */
export function budgetsOf(devices: readonly DeviceFacts[], askedBytes: number | undefined): number[] {
  const placeOf = ({ id, kind }: DeviceFacts): string => (askedBytes === undefined && kind === 'cpu' ? 'cpu' : id)
  const places = devices.map(placeOf)
  return devices.map((facts, worker) => {
    const sharers = places.filter((place) => place === places[worker]).length
    return deviceBudget(facts, askedBytes, sharers)
  })
}

/** Of each worker, where all have equal partitions. */
export const commonBudget = (devices: readonly DeviceFacts[], askedBytes: number | undefined): number =>
  Math.min(...budgetsOf(devices, askedBytes))

/** The device of each worker: the named ones in turn. */
export function workersOf({ device, partitions }: Pick<RunArgs, 'device' | 'partitions'>): string[] {
  const devices = device.split(',')
  return Array.from({ length: partitions ?? devices.length }, (_, worker) => devices[worker % devices.length]!)
}

/** Another thread takes longer to start than these take to visit. */
const ARCS_A_THREAD = 1 << 19
const MOST_THREADS = 64

/** Of each of so many processors that compute side by side. */
export function threadsOf({ arcs }: { readonly arcs: number }, processors: number): number {
  const most = Math.max(1, Math.floor(processorsHere() / Math.max(1, processors)))
  return Math.max(1, Math.min(MOST_THREADS, most, Math.ceil(arcs / ARCS_A_THREAD)))
}

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
