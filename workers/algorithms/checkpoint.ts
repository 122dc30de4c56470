import { existsSync, readFileSync, rmSync } from 'node:fs'
import { stateWords } from '../graph/vertex-states.ts'
import { writeAside } from '../graph/view-file.ts'

const HEADER_BYTES = 512
const FORMAT = 'anticlique checkpoint 1'
/** A pass that ends sooner after the last checkpoint than this is not worth one. */
const LEAST_MS = 1000

interface Header {
  readonly format: string
  readonly graph: string
  readonly order: string
  readonly vertices: number
}

/**
 * Vertex states on disk, so that a run that was interrupted goes on from there. As states only gain bits and never depend on
 * timing, any states of an earlier moment are a right place to start from. The file is written aside and renamed.
 */
export class Checkpoint {
  readonly #path: string
  readonly #header: Header
  readonly #everyMs: number
  #lastMs = performance.now()

  /** @param everyMs milliseconds between two checkpoints within a pass; 0 for one after every batch */
  constructor(path: string, identity: Omit<Header, 'format'>, everyMs: number) {
    this.#path = path
    this.#header = { format: FORMAT, ...identity }
    this.#everyMs = everyMs
  }

  /** Whether it is time for one: `passEnds` at the end of a pass, else in the middle. */
  isDue(passEnds: boolean): boolean {
    const sinceMs = performance.now() - this.#lastMs
    return sinceMs >= (passEnds ? Math.min(LEAST_MS, this.#everyMs) : this.#everyMs)
  }

  /** @throws Failure (storage) when the disk is full */
  write(states: Uint32Array): void {
    const header = Buffer.from(JSON.stringify(this.#header).padEnd(HEADER_BYTES))
    writeAside(this.#path, [header, Buffer.from(states.buffer, states.byteOffset, states.byteLength)])
    this.#lastMs = performance.now()
  }

  /** The states of the last checkpoint of the same graph and order; undefined where there is none. */
  read(): Uint32Array | undefined {
    if (!existsSync(this.#path)) return undefined
    const file = readFileSync(this.#path)
    const { vertices } = this.#header
    if (file.length !== HEADER_BYTES + 4 * stateWords(vertices)) return undefined
    if (file.toString('utf8', 0, HEADER_BYTES).trimEnd() !== JSON.stringify(this.#header)) return undefined
    return new Uint32Array(file.buffer.slice(file.byteOffset + HEADER_BYTES, file.byteOffset + file.length))
  }

  remove(): void {
    rmSync(this.#path, { force: true })
  }
}
