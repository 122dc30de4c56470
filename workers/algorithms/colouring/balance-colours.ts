import type { JobContext } from '../../base/job.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import { scanLists } from '../../graph/scan-lists.ts'

const MOST_PASSES = 8

/**
 * Moves vertices of classes that are larger than the mean to the smallest class that has none of their neighbours and is below it (Lu, Halappanavar,
 * Chavarria-Miranda, Gebremedhin, Kalyanaraman, IPDPS 2015, vertex-based scheduled balancing), in passes over the file in its order. No colour
 * is added.
 * @returns vertices that moved in each pass
 */
export function balanceColours(graph: GaloisGr, colours: Uint32Array, job: JobContext): number[] {
  const classes = colours.reduce((most, colour) => Math.max(most, colour + 1), 0)
  const sizes = new Uint32Array(classes)
  for (const colour of colours) sizes[colour]!++
  const mean = Math.ceil(colours.length / Math.max(1, classes))
  /** The last vertex beside which a colour was seen, of this pass. */
  const seen = new Float64Array(classes)
  const moves: number[] = []
  for (let pass = 0; pass < MOST_PASSES && sizes.some((size) => size > mean); pass++) {
    let moved = 0
    seen.fill(-1)
    scanLists(graph, job, 'balance', ({ first, offsets, targets }) => {
      for (let row = 0; row + 1 < offsets.length; row++) {
        const v = first + row
        if (sizes[colours[v]!]! <= mean) continue
        for (let at = offsets[row]!; at < offsets[row + 1]!; at++) seen[colours[targets[at]!]!] = v
        let best = -1
        for (let colour = 0; colour < classes; colour++)
          if (seen[colour] !== v && sizes[colour]! < (best < 0 ? mean : sizes[best]!)) best = colour
        if (best < 0) continue
        sizes[colours[v]!]!--
        sizes[best]!++
        colours[v] = best
        moved++
      }
    })
    moves.push(moved)
    if (moved === 0) break
  }
  return moves
}
