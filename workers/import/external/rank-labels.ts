/**
 * Labels get ids: sorted runs of labels are merged (a heap of cursors; Knuth, volume 3, section 5.4.1), the id of a label is its rank, and the
 * labels are written in that order, unless they are 0, 1, 2 and so on. Each run gets the ranks of its codes, by which entries become ids later.
 * One pass over all runs, in bounded memory. run-cursor.ts reads runs.
 */

import { join } from 'node:path'
import { flushFile } from '../../base/file-bytes.ts'
import { finishSums, SumsBuilder } from '../../base/sums.ts'
import { inputFailure } from '../../base/failure.ts'
import { type LabelKind, LABELS_HEADER_BYTES } from '../../graph/labels.ts'
import type { ImportReport } from '../../contract/jobs.ts'
import { MAX_VERTICES } from '../reader/graph-reader.ts'
import type { YieldScheduler } from '../../base/job.ts'
import { type EntrySegment, ranksOf, type StoredSpace } from '../build/entry-source.ts'
import type { OccurringIds } from '../reader/input-ids.ts'
import { IntegerCursor, mergeRuns, type RunsToMerge, TextCursor } from './run-cursor.ts'
import { AppendFile, ScratchFiles } from '../build/scratch-file.ts'
import { bytesOf } from '../../base/words.ts'
import { labelFacts, labelsBytes, labelsHeader } from '../build/write-dataset.ts'

const FILE_BUFFER_BYTES = 1 << 18
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export interface RankedLabels {
  readonly vertices: number
  readonly labels: ImportReport['labels']
  /** The smallest of labels without gaps; else null. */
  readonly base: number | null
  /** 0 where there is none. */
  readonly labelsBytes: number
}

interface LabelsToRank {
  readonly space: StoredSpace
  readonly segments: readonly EntrySegment[]
  /** null for texts. */
  readonly occurring: OccurringIds | null
  readonly folder: string
  readonly labelsPath: string
  readonly memoryBytes: number
}

interface Merge extends RunsToMerge {
  readonly labelsPath: string
}

/**
 * Writes the ids of the labels of runs, and the labels in the order of their ids; no file where these are 0, 1, 2 ...
 * @throws Failure (input) for too many labels; (storage); (cancelled)
 */
export async function rankLabels(wanted: LabelsToRank, scheduler: YieldScheduler): Promise<RankedLabels> {
  const { space, occurring, folder, labelsPath, memoryBytes } = wanted
  const runs = wanted.segments.flatMap(({ run }) => run ?? [])
  const files = new ScratchFiles()
  const bufferBytes = Math.min(1 << 18, Math.max(64, Math.floor(memoryBytes / (runs.length + 1))))
  const merge = { runs, files, labelsPath, bufferBytes, scheduler }
  try {
    for (const path of new Set(runs.map(ranksOf))) files.create(path)
    return await (space.kind === 'counted'
      ? keepIds(merge, space)
      : occurring === null
        ? rankTexts(merge, folder)
        : rankIntegers(merge, occurring))
  } finally {
    files.close()
  }
}

/** Labels are ids, plus a base. */
async function keepIds(
  merge: Merge,
  { vertices, base }: Extract<StoredSpace, { kind: 'counted' }>,
): Promise<RankedLabels> {
  await mergeRuns(merge, IntegerCursor, ({ low }) => low)
  const labels = { kind: 'dense', base } as const
  await finishLabels(merge, 'dense', vertices, base, labelsBytes(labels))
  return { vertices, base: 0, labelsBytes: labelsBytes(labels), labels: labelFacts(labels, vertices) }
}

/** Those of the bitmap, then the larger ones. */
async function rankIntegers(merge: Merge, occurring: OccurringIds): Promise<RankedLabels> {
  const { files, labelsPath, scheduler } = merge
  const sums = new SumsBuilder()
  const file = new AppendFile(files, labelsPath, FILE_BUFFER_BYTES, sums)
  file.append(new Uint8Array(LABELS_HEADER_BYTES))
  for (const part of occurring.labels()) {
    file.append(bytesOf(part))
    await scheduler.yield({ phase: 'labels', done: 0, unit: 'vertices' })
  }
  let vertices = occurring.count
  const first = Uint32Array.of(occurring.first, 0)
  const last = Uint32Array.of(occurring.last, 0)
  await mergeRuns(merge, IntegerCursor, ({ low, high }) => {
    if (vertices > 0 && last[0] === low && last[1] === high) return vertices - 1
    last[0] = low
    last[1] = high
    if (vertices === 0) first.set(last)
    file.append(bytesOf(last))
    return nextId(vertices++)
  })
  file.flush()
  const [smallest, largest] = [numberOf(first), numberOf(last)]
  const gapless =
    vertices === 0 || (largest <= BigInt(Number.MAX_SAFE_INTEGER) && largest - smallest + 1n === BigInt(vertices))
  const kind = gapless ? 'dense' : 'integer'
  const base = gapless ? Number(smallest) : null
  const bytes = base === null ? file.bytes : labelsBytes({ kind: 'dense', base })
  await finishLabels(merge, kind, vertices, base ?? 0, bytes, sums)
  const named = vertices === 0 ? null : { smallest: String(smallest), largest: String(largest) }
  return { vertices, base, labelsBytes: bytes, labels: { kind, smallest: null, largest: null, ...named } }
}

async function rankTexts(merge: Merge, folder: string): Promise<RankedLabels> {
  const { files, labelsPath, scheduler } = merge
  const sums = new SumsBuilder()
  const file = new AppendFile(files, labelsPath, FILE_BUFFER_BYTES, sums)
  file.append(new Uint8Array(LABELS_HEADER_BYTES))
  const texts = new AppendFile(files, join(folder, 'texts'), FILE_BUFFER_BYTES)
  const end = new Uint32Array(2)
  let vertices = 0
  let first: string | null = null
  let last = new Uint8Array(64)
  let lastLength = 0
  await mergeRuns(merge, TextCursor, ({ label }) => {
    if (vertices > 0 && Buffer.compare(label, last.subarray(0, lastLength)) === 0) return vertices - 1
    if (vertices === 0) first = decoder.decode(label)
    if (label.length > last.length) last = new Uint8Array(2 * label.length)
    last.set(label)
    lastLength = label.length
    texts.append(label)
    end[0] = texts.bytes
    end[1] = texts.bytes / 2 ** 32
    file.append(bytesOf(end))
    return nextId(vertices++)
  })
  texts.flush()
  const buffer = new Uint8Array(FILE_BUFFER_BYTES)
  for (let at = 0; at < texts.bytes; at += buffer.length) {
    const piece = buffer.subarray(0, Math.min(buffer.length, texts.bytes - at))
    files.read(texts.path, piece, at)
    file.append(piece)
    await scheduler.yield({ phase: 'labels', done: at, total: texts.bytes, unit: 'bytes' })
  }
  file.flush()
  files.remove(texts.path)
  await finishLabels(merge, 'text', vertices, 0, file.bytes, sums)
  const largest = vertices === 0 ? null : decoder.decode(last.subarray(0, lastLength))
  return { vertices, base: null, labelsBytes: file.bytes, labels: { kind: 'text', smallest: first, largest } }
}

/** @throws Failure (input) */
function nextId(vertices: number): number {
  if (vertices < MAX_VERTICES) return vertices
  throw inputFailure(
    undefined,
    `there are more than the ${MAX_VERTICES} vertices that ids have room for`,
    'Split the graph.',
  )
}

function numberOf(halves: Uint32Array): bigint {
  return BigInt(halves[0]!) + (BigInt(halves[1]!) << 32n)
}

/** Flushes them. @param fileBytes 0: there is to be none @param sums so far @throws Failure (storage) */
async function finishLabels(
  { files, labelsPath }: Merge,
  kind: LabelKind,
  vertices: number,
  base: number,
  fileBytes: number,
  sums = new SumsBuilder(),
): Promise<void> {
  const isShort = fileBytes <= LABELS_HEADER_BYTES
  if (isShort) files.remove(labelsPath)
  if (fileBytes === 0) return
  if (isShort) files.create(labelsPath)
  files.write(labelsPath, labelsHeader(kind, vertices, base), 0)
  const ofAll = isShort ? new SumsBuilder() : sums
  // The header was zeros when it was summed.
  ofAll.forget(0)
  finishSums(labelsPath, ofAll)
  await flushFile(labelsPath)
}
