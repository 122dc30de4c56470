import { join } from 'node:path'
import { writeSums } from '../../base/make-sums.ts'
import { SUMS_SUFFIX } from '../../base/sums.ts'
import type { DatasetFacts, ImportArgs } from '../../contract/jobs.ts'
import { countedReport, factsOf, type ReportSource } from '../import-report.ts'
import { FileWriter } from '../file-writer.ts'
import type { LabelTable } from '../label-table.ts'
import { Pace } from '../../threads/pace.ts'
import type { ReadFile } from '../read-graph-file.ts'
import { type DatasetLabels, labelFacts, labelsBytes, writeLabels } from '../write-labels.ts'
import { buildOutside, DATASET_FOLDER } from './build-outside.ts'
import { finishOutside } from './finish-outside.ts'
import type { ImportSink } from './import-sink.ts'
import type { OutsideWork } from './outside-work.ts'
import { type OutsideSpace } from './source-slices.ts'
import type { StoredEntries } from './spilled-entries.ts'

/** All that is left of a file once it is read: entries on disk, and what the report says of it. Plain JSON but for `table`. */
export interface ParsedFile {
  readonly entries: StoredEntries
  /** `numbered`: texts of a reader's own table, which no later life of this import can have. */
  readonly space: Exclude<OutsideSpace, { kind: 'numbered' }> | { readonly kind: 'numbered' }
  readonly weighted: boolean
  readonly from: Omit<ReportSource, 'startedMs'>
  readonly elapsedMs: number
}

/** A file that was read just now. */
export interface FreshlyParsed {
  readonly file: Omit<ParsedFile, 'elapsedMs'>
  /** Texts in memory, where the space is `numbered`. */
  readonly table: LabelTable | null
}

/** Closes the entries of a file that was read. */
export async function parsedOutside(
  sink: ImportSink,
  read: ReadFile,
  from: Omit<ReportSource, 'startedMs'>,
): Promise<FreshlyParsed> {
  const entries = await sink.spilled!.finish()
  const { vertices, weighted } = read
  if (vertices.kind !== 'text') return { file: { entries, space: vertices, weighted, from }, table: null }
  const owned = sink.ownsTable(vertices.table)
  const kind = owned ? 'text' : 'numbered'
  return { file: { entries, space: { kind }, weighted, from }, table: owned ? null : vertices.table }
}

/**
 * Makes the dataset of a file whose entries are on disk: of one just read, or with null of one that an earlier life of this
 * import read, from the last stage that it completed.
 * @throws Failure as {@link buildOutside}; (input) when the name is taken
 */
export async function importOutside(
  args: ImportArgs,
  work: OutsideWork,
  startedMs: number,
  parsed: FreshlyParsed | null,
): Promise<DatasetFacts> {
  const { job } = work
  const pace = new Pace(job)
  const workshop = work.open(0, false)
  const journal = work.journal!
  const numbered = parsed?.table ?? null
  const read = async (): Promise<ParsedFile> => {
    if (parsed === null) throw new Error('there is nothing to continue from')
    return { ...parsed.file, elapsedMs: performance.now() - startedMs }
  }
  // A table in memory dies with its process: such an import starts from the beginning again.
  const file = await journal.stage(numbered === null ? 'parse' : 'parse-numbered', read)
  const labels = numbered === null ? null : await textLabels(numbered, pace)
  const space: OutsideSpace = file.space.kind === 'numbered' ? { kind: 'numbered', ranks: labels!.ranks } : file.space
  const { scale = 1, offset = 0 } = file.from.weightMap ?? {}
  const merge = { rule: args.merge ?? 'max', scale, offset }
  const built = await buildOutside(
    { entries: file.entries, space, weighted: file.weighted, merge },
    workshop,
    journal,
    job,
  )
  const aside = join(work.folder, DATASET_FOLDER)
  if (labels !== null) await writeLabelFile(join(aside, 'labels'), labels.labels, built.counted.vertices, pace)
  const counted =
    labels === null ? built.counted : { ...built.counted, labels: labelFacts(labels.labels, labels.ranks.length) }
  const earlierMs = parsed === null ? file.elapsedMs : 0
  const report = countedReport({ ...file.from, startedMs: startedMs - earlierMs }, counted)
  const facts = await journal.stage('facts', async () =>
    factsOf(report, built.maxDegree, built.checksum, built.bytes + bytesOf(labels)),
  )
  return finishOutside(args, work, facts)
}

const bytesOf = (labels: { readonly labels: DatasetLabels } | null): number =>
  labels === null ? 0 : labelsBytes(labels.labels)

async function textLabels(table: LabelTable, pace: Pace) {
  const order = await table.ascending(pace)
  const ranks = new Uint32Array(new SharedArrayBuffer(4 * order.length))
  for (let v = 0; v < order.length; v++) ranks[order[v]!] = v
  return { ranks, labels: { kind: 'text', table, order } as const }
}

async function writeLabelFile(path: string, labels: DatasetLabels, vertices: number, pace: Pace): Promise<void> {
  const file = new FileWriter(path)
  try {
    await writeLabels(file, labels, vertices, (done) => pace.rest({ phase: 'write', done, unit: 'bytes' }))
    writeSums(`${path}${SUMS_SUFFIX}`, await file.finish())
  } finally {
    file.close()
  }
}
