import { usageFailure } from '../../base/failure.ts'
import type { JobContext } from '../../base/job.ts'
import type { GraphExportArgs, GraphExportOutcome } from '../../contract/jobs.ts'
import { csvTable, openExportedAttributes, requireCells, rowsOf, textChunks, writeChunks } from '../exported-file.ts'
import { type GaloisGr, openGraph } from '../../graph/galois-gr.ts'
import { labelLines, type Labels, openLabels } from '../../graph/labels.ts'
import { AttributeTable, VERTEX_TABLE } from '../../graph/attribute-table.ts'
import { type DescribedFormat, describedWriters, isDescribed, withDescribed } from './described-graph.ts'
import { type GraphWriter, graphWriters, type VertexWeights } from './graph-writers.ts'

/**
 * The user's ids go to FILE.labels where a format has no room for them. @throws Failure (usage) for graphs that a
 * format cannot carry; (storage); (cancelled)
 */
export async function writeGraphFile(args: GraphExportArgs, job: JobContext): Promise<GraphExportOutcome> {
  requireCells(args.format, args.spreadsheetSafe)
  requireEdgeList(args)
  if (isDescribed(args.format)) return writeDescribed(args, args.format, job)
  const writer = graphWriters[args.format]
  const graph = openGraph(args.folder, args.checksum, job)
  let table: AttributeTable | null = null
  try {
    if (writer.ownWeights !== undefined) table = await AttributeTable.open(args.folder, VERTEX_TABLE)
    const labels = openLabels(args.folder, graph.vertices)
    const own = ownWeights(table, writer)
    const chunks = writer.chunks(graph, labels, args, own === 'partly' ? null : own)
    const { isStream, bytes } = await writeChunks(args.output, chunks, job, args.gzip)
    const files = [args.output]
    const notes = notesOn(graph, args, writer)
    if (own === 'partly') notes.push('some vertices have no weight of their own: the attribute weight was left out')
    if (!countsFrom(labels, writer.ids, graph.vertices)) {
      const labelsFile = `${args.output}.labels`
      if (isStream) notes.push('a pipe or device has no file beside it: the ids of the vertices were left out')
      else files.push(labelsFile)
      if (!isStream) await writeChunks(labelsFile, textChunks(labelLines(labels, graph.vertices)), job)
    }
    if (args.vertices !== undefined) {
      await writeVertices(args, args.vertices, graph, labels, job)
      files.push(args.vertices)
    }
    return { files, bytes, vertices: graph.vertices, arcs: graph.arcs, notes }
  } finally {
    table?.close()
    graph.close()
  }
}

/** Formats with all that is known of the vertices; two of them have no edges. */
function writeDescribed(args: GraphExportArgs, format: DescribedFormat, job: JobContext): Promise<GraphExportOutcome> {
  return withDescribed(args, job, async (described) => {
    const { graph, labels } = described
    const chunks = describedWriters(described, args.spreadsheetSafe)[format]()
    const { bytes } = await writeChunks(args.output, chunks, job, args.gzip)
    const files = [args.output]
    if (args.vertices !== undefined) {
      await writeVertices(args, args.vertices, graph, labels, job)
      files.push(args.vertices)
    }
    const hasEdges = format === 'graphml' || format === 'gexf'
    const notes = hasEdges ? [] : [`${format} has the vertices: the edges were left out`]
    return { files, bytes, vertices: graph.vertices, arcs: graph.arcs, notes }
  })
}

/** What the vertices weigh by their attribute `weight`; `partly` where some have none, and the format has no room for that. */
function ownWeights(table: AttributeTable | null, { ownWeights: room }: GraphWriter): VertexWeights | 'partly' | null {
  const at = table?.columns.findIndex(({ name, kind }) => name === 'weight' && kind === 'number') ?? -1
  if (table === null || at < 0) return null
  const weights = function* (): Generator<number | null> {
    for (const [weight] of table.tuples([at])) yield weight as number | null
  }
  if (room === 'all') for (const weight of weights()) if (weight === null) return 'partly'
  return weights()
}

function requireEdgeList({ format, bare }: GraphExportArgs): void {
  if (bare !== true || format === 'edge-list') return
  throw usageFailure(undefined, `${format} has no comment that could be left out`, '', [
    { action: 'set', option: 'format', to: 'edge-list' },
  ])
}

function countsFrom(labels: Labels, ids: GraphWriter['ids'], vertices: number): boolean {
  if (ids === 'labels' || vertices === 0) return true
  return labels.kind === 'dense' && labels.of(0) === String(ids)
}

/** Those of vertices without edges are here, too. */
async function writeVertices(
  { folder, spreadsheetSafe }: GraphExportArgs,
  output: string,
  { vertices }: GaloisGr,
  labels: Labels,
  job: JobContext,
): Promise<void> {
  const attributes = await openExportedAttributes(folder, vertices)
  try {
    await writeChunks(
      output,
      csvTable({ keys: ['id'], rows: rowsOf(vertices) }, { labels, attributes }, spreadsheetSafe),
      job,
    )
  } finally {
    attributes.close()
  }
}

function notesOn(
  graph: GaloisGr,
  { format, vertices }: GraphExportArgs,
  { ids, leavesOutWeights, roundsWeights }: GraphWriter,
): string[] {
  return [
    ...(graph.weighted && leavesOutWeights ? [`${format} has no room for weights: they were left out`] : []),
    ...(graph.hasValues && roundsWeights
      ? [`${format} has room for 32-bit floats: weights were rounded to these`]
      : []),
    ...(ids === 'labels' && vertices === undefined
      ? [`${format} lists edges only: vertices without any are in a table of the vertices alone`]
      : []),
  ]
}
