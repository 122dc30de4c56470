import { closeSync, fstatSync, openSync, rmSync } from 'node:fs'
import type { DamageWords } from '../base/checked-file.ts'
import { finishSums, SUMS_SUFFIX, SumsBuilder } from '../base/sums.ts'
import { writeAside } from '../base/output-file.ts'
import { readFully } from '../base/file-bytes.ts'
import { type Failure, asFailure, inputFailure } from '../base/failure.ts'

export const RESULT_DAMAGE: DamageWords = {
  what: 'the result is damaged',
  remedy: 'Repeat the run; check the disk if it happens again.',
}

/** Stores the result of a run, and its sums beside it. @throws Failure (storage) when the disk is full */
export function writeResult(path: string, bytes: Uint8Array): void {
  const sums = new SumsBuilder()
  sums.add(0, bytes)
  writeAside(path, [bytes])
  finishSums(path, sums)
}

/** Takes away the result of a run that failed. */
export function removeResult(path: string): void {
  for (const file of [path, `${path}${SUMS_SUFFIX}`]) rmSync(file, { force: true })
}

/**
 * Fills `bytes` with the result that a run wrote.
 * @param what what a file of another length is not: "the mates of 7 vertices"
 * @throws Failure (input) when the length does not fit the graph
 */
export function readResult(path: string, bytes: Uint8Array, what: string): void {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    throw asFailure(error, path)
  }
  try {
    const { size } = fstatSync(file)
    if (size !== bytes.length)
      throw inputFailure(path, `${size} bytes are not ${what}`, 'Is it the result of another dataset?')
    readFully(file, bytes, 0, path)
  } finally {
    closeSync(file)
  }
}

/** What is said of a result whose fingerprint is not that of the run's record. */
export function otherResult(path: string, hash: string, recorded: string): Failure {
  return inputFailure(
    path,
    `${RESULT_DAMAGE.what}: its hash is ${hash}, and the run recorded ${recorded}`,
    RESULT_DAMAGE.remedy,
  )
}
