/**
 * A graph with all that is known of its vertices, as other programs read it: GraphML (Gephi, Cytoscape, yEd, NetworkX), GEXF 1.2 (Gephi), GeoJSON
 * points (QGIS), or a table of vertices. Each vertex has its id, its degree, what a result says of it, its place and its attributes; each edge its
 * weight, and of a matching whether it is a pair. Lists are streamed once. export-set.ts says what a result adds, graph-writers.ts has the
 * formats that carry edges alone.
 */

import { usageFailure } from '../../base/failure.ts'
import type { JobContext } from '../../base/job.ts'
import type { AttributeValue, GraphPlace } from '../../contract/jobs.ts'
import type { NamedKind } from '../../graph/attribute-table.ts'
import { type GaloisGr, openGraph } from '../../graph/galois-gr.ts'
import { type Labels, openLabels } from '../../graph/labels.ts'
import { arcPieces } from '../../graph/scan-lists.ts'
import { openVertexPlaces } from '../../graph/vertex-places.ts'
import { csvRows, openExportedAttributes, type RowWords, textChunks } from '../exported-file.ts'

/** What a result says of every vertex. */
interface ResultColumn extends NamedKind {
  of(v: number): AttributeValue
}

export interface DescribedGraph extends RowWords {
  readonly graph: GaloisGr
  readonly places: ReturnType<typeof openVertexPlaces>
  /** Absent: the graph alone. */
  readonly result?: readonly ResultColumn[]
  /** The other ends of a vertex's pairs, for a matching and a b-matching. */
  readonly partnersOf?: ((v: number) => readonly number[] | Uint32Array) | undefined
}

type Lines = Generator<string>
type Row = readonly AttributeValue[]

const POSITION = { x: { name: 'x', kind: 'number' }, y: { name: 'y', kind: 'number' } } as const

/** Opens a graph with all that is known of it, while it is used. @throws Failure (input) where a file is damaged */
export async function withDescribed<Result>(
  { folder, checksum }: GraphPlace,
  job: JobContext,
  use: (described: DescribedGraph) => Promise<Result>,
): Promise<Result> {
  const files: ({ close(): void } | null)[] = []
  const closing = <File extends { close(): void } | null>(file: File): File => {
    files.unshift(file)
    return file
  }
  try {
    const graph = closing(openGraph(folder, checksum, job))
    const attributes = closing(await openExportedAttributes(folder, graph.vertices))
    const places = closing(openVertexPlaces(folder, graph.vertices))
    return await use({ graph, attributes, places, labels: openLabels(folder, graph.vertices) })
  } finally {
    for (const file of files) file?.close()
  }
}

/** Columns behind the id, and the row of a vertex, which has them in that order. */
function describedColumns({ graph, attributes, places, result = [] }: DescribedGraph) {
  const offsets = offsetsOf(graph)
  const own: readonly NamedKind[] = [
    ...result.map(({ name, kind }) => ({ name, kind })),
    { name: 'degree', kind: 'number' },
    ...(places === null ? [] : [POSITION.x, POSITION.y]),
  ]
  const known = attributes.behind(['id'], ['id', ...own.map(({ name }) => name)])
  const rowOf = (v: number): Row => {
    const place = places?.of(v) ?? null
    return [
      ...result.map(({ of }) => of(v)),
      offsets(v),
      ...(places === null ? [] : [place?.x ?? null, place?.y ?? null]),
      ...known.of([v]),
    ]
  }
  return { columns: [...own, ...known.columns], rowOf }
}

/** Degrees of vertices that are asked for in ascending order. */
function offsetsOf(graph: GaloisGr): (v: number) => number {
  const EACH = 1 << 16
  let [first, offsets] = [0, graph.readOffsets(0, Math.min(EACH, graph.vertices))]
  return (v) => {
    if (v < first || v >= first + offsets.length - 1) {
      first = v - (v % EACH)
      offsets = graph.readOffsets(first, Math.min(first + EACH, graph.vertices))
    }
    return Number(offsets[v - first + 1]!) - Number(offsets[v - first]!)
  }
}

/** Characters that XML has no way to write. */
const NO_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    // A reader would make blanks of them.
    .replaceAll(/[\t\n\r]/g, (blank) => `&#${blank.charCodeAt(0)};`)

/** @throws Failure (usage) for an id that XML cannot have */
function xmlId(labels: Labels): (v: number) => string {
  return (v) => {
    const label = labels.of(v)
    if (!NO_XML.test(label)) return escaped(label)
    throw usageFailure(JSON.stringify(label), 'XML cannot write an id with such a character', 'Write CSV.')
  }
}

const xmlText = (value: string | number | boolean): string =>
  escaped(String(value).replaceAll(new RegExp(NO_XML, 'g'), '\ufffd'))

interface Edge {
  readonly u: number
  readonly v: number
  readonly weight: number | null
  readonly row: Row
}

/** Edges with their weights; columns of the others: whether it is a pair, and attributes. */
function describedEdges({ graph, attributes, partnersOf }: DescribedGraph) {
  const own: readonly NamedKind[] = partnersOf === undefined ? [] : [{ name: 'matched', kind: 'boolean' }]
  const known = attributes.ofEdges(['id', 'source', 'target', 'weight', ...own.map(({ name }) => name)])
  const edges = function* (): Generator<Edge> {
    for (const { sources, targets, weights } of arcPieces(graph))
      for (let i = 0; i < targets.length; i++) {
        const [u, v] = [sources[i]!, targets[i]!]
        if (u >= v) continue
        const matched = partnersOf === undefined ? [] : [partnersOf(u).includes(v)]
        yield { u, v, weight: weights?.[i] ?? null, row: [...matched, ...known.of(u, v)] }
      }
  }
  return { columns: [...own, ...known.columns], edges }
}

const graphmlTypes = { number: 'double', text: 'string', boolean: 'boolean' } as const

function* graphmlLines(described: DescribedGraph): Lines {
  const { graph, labels } = described
  const { columns, rowOf } = describedColumns(described)
  const { columns: ofEdges, edges } = describedEdges(described)
  const id = xmlId(labels)
  const cellsOf = (row: Row, key: string): string =>
    row.map((value, i) => (value === null ? '' : `<data key="${key}${i}">${xmlText(value)}</data>`)).join('')
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
  for (const [i, { name, kind }] of columns.entries())
    yield `  <key id="v${i}" for="node" attr.name="${xmlText(name)}" attr.type="${graphmlTypes[kind]}"/>\n`
  if (graph.weighted) yield '  <key id="weight" for="edge" attr.name="weight" attr.type="double"/>\n'
  for (const [i, { name, kind }] of ofEdges.entries())
    yield `  <key id="e${i}" for="edge" attr.name="${xmlText(name)}" attr.type="${graphmlTypes[kind]}"/>\n`
  yield '  <graph edgedefault="undirected">\n'
  for (let v = 0; v < graph.vertices; v++) yield `    <node id="${id(v)}">${cellsOf(rowOf(v), 'v')}</node>\n`
  for (const { u, v, weight, row } of edges()) {
    const weighed = weight === null ? '' : `<data key="weight">${weight}</data>`
    yield `    <edge source="${id(u)}" target="${id(v)}">${weighed}${cellsOf(row, 'e')}</edge>\n`
  }
  yield '  </graph>\n</graphml>\n'
}

/** GEXF 1.2: nodes are called by their names, where they have some, and stand at their places. */
function* gexfLines(described: DescribedGraph): Lines {
  const { graph, labels, places } = described
  const { columns, rowOf } = describedColumns(described)
  const { columns: ofEdges, edges } = describedEdges(described)
  const id = xmlId(labels)
  const cellsOf = (row: Row, key: string): string => {
    const cells = row.map((value, i) =>
      value === null ? '' : `<attvalue for="${key}${i}" value="${xmlText(value)}"/>`,
    )
    return cells.every((cell) => cell === '') ? '' : `<attvalues>${cells.join('')}</attvalues>`
  }
  const name = columns.findIndex((column) => column.name === 'name' && column.kind === 'text')
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<gexf xmlns="http://www.gexf.net/1.2draft" xmlns:viz="http://www.gexf.net/1.2draft/viz" version="1.2">\n'
  yield '  <graph defaultedgetype="undirected" mode="static">\n'
  for (const [of, key, all] of [
    ['node', 'v', columns],
    ['edge', 'e', ofEdges],
  ] as const) {
    if (all.length === 0) continue
    yield `    <attributes class="${of}" mode="static">\n`
    for (const [i, { name: title, kind }] of all.entries())
      yield `      <attribute id="${key}${i}" title="${xmlText(title)}" type="${graphmlTypes[kind]}"/>\n`
    yield '    </attributes>\n'
  }
  yield '    <nodes>\n'
  for (let v = 0; v < graph.vertices; v++) {
    const row = rowOf(v)
    const place = places?.of(v) ?? null
    const at = place === null ? '' : `<viz:position x="${place.x}" y="${place.y}" z="0"/>`
    const label = name < 0 || row[name] == null ? id(v) : xmlText(row[name]!)
    yield `      <node id="${id(v)}" label="${label}">${cellsOf(row, 'v')}${at}</node>\n`
  }
  yield '    </nodes>\n    <edges>\n'
  let edge = 0
  for (const { u, v, weight, row } of edges()) {
    const weighed = weight === null ? '' : ` weight="${weight}"`
    yield `      <edge id="${edge++}" source="${id(u)}" target="${id(v)}"${weighed}>${cellsOf(row, 'e')}</edge>\n`
  }
  yield '    </edges>\n  </graph>\n</gexf>\n'
}

/**
 * RFC 7946: a point for every vertex that has a place, with all that is known of it, and a line for every pair of a matching.
 * @throws Failure (usage) without places, or for places that are no longitudes and latitudes
 */
function* geojsonLines(described: DescribedGraph): Lines {
  const { graph, labels, places, partnersOf } = described
  if (places === null)
    throw usageFailure(undefined, 'the vertices of this graph have no places', 'Write GraphML or a table of vertices.')
  const { columns, rowOf } = describedColumns(described)
  const spot = (v: number): readonly [number, number] | null => {
    const place = places.of(v)
    if (place === null) return null
    if (Math.abs(place.x) <= 180 && Math.abs(place.y) <= 90) return [place.x, place.y]
    const what = `the place ${place.x}, ${place.y} of a vertex is no longitude and latitude`
    throw usageFailure(labels.of(v), what, 'Write GraphML or GEXF, which have places of any kind.')
  }
  const number = (label: string): string | number =>
    labels.kind !== 'text' && Number.isSafeInteger(Number(label)) ? Number(label) : label
  yield '{"type":"FeatureCollection","features":[\n'
  let separator = ''
  for (let v = 0; v < graph.vertices; v++) {
    const row = rowOf(v)
    const coordinates = spot(v)
    const properties = { id: labels.of(v), ...Object.fromEntries(columns.map(({ name }, i) => [name, row[i] ?? null])) }
    const geometry = coordinates === null ? null : { type: 'Point', coordinates }
    yield `${separator}${JSON.stringify({ type: 'Feature', id: number(labels.of(v)), geometry, properties })}`
    separator = ',\n'
  }
  for (let v = 0; partnersOf !== undefined && v < graph.vertices; v++)
    for (const mate of partnersOf(v)) {
      const [from, to] = [spot(v), mate > v ? spot(mate) : null]
      if (from === null || to === null) continue
      const properties = { source: labels.of(v), target: labels.of(mate), matched: true }
      const geometry = { type: 'LineString', coordinates: [from, to] }
      yield `${separator}${JSON.stringify({ type: 'Feature', geometry, properties })}`
    }
  yield '\n]}\n'
}

function describedCsv(described: DescribedGraph, safe?: boolean): Iterable<Uint8Array> {
  const { columns, rowOf } = describedColumns(described)
  const rows = function* (): Generator<readonly AttributeValue[]> {
    for (let v = 0; v < described.graph.vertices; v++) yield [described.labels.of(v), ...rowOf(v)]
  }
  const names = ['id', ...columns.map(({ name }) => name)]
  return csvRows(names, rows(), described.labels.kind === 'text' ? 1 : 0, safe)
}

/** The formats that have all that is known of the vertices. */
const describedFormats = ['graphml', 'gexf', 'geojson', 'vertices'] as const
export type DescribedFormat = (typeof describedFormats)[number]

export const isDescribed = <Format extends string>(format: Format): format is Format & DescribedFormat =>
  describedFormats.some((one) => one === format)

export const describedWriters = (
  described: DescribedGraph,
  spreadsheetSafe: boolean | undefined,
): Readonly<Record<DescribedFormat, () => Iterable<Uint8Array>>> => ({
  graphml: () => textChunks(graphmlLines(described)),
  gexf: () => textChunks(gexfLines(described)),
  geojson: () => textChunks(geojsonLines(described)),
  vertices: () => describedCsv(described, spreadsheetSafe),
})
