import { existsSync } from 'node:fs'
import { CheckedFile, type DamageWords } from '../base/checked-file.ts'
import { inputFailure } from '../base/failure.ts'
import { quietJob } from '../base/job.ts'
import { keepSums, readSums, sumFile, SUMS_SUFFIX } from '../base/sums.ts'

const SIDE_DAMAGE: DamageWords = { what: 'the file is damaged', remedy: 'Import the graph again.' }

/**
 * A file beside the graph; null for none. @param isSound of a file of version 0.1, which has no sums @throws Failure
 * (input) when it is damaged, or only its sums are left; (storage)
 */
export function openSideFile(path: string, words = SIDE_DAMAGE, isSound = (): boolean => true): CheckedFile | null {
  const sumsPath = `${path}${SUMS_SUFFIX}`
  const stored = readSums(sumsPath)
  if (!existsSync(path)) {
    if (stored === null) return null
    throw inputFailure(path, 'the file is gone, and its checksums are there', words.remedy)
  }
  if (stored !== null) return CheckedFile.open(path, stored, words)
  if (!isSound()) throw inputFailure(path, words.what, words.remedy)
  const { sums } = sumFile(path, quietJob)
  keepSums(sumsPath, sums)
  return CheckedFile.open(path, sums, words)
}
