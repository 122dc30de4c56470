import { inputFailure } from '../../base/failure.ts'
import type { ReadOutcome } from '../graph-reader.ts'
import type { BinaryContext } from './graph-format.ts'
import { type CsrLayout, numbers, targetsOf } from './csr.ts'
import type { StoredFile } from './stored-file.ts'

const VERTEX_STEP = 1 << 17
const ARC_STEP = 1 << 18

/**
 * Reads an adjacency file of any layout: ranges of offsets, and for each the targets and weights in large reads. Memory
 * does not depend on the size of the file.
 * @throws Failure (input) for offsets that do not ascend to m and for targets that are no vertices.
 */
export async function readCsr(file: StoredFile, layout: CsrLayout, context: BinaryContext): Promise<ReadOutcome> {
  const { vertices, arcs } = layout
  context.output.weighted = layout.weights !== null && !context.ignoreWeights
  context.output.next()
  let start = 0
  for (let first = 0; first < vertices; first += VERTEX_STEP) {
    const last = Math.min(vertices, first + VERTEX_STEP)
    const ends = readEnds(file, layout, first, last, start)
    for (let arc = start, u = first; arc < ends[last - first - 1]!; arc += ARC_STEP) {
      const end = Math.min(ends[last - first - 1]!, arc + ARC_STEP)
      u = emit(file, layout, context, { ends, first, u, arc, end })
      await context.pump(layout.targets.at + end * layout.targets.stride)
    }
    start = ends[last - first - 1]!
  }
  if (start !== arcs) throw broken(file, `the offsets end at ${start}, and the header promises ${arcs} arcs`)
  return { vertices: { kind: 'counted', vertices, base: 0 }, warnings: layout.warnings }
}

/** Ends of the lists of [first, last), checked to ascend from `start` and to stay within the arcs. */
function readEnds(
  file: StoredFile,
  layout: CsrLayout,
  first: number,
  last: number,
  start: number,
): Float64Array | Float32Array {
  const { offsets, arcs } = layout
  if (offsets.leading && first === 0 && numbers(file, offsets, 0, 1)[0] !== 0)
    throw broken(file, 'the first offset is not 0')
  const shift = offsets.leading ? 1 : 0
  const ends = numbers(file, offsets, first + shift, last - first)
  let before = start
  for (let i = 0; i < ends.length; i++) {
    const end = ends[i]!
    if (!(end >= before && end <= arcs))
      throw broken(
        file,
        `the list of vertex ${first + i} would run from ${before} to ${end} of ${arcs} arcs: offsets must ascend`,
      )
    before = end
  }
  return ends
}

interface Piece {
  readonly ends: Float64Array | Float32Array
  readonly first: number
  /** The vertex that holds `arc`, or one before it. */
  readonly u: number
  readonly arc: number
  readonly end: number
}

/** Writes the arcs [arc, end) as entries; returns the vertex of the last one. */
function emit(file: StoredFile, layout: CsrLayout, context: BinaryContext, piece: Piece): number {
  const { ends, first, arc, end } = piece
  const { output } = context
  const targets = targetsOf(file, layout, arc, end - arc)
  const weights = output.weighted && layout.weights !== null ? numbers(file, layout.weights, arc, end - arc) : null
  const { vertices } = layout
  let u = piece.u
  let { block } = output
  let { count, from, to } = block
  for (let i = 0; i < targets.length; i++) {
    while (ends[u - first]! <= arc + i) u++
    const v = targets[i]!
    if (v >= vertices) throw noVertex(file, layout, u, arc + i)
    let weight = 1
    if (weights !== null) {
      weight = Math.fround(weights[i]!)
      if (!(weight > 0 && weight < Infinity)) {
        const kept = oddWeight(file, context, weights[i]!, arc + i)
        if (kept === null) continue
        weight = kept
      }
    }
    if (count === from.length) {
      block.count = count
      block = output.next()
      ;({ count, from, to } = block)
    }
    from[count] = u
    to[count] = v
    if (block.weights !== null) block.weights[count] = weight
    count++
  }
  block.count = count
  return u
}

function noVertex(file: StoredFile, { targets, vertices }: CsrLayout, u: number, arc: number) {
  const v = numbers(file, targets, arc, 1)[0]!
  return broken(file, `vertex ${u} has the neighbour ${v}, and there are ${vertices} vertices, from 0`)
}

function oddWeight(file: StoredFile, { weights }: BinaryContext, value: number, arc: number): number | null {
  return weights.apply(value, () => `${file.name}, arc ${arc}`, String(value))
}

function broken(file: StoredFile, what: string) {
  return inputFailure(file.name, what, 'Is the file complete, and of the format that it was taken for (--format)?')
}
