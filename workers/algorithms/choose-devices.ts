import type { AlgorithmName, DeviceFacts, PlanLane } from '../jobs.ts'
import { sizeInWords } from './plan-refusal.ts'

/** Devices of a run, with one sentence for the user. */
export interface DeviceChoice {
  readonly devices: readonly DeviceFacts[]
  readonly why: string
}

/** What `auto` chooses from: every GPU that is one, else the processor, to which a GPU in software is no match. */
export function autoCandidates(devices: readonly DeviceFacts[]): readonly DeviceFacts[] {
  const gpus = devices.filter(({ kind, software }) => kind === 'gpu' && !software)
  return gpus.length > 0 ? gpus : devices.filter(({ id }) => id === 'cpu:0')
}

/**
 * What `auto` stands for, by what was measured (docs/benchmarks.md, several GPUs). Sets are made in one pass, in which one GPU keeps up with
 * reading. Where one GPU holds all that a matching needs, one is best: several wait for each other once a round. Beyond that every GPU
 * takes its share.
 * @param candidates one at least, in the order in which they are preferred
 * @param lanesOn what each of some devices would hold
 */
export function chooseDevices(
  algorithm: AlgorithmName,
  candidates: readonly DeviceFacts[],
  lanesOn: (devices: readonly DeviceFacts[]) => readonly PlanLane[],
): DeviceChoice {
  const first = candidates[0]!
  if (first.kind === 'cpu')
    return { devices: [first], why: `uses ${first.id}: this machine has no GPU that could be used` }
  if (candidates.length === 1) return { devices: [first], why: `uses ${first.id}: the only GPU of this machine` }
  const alone = candidates.map((device) => ({ device, lane: lanesOn([device])[0]! }))
  const whole = alone.find(({ lane }) => lane.holds === 'share')
  if (whole !== undefined)
    return { devices: [whole.device], why: `${usesAlone(whole.lane)}; more GPUs would only wait for each other` }
  if (algorithm === 'ecl-mis' || algorithm === 'mg-mis')
    return { devices: [first], why: `uses ${first.id} alone: it visits lists as fast as they are read` }
  if (algorithm !== 'ld-gpu')
    return {
      devices: [first],
      why: `uses ${first.id} alone, which has to stream: ${algorithm} computes on one device`,
    }
  const shared = worthSharing(alone.map(({ device, lane }) => ({ device, bytes: lane.availableBytes ?? Infinity })))
  const devices = candidates.filter((device) => shared.has(device))
  const [only] = devices
  if (devices.length === 1)
    return {
      devices,
      why: `uses ${only!.id} alone, which has to stream: of the ${candidates.length} GPUs of this machine it may use by far the most memory, and shares are as large as the least allows`,
    }
  return { devices, why: sharedWords(lanesOn(devices), alone.find(({ device }) => device === only)!.lane) }
}

/** Those that together hold most, as each holds what the one with the least does; of equal ones all. */
function worthSharing(budgets: readonly { readonly device: DeviceFacts; readonly bytes: number }[]) {
  const descending = budgets.toSorted((a, b) => b.bytes - a.bytes)
  const held = descending.map(({ bytes }, i) => (i + 1) * bytes)
  return new Set(descending.slice(0, held.lastIndexOf(Math.max(...held)) + 1).map(({ device }) => device))
}

function usesAlone({ device, deviceBytes, availableBytes }: PlanLane): string {
  const room = availableBytes === null ? 'its memory holds' : `its ${sizeInWords(availableBytes)} hold`
  return `uses ${device} alone: ${room} the ${sizeInWords(deviceBytes)} of the run`
}

function sharedWords(lanes: readonly PlanLane[], alone: PlanLane): string {
  const shares = lanes.map(({ shareBytes }) => shareBytes)
  const room = alone.availableBytes === null ? 'what' : `the ${sizeInWords(alone.availableBytes)} that`
  const each = `${sizeInWords(Math.max(...shares))} of the view`
  const how = lanes.every(({ holds }) => holds === 'share') ? 'each holds its share' : 'each streams its share'
  return `uses ${lanes.map(({ device }) => device).join(', ')}: the ${sizeInWords(alone.shareBytes)} of the view are more than ${room} one GPU may use; ${how}, ${each}`
}
