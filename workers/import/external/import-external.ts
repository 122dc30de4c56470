import { join } from 'node:path'
import { existsSync } from 'node:fs'
import { writeSums, SUMS_SUFFIX } from '../../base/sums.ts'
import type { DatasetFacts, ImportArgs } from '../../contract/jobs.ts'
import { countedReport, factsOf, reportSource, type ReportSource } from '../import-report.ts'
import { FileWriter } from '../file-writer.ts'
import type { LabelTable } from '../label-table.ts'
import { YieldScheduler } from '../../threads/yield-scheduler.ts'
import type { ReadFile } from '../read-graph-file.ts'
import { type DatasetLabels, labelFacts, labelsBytes, writeLabels } from '../write-labels.ts'
import { buildExternal, DATASET_FOLDER } from './build-external.ts'
import type { ImportSink } from './import-sink.ts'
import type { ScratchWork } from './scratch-work.ts'
import type { StoredSpace } from './source-slices.ts'
import type { StoredEntries } from './spilled-entries.ts'
import { GRAPH_FILE } from '../../graph/graph-file.ts'
import { finishDataset } from '../write-dataset.ts'
import { memoryToCollect } from '../entry-collector.ts'
import { type CsrLayout, endsOf, numbers } from '../formats/csr.ts'
import { type OpenedFile, storedAs } from '../formats/whole-file.ts'
import type { StoredFile } from '../formats/stored-file.ts'
import { WeightPolicy } from '../weight-policy.ts'

/** A file that was read: its entries on disk, and what the report says of it. Plain JSON. */
export interface ParsedFile {
  readonly entries: StoredEntries
  /** `numbered`: texts of a reader's own table, which a resume cannot have. */
  readonly space: Exclude<StoredSpace, { kind: 'numbered' }> | { readonly kind: 'numbered' }
  readonly weighted: boolean
  readonly from: Omit<ReportSource, 'startedMs'>
  readonly elapsedMs: number
}

/** A file that was read just now. */
interface FreshlyParsed {
  readonly file: Omit<ParsedFile, 'elapsedMs'>
  /** Texts in memory, where the space is `numbered`. */
  readonly table: LabelTable | null
}

/** Closes the entries of a file that was read. */
export async function parsedEntries(
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
 * Makes the dataset of a file whose entries are on disk: of one just read, or with null of an interrupted
 * import, from the last stage that it completed.
 * @throws Failure as {@link buildExternal}; (input) when the name is taken
 */
export async function importExternal(
  args: ImportArgs,
  work: ScratchWork,
  startedMs: number,
  parsed: FreshlyParsed | null,
): Promise<DatasetFacts> {
  const { job } = work
  const scheduler = new YieldScheduler(job)
  const scratch = work.open(0, false)
  const journal = work.journal!
  const numbered = parsed?.table ?? null
  const read = async (): Promise<ParsedFile> => {
    if (parsed === null) throw new Error('there is nothing to continue from')
    return { ...parsed.file, elapsedMs: performance.now() - startedMs }
  }
  // A table in memory ends with its process: such an import is read again.
  const file = await journal.stage(numbered === null ? 'parse' : 'parse-numbered', read)
  const labels = numbered === null ? null : await textLabels(numbered, scheduler)
  const space: StoredSpace = file.space.kind === 'numbered' ? { kind: 'numbered', ranks: labels!.ranks } : file.space
  const { scale = 1, offset = 0 } = file.from.weightMap ?? {}
  const merge = { rule: args.merge ?? 'max', scale, offset }
  const built = await buildExternal(
    { entries: file.entries, space, weighted: file.weighted, merge },
    scratch,
    journal,
    job,
  )
  const aside = join(work.folder, DATASET_FOLDER)
  if (labels !== null) await writeLabelFile(join(aside, 'labels'), labels.labels, built.counted.vertices, scheduler)
  const counted =
    labels === null ? built.counted : { ...built.counted, labels: labelFacts(labels.labels, labels.ranks.length) }
  const earlierMs = parsed === null ? file.elapsedMs : 0
  const report = countedReport({ ...file.from, startedMs: startedMs - earlierMs }, counted)
  const facts = await journal.stage('facts', async () =>
    factsOf(report, built.maxDegree, built.checksum, built.bytes + bytesOf(labels)),
  )
  return finishExternal(args, work, facts)
}

const bytesOf = (labels: { readonly labels: DatasetLabels } | null): number =>
  labels === null ? 0 : labelsBytes(labels.labels)

async function textLabels(table: LabelTable, scheduler: YieldScheduler) {
  const order = await table.ascending(scheduler)
  const ranks = new Uint32Array(new SharedArrayBuffer(4 * order.length))
  for (let v = 0; v < order.length; v++) ranks[order[v]!] = v
  return { ranks, labels: { kind: 'text', table, order } as const }
}

async function writeLabelFile(
  path: string,
  labels: DatasetLabels,
  vertices: number,
  scheduler: YieldScheduler,
): Promise<void> {
  const file = new FileWriter(path)
  try {
    await writeLabels(file, labels, vertices, (done) => scheduler.yield({ phase: 'write', done, unit: 'bytes' }))
    writeSums(`${path}${SUMS_SUFFIX}`, await file.finish())
  } finally {
    file.close()
  }
}

/** Renames a complete dataset out of the scratch folder, unless that was done before an interruption. */
export async function finishExternal(
  args: Pick<ImportArgs, 'folder' | 'keepScratch'>,
  work: ScratchWork,
  facts: DatasetFacts,
): Promise<DatasetFacts> {
  const { bytes } = facts
  work.job.progress({ phase: 'write', done: bytes, total: bytes, unit: 'bytes' })
  const aside = join(work.folder, DATASET_FOLDER)
  if (existsSync(join(aside, GRAPH_FILE))) await finishDataset(aside, args.folder, facts.report)
  if (args.keepScratch !== true) work.journal!.remove()
  return facts
}

const STEP = 1 << 17

/**
 * Takes the arcs of a binary adjacency file as entries in place: all threads read them from the file, nothing is
 * stored twice. Weights that need a rule are found later ({@link IrregularEntries}).
 * @returns null where a reader has to go through the file: it fits in memory, is compressed or in disorder, or its weights are changed
 * @throws Failure (storage) when the disk is too small; (cancelled)
 */
export async function listsAsEntries(
  args: ImportArgs,
  opened: OpenedFile,
  layout: CsrLayout,
  work: ScratchWork,
): Promise<FreshlyParsed | null> {
  const { stored, file, format } = opened
  const { vertices, arcs } = layout
  const weighted = layout.weights !== null && args.ignoreWeights !== true
  const rule = args.weightRule ?? 'reject'
  const policy = new WeightPolicy({ rule, zeroMeansPattern: false, invert: args.invertWeights })
  if (file !== stored || (weighted && policy.needsRange)) return null
  if (memoryToCollect(arcs, weighted) <= work.shares.inMemoryBytes) return null
  const scheduler = new YieldScheduler(work.job)
  if (!(await endsAscend(file, layout, scheduler))) return null
  work.openAll(arcs, weighted, vertices)
  const sha256 = await stored.sha256((done) =>
    scheduler.yield({ phase: 'read', done, total: stored.bytes, unit: 'bytes' }),
  )
  const space = { kind: 'counted', vertices, base: 0 } as const
  const from = reportSource(args, {
    vertices: space,
    warnings: layout.warnings,
    format: format.name,
    source: storedAs(opened),
    sha256,
    lines: 0,
    entries: arcs,
    weighted,
    policy,
    weightMap: null,
  })
  const elsewhere = { kind: 'lists', path: file.path, name: file.name, layout, weighted } as const
  const entries = { recordWords: weighted ? 3 : 2, segments: [], bitmapPath: null, bitmapWords: 0, direct: 0 } as const
  return { file: { entries: { ...entries, elsewhere }, space, weighted, from }, table: null }
}

/** Whether the ends of all lists ascend from 0 to the number of arcs. */
async function endsAscend(file: StoredFile, layout: CsrLayout, scheduler: YieldScheduler): Promise<boolean> {
  const { vertices, arcs, offsets } = layout
  if (offsets.leading && numbers(file, offsets, 0, 1)[0] !== 0) return false
  let before = 0
  for (let first = 0; first < vertices; first += STEP) {
    for (const end of endsOf(file, layout, first, Math.min(STEP, vertices - first))) {
      if (!(end >= before)) return false
      before = end
    }
    await scheduler.yield({ phase: 'read', done: Math.min(vertices, first + STEP), total: vertices, unit: 'vertices' })
  }
  return before === arcs
}
