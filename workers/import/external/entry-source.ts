import { CodedBatches, type CodedEntries, type EntrySegment, type EntrySlice, type OccurringIds } from './entry-ids.ts'
import type { RankedLabels } from './rank-labels.ts'
import { type Range, rangesOf } from '../../base/ranges.ts'
import { type CsrLayout, exactTargets, ListWalk, numbers } from '../formats/csr.ts'
import { StoredFile } from '../formats/stored-file.ts'
import type { GenerateArgs } from '../../contract/jobs.ts'
import { graphModel, type GraphModel } from '../../generate/graph-model.ts'

type EntryTaker = (records: Uint32Array) => void

export interface EntryBatches<Slice> {
  /** @returns false for irregular entries, on which a reader has to decide */
  each(slice: Slice, take: EntryTaker): boolean
  close(): void
}

export type EntrySource = CodedEntries | ListsInFile | GeneratedEntries

export type SourceSlice = EntrySlice | Range

export function recordWordsOf(source: EntrySource): 2 | 3 {
  if (source.kind === 'coded') return source.recordWords
  return source.kind === 'lists' && source.weighted ? 3 : 2
}

export function openEntries(source: EntrySource): EntryBatches<SourceSlice> {
  switch (source.kind) {
    case 'coded':
      return new CodedBatches(source)
    case 'lists':
      return new ListEntries(source)
    case 'model':
      return new ModelEntries(source)
  }
}

const STEP = 1 << 14
const STEP_ARCS = 1 << 16

export interface ListsInFile {
  readonly kind: 'lists'
  readonly path: string
  readonly name: string
  readonly layout: CsrLayout
  readonly weighted: boolean
}

class ListEntries implements EntryBatches<Range> {
  readonly #lists: ListsInFile
  readonly #file: StoredFile

  constructor(lists: ListsInFile) {
    this.#lists = lists
    this.#file = StoredFile.open(lists.path, lists.name)
  }

  each({ first, end }: Range, take: EntryTaker): boolean {
    const { layout, weighted } = this.#lists
    const walk = new ListWalk(this.#file, layout, first)
    const records = new Uint32Array((weighted ? 3 : 2) * STEP_ARCS)
    for (let from = first; from < end; from += STEP_ARCS) {
      const count = Math.min(STEP_ARCS, end - from)
      const targets = exactTargets(this.#file, layout, from, count)
      const weights = weighted ? new Float32Array(numbers(this.#file, layout.weights!, from, count)) : null
      if (targets === null || !this.#fill(records, from, targets, weights, walk)) return false
      take(records.subarray(0, (weighted ? 3 : 2) * count))
    }
    return true
  }

  close(): void {
    this.#file.close()
  }

  /** false: the reader of the format decides. */
  #fill(
    records: Uint32Array,
    first: number,
    targets: Uint32Array,
    weights: Float32Array | null,
    walk: ListWalk,
  ): boolean {
    const { vertices } = this.#lists.layout
    const bits = weights === null ? null : new Uint32Array(weights.buffer)
    for (let i = 0, at = 0; i < targets.length;) {
      const list = walk.at(first + i)
      if (list === null) return false
      const end = Math.min(targets.length, list.end - first)
      for (; i < end; i++) {
        const target = targets[i]!
        if (target >= vertices) return false
        records[at++] = list.vertex
        records[at++] = target
        if (bits === null) continue
        if (!(weights![i]! > 0 && weights![i]! < Infinity)) return false
        records[at++] = bits[i]!
      }
    }
    return true
  }
}

export interface GeneratedEntries {
  readonly kind: 'model'
  readonly args: GenerateArgs
}

class ModelEntries implements EntryBatches<Range> {
  readonly #model: GraphModel
  readonly #records = new Uint32Array(2 * STEP)

  constructor({ args }: GeneratedEntries) {
    this.#model = graphModel(args)
  }

  each({ first, end }: Range, take: EntryTaker): boolean {
    const records = this.#records
    let at = 0
    this.#model.write(first, end, (from, to) => {
      records[at] = from
      records[at + 1] = to
      at += 2
      if (at < records.length) return
      take(records)
      at = 0
    })
    if (at > 0) take(records.subarray(0, at))
    return true
  }

  close(): void {}
}

/** Of a graph, before its labels are ids. */
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

/** A reader has to decide or report. */
export class IrregularEntries extends Error {}

interface SlicedSource {
  readonly source: EntrySource
  readonly slices: readonly SourceSlice[]
  readonly total: number
  readonly entriesInAll: number
}

export function sourceOf(entries: GraphEntries, labels: RankedLabels, occurring: OccurringIds | null): SlicedSource {
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
  const source = { kind: 'coded', recordWords, direct, base: labels.base, pairs: occurring?.pairs ?? null } as const
  return { source, slices, total, entriesInAll: total }
}

/** Ends of entries from all over the graph. @throws IrregularEntries */
export function sampleEnds(source: EntrySource, slices: readonly SourceSlice[], buckets: number): Uint32Array {
  const batches = openEntries(source)
  const words = recordWordsOf(source)
  const ends: number[] = []
  const take = (records: Uint32Array) => {
    for (let w = 0; w < records.length; w += words) ends.push(records[w]!, records[w + 1]!)
  }
  try {
    for (let i = 0; i < SAMPLED_SLICES && slices.length > 0; i++) {
      const slice = slices[Math.floor((i * slices.length) / SAMPLED_SLICES)]!
      const first = slice.first + Math.floor(((slice.end - slice.first) * (i % 8)) / 8)
      const end = Math.min(slice.end, first + Math.min(SAMPLED_ENTRIES, SAMPLED_EACH * buckets))
      if (!batches.each({ ...slice, first, end }, take)) throw new IrregularEntries()
    }
  } finally {
    batches.close()
  }
  return Uint32Array.from(ends)
}
