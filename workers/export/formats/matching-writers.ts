import type { SchemaElement } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { Labels } from '../../graph/labels.ts'
import type { Matching } from '../../graph/matching.ts'
import { NO_MATE } from '../../graph/matching.ts'
import { npyHeader } from '../npy.ts'
import { csvField } from './csv-field.ts'
import { idColumn, idValues } from './parquet-set.ts'

const GROUP_ROWS = 1 << 17

/** A pair a line, in the user's ids. */
export function* pairLines({ matching, labels }: ExportedMatching): Generator<string> {
  for (const [u, v] of matching.pairs()) yield `${labels.of(u)}\t${labels.of(v)}\n`
}

export function* pairCsvLines({ matching, labels }: ExportedMatching, safe: boolean | undefined): Generator<string> {
  yield 'source,target\n'
  for (const [u, v] of matching.pairs()) yield `${csvField(labels.of(u), safe)},${csvField(labels.of(v), safe)}\n`
}

export interface ExportedMatching {
  readonly matching: Matching
  readonly labels: Labels
}

/** Every vertex with the number of its aggregate: two that are matched share one, every other has its own. */
export function* aggregateLines({ matching, labels }: ExportedMatching, safe: boolean | undefined): Generator<string> {
  yield 'id,aggregate\n'
  const { numbers } = aggregatesOf(matching)
  for (let v = 0; v < numbers.length; v++) yield `${csvField(labels.of(v), safe)},${numbers[v]}\n`
}

/** The same for NumPy: u32 [n] in the order of the vertices. */
export function* aggregateNpyChunks({ matching }: ExportedMatching): Generator<Uint8Array> {
  const { numbers } = aggregatesOf(matching)
  yield npyHeader('<u4', numbers.length)
  yield new Uint8Array(numbers.buffer)
}

/** Aggregates of a matching, for coarsening: numbered from 0 by their smaller vertex. */
function aggregatesOf({ mates }: Matching): { readonly numbers: Uint32Array; readonly count: number } {
  const numbers = new Uint32Array(mates.length)
  let count = 0
  for (let v = 0; v < mates.length; v++) {
    const mate = mates[v]!
    numbers[v] = mate !== NO_MATE && mate < v ? numbers[mate]! : count++
  }
  return { numbers, count }
}

/** Pairs as Parquet: columns source and target, in the user's ids. */
export function* pairParquetChunks({ matching, labels }: ExportedMatching): Generator<Uint8Array> {
  const bytes = new ByteWriter(1 << 20)
  const columns = [idColumn('source', labels), idColumn('target', labels)]
  const schema: SchemaElement[] = [{ name: 'root', num_children: 2 }, ...columns]
  const writer = new ParquetWriter({ writer: bytes, schema, createdBy: 'anticlique' })
  const taken = (): Uint8Array => {
    const chunk = bytes.getBytes().slice()
    bytes.index = 0
    return chunk
  }
  let sources: number[] = []
  let targets: number[] = []
  const write = (): void => {
    const columnData = [
      { name: 'source', data: idValues(sources, labels) },
      { name: 'target', data: idValues(targets, labels) },
    ]
    void writer.write({ columnData, rowGroupSize: sources.length })
    sources = []
    targets = []
  }
  for (const [u, v] of matching.pairs()) {
    sources.push(u)
    targets.push(v)
    if (sources.length < GROUP_ROWS) continue
    write()
    yield taken()
  }
  if (sources.length > 0) write()
  void writer.finish()
  yield taken()
}
