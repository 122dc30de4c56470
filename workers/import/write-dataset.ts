import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statfsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { writeSums, type Sums, SUMS_SUFFIX } from '../base/sums.ts'
import { asFailure, Failure, inputFailure, OTHER_LIBRARY } from '../base/failure.ts'
import { GR_HEADER_BYTES, GRAPH_FILE, grLayout } from '../graph/graph-file.ts'
import { LABELS_FILE } from '../graph/labels.ts'
import type { DatasetFacts, ImportReport } from '../contract/jobs.ts'
import type { JobContext } from '../base/job.ts'
import type { CollectedGraph } from './entry-collector.ts'
import { FileWriter } from './file-writer.ts'
import { YieldScheduler } from '../threads/yield-scheduler.ts'
import { labelsBytes, writeLabels } from './write-labels.ts'
import type { BuiltGraph } from './build-graph.ts'

const REPORT_FILE = 'report.json'
const REPORT_BYTES = 64 << 10

/** Files that a dataset carries beside its graph: name, and text for people, or bytes, which have sums. */
export type SideFiles = ReadonlyMap<string, string | Uint8Array>

/** @throws Failure (input) when there is a dataset under this name already. */
export function refuseTakenName(folder: string): void {
  if (existsSync(folder))
    throw inputFailure(folder, `the name "${basename(folder)}" is taken`, 'Remove that one.', [
      { action: 'choose', option: 'name' },
    ])
}

/**
 * Writes a dataset folder aside and renames it when it is complete; a failure leaves nothing behind.
 * @throws Failure (storage) when there is too little space; (input) when the name is taken; (cancelled)
 */
export async function writeDataset(
  folder: string,
  { graph, labels }: CollectedGraph,
  report: ImportReport,
  job: JobContext,
  sideFiles: SideFiles = new Map(),
): Promise<DatasetFacts> {
  const graphBytes = grLayout(graph.vertices, graph.arcs, graph.weights !== null).fileBytes
  const bytes = graphBytes + labelsBytes(labels)
  const sideBytes = [...sideFiles.values()].reduce((sum, content) => sum + Buffer.byteLength(content), 0)
  const scheduler = new YieldScheduler(job)
  const restAfter = (before: number) => (written: number) =>
    scheduler.yield({ phase: 'write', done: before + written, total: bytes, unit: 'bytes' })
  return makeDatasetFolder(folder, bytes + sideBytes, async (aside) => {
    const sums = await writeSummed(join(aside, GRAPH_FILE), (file) => writeGraph(file, graph, restAfter(0)))
    if (labelsBytes(labels) > 0)
      await writeSummed(join(aside, LABELS_FILE), (file) =>
        writeLabels(file, labels, graph.vertices, restAfter(graphBytes)),
      )
    for (const [name, content] of sideFiles) {
      if (typeof content === 'string') await writeText(join(aside, name), content)
      else await writeSummed(join(aside, name), (file) => file.write(content))
    }
    await writeReport(aside, report)
    await scheduler.yield({ phase: 'write', done: bytes, total: bytes, unit: 'bytes' })
    const { vertices, arcs } = graph
    const meanDegree = vertices === 0 ? 0 : arcs / vertices
    return {
      vertices,
      arcs,
      maxDegree: maxDegree(graph.offsets),
      meanDegree,
      weighted: graph.weights !== null,
      bytes,
      checksum: sums.root,
      report,
    }
  })
}

/**
 * Makes a dataset folder: `fill` writes its files aside, and it is renamed when it is complete. Where
 * `fill` returns null or throws, nothing stays behind.
 * @param bytes that `fill` writes beside the report
 * @throws Failure (storage) when there is too little space; (input) when the name is taken; whatever `fill` throws
 */
export async function makeDatasetFolder<T>(
  folder: string,
  bytes: number,
  fill: (aside: string) => Promise<T>,
): Promise<T> {
  refuseTakenName(folder)
  const aside = `${folder}.partial-${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    mkdirSync(dirname(folder), { recursive: true })
    requireSpace(dirname(folder), bytes + REPORT_BYTES)
    mkdirSync(aside)
    const made = await fill(aside)
    if (made === null) rmSync(aside, { recursive: true, force: true })
    else {
      syncFolder(aside)
      takeName(aside, folder)
    }
    return made
  } catch (error) {
    rmSync(aside, { recursive: true, force: true })
    throw asFailure(error, folder)
  }
}

/** Writes the import report into a dataset's folder. */
export async function writeReport(folder: string, report: ImportReport): Promise<void> {
  await writeText(join(folder, REPORT_FILE), reportText(report))
}

/**
 * Gives a folder that holds a whole graph its report and its name. The graph is on the disk already.
 * @throws Failure (storage); (input) when the name is taken
 */
export async function finishDataset(aside: string, folder: string, report: ImportReport): Promise<void> {
  // One that an earlier life of the import was killed over.
  rmSync(join(aside, REPORT_FILE), { force: true })
  await writeReport(aside, report)
  syncFolder(aside)
  takeName(aside, folder)
}

function reportText(report: ImportReport): string {
  return `${JSON.stringify(report, null, 2)}\n`
}

/** Writes a file, and its sums beside it. */
export async function writeSummed(path: string, fill: (file: FileWriter) => Promise<void> | void): Promise<Sums> {
  const sums = await writeFile(path, fill)
  writeSums(`${path}${SUMS_SUFFIX}`, sums)
  return sums
}

async function writeFile(path: string, fill: (file: FileWriter) => Promise<void> | void): Promise<Sums> {
  const file = new FileWriter(path)
  try {
    await fill(file)
    return await file.finish()
  } finally {
    file.close()
  }
}

async function writeText(path: string, text: string): Promise<void> {
  await writeFile(path, (file) => file.write(Buffer.from(text)))
}

function requireSpace(folder: string, neededBytes: number): void {
  const disk = statfsSync(folder)
  const availableBytes = disk.bavail * disk.bsize
  if (neededBytes <= availableBytes) return
  const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`
  throw new Failure({
    code: 'storage',
    where: folder,
    what: `the dataset takes ${mib(neededBytes)}, and the disk has ${mib(availableBytes)} left`,
    remedy: 'Free some space; nothing was written.',
    fixes: [OTHER_LIBRARY],
  })
}

function takeName(aside: string, folder: string): void {
  refuseTakenName(folder)
  try {
    renameSync(aside, folder)
  } catch (error) {
    // Someone else was faster.
    refuseTakenName(folder)
    throw error
  }
  syncFolder(dirname(folder))
}

/** Makes names in a folder durable, where the system can (Windows cannot open folders). */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const file = openSync(folder, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function maxDegree(offsets: Uint32Array): number {
  let largest = 0
  for (let v = 0; v + 1 < offsets.length; v++) largest = Math.max(largest, offsets[v + 1]! - offsets[v]!)
  return largest
}

const VERTEX_STEP = 1 << 20

/** Writes a canonical graph as Galois version 1 (workers/graph/galois-gr.ts). */
async function writeGraph(file: FileWriter, graph: BuiltGraph, pause: (bytes: number) => Promise<void>): Promise<void> {
  const { vertices, arcs, offsets, targets, weights } = graph
  const header = new BigUint64Array(GR_HEADER_BYTES / 8)
  header.set([1n, weights === null ? 0n : 4n, BigInt(vertices), BigInt(arcs)])
  await file.writeArray(header, pause)
  for (let first = 0; first < vertices; first += VERTEX_STEP) {
    const last = Math.min(vertices, first + VERTEX_STEP)
    // The high halves stay zero: a graph in memory has fewer than 2^32 arcs.
    const ends = new Uint32Array(2 * (last - first))
    for (let v = first; v < last; v++) ends[2 * (v - first)] = offsets[v + 1]!
    await file.writeArray(ends, pause)
  }
  await file.writeArray(targets, pause)
  const padding = grLayout(vertices, arcs, false).fileBytes - file.bytes
  if (padding > 0) file.write(new Uint8Array(padding))
  if (weights !== null) await file.writeArray(weights, pause)
}
