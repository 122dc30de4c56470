import { Failure } from '../../../base/failure.ts'
import { type Buffers, allocateBuffers } from '../../../device/buffers.ts'
import { type Device, type DeviceLimits, fillWords } from '../../../device/device.ts'
import { VERTICES_PER_WORD, stateWords } from '../../../graph/vertex-states.ts'
import type { PaperShared } from './message-buffers.ts'
import type { OwnRange } from './paper-ranges.ts'

export interface PaperSizes {
  /** Of a worker. */
  readonly places: number
  readonly workers: number
  readonly bufferWords: number
  readonly ranked: boolean
  readonly vertices: number
  /** Likewise. */
  readonly batches: number
}

/** What a worker keeps on its device beside the arcs. */
export type PaperWorkspace = Buffers<keyof ReturnType<typeof workspaceWords> | 'ranks'>

/** `send`: one buffer for each worker, side by side; `counters`: see mg-round.wgsl. */
const workspaceWords = ({ places, workers, bufferWords, batches }: Omit<PaperSizes, 'ranked' | 'vertices'>) => ({
  states: stateWords(places),
  remoteNbrIndex: places,
  send: workers * bufferWords,
  received: workers * bufferWords,
  counters: 2 * workers + 2 * batches,
})

export function paperWorkspaceBytes({ ranked, vertices, ...sizes }: PaperSizes): number {
  const words = Object.values(workspaceWords(sizes)).reduce((sum, each) => sum + each, ranked ? vertices : 1)
  return 4 * words
}

export async function allocatePaperWorkspace(
  device: Device,
  { places, low, origin }: OwnRange,
  { workers, bufferWords, states: initial, ranks }: PaperShared,
  batches: number,
): Promise<PaperWorkspace> {
  const buffers = await allocateBuffers(device, workspaceWords({ places, workers, bufferWords, batches }))
  // Where priorities are hashes of ids: a word that is not read.
  const space = { ...buffers, ranks: await device.share('ranks', ranks ?? new Uint32Array(1)) }
  const firstWord = origin / VERTICES_PER_WORD
  const own = initial.slice(firstWord, firstWord + Math.max(1, stateWords(places)))
  // The places before the first own vertex belong to others.
  if (low > origin) own[0]! &= -(1 << (2 * (low - origin)))
  await fillWords(device, space.states, own)
  device.clear(space.remoteNbrIndex, 0, space.remoteNbrIndex.words)
  return space
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
