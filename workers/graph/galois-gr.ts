/**
 * The canonical graph of a dataset, opened: ranges of offsets, targets and weights are read on demand, verified by checksums as they pass, and
 * errors of structure are found where they are met. A graph of another identity than the library knows is refused. It holds one file descriptor
 * and nothing of the lists; a handle takes it to another thread. graph-file.ts has the layout, scan-lists.ts passes over all lists.
 */

import { basename, dirname } from 'node:path'
import { CheckedFile, type CheckedHandle } from '../base/checked-file.ts'
import { Failure, inputFailure, usageFailure } from '../base/failure.ts'
import { PIECE_BYTES, SUMS_SUFFIX, identityOf, readSums, sealed, sumFile, type Sums, writeSums } from '../base/sums.ts'
import {
  type GraphFile,
  graphPlace,
  packedPlace,
  openBytes,
  openPlace,
  changedFile,
  GRAPH_DAMAGE,
  type GraphFilePlace,
  isUntouched,
  stampOf,
  writeLink,
} from './graph-file.ts'
import type { JobContext } from '../base/job.ts'
import { PACKED_FILE } from '../contract/jobs.ts'
import { bytesOf } from '../base/words.ts'
import {
  KnownValues,
  leastDecimalFrom,
  leastKeyFrom,
  shortDecimal,
  valueOf,
  type WeightArray,
  type WeightTable,
} from './weight-values.ts'
import { whereWritable } from '../base/output-file.ts'
import { PackedSource } from './packed/packed-source.ts'

/** A weight is nearly its key, unless it is past the range of floats. */
const MOST_RATIO = 1.01

export interface GraphHandle {
  readonly file: GraphFile
  readonly checked: CheckedHandle
}

/** Ranges, verified. */
export class GaloisGr {
  readonly file: GraphFile
  readonly checked: CheckedFile
  #table: WeightTable | null = null
  #known: KnownValues | null = null

  constructor({ file, checked }: Pick<GaloisGr, 'file' | 'checked'>) {
    this.file = file
    this.checked = checked
  }

  /** @param path of a raw graph, or of a packed one in its folder @throws Failure (input) */
  static open(path: string): GaloisGr {
    if (basename(path) !== PACKED_FILE) return new GaloisGr(openPlace({ path, sumsPath: `${path}${SUMS_SUFFIX}` }))
    return new GaloisGr(openPlace(packedPlace(dirname(path))))
  }

  /** Its identity is not compared. @throws Failure (input) */
  static inFolder(folder: string): GaloisGr {
    return new GaloisGr(openPlace(graphPlace(folder)))
  }

  static of({ file, checked }: GraphHandle): GaloisGr {
    return new GaloisGr({ file, checked: CheckedFile.of(checked, () => openBytes(file)) })
  }

  get handle(): GraphHandle {
    return { file: this.file, checked: this.checked.handle }
  }

  get path(): string {
    return this.file.path
  }

  get vertices(): number {
    return this.file.vertices
  }

  get arcs(): number {
    return this.file.arcs
  }

  /** Bytes of the packed file; null where the graph is not packed. */
  get packedBytes(): number | null {
    const { source } = this.checked
    return source instanceof PackedSource ? source.index.positions.at(-1)! : null
  }

  get weighted(): boolean {
    return this.file.weights !== null
  }

  arcsOf(v: number): { readonly first: number; readonly end: number } {
    const offsets = this.readOffsets(v, v + 1)
    return { first: offsets[0]!, end: offsets[1]! }
  }

  /**
   * offsets[i] for i in [first, last], `last` included; the arcs of v are [offsets[v], offsets[v + 1]).
   * @throws Failure (input) unless they ascend and are within the arcs
   */
  readOffsets(first: number, last: number): Float64Array {
    const { at, bytesEach, leadingZero } = this.file.offsets
    // Without a leading zero the offset of vertex 0 is not stored.
    const unstored = leadingZero || first > 0 ? 0 : 1
    const from = leadingZero ? first : first - 1 + unstored
    const count = last - first + 1 - unstored
    const words = new Uint32Array((bytesEach / 4) * count)
    this.checked.readInto(at + bytesEach * from, new Uint8Array(words.buffer))
    const offsets = new Float64Array(last - first + 1)
    if (bytesEach === 4) offsets.set(words, unstored)
    else for (let i = 0; i < count; i++) offsets[i + unstored] = words[2 * i]! + words[2 * i + 1]! * 2 ** 32
    this.#requireOffsets(offsets, first)
    return offsets
  }

  /**
   * Fills `room` with the same as words of 64 bits, not checked, from their place in their piece on; one of several readers that share all of them
   * out, as {@link readShare} says. @returns that place; undefined where the file has them in another way
   */
  readOffsetShare(first: number, last: number, room: Uint32Array): number | undefined {
    const { at, bytesEach, leadingZero } = this.file.offsets
    if (bytesEach !== 8 || leadingZero || at % 8 !== 0 || at === 0) return undefined
    const from = at + 8 * (first - 1)
    const place = (from % PIECE_BYTES) / 4
    this.checked.readShare(from, from + 8 * (last - first + 1), bytesOf(room), last === this.vertices)
    // The first offset is not stored.
    if (first === 0) room.fill(0, place, place + 2)
    return place
  }

  /** Targets of the arcs [first, last). @throws Failure (input) unless all of them are vertices */
  readTargets(first: number, last: number, into: Uint32Array = new Uint32Array(last - first)): Uint32Array {
    const count = last - first
    this.checked.readInto(this.file.targetsAt + 4 * first, new Uint8Array(into.buffer, into.byteOffset, 4 * count))
    const { vertices } = this
    let largest = 0
    for (let i = 0; i < count; i++) if (into[i]! > largest) largest = into[i]!
    if (largest >= vertices && count > 0)
      throw damagedGraph(this.path, `a neighbour among the arcs ${first} to ${last - 1}`)
    return into
  }

  /** The place in the room of {@link readShare} of the arc that it begins with. */
  placeOf(arc: number): number {
    const { targetsAt } = this.file
    return targetsAt % 4 === 0 ? ((targetsAt + 4 * arc) % PIECE_BYTES) / 4 : 0
  }

  /**
   * Fills `room`, from the place of the first one on, with the targets of the arcs [first, last), not checked: they may be no vertices. Readers that
   * share all lists out compare each piece once: the one that has the last target of a piece does, for which `room` ends with a piece, or the file.
   */
  readShare(first: number, last: number, room: Uint32Array): void {
    const { targetsAt, arcs } = this.file
    const [at, end] = [targetsAt + 4 * first, targetsAt + 4 * last]
    const bytes = new Uint8Array(room.buffer, room.byteOffset, room.byteLength)
    if (targetsAt % 4 === 0) this.checked.readShare(at, end, bytes, last === arcs)
    else this.checked.readInto(at, bytes.subarray(0, end - at))
  }

  /** Whether weights are numbers of 64 bits: of a table, or short decimals. {@link readWeights} gives their keys. */
  get hasValues(): boolean {
    return this.file.values !== undefined
  }

  get hasDecimals(): boolean {
    return this.file.values?.count === 0
  }

  /** No weight is more than so many times its key. */
  get valueRatio(): number {
    return this.file.values?.ratio ?? 1
  }

  /** The weight that a stored float stands for. @throws Failure (input) where the table is damaged */
  valueOf(key: number): number {
    return this.hasValues ? (this.#known ??= new KnownValues((of) => this.#valueOf(of))).of(key) : key
  }

  #valueOf(key: number): number {
    return this.hasDecimals ? shortDecimal(key) : valueOf(this.#weightTable(), key)
  }

  /** The least stored float whose weight is not below a bound. */
  leastKeyFrom(bound: number): number {
    if (!this.hasValues) return bound
    return this.hasDecimals ? leastDecimalFrom(bound) : leastKeyFrom(this.#weightTable(), bound)
  }

  /** Weights as they were given. */
  readValues(first: number, last: number): WeightArray {
    const keys = this.readWeights(first, last)
    return this.hasValues ? Float64Array.from(keys, (key) => this.valueOf(key)) : keys
  }

  #weightTable(): WeightTable {
    if (this.#table !== null) return this.#table
    const { keysAt, valuesAt, count } = this.file.values!
    const keys = new Float32Array(count)
    const values = new Float64Array(count)
    this.checked.readInto(keysAt, bytesOf(keys))
    this.checked.readInto(valuesAt, bytesOf(values))
    return (this.#table = { keys, values })
  }

  /** Weights for algorithms that compute with 32-bit floats: of wider ones the keys, which are as near. @throws Failure (usage) past the range of floats */
  readFloats(first: number, last: number): Float32Array {
    if (this.valueRatio > MOST_RATIO)
      throw usageFailure(
        this.path,
        'some weights are past the range of 32-bit floats, with which this algorithm computes',
        'Divide them first.',
      )
    return this.readWeights(first, last)
  }

  /** What the file has for weights: these, or keys that have their order. */
  readWeights(first: number, last: number, into: Float32Array = new Float32Array(last - first)): Float32Array {
    const { weights } = this.file
    if (weights === null) throw new Error('this graph has no weights')
    const bytes = new Uint8Array(into.buffer, into.byteOffset, 4 * (last - first))
    this.checked.readInto(weights.at + 4 * first, bytes)
    if (weights.kind === 'i32') {
      const whole = new Int32Array(into.buffer, into.byteOffset, last - first)
      for (let i = 0; i < whole.length; i++) into[i] = whole[i]!
    }
    return into
  }

  close(): void {
    this.checked.close()
  }

  #requireOffsets(offsets: Float64Array, first: number): void {
    const last = first + offsets.length - 1
    let before = first === 0 ? 0 : offsets[0]!
    for (let i = 0; i < offsets.length; i++) {
      if (offsets[i]! < before) throw this.#damagedOffset(first + i)
      before = offsets[i]!
    }
    const isWhole = (first > 0 || offsets[0] === 0) && (last < this.vertices || before === this.arcs)
    if (!isWhole || before > this.arcs) throw this.#damagedOffset(first > 0 || offsets[0] === 0 ? last : 0)
  }

  #damagedOffset(vertex: number): Failure {
    return damagedGraph(this.path, `where the list of vertex ${vertex} begins`)
  }
}

const DAMAGED = 'not as in a canonical graph'

/** The failure of a round that decides nothing, which no symmetric graph allows. */
export function idleRound(path: string | undefined, round: number): Failure {
  return damagedGraph(path, `what round ${round} met`)
}

/** @param what is wrong: "the order of the neighbours of vertex 7" */
export function damagedGraph(path: string | undefined, what: string): Failure {
  return inputFailure(path, `${what} is ${DAMAGED}`, 'It is damaged: import the graph again.')
}

/**
 * What is read is verified. Datasets of version 0.1 have no sums, and a linked file may have been touched: then one
 * pass compares all of it. @param checksum as the library knows it @throws Failure (input) when the graph is gone,
 * damaged, or another; (storage); (cancelled)
 */
export function openGraph(folder: string, checksum: string, job: JobContext): GaloisGr {
  const place = graphPlace(folder)
  requireUnchanged(folder, place, checksum, job)
  return new GaloisGr(openPlace(place, soundSums(place, checksum, job)))
}

/** Compares a changed file once, and stores its new time. @throws Failure (input) when it is another */
function requireUnchanged(folder: string, place: GraphFilePlace, checksum: string, job: JobContext): void {
  const { path, link } = place
  if (link === undefined || isUntouched(link)) return
  const stamp = stampOf(path)
  sumsFromFile(place, checksum, job)
  whereWritable(() => writeLink(folder, { ...link, ...stamp }))
}

/** All of it. @throws Failure (input) when it is another; (storage); (cancelled) */
export function requireWhole(folder: string, checksum: string, job: JobContext): void {
  sumsFromFile(graphPlace(folder), checksum, job)
}

/** "" where its sums are gone or damaged. */
export function checksumOf(folder: string): string {
  const sums = storedSums(graphPlace(folder).sumsPath)
  return sums === null ? '' : identityOf(sums)
}

function soundSums(place: GraphFilePlace, checksum: string, job: JobContext): Sums {
  const stored = storedSums(place.sumsPath)
  if (stored !== null && identityOf(stored) === checksum) return stored
  const made = sumsFromFile(place, checksum, job)
  whereWritable(() => writeSums(place.sumsPath, made))
  return made
}

function sumsFromFile(place: GraphFilePlace, checksum: string, job: JobContext): Sums {
  const { path, link } = place
  // Datasets of version 0.1 have that of the whole file, and none is linked.
  const { sums, whole } = sumFile(path, job, link === undefined, openBytes(place))
  if (checksum !== sums.root && checksum !== whole && link !== undefined)
    throw changedFile(path, 'its checksum is another')
  if (checksum !== sums.root && checksum !== whole)
    throw inputFailure(path, `${GRAPH_DAMAGE.what}: its checksum is not that of the import`, GRAPH_DAMAGE.remedy)
  return checksum === whole ? sealed({ ...sums, whole }) : sums
}

/** null also where they are damaged: the graph itself decides what they must be. */
function storedSums(path: string): Sums | null {
  try {
    return readSums(path)
  } catch (error) {
    if (error instanceof Failure && error.code === 'input') return null
    throw error
  }
}
