import { PIECE_BYTES, type SummedPieces, SumsBuilder } from '../../base/sums.ts'
import { type CsrLayout, endOf, ListWalk, numbers, type Section } from '../formats/csr.ts'
import { StoredFile } from '../formats/stored-file.ts'
import { ArcFingerprint, type FingerprintKeys } from './arc-fingerprint.ts'

/** A check of a file's graph that several threads share. */
export interface CheckTask {
  readonly path: string
  readonly layout: CsrLayout
  readonly keys: FingerprintKeys
  /** Shared: the next stretch to take, and whether to stop. */
  readonly board: Int32Array
}

/** Words of {@link CheckTask.board}. */
export const NEXT = 0
export const STOP = 1
export const BOARD_WORDS = 2

/** What a thread saw of the file. */
export interface CheckReport {
  /** Whether it can be a canonical graph. */
  readonly fits: boolean
  readonly pieces: SummedPieces
  readonly maxDegree: number
  readonly isolated: number
  /** As in {@link ArcFingerprint}. */
  readonly sums: Int32Array
  readonly counts: Float64Array
  readonly smallestWeight: number
  readonly largestWeight: number
}

const STRETCH_BYTES = 4 * PIECE_BYTES

/** A thread's part of a check: stretches of the file, as the board gives them out, are read once, summed, and looked through. */
export const checkTask = (task: CheckTask): Promise<CheckReport> => {
  const file = StoredFile.open(task.path)
  try {
    return Promise.resolve(new PieceCheck(task, file).run())
  } finally {
    file.close()
  }
}

class PieceCheck {
  readonly #task: CheckTask
  readonly #file: StoredFile
  readonly #sums = new SumsBuilder()
  readonly #fingerprint: ArcFingerprint
  #maxDegree = 0
  #isolated = 0
  #smallest = Infinity
  #largest = 0

  constructor(task: CheckTask, file: StoredFile) {
    this.#task = task
    this.#file = file
    this.#fingerprint = new ArcFingerprint(task.keys)
  }

  run(): CheckReport {
    const { board } = this.#task
    let fits = true
    for (;;) {
      const at = STRETCH_BYTES * Atomics.add(board, NEXT, 1)
      if (at >= this.#file.bytes || Atomics.load(board, STOP) !== 0) break
      const bytes = this.#file.read(at, Math.min(STRETCH_BYTES, this.#file.bytes - at))
      fits = this.#fits(at, bytes)
      // The sums of a file that is not canonical are not used.
      if (!fits) Atomics.store(board, STOP, 1)
      else this.#sum(at, bytes)
    }
    const { sums, counts } = this.#fingerprint
    return {
      fits,
      pieces: this.#sums.pieces,
      maxDegree: this.#maxDegree,
      isolated: this.#isolated,
      sums,
      counts,
      smallestWeight: this.#smallest,
      largestWeight: this.#largest,
    }
  }

  #sum(at: number, bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; from += PIECE_BYTES)
      this.#sums.addPiece((at + from) / PIECE_BYTES, bytes.subarray(from, from + PIECE_BYTES))
  }

  #fits(at: number, bytes: Uint8Array<ArrayBuffer>): boolean {
    const { vertices, arcs, offsets, targets } = this.#task.layout
    const { leading } = offsets
    const ends = within({ ...offsets, at: offsets.at + (leading ? offsets.stride : 0) }, vertices, at, bytes.length)
    if (ends.first < ends.last && !this.#checkEnds(ends.first, ends.last)) return false
    const held = within(targets, arcs, at, bytes.length)
    if (held.first === held.last) return true
    const from = targets.at + targets.stride * held.first - at
    return this.#checkArcs(held.first, held.last, new Uint32Array(bytes.buffer, from, held.last - held.first))
  }

  /** The ends of the lists [first, last). */
  #checkEnds(first: number, last: number): boolean {
    const { layout } = this.#task
    const { arcs, vertices, offsets } = layout
    let before = first === 0 ? 0 : endOf(this.#file, layout, first - 1)
    const ends = numbers(this.#file, offsets, first + (offsets.leading ? 1 : 0), last - first)
    for (let i = 0; i < ends.length; i++) {
      const end = ends[i]!
      if (!(end >= before && end <= arcs)) return false
      if (end - before > this.#maxDegree) this.#maxDegree = end - before
      if (end === before) this.#isolated++
      before = end
    }
    const startsAtZero = first > 0 || !offsets.leading || numbers(this.#file, offsets, 0, 1)[0] === 0
    return startsAtZero && (last < vertices || before === arcs)
  }

  /** The arcs [first, last), which lead to these targets. */
  #checkArcs(first: number, last: number, targets: Uint32Array): boolean {
    const { layout } = this.#task
    const weights = layout.weights === null ? null : this.#weights(layout.weights, first, last - first)
    if (weights === undefined) return false
    const lists = new ListWalk(this.#file, layout, first)
    for (let at = first; at < last;) {
      const list = lists.at(at)
      if (list === null) return false
      const end = Math.min(last, list.end)
      const before = list.start >= at ? -1 : at > first ? targets[at - first - 1]! : this.#targetAt(at - 1)
      if (!this.#fingerprint.addList(list.vertex, targets, at - first, end - first, before, weights)) return false
      if (targets[end - first - 1]! >= layout.vertices) return false
      at = end
    }
    return this.#fingerprint.settle()
  }

  #targetAt(arc: number): number {
    return numbers(this.#file, this.#task.layout.targets, arc, 1)[0]!
  }

  /** Their bits; undefined where one of them is for the weight policy to decide on. */
  #weights({ at, kind }: Section, first: number, count: number): Int32Array | undefined {
    const bits = new Int32Array(this.#file.read(at + 4 * first, 4 * count).buffer)
    const values = kind === 'f32' ? new Float32Array(bits.buffer) : Float32Array.from(bits)
    for (let i = 0; i < count; i++) {
      const weight = values[i]!
      if (!(weight > 0 && weight < Infinity)) return undefined
      if (weight < this.#smallest) this.#smallest = weight
      if (weight > this.#largest) this.#largest = weight
    }
    return bits
  }
}

/** The numbers of a section, of so many, that begin in [at, at + bytes). */
function within(section: Section, count: number, at: number, bytes: number): { first: number; last: number } {
  const before = (end: number): number => Math.min(count, Math.max(0, Math.ceil((end - section.at) / section.stride)))
  return { first: before(at), last: before(at + bytes) }
}
