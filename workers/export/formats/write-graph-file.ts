import { usageFailure } from '../../base/failure.ts'
import type { JobContext } from '../../base/job.ts'
import type { GraphExportArgs, GraphExportFormat, GraphExportOutcome } from '../../contract/jobs.ts'
import { textChunks, writeChunks } from '../write-chunks.ts'
import { arrowChunks, eclChunks, galoisChunks, gapbsChunks, parquetChunks, viteChunks } from './binary-writers.ts'
import { ExportedGraph } from './exported-graph.ts'
import {
  csvLines,
  dimacs9Lines,
  dimacsLines,
  edgeListLines,
  labelLines,
  matrixMarketLines,
  metisLines,
  pbbsLines,
  requireCells,
} from './text-writers.ts'

interface GraphWriter {
  readonly chunks: (graph: ExportedGraph, options: GraphExportArgs) => Iterable<Uint8Array>
  readonly ids: 'labels' | 0 | 1
  readonly leavesOutWeights?: true
}

const text = (lines: (graph: ExportedGraph) => Iterable<string>) => (graph: ExportedGraph) => textChunks(lines(graph))

const writers: Readonly<Record<GraphExportFormat, GraphWriter>> = {
  'matrix-market': { chunks: text(matrixMarketLines), ids: 1 },
  'edge-list': { chunks: (graph, { bare }) => textChunks(edgeListLines(graph, bare)), ids: 'labels' },
  csv: { chunks: (graph, { spreadsheetSafe }) => textChunks(csvLines(graph, spreadsheetSafe)), ids: 'labels' },
  metis: { chunks: text(metisLines), ids: 1 },
  dimacs: { chunks: text(dimacsLines), ids: 1, leavesOutWeights: true },
  dimacs9: { chunks: text(dimacs9Lines), ids: 1 },
  pbbs: { chunks: text(pbbsLines), ids: 0 },
  galois: { chunks: (graph) => galoisChunks(graph, 1), ids: 0 },
  galois2: { chunks: (graph) => galoisChunks(graph, 2), ids: 0 },
  egr: { chunks: (graph) => eclChunks(graph, 32), ids: 0 },
  egr64: { chunks: (graph) => eclChunks(graph, 64), ids: 0 },
  sg: { chunks: (graph) => gapbsChunks(graph, false), ids: 0, leavesOutWeights: true },
  wsg: { chunks: (graph) => gapbsChunks(graph, true), ids: 0 },
  vite: { chunks: viteChunks, ids: 0 },
  parquet: { chunks: parquetChunks, ids: 'labels' },
  arrow: { chunks: arrowChunks, ids: 'labels' },
}

/**
 * The user's ids go to FILE.labels where a format has no room for them. @throws Failure (usage) for graphs that a
 * format cannot carry; (storage); (cancelled)
 */
export async function writeGraphFile(args: GraphExportArgs, job: JobContext): Promise<GraphExportOutcome> {
  requireCells(args.format, args.spreadsheetSafe)
  requireEdgeList(args)
  const writer = writers[args.format]
  const graph = new ExportedGraph(args, job)
  try {
    const chunks = writer.chunks(graph, args)
    const { isStream, bytes } = await writeChunks(args.output, chunks, job, args.gzip)
    const files = [args.output]
    const notes = notesOn(graph, args.format, writer)
    if (!countsFrom(graph, writer.ids)) {
      const labelsFile = `${args.output}.labels`
      if (isStream) notes.push('a pipe or device has no file beside it: the ids of the vertices were left out')
      else files.push(labelsFile)
      if (!isStream) await writeChunks(labelsFile, textChunks(labelLines(graph)), job)
    }
    return { files, bytes, vertices: graph.vertices, arcs: graph.arcs, notes }
  } finally {
    graph.close()
  }
}

function requireEdgeList({ format, bare }: GraphExportArgs): void {
  if (bare !== true || format === 'edge-list') return
  throw usageFailure(undefined, `${format} has no comment that could be left out`, '', [
    { action: 'set', option: 'format', to: 'edge-list' },
  ])
}

function countsFrom(graph: ExportedGraph, ids: GraphWriter['ids']): boolean {
  if (ids === 'labels' || graph.vertices === 0) return true
  return graph.labels.kind === 'dense' && graph.labels.of(0) === String(ids)
}

function notesOn(graph: ExportedGraph, format: GraphExportFormat, { ids, leavesOutWeights }: GraphWriter): string[] {
  return [
    ...(graph.weighted && leavesOutWeights ? [`${format} has no room for weights: they were left out`] : []),
    ...(ids === 'labels' ? [`${format} lists edges only: vertices without any are not in the file`] : []),
  ]
}
