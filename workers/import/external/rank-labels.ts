import { closeSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { finishSums, SumsBuilder } from '../../base/sums.ts'
import { inputFailure } from '../../base/failure.ts'
import { type LabelKind, LABELS_HEADER_BYTES } from '../../graph/labels.ts'
import type { ImportReport } from '../../contract/jobs.ts'
import { MAX_VERTICES } from '../graph-reader.ts'
import type { YieldScheduler } from '../../threads/yield-scheduler.ts'
import { type EntrySegment, type LabelRun, OccurringBits, type RankedRun } from './entry-ids.ts'
import { IntegerCursor, mergeRuns, RunCursor, TextCursor } from './run-cursor.ts'
import { AppendFile, bytesOf, ScratchFiles } from './scratch-file.ts'
import { writeFully } from '../../base/file-bytes.ts'
import { labelsHeader } from '../write-labels.ts'

const FILE_BUFFER_BYTES = 1 << 18
const WORD_STEP = 1 << 13
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export interface RankedLabels {
  readonly vertices: number
  readonly labels: ImportReport['labels']
  /** Of consecutive labels; else 0. */
  readonly base: number
  readonly direct: number
  /** In the order of the segments that have one. */
  readonly runs: readonly RankedRun[]
  readonly ranksPath: string
  /** 0 where there is none. */
  readonly labelsBytes: number
}

interface LabelsToRank {
  readonly kind: 'integer' | 'text'
  readonly segments: readonly EntrySegment[]
  readonly bits: OccurringBits | null
  readonly direct: number
  readonly folder: string
  readonly labelsPath: string
  readonly memoryBytes: number
}

/**
 * Labels of the bitmap, then those of the merged runs. No file where labels are 0, 1, 2 ... @throws Failure (input)
 * for too many labels; (storage); (cancelled)
 */
export async function rankLabels(wanted: LabelsToRank, scheduler: YieldScheduler): Promise<RankedLabels> {
  const { bits, folder } = wanted
  const ranksPath = join(folder, 'ranks')
  const runs = ranked(wanted.segments.flatMap(({ run }) => (run === null ? [] : [run])))
  const files = new ScratchFiles()
  const output = wanted.kind === 'integer' ? new IntegerOutput(wanted) : new TextOutput(wanted, files)
  try {
    files.create(ranksPath)
    if (bits !== null) await output.writeBits(bits, scheduler)
    await output.merge({ runs, files, ranksPath }, scheduler)
    const written = await output.finish()
    return { ...written, direct: wanted.direct, runs, ranksPath }
  } finally {
    output.close()
    files.close()
  }
}

function ranked(runs: readonly LabelRun[]): RankedRun[] {
  let ranksAt = 0
  return runs.map((run) => {
    const here = { ...run, ranksAt }
    ranksAt += 4 * run.count
    return here
  })
}

interface RunFiles {
  readonly runs: readonly RankedRun[]
  readonly files: ScratchFiles
  readonly ranksPath: string
}

type Written = Pick<RankedLabels, 'vertices' | 'labels' | 'base' | 'labelsBytes'>

abstract class LabelOutput {
  protected readonly wanted: LabelsToRank
  protected readonly sums = new SumsBuilder()
  protected readonly disk = new ScratchFiles()
  protected vertices = 0

  constructor(wanted: LabelsToRank) {
    this.wanted = wanted
  }

  abstract writeBits(bits: OccurringBits, scheduler: YieldScheduler): Promise<void>
  abstract merge(from: RunFiles, scheduler: YieldScheduler): Promise<void>
  abstract finish(): Promise<Written>

  close(): void {
    this.disk.close()
  }

  protected async mergeWith<C extends RunCursor>(
    runs: readonly RankedRun[],
    open: (run: RankedRun, bufferBytes: number) => C,
    compare: (a: C, b: C) => number,
    take: (cursor: C) => void,
    scheduler: YieldScheduler,
  ): Promise<void> {
    const bufferBytes = Math.min(1 << 18, Math.max(64, Math.floor(this.wanted.memoryBytes / (runs.length + 1))))
    const total = runs.reduce((sum, { count }) => sum + count, 0)
    const cursors = runs.map((run) => open(run, bufferBytes))
    const rankOf = (cursor: C): number => {
      take(cursor)
      return this.vertices - 1
    }
    await mergeRuns(cursors, compare, rankOf, scheduler, { phase: 'labels', total, unit: 'vertices' })
  }

  protected count(): void {
    if (++this.vertices > MAX_VERTICES)
      throw inputFailure(
        undefined,
        `there are more than the ${MAX_VERTICES} vertices that ids have room for`,
        'Split the graph.',
      )
  }
}

class IntegerOutput extends LabelOutput {
  readonly #file: AppendFile
  readonly #word = new Uint32Array(2)
  readonly #smallest = new Uint32Array(2)
  readonly #largest = new Uint32Array(2)

  constructor(wanted: LabelsToRank) {
    super(wanted)
    this.#file = new AppendFile(this.disk, wanted.labelsPath, FILE_BUFFER_BYTES, this.sums)
    this.#file.append(new Uint8Array(LABELS_HEADER_BYTES))
  }

  async writeBits(bits: OccurringBits, scheduler: YieldScheduler): Promise<void> {
    if (bits.count === 0) return
    this.vertices = bits.count
    this.#smallest[0] = bits.first()
    this.#largest[0] = bits.last()
    const room = new Uint32Array(64 * WORD_STEP)
    const progress = { phase: 'labels', done: 0, total: bits.words.length, unit: 'vertices' as const }
    await scheduler.over(bits.words.length, WORD_STEP, progress, (first, last) => {
      this.#file.append(bytesOf(room.subarray(0, 2 * bits.labels(first, last, room))))
    })
  }

  async merge({ runs, files, ranksPath }: RunFiles, scheduler: YieldScheduler): Promise<void> {
    const word = this.#word
    const largest = this.#largest
    await this.mergeWith(
      runs,
      (run, bufferBytes) => new IntegerCursor(run, files, ranksPath, bufferBytes),
      IntegerCursor.compare,
      ({ low, high }) => {
        if (this.vertices > 0 && largest[0] === low && largest[1] === high) return
        if (this.vertices === 0) this.#smallest.set([low, high])
        this.count()
        word[0] = largest[0] = low
        word[1] = largest[1] = high
        this.#file.append(bytesOf(word))
      },
      scheduler,
    )
  }

  async finish(): Promise<Written> {
    const { vertices } = this
    const [smallest, largest] = [numberOf(this.#smallest), numberOf(this.#largest)]
    const gapless =
      vertices === 0 || (largest <= BigInt(Number.MAX_SAFE_INTEGER) && largest - smallest + 1n === BigInt(vertices))
    const kind = gapless ? 'dense' : 'integer'
    const base = gapless && vertices > 0 ? Number(smallest) : 0
    this.#file.flush()
    this.close()
    const labelsBytes = gapless ? (base === 0 ? 0 : LABELS_HEADER_BYTES) : this.#file.bytes
    finishLabels(this.wanted.labelsPath, kind, vertices, base, labelsBytes, this.sums)
    const named = vertices === 0 ? null : { smallest: String(smallest), largest: String(largest) }
    return { vertices, base, labelsBytes, labels: { kind, smallest: null, largest: null, ...named } }
  }
}

class TextOutput extends LabelOutput {
  readonly #ends: AppendFile
  readonly #files: ScratchFiles
  readonly #texts: AppendFile
  readonly #end = new Uint32Array(2)
  #first: Uint8Array | null = null
  #last = new Uint8Array(64)
  #lastLength = 0
  #length = 0

  constructor(wanted: LabelsToRank, files: ScratchFiles) {
    super(wanted)
    this.#files = files
    this.#ends = new AppendFile(this.disk, wanted.labelsPath, FILE_BUFFER_BYTES, this.sums)
    this.#ends.append(new Uint8Array(LABELS_HEADER_BYTES))
    this.#texts = new AppendFile(files, join(wanted.folder, 'texts'), FILE_BUFFER_BYTES)
  }

  async writeBits(): Promise<void> {}

  async merge({ runs, files, ranksPath }: RunFiles, scheduler: YieldScheduler): Promise<void> {
    await this.mergeWith(
      runs,
      (run, bufferBytes) => new TextCursor(run, files, ranksPath, bufferBytes),
      TextCursor.compare,
      ({ label }) => {
        if (this.#first !== null && Buffer.compare(label, this.#lastLabel) === 0) return
        this.#first ??= label.slice()
        this.count()
        if (label.length > this.#last.length) this.#last = new Uint8Array(2 * label.length)
        this.#last.set(label)
        this.#lastLength = label.length
        this.#texts.append(label)
        this.#length += label.length
        this.#end[0] = this.#length
        this.#end[1] = this.#length / 2 ** 32
        this.#ends.append(bytesOf(this.#end))
      },
      scheduler,
    )
  }

  get #lastLabel(): Uint8Array {
    return this.#last.subarray(0, this.#lastLength)
  }

  async finish(): Promise<Written> {
    const { vertices } = this
    this.#texts.flush()
    const buffer = new Uint8Array(FILE_BUFFER_BYTES)
    for (let at = 0; at < this.#length; at += buffer.length) {
      const piece = buffer.subarray(0, Math.min(buffer.length, this.#length - at))
      this.#files.read(this.#texts.path, piece, at)
      this.#ends.append(piece)
    }
    this.#ends.flush()
    this.close()
    this.#files.remove(this.#texts.path)
    finishLabels(this.wanted.labelsPath, 'text', vertices, 0, this.#ends.bytes, this.sums)
    const [smallest, largest] =
      this.#first === null ? [null, null] : [decoder.decode(this.#first), decoder.decode(this.#lastLabel)]
    return { vertices, base: 0, labelsBytes: this.#ends.bytes, labels: { kind: 'text', smallest, largest } }
  }
}

function numberOf(halves: Uint32Array): bigint {
  return BigInt(halves[0]!) + (BigInt(halves[1]!) << 32n)
}

/** @param sums so far */
export function finishLabels(
  path: string,
  kind: LabelKind,
  vertices: number,
  base: number,
  fileBytes: number,
  sums = new SumsBuilder(),
): void {
  if (fileBytes === 0) return rmSync(path, { force: true })
  const file = openSync(path, fileBytes === LABELS_HEADER_BYTES ? 'w' : 'r+')
  try {
    writeFully(file, labelsHeader(kind, vertices, base), 0, path)
  } finally {
    closeSync(file)
  }
  const ofAll = fileBytes === LABELS_HEADER_BYTES ? new SumsBuilder() : sums
  // The header was zeros when it was summed.
  ofAll.forget(0)
  finishSums(path, ofAll)
}
