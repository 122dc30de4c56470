import { Failure } from '../../../base/failure.ts'
import { fillWords } from '../../../device/device.ts'
import type { Device, DeviceBuffer, DeviceLimits } from '../../../device/device.ts'
import type { OwnRange } from './paper-ranges.ts'
import type { PaperShared } from './message-buffers.ts'
import { VERTICES_PER_WORD, stateWords } from '../../../graph/vertex-states.ts'

/** What a worker of the paper's exchange keeps on its device beside the arcs. */
export interface PaperWorkspace {
  readonly states: DeviceBuffer
  readonly remoteNbrIndex: DeviceBuffer
  /** One word a vertex of the whole graph where priorities are no hashes of ids; else a word that is not read. */
  readonly ranks: DeviceBuffer
  /** One buffer for each worker, side by side. */
  readonly send: DeviceBuffer
  readonly received: DeviceBuffer
  /** 2 words for each worker and 2 for each batch; see mg-round.wgsl. */
  readonly counters: DeviceBuffer
}

interface Sizes {
  readonly places: number
  readonly workers: number
  readonly bufferWords: number
  readonly ranked: boolean
  readonly vertices: number
  readonly batches: number
}

export const counterWords = (workers: number, batches: number): number => 2 * workers + 2 * batches

/** Bytes of the workspace on the device. */
export function paperWorkspaceBytes({ places, workers, bufferWords, ranked, vertices, batches }: Sizes): number {
  const ranks = ranked ? vertices : 1
  return 4 * (stateWords(places) + places + ranks + 2 * workers * bufferWords + counterWords(workers, batches))
}

export async function allocatePaperWorkspace(
  device: Device,
  { places, low, origin }: OwnRange,
  { workers, bufferWords, states: initial }: PaperShared,
  ranks: Uint32Array | undefined,
  batches: number,
): Promise<PaperWorkspace> {
  const words = Math.max(1, stateWords(places))
  const send = workers * bufferWords
  requireKernelsSee(device, places, send)
  const space: PaperWorkspace = {
    states: await device.allocate('states', words),
    remoteNbrIndex: await device.allocate('remote neighbour index', Math.max(1, places)),
    ranks:
      ranks === undefined
        ? await device.allocate('ranks', 1)
        : await device.share('ranks', ranks.length === 0 ? new Uint32Array(1) : ranks),
    send: await device.allocate('send buffers', send),
    received: await device.allocate('receive buffers', send),
    counters: await device.allocate('counters', counterWords(workers, batches)),
  }
  const own = initial.slice(origin / VERTICES_PER_WORD, origin / VERTICES_PER_WORD + words)
  // The places before the first own vertex belong to others.
  if (low > origin) own[0]! &= -(1 << (2 * (low - origin)))
  await fillWords(device, space.states, own)
  device.clear(space.remoteNbrIndex, 0, space.remoteNbrIndex.words)
  return space
}

export function releasePaperWorkspace(device: Device, space: PaperWorkspace): void {
  for (const buffer of Object.values(space) as DeviceBuffer[]) device.release(buffer)
}

/** @throws Failure (device) for more places, or words of all send buffers together, than a kernel sees */
export function requireKernelsSee({ facts, maxBufferBytes }: DeviceLimits, places: number, sendWords: number): void {
  if (4 * Math.max(sendWords, places) <= maxBufferBytes) return
  throw new Failure({
    code: 'device',
    where: facts.id,
    what: `send buffers of ${4 * sendWords} bytes are more than a kernel of this device can see`,
    remedy: '',
    fixes: [
      { action: 'lower', option: 'bufferWords' },
      { action: 'raise', option: 'partitions' },
    ],
  })
}
