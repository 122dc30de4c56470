/**
 * An import through the disk, from parsed entries to a dataset: one that was interrupted starts at its last complete stage. The folder is made
 * aside and renamed when whole, attributes and all. A binary file whose lists are in order is built from these in place. build-external.ts has
 * the stages, scratch-work.ts the journal; lines/import-lines.ts is the way in memory.
 */

import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type JobContext, YieldScheduler } from '../../base/job.ts'
import type { Attributes, DatasetFacts, ImportArgs } from '../../contract/jobs.ts'
import { attachAttributes } from '../attributes/attach-attributes.ts'
import { countedReport, factsOf, reportSource, type ReportSource } from '../reading/import-report.ts'
import { type BuiltGraph, buildExternal } from './build-external.ts'
import type { MemoryShares } from '../reader/import-resources.ts'
import { ThreadPool } from '../build/import-threads.ts'
import type { ScratchWork } from './scratch-work.ts'
import type { GraphEntries, StoredSpace } from '../build/entry-source.ts'
import type { Scratch } from './spilled-entries.ts'
import { GRAPH_FILE } from '../../graph/graph-file.ts'
import { finishDataset, makeDatasetFolder, requireDisk, writeReport } from '../build/write-dataset.ts'
import { type CsrLayout, endsOf, numbers } from '../formats/csr.ts'
import { type OpenedFile, storedAs } from '../reading/reading.ts'
import type { StoredFile } from '../formats/stored-file.ts'
import { policyOf } from '../reader/policies.ts'
import type { StoredAs } from '../reader/weight-codes.ts'

/** Plain JSON. */
export interface ParsedFile {
  readonly entries: GraphEntries
  readonly space: StoredSpace
  readonly weighted: boolean
  /** Absent: floats. A table is kept in the scratch folder. */
  readonly storedAs?: StoredAs
  readonly from: Omit<ReportSource, 'startedMs'>
}

export function graphOf({ entries, space, weighted, storedAs = 'floats', from }: ParsedFile) {
  const { scale = 1, offset = 0 } = (from.areKeys === true ? null : from.weightMap) ?? {}
  return { entries, space, weighted, storedAs, merge: { rule: from.merge ?? 'max', scale, offset } } as const
}

/**
 * @param parsed null: an interrupted import, from its last complete stage @returns null as {@link buildExternal}
 * @throws Failure as that; (input) when the name is taken
 */
export async function importExternal(
  args: ImportArgs,
  work: ScratchWork,
  startedMs: number,
  parsed: ParsedFile | null,
): Promise<DatasetFacts | null> {
  const scratch = work.open()
  const { elapsedMs, ...file } = await scratch.stage('parse', () => {
    if (parsed === null) throw new Error('there is nothing to continue from')
    return Promise.resolve({ ...parsed, elapsedMs: performance.now() - startedMs })
  })
  const built = await buildExternal(graphOf(file), scratch, work.job)
  if (built === null) return null
  // Read where they are.
  if (file.entries.kind === 'lists') work.requireUnwritten()
  const earlierMs = parsed === null ? elapsedMs : 0
  return finishExternal(args, work, factsOfBuilt({ ...file.from, startedMs: startedMs - earlierMs }, built))
}

function factsOfBuilt(from: ReportSource, { counted, maxDegree, checksum, bytes }: BuiltGraph): DatasetFacts {
  return factsOf(countedReport(from, counted), maxDegree, checksum, bytes)
}

interface Aside {
  readonly folder: string
  readonly shares: MemoryShares
  readonly threads: number
  /** At any time. */
  readonly diskBytes: number
  readonly entries: number
}

interface BuiltAside {
  readonly built: BuiltGraph
  readonly from: ReportSource
  readonly attributes?: Attributes
}

const SCRATCH = 'scratch'

/**
 * @param build may add files beside the graph @throws Failure (storage); (input) when the name is taken;
 * whatever `build` throws. Nothing stays behind.
 */
export async function buildAside(
  { folder, shares, threads, diskBytes, entries }: Aside,
  job: JobContext,
  build: (scratch: Scratch) => Promise<BuiltAside>,
): Promise<DatasetFacts> {
  return makeDatasetFolder(folder, 0, async (dataset) => {
    requireDisk(dirname(dataset), diskBytes, entries)
    const scratch = join(dataset, SCRATCH)
    mkdirSync(scratch)
    const pool = new ThreadPool(threads, job)
    const stage: Scratch['stage'] = (_name, work) => work()
    const { built, from, attributes } = await build({ folder: scratch, dataset, shares, pool, stage }).finally(() =>
      pool.end(),
    )
    rmSync(scratch, { recursive: true })
    const facts = factsOfBuilt(from, built)
    const report = { ...facts.report, ...(attributes === undefined ? {} : { attributes }) }
    await writeReport(dataset, report)
    return { ...facts, report }
  })
}

/** Unless that was done before an interruption. */
export async function finishExternal(args: ImportArgs, work: ScratchWork, facts: DatasetFacts): Promise<DatasetFacts> {
  const { bytes } = facts
  work.job.progress({ phase: 'write', done: bytes, total: bytes, unit: 'bytes' })
  const { dataset } = work
  const report = await work.stage('attributes', () =>
    attachAttributes(args, dataset, facts.report, work.open().pool, work.job),
  )
  // A second pass over the file attached them.
  if (report.attributes !== undefined) work.requireUnwritten()
  if (existsSync(join(dataset, GRAPH_FILE))) await finishDataset(dataset, args.folder, report)
  if (args.keepScratch !== true) work.remove()
  return { ...facts, report }
}

const STEP = 1 << 17

/**
 * In place. @returns null where a reader is needed: the file is compressed or in disorder, or its weights are changed
 * @throws Failure (storage); (cancelled)
 */
export async function listsAsEntries(
  args: ImportArgs,
  opened: OpenedFile,
  layout: CsrLayout,
  work: ScratchWork,
): Promise<ParsedFile | null> {
  const { stored, file, format } = opened
  const { vertices, arcs } = layout
  const weighted = layout.weights !== null && args.ignoreWeights !== true
  const policy = policyOf(args)
  if (file !== stored || (weighted && policy.needsRange)) return null
  work.open()
  work.requireRoom(arcs, 0, weighted, vertices)
  const scheduler = new YieldScheduler(work.job)
  if (!(await endsAscend(file, layout, scheduler))) return null
  const sourceSha256 = await stored.sha256((done) =>
    scheduler.yield({ phase: 'read', done, total: stored.bytes, unit: 'bytes' }),
  )
  const space = { kind: 'counted', vertices, base: 0 } as const
  const from = reportSource(args, {
    ...{ vertices: space, warnings: layout.warnings, format: format.name, ...storedAs(stored), sourceSha256 },
    ...{ lines: 0, entries: arcs, weighted, policy, weightMap: null },
  })
  const recordWords = weighted ? 3 : 2
  const entries = { kind: 'lists', path: file.path, name: file.name, layout, recordWords } as const
  return { entries, space, weighted, from }
}

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
