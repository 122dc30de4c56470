/**
 * Where the entries of a graph come from when it is built through the disk: files of the scratch folder with codes of labels, lists of a binary
 * file in place, or a model that draws them; each in slices that threads read side by side, as ids or with codes that become ids. A source that
 * needs a reader's decision after all says so, and the import starts over. entry-store.ts writes what is stored.
 */

import type { VertexSpace } from '../reader/graph-reader.ts'
import { type OccurringIds, rankOf } from '../reader/input-ids.ts'
import { ScratchFiles } from './scratch-file.ts'
import { bytesOf } from '../../base/words.ts'
import { type Range, rangesOf } from '../../base/ranges.ts'
import { type CsrLayout, exactTargets, ListWalk, numbers } from '../formats/csr.ts'
import { StoredFile } from '../formats/stored-file.ts'
import type { GenerateArgs } from '../../contract/jobs.ts'
import { graphModel } from '../../generate/graph-model.ts'
import { BLOCK_TUPLES } from '../../generate/tuple-room.ts'

type EntryTaker = (records: Uint32Array) => void

export interface EntryBatches<Slice> {
  /** @returns false for irregular entries, on which a reader has to decide */
  each(slice: Slice, take: EntryTaker): boolean
  close(): void
}

export type EntrySource = CodedEntries | ListsInFile | GeneratedEntries

export type SourceSlice = EntrySlice | Range

export function openEntries(source: EntrySource): EntryBatches<SourceSlice> {
  switch (source.kind) {
    case 'coded':
      return codedEntries(source)
    case 'lists':
      return listEntries(source)
    case 'model':
      return modelEntries(source)
  }
}

const STEP = 1 << 14
const STEP_ARCS = 1 << 16

/** Codes below `direct` are labels, the others positions in the run of their segment. */
interface CodedEntries {
  readonly kind: 'coded'
  readonly recordWords: 2 | 3
  readonly direct: number
  /** The smallest of labels without gaps; null for others, whose ids are ranks. */
  readonly base: number | null
  /** The pairs of {@link OccurringIds}; null: there are no direct codes. */
  readonly pairs: Int32Array | null
}

interface EntrySlice extends Range {
  readonly segment: EntrySegment
}

/** Entries of scratch files with ids in place of their codes. */
function codedEntries({ recordWords, direct, base, pairs }: CodedEntries): EntryBatches<EntrySlice> {
  const files = new ScratchFiles()
  const records = new Uint32Array(STEP * recordWords)
  /** The run whose ids are loaded. */
  let loaded = ''
  let ids: Uint32Array = new Uint32Array(0)
  const load = (run: LabelRun): void => {
    const { path, count, permutationAt, ranksAt } = run
    const name = `${path} ${ranksAt}`
    if (name === loaded) return
    if (ids.length < count) ids = new Uint32Array(count)
    const [codes, ranks] = [new Uint32Array(STEP), new Uint32Array(STEP)]
    for (const { first, end } of rangesOf(count, STEP)) {
      files.read(path, bytesOf(codes.subarray(0, end - first)), permutationAt + 4 * first)
      files.read(ranksOf(run), bytesOf(ranks.subarray(0, end - first)), ranksAt + 4 * first)
      for (let i = 0; i < end - first; i++) ids[codes[i]!] = ranks[i]!
    }
    loaded = name
  }
  const each = ({ segment, first, end }: EntrySlice, take: EntryTaker): boolean => {
    const { path, at, run } = segment
    if (run !== null) load(run)
    const ofRun = ids
    const idOf = (code: number): number => {
      if (code >= direct) return ofRun[code - direct]!
      return base === null ? rankOf(pairs!, code) : code - base
    }
    for (let from = first; from < end; from += STEP) {
      const words = records.subarray(0, (Math.min(end, from + STEP) - from) * recordWords)
      files.read(path, bytesOf(words), at + 4 * recordWords * from)
      if (base !== 0 || run !== null)
        for (let i = 0; i < words.length; i += recordWords) {
          words[i] = idOf(words[i]!)
          words[i + 1] = idOf(words[i + 1]!)
        }
      take(words)
    }
    return true
  }
  return { each, close: () => files.close() }
}

interface ListsInFile {
  readonly kind: 'lists'
  readonly path: string
  readonly name: string
  readonly layout: CsrLayout
  readonly recordWords: 2 | 3
}

/** Entries of lists where they are; the reader of the format decides on those that are irregular. */
function listEntries({ path, name, layout, recordWords }: ListsInFile): EntryBatches<Range> {
  const file = StoredFile.open(path, name)
  const records = new Uint32Array(recordWords * STEP_ARCS)
  const fill = (first: number, targets: Uint32Array, weights: Float32Array | null, walk: ListWalk): boolean => {
    const bits = weights === null ? null : new Uint32Array(weights.buffer)
    for (let i = 0, at = 0; i < targets.length;) {
      const list = walk.at(first + i)
      if (list === null) return false
      const end = Math.min(targets.length, list.end - first)
      for (; i < end; i++) {
        const target = targets[i]!
        if (target >= layout.vertices) return false
        records[at++] = list.vertex
        records[at++] = target
        if (bits === null) continue
        if (!(weights![i]! > 0 && weights![i]! < Infinity)) return false
        records[at++] = bits[i]!
      }
    }
    return true
  }
  const each = ({ first, end }: Range, take: EntryTaker): boolean => {
    const walk = new ListWalk(file, layout, first)
    for (let from = first; from < end; from += STEP_ARCS) {
      const count = Math.min(STEP_ARCS, end - from)
      const targets = exactTargets(file, layout, from, count)
      const exact = recordWords === 3 ? numbers(file, layout.weights!, from, count) : null
      const weights = exact && new Float32Array(exact)
      if (exact?.some((weight, i) => weight !== weights![i]) === true) return false
      if (targets === null || !fill(from, targets, weights, walk)) return false
      take(records.subarray(0, recordWords * count))
    }
    return true
  }
  return { each, close: () => file.close() }
}

interface GeneratedEntries {
  readonly kind: 'model'
  readonly recordWords: 2
  readonly args: GenerateArgs
}

function modelEntries({ args }: GeneratedEntries): EntryBatches<Range> {
  const model = graphModel(args)
  const records = new Uint32Array(2 * BLOCK_TUPLES)
  const each = ({ first, end }: Range, take: EntryTaker): boolean => {
    model.draw(first, end, ({ count, from, to }) => {
      for (let i = 0; i < count; i++) {
        records[2 * i] = from[i]!
        records[2 * i + 1] = to[i]!
      }
      take(records.subarray(0, 2 * count))
    })
    return true
  }
  return { each, close: () => {} }
}

/** Texts are in scratch files. */
export type StoredSpace = Exclude<VertexSpace, { kind: 'text' }> | { readonly kind: 'text' }

/** Labels of one thread and epoch, ascending and unique, with their codes. */
export interface LabelRun {
  readonly path: string
  /** Bytes of the labels: u64, or u32 length and text. */
  readonly at: number
  readonly count: number
  /** u32 [count]: codes in the order of the labels. */
  readonly permutationAt: number
  /** u32 [count] in the file {@link ranksOf} it, once labels are ranked: their ids. */
  readonly ranksAt: number
}

export const ranksOf = ({ path }: LabelRun): string => `${path}.ranks`

/** Entries of one thread and epoch: u32 from, u32 to, f32 weight where weighted. */
export interface EntrySegment {
  readonly path: string
  readonly at: number
  readonly entries: number
  /** null where codes are ids or labels of the bitmap. */
  readonly run: LabelRun | null
}

/** The entries of a graph, before its labels are ids. */
export type GraphEntries = StoredEntries | ListsInFile | GeneratedEntries

export interface StoredEntries {
  readonly kind: 'stored'
  readonly recordWords: 2 | 3
  readonly segments: readonly EntrySegment[]
  /** Bit l: the label l occurs. null for texts. */
  readonly bitmapPath: string | null
  /** Up to the last label that occurs. */
  readonly bitmapWords: number
  readonly direct: number
}

const SLICE_ENTRIES = 1 << 19
const SLICE_TUPLES = 1 << 16
const SAMPLED_SLICES = 64
const SAMPLED_ENTRIES = 1 << 12
const SAMPLED_EACH = 32

export function sourceOf(entries: GraphEntries, base: number | null, occurring: OccurringIds | null) {
  if (entries.kind === 'lists') {
    const { arcs } = entries.layout
    return { source: entries, slices: rangesOf(arcs, SLICE_ENTRIES), total: arcs, entriesInAll: arcs }
  }
  if (entries.kind === 'model') {
    const { tuples, expectedEntries = tuples } = graphModel(entries.args)
    return { source: entries, slices: rangesOf(tuples, SLICE_TUPLES), total: tuples, entriesInAll: expectedEntries }
  }
  const slices = entries.segments.flatMap((segment) =>
    rangesOf(segment.entries, SLICE_ENTRIES).map((range) => ({ segment, ...range })),
  )
  const total = slices.reduce((sum, { first, end }) => sum + end - first, 0)
  const { recordWords, direct } = entries
  const source = { kind: 'coded', recordWords, direct, base, pairs: occurring?.pairs ?? null } as const
  return { source, slices, total, entriesInAll: total }
}

/** Ends of entries from all over the graph; null where a reader has to decide on some, or report them. */
export function sampleEnds(source: EntrySource, slices: readonly SourceSlice[], buckets: number): Uint32Array | null {
  const batches = openEntries(source)
  const words = source.recordWords
  const ends: number[] = []
  const take = (records: Uint32Array) => {
    for (let w = 0; w < records.length; w += words) ends.push(records[w]!, records[w + 1]!)
  }
  try {
    for (let i = 0; i < SAMPLED_SLICES && slices.length > 0; i++) {
      const slice = slices[Math.floor((i * slices.length) / SAMPLED_SLICES)]!
      const first = slice.first + Math.floor(((slice.end - slice.first) * (i % 8)) / 8)
      const end = Math.min(slice.end, first + Math.min(SAMPLED_ENTRIES, SAMPLED_EACH * buckets))
      if (!batches.each({ ...slice, first, end }, take)) return null
    }
  } finally {
    batches.close()
  }
  return Uint32Array.from(ends)
}
