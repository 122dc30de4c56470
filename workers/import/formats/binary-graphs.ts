/**
 * Binary formats of adjacency lists (Galois, ECL, GAPBS, Vite) and of tuples (Graph500): for each where its header has counts, where its arrays
 * are and how wide, from which one reader (csr.ts) reads them all. Headers that do not fit the length of the file are none; what formats leave
 * open, such as kinds of weights and padding, the length and top bits decide. registry.ts lists them.
 */

import { inputFailure } from '../../base/failure.ts'
import { rangesOf } from '../../base/ranges.ts'
import type { FormatName } from '../../contract/jobs.ts'
import { numberBytes, type NumberKind } from '../../graph/graph-file.ts'
import { requireIds } from '../reader/graph-reader.ts'
import { type CsrLayout, numbers, readCsr } from './csr.ts'
import type { WholeFormat } from './graph-format.ts'
import type { StoredFile } from './stored-file.ts'

/** null where header and length do not fit */
type Layout = (file: StoredFile) => CsrLayout | null

/** @param noun the format, for refusals */
function binaryAdjacency(format: Omit<WholeFormat, 'kind' | 'read'>, noun: string, layout: Layout): WholeFormat {
  const read: WholeFormat['read'] = (file, context) => {
    const found = layout(file)
    if (found === null)
      throw file.broken(`the header and the ${file.bytes} bytes of this file do not fit together as ${noun}`)
    requireIds(file.name, found.vertices)
    return readCsr(file, found, context)
  }
  return { kind: 'whole', ...format, layout, read }
}

/** Whole numbers of a header, n and m last; null where one is negative or past 2^53. */
function header(file: StoredFile, at: number, count: number, width: 4 | 8): number[] | null {
  if (at + count * width > file.bytes) return null
  const view = new DataView(file.read(at, count * width).buffer)
  const values = Array.from({ length: count }, (_, i) =>
    width === 4 ? view.getInt32(4 * i, true) : Number(view.getBigInt64(8 * i, true)),
  )
  const isSound = values.every((value) => value >= 0 && value <= Number.MAX_SAFE_INTEGER)
  // Nothing is allocated for counts that the file cannot hold.
  return isSound && values.slice(-2).every((value) => 4 * value <= file.bytes) ? values : null
}

/** n + 1 offsets; null where they do not run from 0 to m. */
function leadingOffsets(file: StoredFile, at: number, width: 4 | 8, vertices: number, arcs: number) {
  const offsets = { at, stride: width, kind: width === 4 ? 'i32' : 'i64', leading: true } as const
  return numbers(file, offsets, 0, 1)[0] === 0 && numbers(file, offsets, vertices, 1)[0] === arcs ? offsets : null
}

/** The formats do not say whether edge data are floats; the top bits of whole numbers repeat the sign. */
function edgeData(
  file: StoredFile,
  at: number,
  width: 0 | 4 | 8,
  arcs: number,
): Pick<CsrLayout, 'weights' | 'warnings'> {
  if (width === 0 || arcs === 0) return { weights: null, warnings: [] }
  const bytes = file.read(at, width * Math.min(arcs, 1 << 14))
  const isWhole =
    width === 4
      ? new Int32Array(bytes.buffer).every((word) => Math.abs(word) < 2 ** 23)
      : new BigInt64Array(bytes.buffer).every((word) => word < 2n ** 52n && word > -(2n ** 52n))
  const kinds: readonly NumberKind[] = isWhole ? ['i32', 'i64'] : ['f32', 'f64']
  const kind = kinds.find((each) => numberBytes[each] === width)!
  const noun = isWhole ? 'whole' : 'floating-point'
  const warning = `the edge data were taken for ${noun} numbers of ${8 * width} bits, as their values look`
  return { weights: { at, stride: width, kind }, warnings: [warning] }
}

/** Some programs pad version 2 as if its targets had 32 bits, some leave the padding of unweighted files out: the length decides. */
export const galois = binaryAdjacency(
  { name: 'galois', promisedBy: { ends: ['.gr', '.vgr', '.cgr', '.sgr'] } },
  'Galois binary (version 1 or 2)',
  (file) => {
    const [version, datumBytes, vertices = 0, arcs = 0] = header(file, 0, 4, 8) ?? []
    if ((version !== 1 && version !== 2) || (datumBytes !== 0 && datumBytes !== 4 && datumBytes !== 8)) return null
    const offsets = { at: 32, stride: 8, kind: 'u64', leading: false } as const
    const kind = version === 1 ? 'u32' : 'u64'
    const targets = { at: offsets.at + 8 * vertices, stride: numberBytes[kind], kind } as const
    const targetsEnd = targets.at + targets.stride * arcs
    const padding = [0, 4].find((bytes) => targetsEnd + bytes + datumBytes * arcs === file.bytes)
    if (padding === undefined) return null
    const data = edgeData(file, targetsEnd + padding, datumBytes, arcs)
    return { vertices, arcs, offsets, targets, ...data }
  },
)

export const egr = binaryAdjacency(
  { name: 'egr', promisedBy: { ends: ['.egr', '.egr64'] } },
  'ECL (.egr, 32 or 64 bit)',
  (file) => eclLayout(file, 4) ?? eclLayout(file, 8),
)

function eclLayout(file: StoredFile, width: 4 | 8): CsrLayout | null {
  const [vertices, arcs] = header(file, 0, 2, width) ?? []
  if (vertices === undefined || arcs === undefined) return null
  const targetsAt = width * (vertices + 3)
  const weightsAt = targetsAt + width * arcs
  const weighted = file.bytes !== weightsAt
  if (weighted && file.bytes !== weightsAt + width * arcs) return null
  const offsets = leadingOffsets(file, 2 * width, width, vertices, arcs)
  if (offsets === null) return null
  const data = edgeData(file, weightsAt, weighted ? width : 0, arcs)
  return { vertices, arcs, offsets, targets: { at: targetsAt, stride: width, kind: offsets.kind }, ...data }
}

/** GAPBS; in files of directed graphs the incoming lists follow. */
export const gapbs = binaryAdjacency(
  { name: 'gapbs', promisedBy: { ends: ['.sg', '.wsg'] } },
  'GAPBS (.sg or .wsg)',
  (file) => {
    const directed = file.head(1)[0]!
    const [arcs, vertices] = header(file, 1, 2, 8) ?? []
    if (directed > 1 || arcs === undefined || vertices === undefined) return null
    const at = 17
    const offsetBytes = 8 * (vertices + 1)
    const stride = [4, 8].find((bytes) =>
      [1, 1 + directed].some((copies) => at + copies * (offsetBytes + bytes * arcs) === file.bytes),
    )
    const offsets = stride === undefined ? null : leadingOffsets(file, at, 8, vertices, arcs)
    if (stride === undefined || offsets === null) return null
    const targets = { at: at + offsetBytes, stride, kind: 'i32' } as const
    const weights = stride === 8 && arcs > 0 ? { ...targets, at: targets.at + 4 } : null
    const warnings = directed === 1 ? ['the graph is directed; its incoming lists repeat the outgoing ones'] : []
    return { vertices, arcs, offsets, targets, weights, warnings }
  },
)

export const vite = binaryAdjacency(
  { name: 'vite', promisedBy: { ends: ['.vite'] }, sharedEnds: ['.bin'] },
  'Vite binary',
  (file) => {
    const [vertices, arcs] = header(file, 0, 2, 8) ?? []
    if (vertices === undefined || arcs === undefined) return null
    const targets = { at: 8 * (vertices + 3), stride: 16, kind: 'i64' } as const
    const offsets = file.bytes === targets.at + 16 * arcs ? leadingOffsets(file, 16, 8, vertices, arcs) : null
    const weights = arcs === 0 ? null : ({ at: targets.at + 8, stride: 16, kind: 'f64' } as const)
    return offsets === null ? null : { vertices, arcs, offsets, targets, weights, warnings: [] }
  },
)

/** Places at which the layouts above have n, m and the offsets, and the bytes of each. */
const beginnings = [
  { n: 16, m: 24, offsets: 32, width: 8 },
  { n: 0, m: 4, offsets: 8, width: 4 },
  { n: 0, m: 8, offsets: 16, width: 8 },
  { n: 9, m: 1, offsets: 17, width: 8 },
] as const

/** Whether a file may begin so: its lists end one behind the other, at most at m. @param complete whether this is all of it */
export function mayBeAdjacency(head: Uint8Array, complete: boolean): boolean {
  const view = new DataView(head.buffer, head.byteOffset, head.length)
  return beginnings.some(({ n, m, offsets, width }) => {
    if (head.length < offsets) return false
    const at = (place: number) => (width === 4 ? view.getInt32(place, true) : Number(view.getBigInt64(place, true)))
    const [vertices, arcs] = [at(n), at(m)]
    if (vertices < 0 || arcs < 0 || (vertices === 0 && arcs > 0)) return false
    const least = offsets + width * vertices + 4 * arcs
    // The longest has incoming lists too, or wide targets and weights.
    const most = offsets + 2 * (width * (vertices + 2) + 8 * arcs)
    if (head.length > most || (complete && head.length < least)) return false
    const known = Math.min(vertices, Math.floor((head.length - offsets) / width), PROBED)
    const ends = Array.from({ length: known }, (_, v) => at(offsets + v * width))
    return ends.every((end, v) => end >= (ends[v - 1] ?? 0) && end <= arcs)
  })
}

const PROBED = 1024
const STEP = 1 << 18
const MAX_HIGH = 2 ** 31

/**
 * Edges as tuples without a header; loops and duplicates belong to the generator.
 * @param unpack sets `entry` to the low and high halves of both ends of the tuple at word i
 */
const tuples = (
  name: FormatName,
  tupleWords: number,
  unpack: (words: Uint32Array, i: number, entry: Uint32Array) => void,
): WholeFormat => {
  const tupleBytes = 4 * tupleWords
  const read: WholeFormat['read'] = async function* (file, context) {
    if (file.bytes % tupleBytes !== 0)
      throw file.broken(
        `${file.bytes} bytes are no whole number of ${tupleBytes}-byte tuples`,
        'Is the file complete? The other width is graph500 (16 bytes) or graph500-packed (12 bytes).',
      )
    const entry = new Uint32Array(4)
    context.output.next()
    for (const { first, end } of rangesOf(file.bytes / tupleBytes, STEP)) {
      const words = new Uint32Array(file.read(first * tupleBytes, (end - first) * tupleBytes).buffer)
      for (let i = 0; i < end - first; i++) {
        unpack(words, i * tupleWords, entry)
        if (entry[1]! >= MAX_HIGH || entry[3]! >= MAX_HIGH)
          throw inputFailure(
            file.name,
            `tuple ${first + i} holds a negative id`,
            'Is it a Graph500 edge list, and of this width?',
          )
        context.output.addWide(entry[0]!, entry[1]!, entry[2]!, entry[3]!, 1)
      }
      yield end * tupleBytes
    }
    return { vertices: { kind: 'occurring' }, warnings: [] }
  }
  return { kind: 'whole', name, read }
}

/** i64 v0, i64 v1. */
export const graph500 = tuples('graph500', 4, (words, i, entry) => {
  entry.set([words[i]!, words[i + 1]!, words[i + 2]!, words[i + 3]!])
})

/** u32 low0, u32 low1, u32 high: 16 high bits of v0, then of v1. */
export const graph500Packed = tuples('graph500-packed', 3, (words, i, entry) => {
  const high = words[i + 2]!
  entry.set([words[i]!, high & 0xffff, words[i + 1]!, high >>> 16])
})
