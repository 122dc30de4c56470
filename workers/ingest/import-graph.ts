import { Failure } from '../failure.ts'
import { type JobContext, throwIfCancelled } from '../job.ts'
import type { DatasetFacts, GraphFormat, ImportArgs } from '../jobs.ts'
import { detectFormat, refuseBinary, SAMPLE_BYTES } from './detect-format.ts'
import { EntryOutput, type EntrySink } from './entries.ts'
import { EntryCollector } from './entry-collector.ts'
import { type GraphReader, type ReaderContext, type ReadOutcome, TextIdsFound } from './graph-reader.ts'
import { importReport } from './import-report.ts'
import { Pace } from './pace.ts'
import { EdgeListReader } from './read-edge-list.ts'
import { MatrixMarketReader } from './read-matrix-market.ts'
import { MetisReader } from './read-metis.ts'
import { TextSource } from './text-source.ts'
import { WeightPolicy } from './weight-policy.ts'
import { wholeLines } from './whole-lines.ts'
import { refuseTakenName, writeDataset } from './write-dataset.ts'

const NEWLINE = 10
/** Parsed between two looks at the signal: well under 100 ms even where every id is a text. */
const PIECE_BYTES = 512 << 10

export interface ImportTuning {
  /** Bytes of the stored file read at a time. */
  readonly chunkBytes?: number
}

/** What reading a file once gave. */
interface ReadFile extends ReadOutcome {
  readonly format: GraphFormat
  readonly source: TextSource
  readonly sha256: string
  readonly lines: number
  readonly entries: number
  readonly weighted: boolean
  readonly policy: WeightPolicy
}

/**
 * Imports a graph file into a new dataset folder: graph.gr, labels where ids are not 0 to n - 1, report.json.
 * @throws Failure (input) for files that are not what they should be, at file:line; (storage); (engine) when memory is too
 *   small; (cancelled). Nothing stays behind.
 */
export async function importGraph(args: ImportArgs, job: JobContext, tuning: ImportTuning = {}): Promise<DatasetFacts> {
  const startedMs = performance.now()
  throwIfCancelled(job.signal)
  refuseTakenName(args.folder)
  const collector = new EntryCollector()
  const read = await readGraphFile(args, collector, job, tuning)
  const collected = await collector.finish(read.vertices, read.weighted, new Pace(job))
  const { compression, storedBytes } = read.source
  const warnings = [...read.warnings, ...read.policy.warnings()]
  const from = { ...read, source: args.source, compression, sourceBytes: storedBytes, sourceSha256: read.sha256 }
  return writeDataset(args.folder, collected, importReport({ ...from, startedMs, warnings }, collected), job)
}

/** Reads a file into `sink`; a second time where ids turn out to be texts. */
async function readGraphFile(
  args: ImportArgs,
  sink: EntryCollector,
  job: JobContext,
  tuning: ImportTuning,
): Promise<ReadFile> {
  try {
    return await readOnce(args, sink, job, tuning, null)
  } catch (error) {
    if (!(error instanceof TextIdsFound)) throw error
    job.log(`line ${error.line}: "${error.id}" is not an integer, so all ids are read as texts`)
    sink.clear()
    return readOnce(args, sink, job, tuning, error)
  }
}

async function readOnce(
  args: ImportArgs,
  sink: EntrySink,
  job: JobContext,
  tuning: ImportTuning,
  text: TextIdsFound | null,
): Promise<ReadFile> {
  const source = await TextSource.open(args.source, tuning.chunkBytes)
  const pace = new Pace(job)
  const sample = new Sample()
  let reading: Reading | null = null
  let line = 0
  try {
    for await (const { bytes, start, end } of wholeLines(sample.fill(source.chunks()))) {
      reading ??= new Reading(args, sample, job, text)
      for (let at = start; at < end;) {
        const cut = at + PIECE_BYTES >= end ? end : bytes.indexOf(NEWLINE, at + PIECE_BYTES) + 1
        reading.reader.readLines(bytes, at, cut)
        line = reading.reader.line
        await reading.context.output.drain(sink)
        await pace.rest({ phase: 'read', done: source.readBytes, total: source.storedBytes, unit: 'bytes' })
        at = cut
      }
    }
    reading ??= new Reading(args, sample, job, text)
    const outcome = reading.reader.finish()
    const { output, weights: policy } = reading.context
    await output.drain(sink, true)
    return {
      ...outcome,
      warnings: [...textWarning(text), ...outcome.warnings],
      format: reading.format,
      source,
      sha256: source.sha256(),
      lines: reading.reader.line,
      entries: output.entries,
      weighted: output.weighted && !policy.patternOnly,
      policy,
    }
  } catch (error) {
    throw atLine(error, source, line || sample.lines)
  } finally {
    await source.close()
  }
}

function textWarning(text: TextIdsFound | null): string[] {
  return text === null ? [] : [`all ids were read as texts, because line ${text.line} holds "${text.id}"`]
}

/** Damage to the compressed file gets the line that it was found behind. */
function atLine(error: unknown, source: TextSource, line: number): unknown {
  if (!(error instanceof Failure) || error.where !== source.path || source.compression === 'none') return error
  return new Failure({ ...error.toValue(), where: `${source.path}:${line + 1}` })
}

/** The first bytes of the text, on which format and columns are decided before any of it is parsed. */
class Sample {
  bytes: Uint8Array = new Uint8Array(0)
  /** Whether these bytes are all of the text. */
  complete = true
  /** Newlines in what came before the stream broke. */
  lines = 0

  /** Passes the chunks on, once the first so many bytes have come. */
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
      for (const c of chunk) if (c === 10) this.lines++
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
    const mark = all[0] === 0xef && all[1] === 0xbb && all[2] === 0xbf
    const cut = complete ? all.length : Math.min(all.length, SAMPLE_BYTES)
    const newline = complete ? cut : all.lastIndexOf(10, cut) + 1
    this.bytes = all.subarray(mark ? 3 : 0, newline > 0 ? newline : cut)
  }
}

/** The reader that a file's first lines call for, with what it writes to. */
class Reading {
  readonly format: GraphFormat
  readonly context: ReaderContext
  readonly reader: GraphReader

  constructor(args: ImportArgs, sample: Sample, job: JobContext, text: TextIdsFound | null) {
    if (args.format === undefined) {
      const { format, reason } = detectFormat(sample.bytes, sample.complete, args.source)
      this.format = format
      if (text === null) job.log(`format: ${format}, because ${reason}`)
    } else {
      refuseBinary(sample.bytes, args.source)
      this.format = args.format
    }
    const isMatrix = this.format === 'matrix-market'
    const rule = args.weightRule ?? (isMatrix ? 'absolute' : 'reject')
    const weights = new WeightPolicy({ rule, zeroMeansPattern: isMatrix && args.weightRule === undefined })
    this.context = {
      source: args.source,
      output: new EntryOutput(),
      weights,
      ignoreWeights: args.ignoreWeights === true,
    }
    this.reader = this.#open(sample, text)
  }

  #open(sample: Sample, text: TextIdsFound | null): GraphReader {
    switch (this.format) {
      case 'matrix-market':
        return new MatrixMarketReader(this.context)
      case 'metis':
        return new MetisReader(this.context)
      case 'edge-list':
        return new EdgeListReader(this.context, sample.bytes, text)
    }
  }
}
