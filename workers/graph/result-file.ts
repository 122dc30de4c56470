/**
 * The files of results: a bit, a mate or a value for each vertex, with checksums beside them, read back only if they are whole and have the hash
 * that their record says. The hash of values or of pairs is one pass in WebAssembly (kernels/parts/word-hash.wat). Values have words here, sizes
 * and classes, in linear time by counting. vertex-set.ts, matching.ts and pair-list.ts have what the bytes mean.
 */

import { closeSync, fstatSync, rmSync } from 'node:fs'
import type { DamageWords } from '../base/checked-file.ts'
import { type Failure, inputFailure } from '../base/failure.ts'
import { openFile, readFully } from '../base/file-bytes.ts'
import { writeAside } from '../base/output-file.ts'
import { finishSums, SUMS_SUFFIX, SumsBuilder } from '../base/sums.ts'
import { bytesOf, groupedBy, type Groups } from '../base/words.ts'
import type { ValuesEntry } from '../contract/catalogue.ts'
import type { Labels } from './labels.ts'
import { WORD_HASH } from '../../kernels/parts/modules.ts'
import { wasmExports } from '../../kernels/parts/wasm-exports.ts'

export const RESULT_DAMAGE: DamageWords = {
  what: 'the result is damaged',
  remedy: 'Repeat the run; check the disk if it happens again.',
}

/** @throws Failure (storage) when the disk is full */
export function writeResult(path: string, bytes: Uint8Array): void {
  const sums = new SumsBuilder()
  sums.add(0, bytes)
  writeAside(path, [bytes])
  finishSums(path, sums)
}

export function removeResult(path: string): void {
  for (const file of [path, `${path}${SUMS_SUFFIX}`]) rmSync(file, { force: true })
}

/** @param what a file of another length is not: "the mates of 7 vertices" @throws Failure (input) */
export function readResult(path: string, bytes: Uint8Array, what: string): void {
  const file = openFile(path, 'r')
  try {
    const { size } = fstatSync(file)
    if (size !== bytes.length)
      throw inputFailure(path, `${size} bytes are not ${what}`, 'Is it the result of another dataset?')
    readFully(file, bytes, 0, path)
  } finally {
    closeSync(file)
  }
}

export function otherResult(path: string, hash: string, recorded: string): Failure {
  return inputFailure(
    path,
    `${RESULT_DAMAGE.what}: its hash is ${hash}, and the run recorded ${recorded}`,
    RESULT_DAMAGE.remedy,
  )
}

/**
 * Results start from 1469598103934665603, not from the standard offset basis of FNV-1a, as the published answers do
 * (docs/decisions/0005-hash-basis.md).
 */
const HASH_BASIS = 0x14650fb0739d0383n

interface Hasher {
  readonly memory: WebAssembly.Memory
  readonly found: WebAssembly.Global<'i32'>
  hashBits(bytes: number, first: bigint, h: bigint): bigint
  hashPairs(vertices: number, first: number, h: bigint): bigint
  hashWords(words: number, h: bigint): bigint
}

interface Hash {
  /** The hash in hexadecimal. */
  readonly hash: string
  /** Bits set, or pairs. */
  readonly found: number
}

/** Called now and then; what it throws is thrown. */
export type Pause = () => void

let knownHasher: Hasher | undefined

/** One for all results of a thread: a hash is made in one go. */
const newHasher = (): Hasher => wasmExports(WORD_HASH)

/** @param step hashes so many bytes in the hasher's memory, whose first one is at `at` of all */
function hashOf(
  bytes: Uint8Array,
  pause: Pause,
  step: (hasher: Hasher, length: number, at: number, h: bigint) => bigint,
): Hash {
  const hasher = (knownHasher ??= newHasher())
  hasher.found.value = 0
  const memory = new Uint8Array(hasher.memory.buffer)
  let state = HASH_BASIS
  for (let at = 0; at < bytes.length; at += memory.length) {
    pause()
    const part = bytes.subarray(at, at + memory.length)
    memory.set(part)
    memory.fill(0, part.length, part.length + 8)
    state = step(hasher, part.length, at, state)
  }
  return { hash: BigInt.asUintN(64, state).toString(16).padStart(16, '0'), found: hasher.found.value >>> 0 }
}

/** 64-bit FNV-1a over the indices of the bits set, as 32-bit little-endian words. */
export const hashOfBits = (bits: Uint8Array, pause: Pause): Hash =>
  hashOf(bits, pause, (hasher, length, at, h) => hasher.hashBits(8 * Math.ceil(length / 8), 8n * BigInt(at), h))

/** The hash over v, then its mate, of every v below its mate. @param mates 2^32 - 1: none */
export const hashOfPairs = (mates: Uint32Array, pause: Pause): Hash =>
  hashOf(bytesOf(mates), pause, (hasher, length, at, h) => hasher.hashPairs(length / 4, at / 4, h))

/** The hash of a word for each vertex. */
export const hashOfValues = (values: Uint32Array): string =>
  hashOf(
    bytesOf(values),
    () => {},
    (hasher, length, _, h) => hasher.hashWords(length / 4, h),
  ).hash

/** The value of a vertex that has none, where the entry of the algorithm allows that. */
export const NO_VALUE = 0xffffffff

/** @throws Failure (input) for another length or hash */
export function readValues(path: string, vertices: number, hash?: string): Uint32Array<ArrayBuffer> {
  const values = new Uint32Array(vertices)
  readResult(path, new Uint8Array(values.buffer), `the values of ${vertices} vertices`)
  if (hash === undefined) return values
  const own = hashOfValues(values)
  if (own !== hash) throw otherResult(path, own, hash)
  return values
}

/** One more than the largest value. */
function endOfValues(values: Uint32Array): number {
  let end = 0
  for (const value of values) if (value !== NO_VALUE && value >= end) end = value + 1
  return end
}

/** How many vertices have each value, from 0 to the largest. */
export function sizesOf(values: Uint32Array): Uint32Array {
  const sizes = new Uint32Array(endOfValues(values))
  for (const value of values) if (value !== NO_VALUE) sizes[value]!++
  return sizes
}

/** Vertices by their values. @throws RangeError for a value that is too large to be one of classes */
export function classesOf(values: Uint32Array): Groups {
  const end = endOfValues(values)
  if (end > Math.max(1, values.length)) throw new RangeError(`value ${end - 1} of ${values.length} vertices`)
  return groupedBy(values, end)
}

export function valueWords({ of, none, names }: ValuesEntry, labelOf: Labels['of']): (value: number) => string {
  return (value) => {
    if (value === NO_VALUE && none !== undefined) return none
    return of === 'vertex' ? labelOf(value) : (names?.[value] ?? String(value))
  }
}
