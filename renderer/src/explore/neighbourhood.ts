import type { CallResult } from '../../../electron/contract/calls.ts'
import { exactly } from '../quantity.ts'
import { words } from '../words/words.ts'

export type Neighbourhood = CallResult<'explore.neighbourhood'>
export type DrawnVertex = Neighbourhood['vertices'][number]
export type ResultKind = 'independent-set' | 'matching' | 'values' | null

export type Mark = 'member' | 'out' | 'matched' | 'unmatched' | 'plain'

export function markOf({ member }: DrawnVertex, kind: ResultKind): Mark {
  if (member === null || kind === null) return 'plain'
  if (kind === 'matching') return member ? 'matched' : 'unmatched'
  return member ? 'member' : 'out'
}

export function markWords(mark: Mark): string {
  return words.explore[mark]
}

export function nameOf({ label, name }: Pick<DrawnVertex, 'label' | 'name'>): string {
  return name === null || name === label ? label : `${name} (${label})`
}

export function describe(vertex: DrawnVertex, kind: ResultKind): string {
  const mark = markOf(vertex, kind)
  return [
    ...(vertex.value === null ? [] : [words.explore.value(vertex.value.text)]),
    ...(mark === 'plain' ? [] : [markWords(mark)]),
    words.explore.degree(exactly(vertex.degree)),
    words.explore.hop(vertex.hop),
  ].join(', ')
}

/** The middle first, then by hop, then members before the others, then by label. */
export function inOrder(vertices: readonly DrawnVertex[]): readonly DrawnVertex[] {
  const names = new Intl.Collator(undefined, { numeric: true })
  return vertices.toSorted(
    (a, b) =>
      a.hop - b.hop || Number(b.member === true) - Number(a.member === true) || names.compare(nameOf(a), nameOf(b)),
  )
}

export interface Neighbour {
  readonly vertex: DrawnVertex
  readonly weight: number | null
  readonly matched: boolean
}

export function neighboursOf({ vertices, edges }: Neighbourhood, id: number): readonly Neighbour[] {
  const byId = new Map(vertices.map((vertex) => [vertex.id, vertex]))
  const found = edges.flatMap(({ source, target, weight, matched }) => {
    if (source !== id && target !== id) return []
    const vertex = byId.get(source === id ? target : source)
    return vertex === undefined ? [] : [{ vertex, weight, matched }]
  })
  return found.toSorted((a, b) => Number(b.matched) - Number(a.matched) || a.vertex.id - b.vertex.id)
}

/** Values one after the other lie far apart on the wheel: the golden angle. */
export function colourOfValue(value: number): string {
  const hue = (value * 137.508) % 360
  const channel = (shift: number): number => {
    const k = (shift + hue / 30) % 12
    return Math.round(255 * (0.52 - 0.3 * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  }
  return `rgb(${channel(0)}, ${channel(8)}, ${channel(4)})`
}

/** A hub of 30,000 is drawn two and a half times as large as a leaf, and among many vertices each is smaller. */
export const sizeOf = (size: number, degree: number, vertices: number): number =>
  size * (0.8 + 0.1 * Math.log2(1 + degree)) * Math.min(1, Math.max(0.4, Math.sqrt(200 / vertices)))

/** The alpha of edges: the more lie over each other, the less each of them hides. */
export const edgeShare = (edges: number): number => Math.min(0.5, Math.max(0.03, 8 / Math.sqrt(edges)))
