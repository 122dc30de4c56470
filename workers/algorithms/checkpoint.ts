/**
 * The states of a run on disk, so that one that was interrupted goes on from there: 512 bytes of JSON header padded with spaces, the parts as
 * little-endian u32, and the notes as JSON. The file is written aside and renamed. What cannot be gone on from is passed over: the run starts
 * anew, and says why in its record. A checkpoint is resumed only by the same request on the same graph: its identity says both. It costs one
 * write of the states, at most once in the interval asked for; run.ts removes it behind the result.
 */

import { createHash } from 'node:crypto'
import { closeSync, existsSync, fstatSync, openSync, rmSync } from 'node:fs'
import { crcOf, readFully } from '../base/file-bytes.ts'
import { bytesOf } from '../base/words.ts'
import { writeAside } from '../base/output-file.ts'
import type { RunArgs } from '../contract/jobs.ts'

const HEADER_BYTES = 512
const FORMAT = 'anticlique checkpoint 2'
/** The header has room for orders up to this length; of a longer one it has the hash. */
const LONGEST_ORDER = 128
/** Milliseconds between two checkpoints within a pass, by default. */
const EVERY_MS = 30_000
/** A pass that ends sooner after the last checkpoint than this is not worth one. */
const LEAST_MS = 1000

/** What the states depend on, and how they are laid out. States of anything else are no place to start from. */
interface CheckpointIdentity {
  /** SHA-256 of the graph. */
  readonly graph: string
  /** The order of the vertices or edges, and every option that the states depend on. */
  readonly order: string
  /** The format of the tiles whose positions the states are by; "" for the graph's own order. */
  readonly tiles: string
  readonly vertices: number
}

/** Tiles absent: the graph's own order. */
type StatesPlace = Pick<CheckpointIdentity, 'order' | 'vertices'> & Partial<Pick<CheckpointIdentity, 'tiles'>>

interface Header {
  readonly format: string
  readonly of: CheckpointIdentity
  /** Words of each part, and bytes of the notes behind them. */
  readonly parts: readonly number[]
  readonly notesBytes: number
  /** CRC-32 of all that follows the header. */
  readonly crc32: number
}

/** What a checkpoint holds: the states of vertices, and what is small beside them. */
interface Kept<Notes> {
  readonly parts: readonly Uint32Array[]
  readonly notes: Notes
}

/** Keeps the state of a run now and then, for another attempt to resume from. */
export interface Checkpointer<State> {
  isDue(): boolean
  keep(state: State): void
}

type CheckpointArgs = Pick<RunArgs, 'checksum' | 'checkpointFile' | 'checkpointEveryMs' | 'resume'>

/** The checkpoint of one run, of any algorithm. */
export class Checkpoint<Notes = null> {
  /** Words for the record: what the run that is resumed continued from, or why it started anew. Undefined: it is not resumed. */
  resumed: string | undefined
  /** What `start` found. */
  kept: Kept<Notes> | undefined
  readonly #path: string
  readonly #identity: CheckpointIdentity
  readonly #everyMs: number
  readonly #isResumed: boolean
  #lastMs = performance.now()

  private constructor(path: string, identity: CheckpointIdentity, { checkpointEveryMs, resume }: CheckpointArgs) {
    this.#path = path
    this.#identity = identity
    this.#everyMs = checkpointEveryMs ?? EVERY_MS
    this.#isResumed = resume === true
  }

  /** Undefined for a run that keeps none. */
  static of<Notes = null>(
    args: CheckpointArgs,
    { order, tiles = '', vertices }: StatesPlace,
  ): Checkpoint<Notes> | undefined {
    const { checkpointFile, checksum: graph } = args
    if (checkpointFile === undefined) return undefined
    const kept = order.length > LONGEST_ORDER ? createHash('sha256').update(order).digest('hex') : order
    return new Checkpoint<Notes>(checkpointFile, { graph, order: kept, tiles, vertices }, args)
  }

  /** Whether it is time for one: `passEnds` at the end of a pass, else in the middle. */
  isDue(passEnds: boolean): boolean {
    const sinceMs = performance.now() - this.#lastMs
    return sinceMs >= (passEnds ? Math.min(LEAST_MS, this.#everyMs) : this.#everyMs)
  }

  /** @throws Failure (storage) when the disk is full */
  write(parts: readonly Uint32Array[], notes: Notes): void {
    const bodies = [...parts.map(bytesOf), Buffer.from(JSON.stringify(notes))]
    const header: Header = {
      format: FORMAT,
      of: this.#identity,
      parts: parts.map(({ length }) => length),
      notesBytes: bodies.at(-1)!.length,
      crc32: bodies.reduce((sum, bytes) => crcOf(bytes, sum), 0),
    }
    const first = Buffer.from(JSON.stringify(header).padEnd(HEADER_BYTES))
    if (first.length > HEADER_BYTES) throw new Error(`the header of a checkpoint takes ${first.length} bytes`)
    writeAside(this.#path, [first, ...bodies])
    this.#lastMs = performance.now()
  }

  /** Called when computing begins. What to go on from, where the run is resumed and there is a sound checkpoint of the same states. */
  start(): Kept<Notes> | undefined {
    this.#lastMs = performance.now()
    if (!this.#isResumed) return undefined
    const found = existsSync(this.#path) ? this.#read() : 'there was no checkpoint yet'
    this.kept = typeof found === 'string' ? undefined : found
    this.resumed = typeof found === 'string' ? `anew: ${found}` : `from the checkpoint of ${found.writtenAt}`
    return this.kept
  }

  remove(): void {
    rmSync(this.#path, { force: true })
  }

  /** The checkpoint, or why it cannot be used. */
  #read(): (Kept<Notes> & { readonly writtenAt: string }) | string {
    const file = openSync(this.#path, 'r')
    try {
      const { size, mtime } = fstatSync(file)
      if (size < HEADER_BYTES) return 'the checkpoint was torn'
      const first = Buffer.alloc(HEADER_BYTES)
      readFully(file, first, 0, this.#path)
      const header = headerFrom(first.toString('utf8'))
      if (header?.format !== FORMAT) return 'the checkpoint is of another version'
      if (JSON.stringify(header.of) !== JSON.stringify(this.#identity))
        return 'the checkpoint is of another graph, or other options'
      const { parts, notesBytes } = header
      // The checksum covers what is behind the header.
      if (!Array.isArray(parts) || typeof notesBytes !== 'number')
        return 'the checkpoint was damaged: its header is not whole'
      const words = parts.reduce((sum, part) => sum + part, 0)
      if (size !== HEADER_BYTES + 4 * words + notesBytes) return 'the checkpoint was torn'
      const bodies: Uint8Array[] = [...parts.map((part) => new Uint8Array(4 * part)), new Uint8Array(notesBytes)]
      let [at, sum] = [HEADER_BYTES, 0]
      for (const bytes of bodies) {
        readFully(file, bytes, at, this.#path)
        sum = crcOf(bytes, sum)
        at += bytes.length
      }
      if (sum !== header.crc32) return 'the checkpoint was damaged: its checksum does not match'
      const notes = JSON.parse(Buffer.from(bodies.pop()!).toString('utf8')) as Notes
      return { parts: bodies.map(({ buffer }) => new Uint32Array(buffer)), notes, writtenAt: mtime.toISOString() }
    } finally {
      closeSync(file)
    }
  }
}

/**
 * Puts what another attempt kept into the states, if it kept any, and keeps them from now on. @param passEnds whether it is asked at the end
 * of passes @param parts of the states
 */
export function resumeStates<Notes>(
  args: CheckpointArgs,
  place: StatesPlace,
  passEnds: boolean,
  parts: readonly Uint32Array[],
) {
  const checkpoint = Checkpoint.of<Notes>(args, place)
  const kept = checkpoint?.start()
  kept?.parts.forEach((part, i) => parts[i]!.set(part))
  const checkpointer: Checkpointer<Notes> | undefined = checkpoint && {
    isDue: () => checkpoint.isDue(passEnds),
    keep: (notes) => checkpoint.write(parts, notes),
  }
  return { checkpoint, before: kept?.notes, checkpointer }
}

function headerFrom(text: string): Header | undefined {
  try {
    return JSON.parse(text) as Header
  } catch {
    return undefined
  }
}
