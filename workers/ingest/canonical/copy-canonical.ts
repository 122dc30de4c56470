import { join } from 'node:path'
import { GR_HEADER_BYTES, grLayout } from '../../graph/galois-gr.ts'
import type { JobContext } from '../../job.ts'
import type { DatasetFacts, GraphFormat, ImportArgs, ImportReport } from '../../jobs.ts'
import { FileWriter } from '../file-writer.ts'
import type { CsrLayout } from '../formats/csr-layout.ts'
import { eclLayout } from '../formats/ecl.ts'
import { galoisLayout } from '../formats/galois.ts'
import { gapbsLayout } from '../formats/gapbs.ts'
import { recogniseBinary } from '../formats/recognise.ts'
import { StoredFile } from '../formats/stored-file.ts'
import { MAX_VERTICES } from '../graph-reader.ts'
import { countedReport } from '../import-report.ts'
import { Pace } from '../pace.ts'
import { WeightPolicy } from '../weight-policy.ts'
import { GRAPH_FILE, makeDatasetFolder, writeReport } from '../write-dataset.ts'
import { labelFacts } from '../write-labels.ts'
import { CanonicalSource, type ListFacts } from './canonical-source.ts'

const layouts: Partial<Record<GraphFormat, (file: StoredFile) => CsrLayout | null>> = {
  galois: galoisLayout,
  egr: eclLayout,
  gapbs: gapbsLayout,
}

/** The graph as it was written. */
interface Copied extends ListFacts {
  readonly checksum: string
  readonly sourceSha256: string
}

/**
 * Imports a binary adjacency file that is a canonical graph already by copying it, checked on the way, in one pass and a few
 * MiB of memory: nothing needs sorting. What comes out, report included, is what the long way gives.
 * @returns null when the file is of another kind, or turns out not to be canonical: nothing was kept then
 * @throws Failure (storage), (cancelled), (input) for a taken name
 */
export async function copyCanonical(
  args: ImportArgs,
  startedMs: number,
  job: JobContext,
): Promise<DatasetFacts | null> {
  const changesWeights = args.weightRule === 'shift' || args.invertWeights === true
  const several = args.sources !== undefined && args.sources.length > 0
  if (changesWeights || several || (args.format !== undefined && layouts[args.format] === undefined)) return null
  const file = StoredFile.open(args.source)
  try {
    const found = args.format === undefined ? recogniseBinary(file) : { format: args.format, reason: 'it was said so' }
    const layout = found === null ? null : (layouts[found.format]?.(file) ?? null)
    if (found === null || layout === null || layout.vertices > MAX_VERTICES) return null
    const source = new CanonicalSource(file, layout, args.ignoreWeights === true)
    const { vertices, arcs } = layout
    const bytes = grLayout(vertices, arcs, source.weights !== null).fileBytes
    const facts = await makeDatasetFolder(args.folder, bytes, async (aside) => {
      const copied = await copyGraph(source, layout, file, join(aside, GRAPH_FILE), job)
      if (copied === null) return null
      const report = reportOf(args, found.format, layout, source, copied, file, startedMs)
      await writeReport(aside, report)
      return factsOf(report, copied, bytes)
    })
    if (facts !== null) job.log(`format: ${found.format}, because ${found.reason}; canonical already, so it was copied`)
    return facts
  } finally {
    file.close()
  }
}

async function copyGraph(
  source: CanonicalSource,
  { vertices, arcs }: CsrLayout,
  file: StoredFile,
  path: string,
  job: JobContext,
): Promise<Copied | null> {
  const pace = new Pace(job)
  const output = new FileWriter(path)
  const rest = (done: number): Promise<void> => pace.rest({ phase: 'read', done, total: file.bytes, unit: 'bytes' })
  const put = async (array: Uint32Array | Float32Array, done: number): Promise<void> => {
    output.write(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
    output.flushBehind()
    await rest(done)
  }
  try {
    const header = new BigUint64Array(GR_HEADER_BYTES / 8)
    header.set([1n, source.weights === null ? 0n : 4n, BigInt(vertices), BigInt(arcs)])
    output.write(new Uint8Array(header.buffer))
    const lists = await source.ends(put)
    if (lists === null || !(await source.targets(put))) return null
    if (arcs % 2 === 1) output.write(new Uint8Array(4))
    await source.weightValues(put)
    // The disk takes what is written while the source is hashed.
    const [checksum, sourceSha256] = await Promise.all([
      output.finish(),
      file.sha256((done) => pace.rest({ phase: 'checksum', done, total: file.bytes, unit: 'bytes' })),
    ])
    return { ...lists, checksum, sourceSha256 }
  } finally {
    output.close()
  }
}

function reportOf(
  args: ImportArgs,
  format: GraphFormat,
  { vertices, arcs, warnings }: CsrLayout,
  source: CanonicalSource,
  copied: Copied,
  file: StoredFile,
  startedMs: number,
): ImportReport {
  const rule = args.weightRule ?? 'reject'
  const policy = new WeightPolicy({ rule, zeroMeansPattern: false })
  return countedReport(
    {
      source: args.sourceName ?? args.source,
      format,
      compression: 'none',
      sourceBytes: file.bytes,
      sourceSha256: copied.sourceSha256,
      lines: 0,
      entries: arcs,
      warnings: [...warnings, ...policy.warnings()],
      policy: { rule, absolute: 0, dropped: 0 },
      merge: args.merge,
      weightMap: null,
      startedMs,
    },
    {
      vertices,
      arcs,
      loopsRemoved: 0,
      duplicatesMerged: 0,
      reverseArcsAdded: 0,
      isolatedVertices: copied.isolated,
      labels: labelFacts({ kind: 'dense', base: 0 }, vertices),
      weights: source.weights === null ? null : { smallest: source.smallest, largest: source.largest },
    },
  )
}

function factsOf(report: ImportReport, { maxDegree, checksum }: Copied, bytes: number): DatasetFacts {
  const { vertices, arcs, weights } = report
  const meanDegree = vertices === 0 ? 0 : arcs / vertices
  return { vertices, arcs, maxDegree, meanDegree, weighted: weights !== null, bytes, checksum, report }
}
