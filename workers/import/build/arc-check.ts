/**
 * Ends and lists ascend, no loops, positive weights. With keyed hashes a, b of ends and c of weights, the graph is symmetric where the sum over
 * arcs u -> v of (a(u) b(v) - b(u) a(v)) [* c(weight)] is 0 modulo 2^32: an arc and its reverse arc cancel out. Two such sums decide
 * (docs/decisions/0007-canonical-files-are-copied.md). It costs one pass over the arcs, in WebAssembly (arc-check.wat), and keys are drawn anew
 * for every import, so that no file can be made to match. canonical-pieces.ts checks pieces with it.
 */

import { randomFillSync } from 'node:crypto'
import { PIECE_BYTES } from '../../base/sums.ts'
import { numberBytes } from '../../graph/graph-file.ts'
import { type CsrLayout, endOf, firstListPast, targetsOf } from '../formats/csr.ts'
import type { StoredFile } from '../formats/stored-file.ts'
import { ARC_CHECK } from './modules.ts'
import { wasmExports } from '../../../kernels/parts/wasm-exports.ts'

/** Hashes of an end. */
const LANES = 3
/** Sums of 32 bits that decide. */
const SUMS = LANES - 1
/** Words in a vector of the module. */
const WORDS = 4
/** One that all hashes share and one each: hashes of ends, and a hash of weights for each sum. */
const KEYS = 1 + LANES + (1 + SUMS)

/** Drawn anew for every import: no file can be made to match. */
export type FingerprintKeys = Int32Array

export function newFingerprintKeys(): FingerprintKeys {
  return randomFillSync(new Int32Array(new SharedArrayBuffer(4 * KEYS)))
}

/** Reports of parts add up. */
export interface ArcReport {
  readonly maxDegree: number
  readonly isolated: number
  /** i32 [2]: all 0 where every arc has its reverse arc. */
  readonly sums: Int32Array
  readonly smallestWeight: number
  readonly largestWeight: number
}

/** @returns null where an arc has no reverse arc */
export function canonicalArcs(reports: readonly ArcReport[]): ArcReport | null {
  const total = (of: (report: ArcReport) => number): number => reports.reduce((sum, report) => sum + of(report), 0)
  const all = {
    maxDegree: Math.max(0, ...reports.map(({ maxDegree }) => maxDegree)),
    isolated: total(({ isolated }) => isolated),
    sums: new Int32Array(SUMS).map((_, i) => total(({ sums }) => sums[i]!)),
    smallestWeight: Math.min(Infinity, ...reports.map(({ smallestWeight }) => smallestWeight)),
    largestWeight: Math.max(0, ...reports.map(({ largestWeight }) => largestWeight)),
  }
  return all.sums.every((sum) => sum === 0) ? all : null
}

export const ROOM_BYTES = PIECE_BYTES
/** Ends that are in memory together. */
const ENDS = 1 << 12
/** See arc-check.wat. */
const VECTOR_BYTES = 4 * WORDS
const MASKS_AT = KEYS * VECTOR_BYTES
const SUMS_AT = MASKS_AT + 2 * VECTOR_BYTES
const ENDS_AT = SUMS_AT + SUMS * VECTOR_BYTES
const ROOM_AT = ENDS_AT + 8 * ENDS
/** Read behind the last target. */
const PADDING_BYTES = VECTOR_BYTES
const PAGE_BYTES = 1 << 16

type Figure<T extends 'i32' | 'f32' | 'f64'> = WebAssembly.Global<T>

interface Module {
  readonly memory: WebAssembly.Memory
  readonly maxDegree: Figure<'f64'>
  readonly isolated: Figure<'f64'>
  readonly smallest: Figure<'f32'>
  readonly largest: Figure<'f32'>
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

/** Checks a graph in parts, whose reports add up. */
export class ArcCheck {
  /** Takes the bytes to check: ends, or targets of 32 bits. */
  readonly room: Uint8Array<ArrayBuffer>
  readonly #module: Module
  readonly #file: StoredFile
  readonly #layout: CsrLayout
  /** Behind those looked at last. */
  #arc = -1
  /** Ends in memory: `#ends` of them, from that of this vertex. */
  #first = 0
  #ends = 0

  constructor(file: StoredFile, layout: CsrLayout, keys: FingerprintKeys, weighted: boolean) {
    this.#module = wasmExports(ARC_CHECK)
    const { memory } = this.#module
    const bytes = ROOM_AT + (weighted ? 2 : 1) * ROOM_BYTES + PADDING_BYTES
    memory.grow(Math.ceil(bytes / PAGE_BYTES) - 1)
    const words = new Int32Array(memory.buffer)
    keys.forEach((key, i) => words.fill(key, WORDS * i, WORDS * (i + 1)))
    words.fill(-1, MASKS_AT / 4, MASKS_AT / 4 + WORDS)
    this.room = new Uint8Array(memory.buffer, ROOM_AT, ROOM_BYTES)
    this.#file = file
    this.#layout = layout
  }

  get report(): ArcReport {
    const { memory, maxDegree, isolated, smallest, largest } = this.#module
    const sums = new Int32Array(memory.buffer, SUMS_AT, SUMS * WORDS)
    return {
      maxDegree: maxDegree.value,
      isolated: isolated.value,
      sums: new Int32Array(SUMS).map((_, i) =>
        sums.subarray(WORDS * i, WORDS * (i + 1)).reduce((sum, word) => sum + word, 0),
      ),
      smallestWeight: smallest.value,
      largestWeight: largest.value,
    }
  }

  /** The ends [first, last), which are in the room from `at`. @param width of each, in bytes */
  endsFit(first: number, last: number, at: number, width = numberBytes[this.#layout.offsets.kind]): boolean {
    const { vertices, arcs, offsets } = this.#layout
    const before = first === 0 ? 0 : endOf(this.#file, this.#layout, first - 1)
    if (!(before >= 0 && before <= arcs)) return false
    const end = this.#module.ends(ROOM_AT + at, width, last - first, BigInt(before), BigInt(arcs))
    const startsAtZero =
      first > 0 ||
      !offsets.leading ||
      this.#file.read(offsets.at, numberBytes[offsets.kind]).every((byte) => byte === 0)
    return end >= 0n && startsAtZero && (last < vertices || end === BigInt(arcs))
  }

  /** The arcs [first, last), whose targets are in the room from `at`. @param weights of 32 bits */
  arcsFit(first: number, last: number, at: number, weights?: { readonly bytes: Uint8Array; readonly floats: boolean }) {
    const { memory, next } = this.#module
    const weightsAt = ROOM_AT + ROOM_BYTES
    if (weights !== undefined) {
      new Uint8Array(memory.buffer, weightsAt).set(weights.bytes)
      if (this.#module.weights(weightsAt, last - first, Number(weights.floats)) === 0) return false
    }
    if (first !== this.#arc && !this.#find(first)) return false
    this.#arc = last
    next.value = 0
    const beside = weights === undefined ? 0 : weightsAt - (ROOM_AT + at)
    while (next.value < last - first) if (!this.#look(first, last - first, ROOM_AT + at, beside)) return false
    return true
  }

  /** The list of an arc. */
  #find(arc: number): boolean {
    const { vertex, least } = this.#module
    const owner = firstListPast(this.#file, this.#layout, arc)
    const start = owner === 0 ? 0 : endOf(this.#file, this.#layout, owner - 1)
    vertex.value = owner
    least.value = start === arc ? 0 : targetsOf(this.#file, this.#layout, arc - 1, 1)[0]! + 1
    return start <= arc
  }

  #look(base: number, arcs: number, targets: number, weights: number): boolean {
    const { vertices, offsets } = this.#layout
    const { memory, vertex } = this.#module
    const width = numberBytes[offsets.kind]
    const from = vertex.value >>> 0
    if (from < this.#first || from >= this.#first + this.#ends) {
      this.#first = from
      this.#ends = Math.min(ENDS, vertices - from)
      const bytes = new Uint8Array(memory.buffer, ENDS_AT, width * this.#ends)
      this.#file.fill(bytes, offsets.at + width * (from + (offsets.leading ? 1 : 0)))
    }
    const skipped = from - this.#first
    const count = this.#ends - skipped
    const ends = ENDS_AT + width * skipped
    return count > 0 && this.#module.lists(ends, width, count, BigInt(base), targets, arcs, weights, vertices) === 1
  }
}
