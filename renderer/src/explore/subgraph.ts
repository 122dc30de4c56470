import { toCsv } from '../charts/number-table.ts'
import type { Shown, ShownVertex } from './shown.ts'

/** What is drawn, or what is selected of it, with the edges among it. */
export function selectedOf(shown: Shown, selected: ReadonlySet<number>): Pick<Shown, 'vertices' | 'edges'> {
  if (selected.size < 2) return shown
  return {
    vertices: shown.vertices.filter(({ key }) => selected.has(key)),
    edges: shown.edges.filter(({ source, target }) => selected.has(source) && selected.has(target)),
  }
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** GraphML 1.0, with what the drawing says of each vertex and edge. */
export function asGraphml({ vertices, edges }: Pick<Shown, 'vertices' | 'edges'>): string {
  const key = (id: string, of: 'node' | 'edge', type: string): string =>
    `  <key id="${id}" for="${of}" attr.name="${id}" attr.type="${type}"/>`
  const data = (name: string, value: string | number | boolean | null): string =>
    value === null ? '' : `<data key="${name}">${escaped(String(value))}</data>`
  const node = ({ label, name, degree, size, mark }: ShownVertex): string =>
    `    <node id="${escaped(label)}">${data('name', name)}${data('degree', degree)}${data('vertices', size)}${data('result', mark)}</node>`
  const labels = new Map(vertices.map(({ key: own, label }) => [own, escaped(label)]))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    key('name', 'node', 'string'),
    key('degree', 'node', 'long'),
    key('vertices', 'node', 'long'),
    key('result', 'node', 'string'),
    key('weight', 'edge', 'double'),
    key('matched', 'edge', 'boolean'),
    '  <graph edgedefault="undirected">',
    ...vertices.map(node),
    ...edges.map(
      ({ source, target, weight, matched }) =>
        `    <edge source="${labels.get(source)}" target="${labels.get(target)}">${data('weight', weight)}${data('matched', matched)}</edge>`,
    ),
    '  </graph>',
    '</graphml>\n',
  ].join('\n')
}

export function asEdgeCsv({ vertices, edges }: Pick<Shown, 'vertices' | 'edges'>): string {
  const labels = new Map(vertices.map(({ key, label }) => [key, label]))
  return toCsv({
    columns: ['source', 'target', 'weight'],
    rows: edges.map(({ source, target, weight }) => [labels.get(source) ?? '', labels.get(target) ?? '', weight]),
  })
}
