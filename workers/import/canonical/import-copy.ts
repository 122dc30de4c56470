import { mkdirSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { finishSums, SumsBuilder } from '../../base/sums.ts'
import { asFailure } from '../../base/failure.ts'
import { grLayout } from '../../graph/graph-file.ts'
import type { JobContext } from '../../base/job.ts'
import { type ThreadPool, type PoolThread, watched } from '../external/thread-pool.ts'
import { sumRest } from '../external/finish-graph-file.ts'
import { bytesOf } from '../external/scratch-file.ts'
import type { CsrLayout } from '../formats/csr.ts'
import type { StoredFile } from '../formats/stored-file.ts'
import { addReports, type ArcReport, isSymmetric, newFingerprintKeys } from './arc-check.ts'
import type { Range } from '../external/entry-ids.ts'
import { writeFully } from '../../base/file-bytes.ts'
import type { DatasetFacts, ImportArgs } from '../../contract/jobs.ts'
import { DATASET_FOLDER } from '../external/build-external.ts'
import { finishExternal } from '../external/import-external.ts'
import type { ScratchWork } from '../external/scratch-work.ts'
import { type OpenedFile, storedAs } from '../formats/whole-file.ts'
import { factsOf } from '../import-report.ts'
import { canonicalReport, mayBeCanonical, policyOf } from './linkable-file.ts'

/** The journal's stage that holds the facts of a copied graph. */
export const COPY_STAGE = 'copy'

/**
 * Makes a dataset of a canonical binary adjacency file by copying it.
 * @returns null where it is not canonical, or its weights are to be changed; nothing is left then
 * @throws Failure (storage); (cancelled)
 */
export async function importCopy(
  args: ImportArgs,
  opened: OpenedFile,
  layout: CsrLayout,
  work: ScratchWork,
  startedMs: number,
): Promise<DatasetFacts | null> {
  const weighted = layout.weights !== null && args.ignoreWeights !== true
  if ((weighted && policyOf(args).needsRange) || !mayBeCanonical(opened.file, layout)) return null
  const { vertices, arcs } = layout
  const { pool, folder } = work.openCopy(arcs, grLayout(vertices, arcs, weighted).fileBytes)
  const aside = join(folder, DATASET_FOLDER)
  mkdirSync(aside)
  const copy = { stored: opened.stored, file: opened.file, layout, weighted, graphPath: join(aside, 'graph.gr') }
  const copied = await copyGraph(copy, pool, work.job)
  if (copied === null) {
    await work.giveUp()
    return null
  }
  work.job.log('the graph is canonical as it stands in the file, and was copied')
  const read = { format: opened.format.name, source: storedAs(opened), sha256: copied.sourceSha256 }
  const kept = weighted ? layout : { ...layout, weights: null }
  const report = canonicalReport(args, { ...read, layout: kept }, copied, startedMs)
  const facts = await work.journal!.stage(COPY_STAGE, () =>
    Promise.resolve(factsOf(report, copied.maxDegree, copied.checksum, copied.bytes)),
  )
  return finishExternal(args, work, facts)
}

/** Finishes a dataset that an earlier life of the import copied. */
export function continueCopy(args: ImportArgs, work: ScratchWork): Promise<DatasetFacts> {
  return work
    .journal!.stage<DatasetFacts>(COPY_STAGE, () => Promise.reject(new Error('there is nothing to continue from')))
    .then((facts) => finishExternal(args, work, facts))
}

interface GraphCopy {
  /** As the user gave it: hashed. */
  readonly stored: StoredFile
  /** Unpacked. */
  readonly file: StoredFile
  readonly layout: CsrLayout
  readonly weighted: boolean
  /** Made anew. */
  readonly graphPath: string
}

/** On the disk. */
interface CopiedGraph extends ArcReport {
  readonly sourceSha256: string
  /** The root of the sums of graph.gr. */
  readonly checksum: string
  readonly bytes: number
}

const END_SLICE = 1 << 18
const ARC_SLICE = 1 << 20
const HASH_SLICE_BYTES = 1 << 24

/**
 * One parallel pass checks and writes (docs/decisions/0007-canonical-files-are-copied.md).
 * @returns null where the graph is not canonical; what was written is to be removed
 */
async function copyGraph(copy: GraphCopy, pool: ThreadPool, job: JobContext): Promise<CopiedGraph | null> {
  const graph = await createFile(copy.graphPath)
  const flushing = new Flushing(graph, copy.graphPath)
  try {
    const { layout, weighted, file } = copy
    const plan = { layout, weighted, source: file.path, name: file.name, graphPath: copy.graphPath }
    const keys = newFingerprintKeys()
    await pool.each('openCopy', () => ({ ...plan, keys }))
    const pass = new CopyPass(copy, job)
    await watched(pool, job, () => pool.work((thread, number) => pass.work(thread, number === 0)))
    const reports = await pool.each('closeCopy', () => null)
    const report = addReports(reports)
    if (!reports.every(({ fits }) => fits) || !isSymmetric(report)) return null
    writeEdges(graph.fd, copy)
    const { fileBytes: bytes } = grLayout(layout.vertices, layout.arcs, weighted)
    // While the disk takes what was written.
    const sums = new SumsBuilder()
    await sumRest(pool, copy.graphPath, bytes, sums, job)
    const { root: checksum } = finishSums(copy.graphPath, sums)
    await flushing.end()
    return { ...report, sourceSha256: pass.sourceSha256, checksum, bytes }
  } finally {
    await flushing.stop()
    await graph.close()
  }
}

/** Hands out the slices in the order of the file. */
class CopyPass {
  sourceSha256 = ''
  readonly #copy: GraphCopy
  readonly #job: JobContext
  readonly #slices: Slice[]
  #next = 0
  #hashed = 0
  #copied = 0
  #refuted = false

  constructor(copy: GraphCopy, job: JobContext) {
    this.#copy = copy
    this.#job = job
    this.#slices = slicesOf(copy.layout)
  }

  /** @param hashes whether the thread also hashes, behind the slices, so that the disk reads once */
  async work(thread: PoolThread, hashes: boolean): Promise<void> {
    const { stored } = this.#copy
    while (!this.#refuted) {
      const slice = this.#slices[this.#next]
      if (hashes && this.#hashed < stored.bytes && (slice === undefined || this.#hashed <= slice.at)) {
        this.#hashed = Math.min(stored.bytes, this.#hashed + HASH_SLICE_BYTES)
        const piece = { path: stored.path, end: this.#hashed, last: this.#hashed === stored.bytes }
        this.sourceSha256 = (await thread.run('hash', piece)) ?? ''
      } else {
        if (slice === undefined) return
        this.#next++
        await this.#take(thread, slice)
      }
    }
  }

  async #take(thread: PoolThread, { kind, ...range }: Slice): Promise<void> {
    const fits = await thread.run(kind === 'ends' ? 'copyEnds' : 'copyArcs', range)
    this.#refuted ||= !fits
    if (kind === 'ends') return
    this.#copied += range.last - range.first
    this.#job.progress({ phase: 'copy', done: this.#copied, total: this.#copy.layout.arcs, unit: 'arcs' })
  }
}

interface Slice extends Range {
  readonly kind: 'ends' | 'arcs'
  /** In the file. */
  readonly at: number
}

function slicesOf({ vertices, arcs, offsets, targets }: CsrLayout): Slice[] {
  const cut = (kind: Slice['kind'], total: number, size: number, { at, stride }: { at: number; stride: number }) =>
    Array.from({ length: Math.ceil(total / size) }, (_, i) => {
      const first = i * size
      return { kind, first, last: Math.min(total, first + size), at: at + stride * first }
    })
  return [...cut('ends', vertices, END_SLICE, offsets), ...cut('arcs', arcs, ARC_SLICE, targets)]
}

const headerOf = ({ layout: { vertices, arcs }, weighted }: GraphCopy): Uint8Array =>
  bytesOf(BigUint64Array.of(1n, weighted ? 4n : 0n, BigInt(vertices), BigInt(arcs)))

function writeEdges(graph: number, copy: GraphCopy): void {
  const { vertices, arcs } = copy.layout
  const { weightsAt } = grLayout(vertices, arcs, copy.weighted)
  writeFully(graph, headerOf(copy), 0, copy.graphPath)
  if (arcs % 2 === 1) writeFully(graph, new Uint8Array(4), weightsAt - 4, copy.graphPath)
}

async function createFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'w+')
  } catch (error) {
    throw asFailure(error, path)
  }
}

const PAUSE_MS = 50

/** Writes to the disk while the file grows, so that little is left at its end. */
class Flushing {
  readonly #file: FileHandle
  readonly #path: string
  readonly #running: Promise<void>
  readonly #stopped = new AbortController()
  #trouble: unknown = null

  constructor(file: FileHandle, path: string) {
    this.#file = file
    this.#path = path
    this.#running = this.#run()
  }

  /** All is on the disk when this returns. @throws Failure (storage) */
  async end(): Promise<void> {
    await this.stop()
    try {
      if (this.#trouble !== null) throw this.#trouble
      await this.#file.sync()
    } catch (error) {
      throw asFailure(error, this.#path)
    }
  }

  /** Needed in every case; may be repeated. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped
    try {
      while (!signal.aborted) {
        await this.#file.datasync()
        // An aborted pause rejects.
        await after(PAUSE_MS, undefined, { signal }).catch(() => {})
      }
    } catch (error) {
      this.#trouble = error
    }
  }
}
