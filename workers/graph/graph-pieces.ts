/**
 * The lists of a graph file by pieces of 1 MiB with a checksum each: which vertices' lists begin in a piece or in a part of one (a unit), which
 * bytes hold them, and slices of about equal bytes for ranks. A list belongs to the piece that it begins in. Questions cost a bisection of the
 * offsets on the disk. streaming/ takes units from a board, and reads what this says.
 */

import type { ByteSource } from '../base/byte-source.ts'
import { lowerBound, type Range } from '../base/ranges.ts'
import { PIECE_BYTES } from '../base/sums.ts'
import type { GraphFile } from './graph-file.ts'

/** Pieces with a checksum each. A list belongs to the piece that it begins in. */
export class GraphPieces {
  readonly graph: GraphFile
  readonly indexEnd: number
  readonly lists: Range
  readonly #endsAt: number
  readonly #bytesEach: number
  readonly #unitsAPiece: number
  readonly #source: ByteSource | undefined
  readonly #word = new Uint32Array(2)
  #raw = new Uint32Array(0)
  /** Ends of all lists, where they are in memory. */
  #ends: Uint32Array | undefined

  /** @param source of its bytes; undefined where no offset is asked for @param unitsAPiece parts of a piece */
  constructor(graph: GraphFile, source: ByteSource | undefined, unitsAPiece = 1) {
    const { offsets, targetsAt, vertices, arcs } = graph
    this.graph = graph
    this.#source = source
    this.#unitsAPiece = unitsAPiece
    this.#bytesEach = offsets.bytesEach
    this.#endsAt = offsets.at + (offsets.leadingZero ? offsets.bytesEach : 0)
    this.indexEnd = Math.ceil((this.#endsAt + offsets.bytesEach * vertices) / PIECE_BYTES)
    const first = Math.floor(targetsAt / PIECE_BYTES)
    this.lists = { first, end: arcs === 0 ? first : Math.ceil((targetsAt + 4 * arcs) / PIECE_BYTES) }
  }

  bytesOf({ first, end }: Range): { readonly at: number; readonly bytes: number } {
    const at = first * PIECE_BYTES
    return { at, bytes: Math.min(this.graph.bytes, end * PIECE_BYTES) - at }
  }

  /** The pieces that hold bytes [from, end) of the file. */
  covering(from: number, end: number): Range {
    return { first: Math.floor(from / PIECE_BYTES), end: Math.max(1, Math.ceil(end / PIECE_BYTES)) }
  }

  /** The vertices whose end offsets begin in these pieces. */
  verticesIndexedIn({ first, end }: Range, step = 1): Range {
    const { vertices } = this.graph
    const before = (piece: number): number => {
      const count = Math.ceil((piece * PIECE_BYTES - this.#endsAt) / this.#bytesEach)
      return Math.min(vertices, step * Math.ceil(Math.max(0, count) / step))
    }
    return { first: before(first), end: before(end) }
  }

  endOffsetAt(v: number): number {
    return this.#endsAt + this.#bytesEach * v
  }

  /** The ends of lists from that of v on, in words that hold the file from byte `at` on; and the one before, modulo 2^32. */
  endsFrom(v: number, at: number) {
    return { begin: (this.endOffsetAt(v) - at) / 4, words: this.#bytesEach / 4, before: this.endOf(v - 1) >>> 0 }
  }

  /** Takes the ends of all lists from memory from now on. */
  useEnds(ends: Uint32Array): void {
    if (this.graph.arcs < 2 ** 32) this.#ends = ends
  }

  /** 0 for -1. */
  endOf(v: number): number {
    if (v < 0) return 0
    if (this.#ends !== undefined) return this.#ends[v]!
    this.#read(new Uint8Array(this.#word.buffer, 0, this.#bytesEach), this.endOffsetAt(v))
    return this.#bytesEach === 4 ? this.#word[0]! : this.#word[0]! + this.#word[1]! * 2 ** 32
  }

  /** Modulo 2^32, of so many vertices from `first` on; 0 for -1. */
  readEnds(first: number, into: Uint32Array): void {
    const skipped = first < 0 ? 1 : 0
    const each = this.#bytesEach / 4
    const count = (into.length - skipped) * each
    if (this.#raw.length < count) this.#raw = new Uint32Array(count)
    const words = this.#raw.subarray(0, count)
    this.#read(new Uint8Array(words.buffer, 0, 4 * count), this.endOffsetAt(first + skipped))
    if (skipped > 0) into[0] = 0
    for (let i = skipped, at = 0; i < into.length; i++, at += each) into[i] = words[at]!
  }

  #read(bytes: Uint8Array, at: number): void {
    if (this.#source === undefined) throw new Error('these pieces have no bytes')
    this.#source.read(bytes, at)
  }

  /** The targets of arcs [first, end). */
  readTargets(first: number, end: number): Uint32Array {
    const targets = new Uint32Array(end - first)
    this.#read(new Uint8Array(targets.buffer), this.graph.targetsAt + 4 * first)
    return targets
  }

  get units(): number {
    return (this.lists.end - this.lists.first) * this.#unitsAPiece
  }

  pieceOf(unit: number): number {
    return this.lists.first + Math.floor(unit / this.#unitsAPiece)
  }

  /** The vertices whose lists begin in these units. */
  verticesIn({ first, end }: Range): Range {
    const { vertices, arcs, targetsAt } = this.graph
    const firstAt = (unit: number): number => {
      const part = (unit % this.#unitsAPiece) / this.#unitsAPiece
      const byte = this.pieceOf(unit) * PIECE_BYTES + Math.floor(part * PIECE_BYTES)
      const arc = Math.ceil((byte - targetsAt) / 4)
      if (arc <= 0) return 0
      if (arc >= arcs) return vertices
      return lowerBound(0, vertices, (v) => this.endOf(v - 1) < arc)
    }
    return { first: firstAt(first), end: end >= this.units ? vertices : firstAt(end) }
  }

  /** Modulo 2^32; arc 0 may come later in the piece. */
  originOf(piece: number): number {
    return ((piece * PIECE_BYTES - this.graph.targetsAt) / 4) >>> 0
  }

  /** Samples degrees in blocks spread over the graph, and says whether hubs come first. */
  sampleDegrees(): { readonly degrees: Uint32Array; readonly hubsComeFirst: boolean } {
    const { vertices } = this.graph
    const blocks = Math.min(SAMPLED_BLOCKS, Math.ceil(vertices / BLOCK))
    const each = Math.min(BLOCK, vertices)
    const degrees = new Uint32Array(blocks * each)
    const ends = new Uint32Array(each + 1)
    for (let block = 0; block < blocks; block++) {
      this.readEnds(Math.floor((block * (vertices - each)) / Math.max(1, blocks - 1)) - 1, ends)
      for (let i = 0; i < each; i++) degrees[block * each + i] = ends[i + 1]! - ends[i]!
    }
    return { degrees, hubsComeFirst: hubsComeFirst(degrees) }
  }
}

const SAMPLED_BLOCKS = 256
const BLOCK = 256

/** Arcs of the first half of a graph to those of the second. */
const HUBS_FIRST = 5 / 4

/** Whether hubs come first. @param degrees of vertices spread over the graph, in its order */
export function hubsComeFirst(degrees: Uint32Array): boolean {
  const half = degrees.length >>> 1
  const sum = (some: Uint32Array): number => some.reduce((all, degree) => all + degree, 0)
  return sum(degrees.subarray(0, half)) > HUBS_FIRST * sum(degrees.subarray(half))
}

/** Vertices, and units of the file that hold their lists. */
export interface GraphSlice {
  readonly vertices: Range
  readonly units: Range
}

interface RankPlace {
  readonly rank: number
  readonly ranks: number
}

/** Whole words of states and of bits. */
const STEP = 32
/** An offset; what is held of a vertex counts besides. */
const BYTES_A_VERTEX = 8
const BYTES_AN_ARC = 4

/**
 * Equal bytes of offsets and lists, and of what a rank holds for each vertex; the first unit may be the last of the slice before.
 * @param heldBytes of a vertex
 */
export function sliceOf(pieces: GraphPieces, place: RankPlace | undefined, heldBytes = 0): GraphSlice {
  const { vertices } = pieces.graph
  if (place === undefined) return { vertices: { first: 0, end: vertices }, units: { first: 0, end: pieces.units } }
  const [first, end] = [place.rank, place.rank + 1].map((rank) =>
    boundary(pieces, rank / place.ranks, BYTES_A_VERTEX + heldBytes),
  ) as [number, number]
  if (first >= end) return { vertices: { first: 0, end: 0 }, units: { first: 0, end: 0 } }
  const units = { first: unitAt(pieces, pieces.endOf(first - 1)), end: 1 + unitAt(pieces, pieces.endOf(end - 1)) }
  return { vertices: { first, end }, units }
}

export const slicesOf = (pieces: GraphPieces, ranks: number, heldBytes = 0): GraphSlice[] =>
  Array.from({ length: ranks }, (_, rank) => sliceOf(pieces, { rank, ranks }, heldBytes))

function boundary(pieces: GraphPieces, share: number, vertexBytes: number): number {
  const { vertices, arcs } = pieces.graph
  if (share === 0 || share === 1) return share * vertices
  const wanted = share * (vertexBytes * vertices + BYTES_AN_ARC * arcs)
  const found = lowerBound(0, vertices, (v) => vertexBytes * v + BYTES_AN_ARC * pieces.endOf(v - 1) < wanted)
  return Math.min(vertices, STEP * Math.round(found / STEP))
}

function unitAt({ graph, lists, units }: GraphPieces, arc: number): number {
  const unitBytes = ((lists.end - lists.first) * PIECE_BYTES) / Math.max(1, units)
  const at = graph.targetsAt + 4 * arc - lists.first * PIECE_BYTES
  return Math.max(0, Math.min(units - 1, Math.floor(at / unitBytes)))
}
