import { closeSync, existsSync, fstatSync, openSync } from 'node:fs'
import { asFailure, inputFailure } from '../failure.ts'
import { readFully } from '../graph/galois-gr.ts'

/** A file beside a graph that is read in small pieces by position, however large it is. */
export class SideFile {
  readonly path: string
  readonly bytes: number
  readonly #file: number

  private constructor(path: string, file: number) {
    this.path = path
    this.#file = file
    this.bytes = fstatSync(file).size
  }

  /** null where there is none. @throws Failure (storage, input) */
  static open(path: string): SideFile | null {
    if (!existsSync(path)) return null
    try {
      return new SideFile(path, openSync(path, 'r'))
    } catch (error) {
      throw asFailure(error, path)
    }
  }

  /** @throws Failure (input) when the file ends before */
  read(position: number, length: number): Buffer<ArrayBuffer> {
    const bytes = Buffer.from(new ArrayBuffer(length))
    readFully(this.#file, bytes, position, this.path)
    return bytes
  }

  word(position: number): number {
    return this.read(position, 4).readUInt32LE()
  }

  /** A u64 below 2^53. */
  long(position: number): number {
    return Number(this.read(position, 8).readBigUInt64LE())
  }

  damaged(remedy = 'Import the graph again.') {
    return inputFailure(this.path, 'this file is not what belongs beside the graph', remedy)
  }

  close(): void {
    closeSync(this.#file)
  }
}
