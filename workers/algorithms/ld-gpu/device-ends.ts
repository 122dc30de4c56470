import { COUNTERS, DAMAGE, LONGEST_LIST } from '../../../kernels/matching/match-state.ts'
import { matchEnds } from '../../../kernels/matching/match-ends.ts'
import type { Device, DeviceBuffer } from '../../device/device.ts'
import { damagedGraph } from '../../graph/galois-gr.ts'
import type { GraphPieces } from '../../graph/graph-pieces.ts'
import type { DeviceStream, PieceBatch } from '../../streaming/device-stream.ts'

interface VertexBatch extends PieceBatch {
  readonly first: number
  readonly count: number
}

/**
 * Ends of all adjacency lists, from the offsets of the file.
 * @param batchPieces copied together
 * @returns the length of the longest
 * @throws Failure (input) where the offsets descend
 */
export async function indexEnds(
  device: Device,
  { pieces: all, stream }: { readonly pieces: GraphPieces; readonly stream: DeviceStream },
  { ends, counters }: { readonly ends: DeviceBuffer; readonly counters: DeviceBuffer },
  batchPieces: number,
): Promise<number> {
  const { indexEnd, offsetWords } = all
  let next = 0
  const take = (): VertexBatch | undefined => {
    if (next >= indexEnd) return undefined
    const pieces = { first: next, end: Math.min(indexEnd, next + batchPieces) }
    next = pieces.end
    const { first, end } = all.verticesIndexedIn(pieces)
    return { ...stream.batch(pieces, 0), first, count: end - first }
  }
  device.clear(counters, DAMAGE, 1)
  device.clear(counters, LONGEST_LIST, 1)
  await stream.run('offsets', take, (raw, { at, first, count }) => {
    if (count === 0) return
    const begin = (all.endOffsetAt(first) - at) / 4
    const before = all.endOf(first - 1) >>> 0
    const params = { first, count, begin, before, words: offsetWords }
    device.launch(matchEnds, count, params, { raw, ends, counters })
  })
  // Damaged offsets may mean a list of 2^31 arcs.
  const counts = await device.read(counters, 0, COUNTERS)
  if (counts[DAMAGE] !== 0) throw damagedGraph(all.graph.path, 'the offsets')
  return counts[LONGEST_LIST]!
}
