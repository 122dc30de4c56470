import { toCsv } from '../charts/chart.ts'
import { type Mark, type Place, type Shown, type ShownVertex } from './shown.ts'

/**
 * What is drawn as a graph of its own, for other programs. A vertex keeps its id. A group has an id that no vertex has, says that it is one, by
 * which vertex it is called, and how many of its vertices the result has: it is no member because one of them is.
 */
type Drawn = Pick<Shown, 'vertices' | 'edges'> & { readonly places?: Shown['places'] | undefined }

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

function nodeFacts(vertex: ShownVertex, place: Place | undefined): Partial<Record<NodeKey, Datum>> {
  const { label, name, degree, size, mark, value } = vertex
  const at = place === undefined ? {} : { x: place.x, y: place.y }
  if (size > 1) return { kind: 'group', name, called: label, vertices: size, ...countsOf(vertex), ...at }
  const result = mark === 'plain' ? null : mark
  return { kind: 'vertex', name, vertices: 1, degree, result, value: value?.text ?? null, ...at }
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const dataOf = (facts: Readonly<Record<string, Datum>>): string =>
  Object.entries(facts)
    .map(([name, value]) => (value === null ? '' : `<data key="${name}">${escaped(String(value))}</data>`))
    .join('')

export function asGraphml({ vertices, edges, places }: Drawn): string {
  const ids = idsOf(vertices)
  const keys = (of: 'node' | 'edge', types: Readonly<Record<string, string>>): readonly string[] =>
    Object.entries(types).map(
      ([name, type]) => `  <key id="${name}" for="${of}" attr.name="${name}" attr.type="${type}"/>`,
    )
  const idOf = (key: number): string => escaped(ids.get(key) ?? '')
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ...keys('node', nodeKeys),
    ...keys('edge', edgeKeys),
    '  <graph edgedefault="undirected">',
    ...vertices.map(
      (vertex) => `    <node id="${idOf(vertex.key)}">${dataOf(nodeFacts(vertex, places?.get(vertex.key)))}</node>`,
    ),
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

/** What is selected of it, where several are; else all. */
export function selectedOf(shown: Shown, selected: ReadonlySet<number>): Drawn {
  if (selected.size < 2) return shown
  return {
    vertices: shown.vertices.filter(({ key }) => selected.has(key)),
    edges: shown.edges.filter(({ source, target }) => selected.has(source) && selected.has(target)),
    places: shown.places,
  }
}
