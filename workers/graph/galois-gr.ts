import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { Failure, asFailure, inputFailure } from '../failure.ts'
import { isFaultDue, readError } from '../fault-injection.ts'

/**
 * Galois binary graph, version 1, as every dataset stores its canonical graph (docs/formats.md): little-endian
 * u64 version, u64 bytes per edge datum, u64 n, u64 m, u64 end offsets [n] (no leading 0), u32 targets [m], 4 bytes of
 * padding where m is odd, f32 edge data [m] where weighted.
 */
export const GR_HEADER_BYTES = 32

export interface GrLayout {
  readonly vertices: number
  readonly arcs: number
  readonly weighted: boolean
  readonly targetsAt: number
  readonly weightsAt: number
  readonly fileBytes: number
}

/** Byte positions of the sections of a version 1 file. */
export function grLayout(vertices: number, arcs: number, weighted: boolean): GrLayout {
  const targetsAt = GR_HEADER_BYTES + 8 * vertices
  const weightsAt = targetsAt + 4 * (arcs + (arcs & 1))
  return { vertices, arcs, weighted, targetsAt, weightsAt, fileBytes: weightsAt + (weighted ? 4 * arcs : 0) }
}

/** Reads ranges of a canonical graph; offsets come back as doubles (exact up to 2^53). */
export class GaloisGr {
  readonly path: string
  readonly layout: GrLayout
  readonly #file: number

  private constructor(path: string, file: number, layout: GrLayout) {
    this.path = path
    this.#file = file
    this.layout = layout
  }

  /** @throws Failure (input) when the file is missing, not version 1, or its length does not fit its header. */
  static open(path: string): GaloisGr {
    let file: number
    try {
      file = openSync(path, 'r')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        throw inputFailure(path, 'the graph of this dataset is gone', 'Remove the dataset, and import its file again.')
      throw asFailure(error, path)
    }
    try {
      const header = new BigUint64Array(4)
      readFully(file, new Uint8Array(header.buffer), 0, path)
      const [version, datumBytes, vertices, arcs] = Array.from(header, Number) as [number, number, number, number]
      const layout = grLayout(vertices, arcs, datumBytes === 4)
      if (version !== 1 || (datumBytes !== 0 && datumBytes !== 4) || fstatSync(file).size !== layout.fileBytes)
        throw inputFailure(
          path,
          'this is not a Galois graph of version 1 of the right length',
          'Import the graph again.',
        )
      return new GaloisGr(path, file, layout)
    } catch (error) {
      closeSync(file)
      throw error
    }
  }

  get vertices(): number {
    return this.layout.vertices
  }

  get arcs(): number {
    return this.layout.arcs
  }

  /** Where the arcs of v lie: [first, end). */
  arcsOf(v: number): { readonly first: number; readonly end: number } {
    const offsets = this.readOffsets(v, v + 1)
    return { first: offsets[0]!, end: offsets[1]! }
  }

  /** offsets[i] for i in [first, last], last included: `last - first + 1` doubles; arcs of v are [offsets[v], offsets[v+1]). */
  readOffsets(first: number, last: number): Float64Array {
    const ends = new BigUint64Array(last - first + (first === 0 ? 0 : 1))
    const from = first === 0 ? 0 : first - 1
    readFully(this.#file, new Uint8Array(ends.buffer), GR_HEADER_BYTES + 8 * from, this.path)
    const words = new Uint32Array(ends.buffer)
    const offsets = new Float64Array(last - first + 1)
    const shift = first === 0 ? 1 : 0
    for (let i = 0; i < ends.length; i++) offsets[i + shift] = words[2 * i]! + words[2 * i + 1]! * 2 ** 32
    return offsets
  }

  /** Targets of the arcs [first, last), into `into` when given (it may be shared memory). */
  readTargets(first: number, last: number, into: Uint32Array = new Uint32Array(last - first)): Uint32Array {
    const bytes = new Uint8Array(into.buffer, into.byteOffset, 4 * (last - first))
    readFully(this.#file, bytes, this.layout.targetsAt + 4 * first, this.path)
    return into
  }

  /** Weights of the arcs [first, last), likewise. Only where the layout says weighted. */
  readWeights(first: number, last: number, into: Float32Array = new Float32Array(last - first)): Float32Array {
    const bytes = new Uint8Array(into.buffer, into.byteOffset, 4 * (last - first))
    readFully(this.#file, bytes, this.layout.weightsAt + 4 * first, this.path)
    return into
  }

  close(): void {
    closeSync(this.#file)
  }
}

const DAMAGED = 'not as in a canonical graph'

/** Whether this says that graph.gr holds what no import writes. */
export function isDamagedGraph(error: unknown): boolean {
  return error instanceof Failure && error.what.endsWith(DAMAGED)
}

/** @param what is not as it must be: "the order of the neighbours of vertex 7" */
export function damagedGraph(path: string, what: string): Failure {
  return inputFailure(path, `${what} is ${DAMAGED}`, 'It is damaged: import the graph again.')
}

const READ_CHUNK_BYTES = 1 << 30

/**
 * Reads exactly `bytes.length` bytes at `position`; a short file is a failure, not a short read.
 * @throws Failure (input) for a file that is too short, (storage) for a disk that cannot be read
 */
export function readFully(file: number, bytes: Uint8Array, position: number, path: string): void {
  let done = 0
  while (done < bytes.length) {
    const count = readChunk(file, bytes, done, position + done, path)
    if (count === 0)
      throw inputFailure(
        path,
        `the file ends at byte ${position + done}, but more was expected`,
        'It is damaged: import the graph again.',
      )
    done += count
  }
}

function readChunk(file: number, bytes: Uint8Array, done: number, position: number, path: string): number {
  try {
    if (isFaultDue('disk-read')) throw readError()
    return readSync(file, bytes, done, Math.min(READ_CHUNK_BYTES, bytes.length - done), position)
  } catch (error) {
    throw asFailure(error, path)
  }
}
