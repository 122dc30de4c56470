import type { Plan } from './plan-questions.ts'

type Lane = Plan['lanes'][number]

/** Devices that hold the same of their shares. */
export interface LaneGroup extends Pick<Lane, 'holds' | 'shareBytes'> {
  readonly devices: number
  readonly rows: readonly MemoryRow[]
}

/** One memory, and what the run takes of it. */
export interface MemoryRow {
  /** "gpu:3"; "cpu:0 … cpu:7" for workers on the processor, which share the machine's memory. */
  readonly name: string
  readonly device: string
  readonly plannedBytes: number
}

export const isProcessor = (device: string): boolean => device.startsWith('cpu:')

export function laneGroups(lanes: readonly Lane[]): readonly LaneGroup[] {
  const groups = Map.groupBy(lanes, ({ holds, shareBytes }) => `${holds} ${shareBytes}`)
  return [...groups.values()].map((alike) => {
    const { holds, shareBytes } = alike[0]!
    return { holds, shareBytes, devices: alike.length, rows: rowsOf(alike) }
  })
}

function rowsOf(lanes: readonly Lane[]): readonly MemoryRow[] {
  const memories = Map.groupBy(lanes, ({ device }) => (isProcessor(device) ? 'cpu' : device))
  return [...memories.values()].map((sharers) => {
    const [first, last] = [sharers[0]!.device, sharers.at(-1)!.device]
    return {
      name: sharers.length === 1 ? first : sharers.length === 2 ? `${first}, ${last}` : `${first} … ${last}`,
      device: first,
      plannedBytes: sharers.reduce((sum, { deviceBytes }) => sum + deviceBytes, 0),
    }
  })
}
