import {
  type EntrySource,
  type GeneratedEntries,
  type ListsInFile,
  openEntries,
  recordWordsOf,
  type SourceSlice,
} from './entry-source.ts'
import { graphModel } from '../../generate/graph-model.ts'
import type { EntrySlice, RankedRun } from './entry-ids.ts'
import type { OccurringIds } from './occurring-ids.ts'
import type { StoredEntries } from './spilled-entries.ts'
import type { RankedLabels } from './rank-labels.ts'
import { rangesOf } from '../../base/ranges.ts'

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

export function sourceOf(entries: StoredEntries, labels: RankedLabels, occurring: OccurringIds | null): SlicedSource {
  if (entries.elsewhere !== undefined) return slicedElsewhere(entries.elsewhere)
  const slices = slicesOf(entries, labels.runs)
  const total = slices.reduce((sum, { first, last }) => sum + last - first, 0)
  const { base, ranksPath } = labels
  const { recordWords, direct } = entries
  const source = { kind: 'coded', recordWords, direct, base, pairs: occurring?.pairs ?? null, ranksPath } as const
  return { source, slices, total, entriesInAll: total }
}

function slicedElsewhere(source: ListsInFile | GeneratedEntries): SlicedSource {
  if (source.kind === 'lists') {
    const { arcs } = source.layout
    return { source, slices: rangesOf(arcs, SLICE_ENTRIES), total: arcs, entriesInAll: arcs }
  }
  const { tuples, expectedEntries = tuples } = graphModel(source.args)
  return { source, slices: rangesOf(tuples, SLICE_TUPLES), total: tuples, entriesInAll: expectedEntries }
}

function slicesOf({ segments }: StoredEntries, runs: readonly RankedRun[]): EntrySlice[] {
  const slices: EntrySlice[] = []
  let next = 0
  for (const { run, ...rest } of segments) {
    const segment = { ...rest, run: run === null ? null : runs[next++]! }
    for (const range of rangesOf(segment.entries, SLICE_ENTRIES)) slices.push({ segment, ...range })
  }
  return slices
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
      const first = slice.first + Math.floor(((slice.last - slice.first) * (i % 8)) / 8)
      const last = Math.min(slice.last, first + Math.min(SAMPLED_ENTRIES, SAMPLED_EACH * buckets))
      if (!batches.each({ ...slice, first, last }, take)) throw new IrregularEntries()
    }
  } finally {
    batches.close()
  }
  return Uint32Array.from(ends)
}
