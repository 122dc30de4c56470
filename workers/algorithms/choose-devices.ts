import type { DeviceFacts, PlanLane } from '../contract/jobs.ts'
import type { Algorithm } from './algorithm.ts'
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
 * What `auto` stands for, by what was measured (docs/results.md). Sets are made in one pass, in which one GPU keeps up with
 * reading. Where one GPU holds all that a matching needs, one is best: several wait for each other once a round. Beyond that lists pass
 * through every GPU that has room for the vertices.
 * @param candidates one at least, in the order in which they are preferred
 * @param lanesOn what each of some devices would hold
 */
export function chooseDevices(
  name: string,
  severalGpus: Algorithm['severalGpus'],
  candidates: readonly DeviceFacts[],
  lanesOn: (devices: readonly DeviceFacts[]) => readonly PlanLane[],
): DeviceChoice {
  const first = candidates[0]!
  if (first.kind === 'cpu') return { devices: [first], why: `uses ${first.id}: this machine has no GPU in hardware` }
  if (candidates.length === 1) return { devices: [first], why: `uses ${first.id}: the only GPU of this machine` }
  const alone = candidates.map((device) => ({ device, lane: lanesOn([device])[0]! }))
  const whole = alone.find(({ lane }) => lane.holds === 'share' && hasRoom(lane))
  if (whole !== undefined)
    return { devices: [whole.device], why: `${usesAlone(whole.lane)}; more GPUs would only wait for each other` }
  if (severalGpus === 'needless')
    return { devices: [first], why: `uses ${first.id} alone: it visits lists as fast as they are read` }
  if (severalGpus === 'impossible')
    return {
      devices: [first],
      why: `uses ${first.id} alone, which has to stream: ${name} computes on one device`,
    }
  const able = alone.filter(({ lane }) => hasRoom(lane))
  const devices = able.length === 0 ? [first] : able.map(({ device }) => device)
  const [only] = devices
  if (devices.length === 1)
    return {
      devices,
      why: `uses ${only!.id} alone, through which lists pass: the others of the ${candidates.length} GPUs of this machine have not the memory`,
    }
  return { devices, why: sharedWords(lanesOn(devices), able[0]!.lane) }
}

const hasRoom = ({ deviceBytes, availableBytes }: PlanLane): boolean => deviceBytes <= (availableBytes ?? Infinity)

function usesAlone({ device, deviceBytes, availableBytes }: PlanLane): string {
  const room = availableBytes === null ? 'its memory holds' : `its ${sizeInWords(availableBytes)} hold`
  return `uses ${device} alone: ${room} the ${sizeInWords(deviceBytes)} of the run`
}

function sharedWords(lanes: readonly PlanLane[], { shareBytes, availableBytes }: PlanLane): string {
  const room = availableBytes === null ? 'what' : `the ${sizeInWords(availableBytes)} that`
  const names = lanes.map(({ device }) => device).join(', ')
  return `uses ${names}: the ${sizeInWords(shareBytes)} of the graph are more than ${room} one GPU may use, and lists pass through all of them`
}
