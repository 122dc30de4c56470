import { closeSync, fstatSync, rmSync } from 'node:fs'
import type { DamageWords } from '../base/checked-file.ts'
import { type Failure, inputFailure } from '../base/failure.ts'
import { openFile, readFully } from '../base/file-bytes.ts'
import { writeAside } from '../base/output-file.ts'
import { finishSums, SUMS_SUFFIX, SumsBuilder } from '../base/sums.ts'
import { WORD_HASH } from './modules.ts'

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

const newHasher = (): Hasher =>
  new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(WORD_HASH, 'base64'))).exports as unknown as Hasher

const digitsOf = (h: bigint): string => BigInt.asUintN(64, h).toString(16).padStart(16, '0')

/**
 * Bits set, and 64-bit FNV-1a, in hexadecimal, over their indices as 32-bit little-endian words. @param pause called
 * now and then; what it throws is thrown
 */
export function hashOfBits(bits: Uint8Array, pause: () => void): { readonly size: number; readonly hash: string } {
  const hasher = newHasher()
  const memory = new Uint8Array(hasher.memory.buffer)
  let state = HASH_BASIS
  for (let at = 0; at < bits.length; at += memory.length) {
    pause()
    const part = bits.subarray(at, at + memory.length)
    const bytes = Math.ceil(part.length / 8) * 8
    memory.set(part)
    memory.fill(0, part.length, bytes)
    state = hasher.hashBits(bytes, 8n * BigInt(at), state)
  }
  return { size: hasher.found.value >>> 0, hash: digitsOf(state) }
}

/** Over v, then its mate, of every v below its mate. @param mates 2^32 - 1: none */
export function hashOfPairs(mates: Uint32Array, pause: () => void): { readonly pairs: number; readonly hash: string } {
  const hasher = newHasher()
  const memory = new Uint32Array(hasher.memory.buffer)
  let state = HASH_BASIS
  for (let first = 0; first < mates.length; first += memory.length) {
    pause()
    const part = mates.subarray(first, first + memory.length)
    memory.set(part)
    state = hasher.hashPairs(part.length, first, state)
  }
  return { pairs: hasher.found.value >>> 0, hash: digitsOf(state) }
}

/** Of a word for each vertex. */
export function hashOfWords(words: Uint32Array, pause: () => void): string {
  const hasher = newHasher()
  const memory = new Uint32Array(hasher.memory.buffer)
  let state = HASH_BASIS
  for (let first = 0; first < words.length; first += memory.length) {
    pause()
    const part = words.subarray(first, first + memory.length)
    memory.set(part)
    state = hasher.hashWords(part.length, state)
  }
  return digitsOf(state)
}
