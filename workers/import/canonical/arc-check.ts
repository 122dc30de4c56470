import { randomFillSync } from 'node:crypto'
import { PIECE_BYTES } from '../../base/sums.ts'
import { numberBytes } from '../../graph/graph-file.ts'
import { type CsrLayout, endOf, firstListPast, targetsOf } from '../formats/csr.ts'
import type { StoredFile } from '../formats/stored-file.ts'
import { ARC_CHECK } from './modules.ts'

/** Independent sums of 32 bits; their number decides how probable it is that two different sets of arcs are taken for one. */
const LANES = 4
/** The keyed hashes of smaller ends, of larger ends and of weights have two keys each. */
const KEYS = 6

/** i32 [KEYS * LANES]: drawn anew for every import, so that no file can be made to match. */
export type FingerprintKeys = Int32Array

export function newFingerprintKeys(): FingerprintKeys {
  return randomFillSync(new Int32Array(new SharedArrayBuffer(4 * KEYS * LANES)))
}

/** What was seen of a graph; reports of its parts add up. */
export interface ArcReport {
  readonly maxDegree: number
  readonly isolated: number
  /** i32 [2 * LANES]: sums of the half u < v, then of the half u > v. */
  readonly sums: Int32Array
  /** Arcs of each half. */
  readonly counts: readonly [number, number]
  readonly smallestWeight: number
  readonly largestWeight: number
}

export function addReports(reports: readonly ArcReport[]): ArcReport {
  const total = (of: (report: ArcReport) => number): number => reports.reduce((sum, report) => sum + of(report), 0)
  return {
    maxDegree: Math.max(0, ...reports.map(({ maxDegree }) => maxDegree)),
    isolated: total(({ isolated }) => isolated),
    sums: new Int32Array(2 * LANES).map((_, i) => total(({ sums }) => sums[i]!)),
    counts: [total(({ counts }) => counts[0]), total(({ counts }) => counts[1])],
    smallestWeight: Math.min(Infinity, ...reports.map(({ smallestWeight }) => smallestWeight)),
    largestWeight: Math.max(0, ...reports.map(({ largestWeight }) => largestWeight)),
  }
}

/** Whether both halves are the same edges. */
export const isSymmetric = ({ sums, counts }: ArcReport): boolean =>
  counts[0] === counts[1] && sums.subarray(0, LANES).every((sum, lane) => sum === sums[LANES + lane])

/** Bytes of {@link ArcCheck.room}. */
export const ROOM_BYTES = 4 * PIECE_BYTES
/** Ends that are looked at together. */
const ENDS = 1 << 16
/** The module's memory; see arc-check.wat. */
const SUMS_AT = 4 * KEYS * LANES
const ENDS_AT = 128
const ROOM_AT = ENDS_AT + 8 * ENDS
const PAGE_BYTES = 1 << 16

type Figure<T extends 'i32' | 'f32' | 'f64'> = WebAssembly.Global<T>

interface Module {
  readonly memory: WebAssembly.Memory
  readonly maxDegree: Figure<'f64'>
  readonly isolated: Figure<'f64'>
  readonly smallest: Figure<'f32'>
  readonly largest: Figure<'f32'>
  readonly uppers: Figure<'f64'>
  readonly lowers: Figure<'f64'>
  readonly vertex: Figure<'i32'>
  readonly next: Figure<'i32'>
  readonly least: Figure<'i32'>
  ends(at: number, width: number, count: number, before: bigint, arcs: bigint): bigint
  weights(at: number, count: number, floats: number): number
  lists(
    ends: number,
    width: number,
    count: number,
    base: bigint,
    targets: number,
    arcs: number,
    weights: number,
    vertices: number,
  ): number
}

/**
 * Looks, in WebAssembly, whether parts of an adjacency file can be those of a canonical graph: ends and lists ascend, there are no loops,
 * weights are positive. Whether the graph is symmetric is told by fingerprints of the arcs u -> v with u < v, and of those with u > v
 * reversed (docs/decisions/0007-canonical-files-are-copied.md). In every SIMD lane, modulo 2^32, a half is the sum over its edges of
 * a(smaller end) * b(larger end) [* c(weight)], with keyed hashes a, b and c: independent of order, additive over parts, and one hash per
 * arc and lane, as the factor of the list's own vertex is outside the sum over the list.
 */
export class ArcCheck {
  /** Where the caller puts the bytes that it has looked at: ends, or targets of 32 bits. */
  readonly room: Uint8Array<ArrayBuffer>
  readonly #module: Module
  readonly #file: StoredFile
  readonly #layout: CsrLayout
  readonly #width: number

  /** @param weighted whether weights are looked at, too */
  constructor(file: StoredFile, layout: CsrLayout, keys: FingerprintKeys, weighted: boolean) {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(ARC_CHECK, 'base64')))
    this.#module = exports as unknown as Module
    const { memory } = this.#module
    memory.grow(Math.ceil((ROOM_AT + (weighted ? 2 : 1) * ROOM_BYTES) / PAGE_BYTES) - 1)
    const lanes = new Int32Array(memory.buffer)
    keys.forEach((key, i) => (lanes[LANES * (i % KEYS) + Math.floor(i / KEYS)] = key))
    this.room = new Uint8Array(memory.buffer, ROOM_AT, ROOM_BYTES)
    this.#file = file
    this.#layout = layout
    this.#width = numberBytes[layout.offsets.kind]
  }

  get report(): ArcReport {
    const { memory, maxDegree, isolated, smallest, largest, uppers, lowers } = this.#module
    return {
      maxDegree: maxDegree.value,
      isolated: isolated.value,
      sums: new Int32Array(memory.buffer.slice(SUMS_AT, SUMS_AT + 8 * LANES)),
      counts: [uppers.value, lowers.value],
      smallestWeight: smallest.value,
      largestWeight: largest.value,
    }
  }

  /** The ends of the lists [first, last), which are in the room from this byte on. */
  endsFit(first: number, last: number, at: number): boolean {
    const { vertices, arcs, offsets } = this.#layout
    const before = first === 0 ? 0 : endOf(this.#file, this.#layout, first - 1)
    if (!(before >= 0 && before <= arcs)) return false
    const end = this.#module.ends(ROOM_AT + at, this.#width, last - first, BigInt(before), BigInt(arcs))
    const startsAtZero =
      first > 0 || !offsets.leading || this.#file.read(offsets.at, this.#width).every((byte) => byte === 0)
    return end >= 0n && startsAtZero && (last < vertices || end === BigInt(arcs))
  }

  /**
   * The arcs [first, last), whose targets are in the room from this byte on.
   * @param weights of 32 bits, beside them
   */
  arcsFit(first: number, last: number, at: number, weights?: { readonly bytes: Uint8Array; readonly floats: boolean }) {
    const { memory, vertex, next, least } = this.#module
    const weightsAt = ROOM_AT + ROOM_BYTES
    if (weights !== undefined) {
      new Uint8Array(memory.buffer, weightsAt).set(weights.bytes)
      if (this.#module.weights(weightsAt, last - first, Number(weights.floats)) === 0) return false
    }
    const owner = firstListPast(this.#file, this.#layout, first)
    const start = owner === 0 ? 0 : endOf(this.#file, this.#layout, owner - 1)
    if (!(start <= first)) return false
    vertex.value = owner
    next.value = 0
    least.value = start === first ? 0 : targetsOf(this.#file, this.#layout, first - 1, 1)[0]! + 1
    const beside = weights === undefined ? 0 : weightsAt - (ROOM_AT + at)
    while (next.value < last - first) if (!this.#look(first, last - first, ROOM_AT + at, beside)) return false
    return true
  }

  /** Looks at as many lists as have their ends in memory together. */
  #look(base: number, arcs: number, targets: number, weights: number): boolean {
    const { vertices, offsets } = this.#layout
    const from = this.#module.vertex.value >>> 0
    const count = Math.min(ENDS, vertices - from)
    if (count === 0) return false
    const ends = new Uint8Array(this.#module.memory.buffer, ENDS_AT, this.#width * count)
    this.#file.fill(ends, offsets.at + this.#width * (from + (offsets.leading ? 1 : 0)))
    return this.#module.lists(ENDS_AT, this.#width, count, BigInt(base), targets, arcs, weights, vertices) === 1
  }
}
