import type { JobContext } from '../../job.ts'
import { throwIfCancelled } from '../../job.ts'
import type { GaloisGr } from '../galois-gr.ts'
import { HEAD_WIDTH } from '../oriented-view.ts'
import { addToLevels, levelsOf } from '../view-levels.ts'
import { combineCrc32 } from './crc32-combine.ts'
import type { LevelOutput } from './view-task.ts'

/**
 * Where the tails of every piece go in a view in levels: all pieces one after another in each level, and last in the closed lists.
 * @param bounds of the pieces, in vertices
 * @param firsts the first entry of every list
 */
export function layLevels(
  graph: GaloisGr,
  { bounds, maxDegree }: { readonly bounds: Uint32Array; readonly maxDegree: number },
  firsts: Uint32Array,
  job: JobContext,
): LevelOutput {
  const pieces = Math.max(0, bounds.length - 1)
  const regions = levelsOf(Math.max(0, maxDegree - HEAD_WIDTH)) + 1
  const numbers = (): Float64Array => new Float64Array(new SharedArrayBuffer(8 * pieces * regions))
  const [sizes, starts] = [numbers(), numbers()]
  for (let piece = 0; piece < pieces; piece++) {
    throwIfCancelled(job.signal)
    const first = bounds[piece]!
    const offsets = graph.readOffsets(first, bounds[piece + 1]!)
    const sums = sizes.subarray(piece * regions, (piece + 1) * regions)
    for (let i = 0; i + 1 < offsets.length; i++) {
      const tail = offsets[i + 1]! - offsets[i]! - HEAD_WIDTH
      if (tail <= 0) continue
      if (firsts[firsts[first + i]!] === first + i) sums[regions - 1]! += tail
      else addToLevels(sums, tail)
    }
  }
  let at = 0
  forEachRegion({ regions, pieces }, (i) => {
    starts[i] = at
    at += sizes[i]!
  })
  const checksums = new Uint32Array(new SharedArrayBuffer(4 * pieces * regions))
  return { regions, sizes, starts, checksums, firsts }
}

/** Of all tails once they are written: the entries of open lists, and the CRC-32. */
export function sumLevels({ regions, sizes, checksums }: LevelOutput): {
  readonly openTails: number
  readonly tailsSum: number
} {
  let [openTails, tailsSum] = [0, 0]
  forEachRegion({ regions, pieces: sizes.length / regions }, (i, region) => {
    if (region < regions - 1) openTails += sizes[i]!
    tailsSum = combineCrc32(tailsSum, checksums[i]!, 4 * sizes[i]!)
  })
  return { openTails, tailsSum }
}

/** In the order of the file. */
function forEachRegion(
  { regions, pieces }: { readonly regions: number; readonly pieces: number },
  visit: (i: number, region: number) => void,
): void {
  for (let region = 0; region < regions; region++)
    for (let piece = 0; piece < pieces; piece++) visit(piece * regions + region, region)
}
