/**
 * What is drawn as a graph of its own, for other programs: GraphML, GEXF, GeoJSON and CSV, all from the same facts of a vertex. A vertex keeps its
 * id. A group has an id that no vertex has, says that it is one, by which vertex it is called, and how many of its vertices the result has: it is no
 * member because one of them is. Places are those of the drawing, on a map longitudes and latitudes. picture.ts saves what it looks like.
 */

import { toCsv } from '../charts/chart.ts'
import { numbersOf } from './paint.ts'
import { type Mark, type Shown, type ShownVertex } from './shown.ts'

export type Drawn = Pick<Shown, 'vertices' | 'edges' | 'map'> & {
  readonly places?: Shown['places'] | undefined
  /** The attributes that its vertices have, in their order. */
  readonly names?: readonly string[] | undefined
}

type Datum = string | number | boolean | null

const inside: ReadonlySet<Mark> = new Set<Mark>(['member', 'matched'])
const outside: ReadonlySet<Mark> = new Set<Mark>(['out', 'unmatched'])

const nodeKeys = {
  kind: 'string',
  name: 'string',
  called: 'string',
  vertices: 'long',
  degree: 'long',
  result: 'string',
  members: 'long',
  share: 'double',
  counted: 'string',
  value: 'string',
  x: 'double',
  y: 'double',
} as const
type NodeKey = keyof typeof nodeKeys
const edgeKeys = { weight: 'double', matched: 'boolean' } as const

/** The ids by which nodes leave, by their keys. */
export function idsOf(vertices: readonly ShownVertex[]): ReadonlyMap<number, string> {
  const taken = new Set(vertices.flatMap(({ label, size }) => (size === 1 ? [label] : [])))
  return new Map(
    vertices.map(({ key, label, size }) => {
      if (size === 1) return [key, label]
      let id = `group of ${size}: ${label}`
      while (taken.has(id)) id = `${id} (group)`
      taken.add(id)
      return [key, id]
    }),
  )
}

/** The vertices of a group that the result has are counted; of two results, those of which it has the most. */
function countsOf({ mark, share, size }: ShownVertex): Partial<Record<NodeKey, Datum>> {
  if (mark === 'plain') return {}
  const result = share >= 1 ? mark : 'mixed'
  if (outside.has(mark)) return { result, members: 0, share: 0 }
  const members = Math.round(share * size)
  return inside.has(mark) ? { result, members, share } : { result, members, share, counted: mark }
}

function nodeFacts(vertex: ShownVertex, { places, names = [] }: Drawn): Readonly<Record<string, Datum>> {
  const { key, label, name, degree, size, mark, value, attributes = [] } = vertex
  const place = places?.get(key)
  const at = place === undefined ? {} : { x: place.x, y: place.y }
  const own = Object.fromEntries(names.map((attribute, i) => [columnOf(attribute), attributes[i] ?? null]))
  if (size > 1) return { kind: 'group', name, called: label, vertices: size, ...countsOf(vertex), ...at, ...own }
  const result = mark === 'plain' ? null : mark
  return { kind: 'vertex', name, vertices: 1, degree, result, value: value?.text ?? null, ...at, ...own }
}

/** An attribute that is called as one of the columns of every drawing has another name. */
const columnOf = (attribute: string): string => (attribute in nodeKeys ? `own ${attribute}` : attribute)

/** The type of each attribute: numbers, texts, or both as texts. */
function typesOf({ vertices, names = [] }: Drawn): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.map((attribute, i) => {
      const kinds = new Set(vertices.map(({ attributes }) => typeof (attributes?.[i] ?? 0)))
      const type = kinds.has('string') || kinds.size > 1 ? 'string' : kinds.has('boolean') ? 'boolean' : 'double'
      return [columnOf(attribute), type]
    }),
  )
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const dataOf = (facts: Readonly<Record<string, Datum>>): string =>
  Object.entries(facts)
    .map(([name, value]) => (value === null ? '' : `<data key="${escaped(name)}">${escaped(String(value))}</data>`))
    .join('')

export function asGraphml(drawn: Drawn): string {
  const { vertices, edges } = drawn
  const ids = idsOf(vertices)
  const keys = (of: 'node' | 'edge', types: Readonly<Record<string, string>>): readonly string[] =>
    Object.entries(types).map(
      ([name, type]) => `  <key id="${escaped(name)}" for="${of}" attr.name="${escaped(name)}" attr.type="${type}"/>`,
    )
  const idOf = (key: number): string => escaped(ids.get(key) ?? '')
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ...keys('node', { ...nodeKeys, ...typesOf(drawn) }),
    ...keys('edge', edgeKeys),
    '  <graph edgedefault="undirected">',
    ...vertices.map((vertex) => `    <node id="${idOf(vertex.key)}">${dataOf(nodeFacts(vertex, drawn))}</node>`),
    ...edges.map(
      ({ source, target, weight, matched }) =>
        `    <edge source="${idOf(source)}" target="${idOf(target)}">${dataOf({ weight, matched })}</edge>`,
    ),
    '  </graph>',
    '</graphml>\n',
  ].join('\n')
}

export function asEdgeCsv({ vertices, edges }: Drawn): string {
  const ids = idsOf(vertices)
  return toCsv({
    columns: ['source', 'target', 'weight'],
    rows: edges.map(({ source, target, weight }) => [ids.get(source) ?? '', ids.get(target) ?? '', weight]),
  })
}

/** For Gephi, with the place and the colour of each node. */
export async function asGexf(drawn: Drawn): Promise<string> {
  const [{ default: Graph }, { write }] = await Promise.all([import('graphology'), import('graphology-gexf/browser')])
  const graph = new Graph<Record<string, Datum>, Record<string, Datum>>({ type: 'undirected' })
  const ids = idsOf(drawn.vertices)
  const colours = new Map(drawn.vertices.map(({ key, paint }) => [ids.get(key)!, paint ?? null]))
  for (const vertex of drawn.vertices) graph.addNode(ids.get(vertex.key), nodeFacts(vertex, drawn))
  for (const { source, target, weight, matched } of drawn.edges)
    graph.addEdge(ids.get(source), ids.get(target), { weight, matched })
  return write(graph, {
    version: '1.3',
    formatNode: (id, facts) => {
      const { name, x, y, ...attributes } = known(facts)
      const colour = colours.get(id)
      const place = typeof x === 'number' && typeof y === 'number' ? { x, y } : {}
      const viz = { ...place, ...(colour == null ? {} : { color: numbersOf(colour) }) }
      return { label: String(name ?? id), attributes: { ...attributes, ...(name === undefined ? {} : { name }) }, viz }
    },
    formatEdge: (_, { weight, matched }) => ({
      attributes: known({ matched: matched ?? null }),
      ...(typeof weight === 'number' ? { weight } : {}),
    }),
  })
}

const known = (facts: Readonly<Record<string, Datum>>): Record<string, Exclude<Datum, null>> =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null)) as Record<
    string,
    Exclude<Datum, null>
  >

/** Points and lines of a map, longitudes from -180 to 180. */
export function asGeojson(drawn: Drawn): string {
  const { vertices, edges, places, map } = drawn
  const ids = idsOf(vertices)
  const placeOf = (key: number): readonly [number, number] => {
    const { x, y } = places!.get(key)!
    const longitude = x / (map?.narrow ?? 1)
    return [Number((longitude - 360 * Math.round(longitude / 360)).toFixed(6)), Number(y.toFixed(6))]
  }
  const feature = (geometry: unknown, properties: unknown) => ({ type: 'Feature', geometry, properties })
  const points = vertices.map((vertex) => {
    const { x: _x, y: _y, ...facts } = nodeFacts(vertex, drawn)
    return feature({ type: 'Point', coordinates: placeOf(vertex.key) }, { id: ids.get(vertex.key), ...known(facts) })
  })
  const lines = edges.map(({ source, target, weight, matched }) =>
    feature(
      { type: 'LineString', coordinates: [placeOf(source), placeOf(target)] },
      { source: ids.get(source), target: ids.get(target), ...known({ weight, matched }) },
    ),
  )
  return `${JSON.stringify({ type: 'FeatureCollection', features: [...points, ...lines] })}\n`
}

/** A row for each vertex or group. */
export function asNodeCsv(drawn: Drawn): string {
  const ids = idsOf(drawn.vertices)
  const columns = Object.keys({ ...nodeKeys, ...typesOf(drawn) })
  const rows = drawn.vertices.map((vertex) => {
    const facts = nodeFacts(vertex, drawn)
    const cell = (column: string): string | number | null => {
      const value = facts[column] ?? null
      return typeof value === 'boolean' ? String(value) : value
    }
    return [ids.get(vertex.key) ?? '', ...columns.map(cell)]
  })
  return toCsv({ columns: ['id', ...columns], rows })
}

/** What is selected of it, where several are; else all. */
export function selectedOf(shown: Shown, selected: ReadonlySet<number>): Drawn {
  if (selected.size < 2) return shown
  return {
    vertices: shown.vertices.filter(({ key }) => selected.has(key)),
    edges: shown.edges.filter(({ source, target }) => selected.has(source) && selected.has(target)),
    places: shown.places,
    map: shown.map,
  }
}
