/**
 * A graph model in memory: threads draw ranges of its tuples into the buckets of an import of lines, which become lists in the same way. Buckets
 * are cut by a sample of tuples from all over the sequence; any threads make the same file. Without room for all records the vertices are cut
 * into parts with about as many records each, and the model is drawn once for every part: drawing a tuple again by many threads takes less time
 * than its two records take on a disk. Where a few parts do not suffice the way through the disk (external/) is taken. Time is that of drawing
 * and sorting.
 */

import { join } from 'node:path'
import { BehindFlusher, openFile, readFully } from '../../base/file-bytes.ts'
import type { JobContext } from '../../base/job.ts'
import { WordList } from '../../base/words.ts'
import { lowerBound, type Range, rangesOf, united } from '../../base/ranges.ts'
import { PIECE_BYTES, SUMS_SUFFIX, SumsBuilder, writeSums } from '../../base/sums.ts'
import type { GenerateArgs } from '../../contract/jobs.ts'
import type { GraphModel } from '../../generate/graph-model.ts'
import { GRAPH_FILE, grLayout, writeGrHeader } from '../../graph/graph-file.ts'
import { type BucketTable, bucketTable, bytesToSort, CHUNK_BYTES, ID_LIMIT } from '../build/filled-buckets.ts'
import type { ThreadPool } from '../build/import-threads.ts'
import { addCounts, type ArcCounts, countedGraph, noArcs } from '../build/merged-arcs.ts'
import { partBytes } from '../build/piece-writer.ts'
import { makeLists } from './bucket-lists.ts'
import { declareAll, filledBy } from './parse-lines.ts'
import { MEMORY_SHARE, plainShape, THREAD_BYTES } from './plan-lines.ts'

const SAMPLES = 64
const SAMPLE_TUPLES = 512
/** Tuples and vertices of a task: some tens of milliseconds. */
const TASK_TUPLES = 1 << 17
const TASK_PIECES = 16
/** Records of a tuple take about 30 ns of a disk, whatever the threads; drawing it once more takes some 45 ns of one of them. */
const mostParts = (threads: number): number => Math.min(8, 2 + Math.floor(threads / 2))
/** Sources of a part begin at a multiple of this: parts share no word of a bitmap. */
const PART_STEP = 32
/** A sample may tell so much less than a part gets, and a bucket. */
const PART_MARGIN = 1.05
const BUCKET_MARGIN = 1.25

interface DrawnPart {
  readonly sources: Range
  readonly table: BucketTable
  /** What its records may take. */
  readonly recordsBytes: number
}

export interface DrawPlan {
  readonly parts: readonly DrawnPart[]
  /** A thread may take to sort a bucket. */
  readonly sortBytes: number
}

/** Cuts a model into as few parts as its records have room in. @returns null where even the most parts are too large */
export function planDrawing(model: GraphModel, memoryBytes: number, threads: number): DrawPlan | null {
  if (model.vertices === 0 || model.vertices >= ID_LIMIT) return null
  const sample = sampleOf(model).sort()
  const sortBytes = ((1 - MEMORY_SHARE) * memoryBytes) / threads
  for (let count = 1; count <= mostParts(threads); count++) {
    const parts = partsOf(sample, model.vertices, count).map((sources) =>
      planPart(sources, sample, model, memoryBytes, sortBytes, threads),
    )
    if (parts.every((part) => part !== null)) return { parts, sortBytes }
  }
  return null
}

/** Ranges of vertices with about as many ends of the sample each. */
function partsOf(sample: Uint32Array, vertices: number, count: number): Range[] {
  const cuts = Array.from({ length: count - 1 }, (_, i) => sample[Math.floor(((i + 1) * sample.length) / count)] ?? 0)
  const bounds = [...new Set([0, ...cuts.map((id) => id - (id % PART_STEP)), vertices])]
  return bounds.slice(1).map((end, i) => ({ first: bounds[i]!, end }))
}

function planPart(
  sources: Range,
  sample: Uint32Array,
  { vertices, tuples, expectedEntries = tuples }: GraphModel,
  memoryBytes: number,
  sortBytes: number,
  threads: number,
): DrawnPart | null {
  const { first, end } = sources
  const before = (id: number): number => lowerBound(0, sample.length, (i) => sample[i]! < id)
  const own = sample.slice(before(first), before(end))
  if (first > 0) for (let i = 0; i < own.length; i++) own[i]! -= first
  const share = sample.length === 0 ? 0 : own.length / sample.length
  // Each vertex is a record, also one without edges.
  const records = 2 * expectedEntries * share + end - first
  const table = bucketTable(own, { records, weighted: false, expected: end - first, first, targets: vertices })
  const chunks = threads * table.bounds.length * CHUNK_BYTES
  const ranks = vertices / 4
  const recordsBytes = MEMORY_SHARE * memoryBytes - threads * THREAD_BYTES - ranks - chunks
  if (PART_MARGIN * records * table.form.bytes > recordsBytes) return null
  const most = Math.ceil(BUCKET_MARGIN * records * largestShare(own, table, first))
  return sortBytes < bytesToSort(table, most) ? null : { sources, table, recordsBytes }
}

/** The part of the sample that is in the largest bucket. @param sample ascending, less `first` */
function largestShare(sample: Uint32Array, { bounds }: BucketTable, first: number): number {
  let [most, begin, bucket] = [0, 0, 1]
  for (let i = 0; i < sample.length; i++) {
    for (; first + sample[i]! >= bounds[bucket]!; bucket++) begin = i
    most = Math.max(most, i + 1 - begin)
  }
  return most / Math.max(1, sample.length)
}

/** @returns null where there is less room than was planned @throws Failure (storage); (cancelled) */
export async function drawModel(
  args: GenerateArgs,
  model: GraphModel,
  plan: DrawPlan,
  dataset: string,
  threads: ThreadPool,
  job: JobContext,
) {
  const path = join(dataset, GRAPH_FILE)
  const file = openFile(path, 'wx+')
  const flusher = new BehindFlusher(file, path)
  try {
    return await drawParts({ args, model, plan, path, threads, job }, file, flusher)
  } finally {
    await flusher.close()
  }
}

interface Drawing {
  readonly args: GenerateArgs
  readonly model: GraphModel
  readonly plan: DrawPlan
  readonly path: string
  readonly threads: ThreadPool
  readonly job: JobContext
}

async function drawParts(drawing: Drawing, file: number, flusher: BehindFlusher) {
  const { model, plan, path } = drawing
  const { vertices } = model
  const counts = noArcs()
  const sums = new SumsBuilder()
  let memories: readonly WebAssembly.Memory[] = []
  let entries = 0
  for (const [number, part] of plan.parts.entries()) {
    const job = jobOfPart(drawing.job, model.tuples, number, plan.parts.length)
    const drawn = await drawPart({ ...drawing, job }, part, memories)
    if (drawn === null) return null
    memories = drawn.memories
    entries = drawn.entries
    await writePart({ ...drawing, job }, part, drawn.lists, counts.arcs, sums, (bytes) => flusher.wrote(bytes))
    addCounts<ArcCounts>(counts, drawn.lists.counts)
  }
  const { arcs, maxDegree } = counts
  writeGrHeader(file, path, vertices, arcs, false)
  const { fileBytes: bytes } = grLayout(vertices, arcs, false)
  // Pieces that parts share are summed here.
  const whole = sums.finish(bytes, (at, into) => readFully(file, into, at, path))
  await flusher.finish()
  writeSums(`${path}${SUMS_SUFFIX}`, whole)
  const labels = { kind: 'dense', smallest: '0', largest: String(vertices - 1) } as const
  const counted = countedGraph(counts, { entries, form: null, vertices, labels })
  return { counted, entries, maxDegree, checksum: whole.root, bytes }
}

/** Shares of a part's time, by phase. */
const PHASES: Readonly<Record<string, readonly [before: number, share: number]>> = {
  generate: [0, 0.5],
  build: [0.5, 0.25],
  write: [0.75, 0.25],
}

/** Progress of a part as that of the whole: all of several parts is one phase. */
function jobOfPart(job: JobContext, tuples: number, number: number, parts: number): JobContext {
  if (parts === 1) return job
  const progress: JobContext['progress'] = ({ phase, done, total = done }) => {
    const [before, share] = PHASES[phase]!
    const part = before + (share * done) / Math.max(1, total)
    job.progress({
      phase: 'generate',
      done: Math.floor((tuples * (number + part)) / parts),
      total: tuples,
      unit: 'arcs',
    })
  }
  return { ...job, progress }
}

type PartLists = NonNullable<Awaited<ReturnType<typeof drawPart>>>['lists']

/** Draws all tuples, keeps the records of some sources, and sorts them. @param memories of the part before @returns null without room */
async function drawPart(
  { args, model, plan, threads, job }: Drawing,
  { sources, table, recordsBytes }: DrawnPart,
  memories: readonly WebAssembly.Memory[],
) {
  const { tuples } = model
  const task = { texts: [], shape: plainShape, table, model: args, drawn: sources }
  await threads.open('lines', (thread) => ({ ...task, memory: memories[thread] }))
  let [entries, takenBytes, done] = [0, 0, 0]
  const tasks = threads.ranges(tuples, TASK_TUPLES)
  const areDrawn = await threads.spread('lines', 'draw', tasks, (drawn, number) => {
    takenBytes += drawn?.recordsBytes ?? Infinity
    if (drawn === null || takenBytes > recordsBytes) return false
    entries += drawn.entries
    done += tasks[number]!.end - tasks[number]!.first
    job.progress({ phase: 'generate', done, total: tuples, unit: 'arcs' })
  })
  if (!areDrawn) return null
  if (!(await declareAll(sources, threads))) return null
  const { filled, buckets } = await filledBy(threads, table)
  const bucketed = {
    buckets,
    idBits: 32 - Math.clz32(model.vertices - 1),
    entries: entries / plan.parts.length + (sources.end - sources.first) / 2,
    declared: sources,
    directions: 2,
  } as const
  const merge = { rule: 'max', scale: 1, offset: 0 } as const
  const lists = await makeLists(bucketed, { table, sortBytes: plan.sortBytes }, merge, threads, job)
  return (
    lists && { lists: { ...lists, buckets: bucketed.buckets }, entries, memories: filled.map(({ module }) => module) }
  )
}

/** Writes the lists of a part to their place. @param before arcs of the parts before @param sums takes those of the pieces that have nothing else */
async function writePart(
  { model, path, threads, job }: Drawing,
  { sources }: DrawnPart,
  { buckets, counts, arcsBefore, verticesBefore, ranks }: PartLists,
  before: number,
  sums: SumsBuilder,
  wrote: (bytes: number) => void,
): Promise<void> {
  const { vertices } = model
  const part = { vertices: sources, arcs: { first: before, end: before + counts.arcs } }
  const task = {
    ...{ path, buckets, vertices, arcs: part.arcs.end, weighted: false, ranks, base: 0, part },
    arcsBefore: arcsBefore.map((arcs) => before + arcs),
    verticesBefore: verticesBefore.map((count) => sources.first + count),
  }
  const pieces = united(
    partBytes(vertices, part)
      .filter(({ first, end }) => first < end)
      .map(({ first, end }) => ({ first: Math.floor(first / PIECE_BYTES), end: Math.ceil(end / PIECE_BYTES) })),
  )
  const all = pieces.reduce((sum, { first, end }) => sum + end - first, 0)
  const each = threads.stepsEach(all, TASK_PIECES)
  const tasks = pieces.flatMap((range) =>
    rangesOf(range.end - range.first, each).map(({ first, end }) => ({
      first: range.first + first,
      end: range.first + end,
    })),
  )
  await threads.open('graph', () => task)
  let done = 0
  const begun = 4 * before
  await threads.spread('graph', 'take', tasks, (_isFit, number) => {
    done += PIECE_BYTES * (tasks[number]!.end - tasks[number]!.first)
    wrote(begun + done)
    job.progress({ phase: 'write', done, total: all * PIECE_BYTES, unit: 'bytes' })
  })
  for (const { pieces: summed } of await threads.finish('graph')) sums.take(summed)
}

/** Ends of tuples from all over the sequence. */
function sampleOf(model: GraphModel): Uint32Array {
  const { tuples } = model
  const ends = new WordList()
  const step = Math.max(SAMPLE_TUPLES, Math.ceil(tuples / SAMPLES))
  for (let first = 0; first < tuples; first += step)
    model.draw(first, Math.min(tuples, first + SAMPLE_TUPLES), ({ from, to, count }) => {
      for (const some of [from, to]) for (let i = 0; i < count; i++) ends.push(some[i]!)
    })
  return ends.words
}
