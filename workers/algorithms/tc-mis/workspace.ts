import type { Device, DeviceBuffer } from '../../device/device.ts'
import { TILE_COLUMNS } from '../../graph/tiles/tile-format.ts'

/** Rounds that there are counters for; what is open after them is finished on the host. */
export const MOST_ROUNDS = 256

/** Words of a round's record: open pairs, tiles looked at, tiles read. */
export const RECORD_WORDS = 3

/** What TC-MIS keeps on a device beside lists and tiles. Bits stand in words of 32 vertices, those of the seeds side by side. */
export interface Workspace {
  readonly open: DeviceBuffer
  readonly members: DeviceBuffer
  readonly cands: DeviceBuffer
  readonly hits: DeviceBuffer
  /** Over all seeds. */
  readonly openAny: DeviceBuffer
  readonly candsAny: DeviceBuffer
  readonly keys: DeviceBuffer
  readonly cursors: DeviceBuffer
  readonly counters: DeviceBuffer
}

interface Shape {
  readonly vertices: number
  readonly seeds: number
}

function wordsOf({ vertices, seeds }: Shape) {
  const segments = Math.max(1, Math.ceil(vertices / TILE_COLUMNS))
  const planes = segments * seeds
  return {
    open: planes,
    members: planes,
    cands: planes,
    hits: planes,
    openAny: segments,
    candsAny: segments,
    keys: Math.max(1, vertices * seeds),
    cursors: Math.max(1, vertices * seeds),
    counters: (MOST_ROUNDS + 1) * RECORD_WORDS,
  } satisfies Record<keyof Workspace, number>
}

/** Bytes that TC-MIS needs on the device beside lists and tiles. */
export function workspaceBytes(shape: Shape): number {
  return 4 * Object.values(wordsOf(shape)).reduce((sum, words) => sum + words, 0)
}

/** Everything but `members` may hold anything: tc-begin writes it. */
export async function allocateWorkspace(device: Device, shape: Shape, keys: Uint32Array): Promise<Workspace> {
  const words = wordsOf(shape)
  const make = (name: keyof Workspace): Promise<DeviceBuffer> => device.allocate(name, words[name])
  return {
    open: await make('open'),
    members: await make('members'),
    cands: await make('cands'),
    hits: await make('hits'),
    openAny: await make('openAny'),
    candsAny: await make('candsAny'),
    keys: keys.length === 0 ? await make('keys') : await device.share('keys', keys),
    cursors: await make('cursors'),
    counters: await make('counters'),
  }
}

export function releaseWorkspace(device: Device, space: Workspace): void {
  for (const buffer of Object.values(space) as DeviceBuffer[]) device.release(buffer)
}
