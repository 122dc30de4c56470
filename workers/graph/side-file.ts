import { existsSync } from 'node:fs'
import { CheckedFile, type DamageWords } from '../base/checked-file.ts'
import { type Failure, inputFailure } from '../base/failure.ts'
import { quietJob } from '../base/job.ts'
import { keepSums, readSums, sumFile, SUMS_SUFFIX } from '../base/sums.ts'

const SIDE_DAMAGE: DamageWords = { what: 'the file is damaged', remedy: 'Import the graph again.' }

/** Verified as it is read. */
export class SideFile {
  readonly #checked: CheckedFile

  private constructor(checked: CheckedFile) {
    this.#checked = checked
  }

  /**
   * null for none. @param isSound of a file of version 0.1, which has no sums @throws Failure (input) when it is
   * damaged, or only its sums are left; (storage)
   */
  static open(path: string, words = SIDE_DAMAGE, isSound: () => boolean = () => true): SideFile | null {
    const sumsPath = `${path}${SUMS_SUFFIX}`
    const stored = readSums(sumsPath)
    if (!existsSync(path)) {
      if (stored === null) return null
      throw inputFailure(path, 'the file is gone, and its checksums are there', words.remedy)
    }
    if (stored !== null) return new SideFile(CheckedFile.open(path, stored, words))
    if (!isSound()) throw inputFailure(path, words.what, words.remedy)
    const { sums } = sumFile(path, quietJob)
    keepSums(sumsPath, sums)
    return new SideFile(CheckedFile.open(path, sums, words))
  }

  get path(): string {
    return this.#checked.path
  }

  get bytes(): number {
    return this.#checked.bytes
  }

  /** @throws Failure (input) */
  read(position: number, length: number): Buffer<ArrayBuffer> {
    const bytes = Buffer.from(new ArrayBuffer(length))
    this.#checked.read(position, length, bytes)
    return bytes
  }

  word(position: number): number {
    return this.read(position, 4).readUInt32LE()
  }

  /** A u64 below 2^53. */
  long(position: number): number {
    return Number(this.read(position, 8).readBigUInt64LE())
  }

  damaged(how = 'it is not what belongs beside the graph'): Failure {
    return this.#checked.damaged(how)
  }

  close(): void {
    this.#checked.close()
  }
}
