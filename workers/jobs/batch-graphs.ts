/**
 * Job `batch`: many graphs one after the other in one thread, whose devices stay open, each as a run of its own computes it, with the same
 * answer. Results are returned and kept nowhere: no row of the library, no file that is flushed. A graph of 100 vertices takes about a
 * millisecond, a run by itself 300. A graph that cannot be computed is an answer with its failure, and the next one follows. Graphs given by
 * their edges are written to `scratch`, as every algorithm reads lists from a file; its pages stay in memory. algorithms/run.ts computes each;
 * the command `batch` and the Python package send them.
 */

import { closeSync, ftruncateSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadAlgorithm } from '../algorithms/registry.ts'
import { workersOf } from '../algorithms/plan-request.ts'
import { computeOpen } from '../algorithms/run.ts'
import { atPath, Failure, inputFailure, settleFailure } from '../base/failure.ts'
import { openFile, writeFully } from '../base/file-bytes.ts'
import { type JobContext, quietJob, throwIfCancelled } from '../base/job.ts'
import { DIGEST_BYTES, piecesOf, SUMS_SUFFIX } from '../base/sums.ts'
import { bytesOf } from '../base/words.ts'
import { algorithmEntry } from '../contract/catalogue.ts'
import type { BatchAnswer, BatchArgs, BatchGraph, BatchItem, BatchMembers } from '../contract/jobs.ts'
import type { Device } from '../device/device.ts'
import { openDevice } from '../device/open-device.ts'
import { GaloisGr, openGraph } from '../graph/galois-gr.ts'
import { GRAPH_FILE, GR_HEADER_BYTES, grLayout, openPlace } from '../graph/graph-file.ts'
import { denseLabels, type Labels, openLabels } from '../graph/labels.ts'
import { Matching } from '../graph/matching.ts'
import { PairList } from '../graph/pair-list.ts'
import { radixOrder } from '../graph/radix-order.ts'
import { NO_VALUE, valueWords } from '../graph/result-file.ts'
import { VertexSet } from '../graph/vertex-set.ts'
import { importGraph } from '../import/import-graph.ts'
import { storedWeights } from '../import/reader/weight-codes.ts'

/** Computes all graphs of a batch. */
export async function batchGraphs({ scratch, items }: BatchArgs, job: JobContext): Promise<{ answers: BatchAnswer[] }> {
  mkdirSync(scratch, { recursive: true })
  const devices = new OpenDevices()
  const page = new ScratchGraph(join(scratch, GRAPH_FILE))
  const answers: BatchAnswer[] = []
  try {
    for (const [at, item] of items.entries()) {
      throwIfCancelled(job.signal)
      answers.push(await answerTo(item, { scratch, number: at, page, devices }, job))
    }
    return { answers }
  } finally {
    devices.close()
    page.close()
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** One file for the graphs of a batch, each written over the one before: a file of its own for each takes ten times as long. */
class ScratchGraph {
  readonly #path: string
  readonly #file: number
  #length = 0

  /** @throws Failure (storage) */
  constructor(path: string) {
    this.#path = path
    this.#file = openFile(path, 'w')
  }

  /** The graph, whose bytes have no checksums, as no other program writes them. @throws Failure (storage) */
  opened(bytes: Uint8Array): GaloisGr {
    const path = this.#path
    writeFully(this.#file, bytes, 0, path)
    if (bytes.length < this.#length) atPath(path, () => ftruncateSync(this.#file, bytes.length))
    this.#length = bytes.length
    const sums = { fileBytes: bytes.length, crcs: new Uint32Array(piecesOf(bytes.length)) }
    return new GaloisGr(openPlace({ path, sumsPath: `${path}${SUMS_SUFFIX}` }, sums))
  }

  close(): void {
    closeSync(this.#file)
  }
}

/** What a graph of a batch is computed with: its number, and what all of them share. */
interface Place {
  readonly scratch: string
  readonly number: number
  readonly page: ScratchGraph
  readonly devices: OpenDevices
}

/** Devices that lead runs, by their ids. */
class OpenDevices {
  readonly #devices = new Map<string, Promise<Device>>()

  of(id: string): Promise<Device> {
    const known = this.#devices.get(id)
    if (known !== undefined) return known
    const opening = openDevice(id)
    this.#devices.set(id, opening)
    return opening
  }

  close(): void {
    for (const opening of this.#devices.values()) opening.then((device) => device.close()).catch(() => {})
  }
}

async function answerTo(item: BatchItem, place: Place, job: JobContext): Promise<BatchAnswer> {
  const hasFolder = item.graph.kind !== 'edges' || item.lists !== undefined
  const folder = hasFolder ? join(place.scratch, String(place.number)) : place.scratch
  try {
    if (hasFolder) mkdirSync(folder)
    return await computed(item, folder, place, { ...quietJob, signal: job.signal })
  } catch (error) {
    if (error instanceof Failure && (error.code === 'cancelled' || error.code === 'lost')) throw error
    return { failure: settleFailure(error).failure }
  } finally {
    if (hasFolder) rmSync(folder, { recursive: true, force: true })
  }
}

/** @param folder for files beside the graph */
async function computed(item: BatchItem, folder: string, shared: Place, job: JobContext): Promise<BatchAnswer> {
  const { graph: given, options, lists } = item
  const algorithm = await loadAlgorithm(options.algorithm)
  const { graph, place } = await opened(given, folder, shared, job)
  try {
    const files = Object.entries(lists ?? {}).map(([name, text]) => [name, written(join(folder, name), text)] as const)
    const args = { ...options, ...Object.fromEntries(files), ...place, resultFile: join(folder, 'result') }
    const lead = await shared.devices.of(workersOf(args)[0]!)
    const { outcome, bytes } = await computeOpen(algorithm, { args, graph, opened: lead }, job)
    const { vertices, arcs } = graph
    const labels = given.kind === 'edges' ? denseLabels(vertices, 0) : openLabels(place.folder, vertices)
    return { vertices, edges: arcs / 2, outcome, members: membersOf(options.algorithm, bytes, vertices, labels) }
  } finally {
    graph.close()
  }
}

function written(path: string, text: string): string {
  writeFileSync(path, text)
  return path
}

async function opened(given: BatchGraph, folder: string, { page, number }: Place, job: JobContext) {
  switch (given.kind) {
    case 'dataset':
      return { graph: openGraph(given.folder, given.checksum, job), place: given }
    case 'file': {
      const to = join(folder, 'dataset')
      const { checksum } = await importGraph({ ...given.options, source: given.source, folder: to }, job)
      return { graph: openGraph(to, checksum, job), place: { folder: to, checksum } }
    }
    case 'edges': {
      // Tiles in the folder are known by it: those of the graph before are not this one's.
      const checksum = number.toString(16).padStart(2 * DIGEST_BYTES, '0')
      return { graph: page.opened(canonicalBytes(given)), place: { folder, checksum } }
    }
  }
}

/** What a result says in the graph's ids: numbers where these are 0, 1, 2, ..., else texts; null for a vertex without a value. */
function membersOf(algorithm: string, bytes: Uint8Array, vertices: number, labels: Labels): BatchMembers {
  const entry = algorithmEntry(algorithm)
  const named = (v: number): number | string => {
    const number = Number(labels.number(v) ?? Number.NaN)
    return Number.isSafeInteger(number) ? number : labels.of(v)
  }
  const words = (): Uint32Array => new Uint32Array(bytes.buffer, bytes.byteOffset, vertices)
  if (entry?.kind === 'b-matching') {
    const list = new PairList(new Uint32Array(bytes.slice().buffer))
    return Array.from(list.pairs(), ([u, v]) => [named(u), named(v)])
  }
  if (entry?.kind === 'matching') return Array.from(new Matching(words()).pairs(), ([u, v]) => [named(u), named(v)])
  if (entry?.values === undefined) return Array.from(new VertexSet(vertices, bytes).members(), named)
  const { of, none } = entry.values
  const word = valueWords({ ...entry.values, none: none && '' }, (v) => String(named(v)))
  return Array.from(words(), (value) => {
    if (value === NO_VALUE && none !== undefined) return null
    if (of === 'vertex') return named(value)
    return entry.values!.names === undefined ? value : word(value)
  })
}

/**
 * A canonical Galois binary file of edges in any order and direction: two counting sorts by the ends, which leave every list ascending. Loops go, and
 * of repeats the greatest weight stays. @throws Failure (input) for ends and weights that cannot be
 */
export function canonicalBytes({ vertices, ends, weights }: Extract<BatchGraph, { kind: 'edges' }>): Uint8Array {
  const edges = ends.length / 2
  for (const end of ends)
    if (end >= vertices)
      throw inputFailure('edges', `vertex ${end} is not one of ${vertices}`, 'Vertices count from 0.')
  if (weights !== undefined && weights.length !== edges)
    throw inputFailure('weights', `${weights.length} weights are given for ${edges} edges`, 'Give one for each.')
  const odd = weights?.findIndex((weight) => !(weight > 0 && weight < Infinity)) ?? -1
  if (odd >= 0)
    throw inputFailure(
      'weights',
      `the weight ${weights![odd]} of the edge between ${ends[2 * odd]} and ${ends[2 * odd + 1]} is no number above zero`,
      'Leave weights out, or make them positive.',
    )
  const { stored, behind: valuesBehind } = weights === undefined ? {} : storedWeights(Float64Array.from(weights))
  const bySource = radixOrder([ends.map((_, arc) => ends[arc ^ 1]!), ends])
  const targets = new Uint32Array(2 * edges)
  const values = stored && new Float32Array(2 * edges)
  const offsets = new BigUint64Array(vertices)
  let count = 0
  let next = 0
  for (let v = 0; v < vertices; v++) {
    const start = count
    for (; next < bySource.length && ends[bySource[next]!] === v; next++) {
      const arc = bySource[next]!
      const u = ends[arc ^ 1]!
      const weight = stored?.[arc >>> 1] ?? 1
      if (u === v) continue
      if (count > start && targets[count - 1] === u) {
        if (values !== undefined && weight > values[count - 1]!) values[count - 1] = weight
        continue
      }
      if (values !== undefined) values[count] = weight
      targets[count++] = u
    }
    offsets[v] = BigInt(count)
  }
  const layout = grLayout(vertices, count, values !== undefined)
  const behind = valuesBehind?.(layout.fileBytes) ?? new Uint8Array(0)
  const bytes = new Uint8Array(layout.fileBytes + behind.length)
  bytes.set(behind, layout.fileBytes)
  bytes.set(bytesOf(BigUint64Array.of(1n, values === undefined ? 0n : 4n, BigInt(vertices), BigInt(count))))
  bytes.set(bytesOf(offsets), GR_HEADER_BYTES)
  bytes.set(bytesOf(targets.subarray(0, count)), layout.targetsAt)
  if (values !== undefined) bytes.set(bytesOf(values.subarray(0, count)), layout.weightsAt)
  return bytes
}
