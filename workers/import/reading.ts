import type { JobContext } from '../base/job.ts'
import type { FormatName, ImportArgs, TextEncoding } from '../contract/jobs.ts'
import { requireColumns } from './formats/column-choice.ts'
import { detectFormat, refuseBinary, SAMPLE_BYTES } from './formats/detect.ts'
import { EntryOutput } from '../graph/entries.ts'
import { importMemory } from './memory-shares.ts'
import { type GraphFormat, hasRows } from './formats/graph-format.ts'
import { textFormat } from './formats/registry.ts'
import type { GraphReader, ReaderContext, TextIdsFound } from './graph-reader.ts'
import { LabelTable } from './input-ids.ts'
import type { TextForm } from './text-encoding.ts'
import { type Compression, markBytes, TextSource } from './text-source.ts'
import { RowPolicy, WeightPolicy } from './policies.ts'

/** The first bytes of a text, which decide on format and columns. */
export class Sample {
  bytes: Uint8Array = new Uint8Array(0)
  /** Of a byte order mark, which is left out. */
  markBytes = 0
  complete = true
  /** Before the stream broke. */
  lines = 0

  /** Passes the chunks on once it is filled. */
  async *fill(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let first: Uint8Array[] = []
    let length = 0
    let gathered = false
    for await (const chunk of chunks) {
      if (gathered) {
        yield chunk
        continue
      }
      first.push(chunk)
      length += chunk.length
      this.lines += newlinesIn(chunk)
      gathered = length > SAMPLE_BYTES
      if (!gathered) continue
      this.#take(first, false)
      yield* first
      first = []
    }
    if (gathered) return
    this.#take(first, true)
    yield* first
  }

  #take(chunks: Uint8Array[], complete: boolean): void {
    const all = Buffer.concat(chunks)
    this.complete = complete
    this.markBytes = markBytes(all)
    const cut = complete ? all.length : Math.min(all.length, SAMPLE_BYTES)
    const newline = complete ? cut : all.lastIndexOf(10, cut) + 1
    this.bytes = all.subarray(this.markBytes, newline > 0 ? newline : cut)
  }
}

/** Without an iterator, which makes an object of every byte until it is compiled. */
function newlinesIn(bytes: Uint8Array): number {
  let lines = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++
  return lines
}

/** Unpacked, as UTF-8. @throws Failure (input) */
export async function sampleOf(
  source: string,
  encoding: TextEncoding | null | undefined,
): Promise<{ sample: Sample; compression: Compression; form: TextForm }> {
  const text = await TextSource.open(source, { chunkBytes: SAMPLE_BYTES, encoding })
  try {
    const sample = new Sample()
    const chunks = sample.fill(text.chunks())
    await chunks.next()
    await chunks.return(undefined)
    return { sample, compression: text.compression, form: text.form }
  } finally {
    await text.close()
  }
}

/** What readers of several files share, or that is made for one. */
export interface GivenToReader extends Pick<ReaderContext, 'newTable' | 'tap'> {
  readonly rows?: RowPolicy | undefined
  policy?: WeightPolicy | undefined
  /** Read all ids as texts. */
  readonly text?: TextIdsFound | null
}

/** What readers of a format are given. */
export function readerContext(
  format: GraphFormat,
  args: Omit<ImportArgs, 'folder'>,
  given: GivenToReader,
): ReaderContext {
  const { weightRule, ignoreWeights = false, invertWeights, source, table } = args
  const rule = weightRule ?? format.weights?.rule ?? 'reject'
  const zeroMeansPattern = weightRule === undefined && format.weights?.zeroMeansPattern === true
  const badRows = hasRows(format) ? (table?.badRows ?? 'stop') : undefined
  const { newTable, tap, rows = new RowPolicy(table) } = given
  const weights = given.policy ?? new WeightPolicy({ rule, zeroMeansPattern, invert: invertWeights, badRows })
  const memoryBytes = importMemory(args)
  return { source, output: new EntryOutput(), weights, rows, ignoreWeights, memoryBytes, table, newTable, tap }
}

export class Reading {
  readonly format: FormatName
  readonly context: ReaderContext
  readonly reader: GraphReader

  constructor(args: ImportArgs, sample: Sample, job: JobContext, given: Partial<GivenToReader> = {}) {
    const { text = null, newTable = () => new LabelTable() } = given
    if (args.format === undefined) {
      const { format, reason } = detectFormat(sample.bytes, sample.complete, args.source)
      this.format = format
      if (text === null) job.log(`format: ${format}, because ${reason}`)
    } else {
      refuseBinary(sample.bytes, args.source)
      this.format = args.format
    }
    const format = textFormat(this.format, args.source)
    requireColumns(format, args.table)
    this.context = readerContext(format, args, { ...given, newTable })
    this.reader = format.open(this.context, sample.bytes, text)
  }
}
