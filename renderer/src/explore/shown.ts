import type { CallResult } from '../../../electron/contract/calls.ts'
import { exactly } from '../quantity.ts'
import { blended } from '../theme/theme.ts'
import { words } from '../words/words.ts'
import type { Projection } from './projection.ts'

export type ResultKind = 'independent-set' | 'matching' | 'b-matching' | 'values' | null

/** Whether vertices are paired. */
export const isOfMates = (kind: ResultKind): boolean => kind === 'matching' || kind === 'b-matching'

export type Mark = 'member' | 'out' | 'matched' | 'unmatched' | 'plain' | 'both' | 'onlyA' | 'onlyB' | 'neither'

/** A vertex of a drawing, or a group of them that is called by one. */
export interface ShownVertex {
  /** Its own among those that are drawn. */
  readonly key: number
  readonly label: string
  readonly name: string | null
  readonly degree: number
  readonly size: number
  readonly mark: Mark
  /** The share of its vertices that have the mark: 0 to 1. */
  readonly share: number
  /** The value of a result of values; null elsewhere, and for vertices without. */
  readonly value: { readonly number: number; readonly text: string } | null
  /** Edges away from the middle; null where there is no middle. */
  readonly hop: number | null
  /** Attributes that the drawing was asked to have. */
  readonly attributes?: readonly AttributeValue[] | undefined
  /** Its colour, where it is not that of its mark. */
  readonly paint?: string | null
  /** The size by what was chosen, from 0 to 1; absent: it follows from the degree. */
  readonly bulk?: number | null
}
export type AttributeValue = string | number | boolean | null

export interface ShownEdge {
  readonly source: number
  readonly target: number
  readonly weight: number | null
  readonly matched: boolean
  /** Whether it holds a group together; others are drawn faintly. */
  readonly strong: boolean
}

/** Colours of a drawing, by the tokens of the theme. */
export const sceneTokens = {
  text: '--text',
  ground: '--surface',
  edge: '--line-strong',
  land: '--land',
  member: '--fill-in',
  out: '--fill-out',
  plain: '--accent',
  matched: '--fill-matched',
  first: '--fill-undecided',
  second: '--fill-failure',
  focus: '--accent',
} as const
export type SceneColours = Readonly<Record<keyof typeof sceneTokens, string>>

/** Outlines of shapes of a radius of 1, as SVG has it. */
export const outlines = {
  circle: 'M-1 0A1 1 0 1 1 1 0A1 1 0 1 1-1 0Z',
  diamond: 'M0-1L1 0L0 1L-1 0Z',
  ring: 'M-1 0A1 1 0 1 1 1 0A1 1 0 1 1-1 0ZM-.44 0A.44 .44 0 1 0 .44 0A.44 .44 0 1 0-.44 0Z',
  square: 'M-.8-.8H.8V.8H-.8Z',
} as const
export type Shape = keyof typeof outlines

export const shapes: Readonly<
  Record<
    Mark,
    {
      readonly type: Shape
      readonly size: number
      readonly colour: keyof SceneColours
    }
  >
> = {
  member: { type: 'diamond', size: 8, colour: 'member' },
  out: { type: 'circle', size: 4, colour: 'out' },
  plain: { type: 'circle', size: 5, colour: 'plain' },
  matched: { type: 'circle', size: 5, colour: 'matched' },
  unmatched: { type: 'ring', size: 6, colour: 'out' },
  both: { type: 'diamond', size: 7, colour: 'member' },
  onlyA: { type: 'square', size: 7, colour: 'first' },
  onlyB: { type: 'ring', size: 8, colour: 'second' },
  neither: { type: 'circle', size: 4, colour: 'out' },
}

export interface Place {
  readonly x: number
  readonly y: number
}

export interface Shown {
  readonly vertices: readonly ShownVertex[]
  readonly edges: readonly ShownEdge[]
  readonly places: ReadonlyMap<number, Place>
  readonly limits: readonly string[]
  /** How places of the earth are drawn; absent: it is no map. */
  readonly map?: Projection | undefined
}

/** Places, and for each edge whether it is drawn clearly. */
export interface Placement extends Pick<Shown, 'places' | 'map'> {
  readonly strong: readonly boolean[]
}

export const nameOf = ({ label, name }: Pick<ShownVertex, 'label' | 'name'>): string =>
  name === null || name === label ? label : `${name} (${label})`

export function describe({ mark, degree, size, share, hop, value }: ShownVertex): string {
  return [
    ...(value === null ? [] : [words.explore.value(value.text)]),
    ...(mark === 'plain'
      ? []
      : [
          size === 1
            ? words.explore[mark]
            : words.explore.shareOf(exactly(Math.round(share * size)), words.explore[mark]),
        ]),
    ...(size === 1 ? [] : [words.explore.group(exactly(size))]),
    words.explore.degree(exactly(degree)),
    ...(hop === null ? [] : [words.explore.hop(hop)]),
  ].join(', ')
}

/** The middle first, then by hop, then the larger groups and hubs, then by label. */
export function inOrder(vertices: readonly ShownVertex[]): readonly ShownVertex[] {
  const names = new Intl.Collator(undefined, { numeric: true })
  return vertices.toSorted(
    (a, b) =>
      (a.hop ?? 0) - (b.hop ?? 0) || b.size - a.size || b.degree - a.degree || names.compare(nameOf(a), nameOf(b)),
  )
}

/** A group some of whose vertices have its mark, and others have not. */
export const isMixed = ({ share }: Pick<ShownVertex, 'share'>): boolean => share < 1

interface Neighbour {
  readonly vertex: ShownVertex
  readonly weight: number | null
  readonly matched: boolean
}

export function neighboursOf(
  { vertices, edges }: Pick<Shown, 'vertices' | 'edges'>,
  key: number,
): readonly Neighbour[] {
  const byKey = new Map(vertices.map((vertex) => [vertex.key, vertex]))
  const found = edges.flatMap(({ source, target, weight, matched }) => {
    if (source !== key && target !== key) return []
    const vertex = byKey.get(source === key ? target : source)
    return vertex === undefined ? [] : [{ vertex, weight, matched }]
  })
  return found.toSorted((a, b) => Number(b.matched) - Number(a.matched) || a.vertex.key - b.vertex.key)
}

const bulkSize = (radius: number, bulk: number, vertices: number): number =>
  radius * (0.6 + 2.4 * Math.sqrt(bulk)) * Math.min(1, Math.max(0.35, Math.sqrt(200 / vertices)))

/** A hub of 30,000 is drawn two and a half times as large as a leaf, a group as a hub of so many; among many each is smaller. */
export const sizeOf = (
  radius: number,
  { degree, size }: Pick<ShownVertex, 'degree' | 'size'>,
  vertices: number,
): number =>
  radius *
  (0.8 + 0.1 * Math.log2(1 + (size > 1 ? size : degree))) *
  Math.min(1, Math.max(0.35, Math.sqrt(200 / vertices)))

/** Groups of which nearly none has the mark are drawn as if they had none, but for this. */
const LEAST_SHARE = 0.25

/** How much of the colour of its mark a group has. */
export const shadeOf = (share: number): number => (share >= 1 ? 1 : Math.max(LEAST_SHARE, share))

/** How one of so many vertices is drawn. */
export function lookOf(vertex: ShownVertex, colours: SceneColours, vertices: number, scale = 1) {
  const { mark, share, value, paint = null, bulk } = vertex
  const { type, size, colour } = shapes[mark]
  const ofMark = share >= 1 ? colours[colour] : blended(colours.out, colours[colour], shadeOf(share))
  return {
    type,
    size: bulk == null ? sizeOf(scale * size, vertex, vertices) : bulkSize(scale * size, bulk, vertices),
    colour: paint ?? (value === null ? ofMark : colourOfValue(value.number)),
  }
}

/** What a legend explains. */
export type Sign = Mark | 'edge' | 'matchedEdge'

/** How a sign of the legend is drawn, on paper too. */
export function signOf(
  mark: Sign,
  share: number,
  paint: string | null,
  colours: SceneColours,
): { readonly type: Shape | 'line'; readonly size: number; readonly colour: string } {
  if (mark === 'edge') return { type: 'line', size: 1.5, colour: colours.edge }
  if (mark === 'matchedEdge') return { type: 'line', size: 4, colour: colours.matched }
  const { type, colour } = shapes[mark]
  return { type, size: 5, colour: paint ?? blended(colours.out, colours[colour], shadeOf(share)) }
}

/** The alpha of edges: the more lie over each other, the less each of them hides. */
export const edgeShare = (edges: number): number => Math.min(0.55, Math.max(0.015, 20 / Math.sqrt(edges)))

export function marksOf(kind: ResultKind, isCompared: boolean): readonly Mark[] {
  if (isCompared) return ['both', 'onlyA', 'onlyB', 'neither']
  if (kind === 'independent-set') return ['member', 'out']
  return isOfMates(kind) ? ['matched', 'unmatched'] : ['plain']
}

/** What the results say of a vertex. @param other of the result to compare with; null without one */
function markOf(kind: ResultKind, member: boolean | null, other: boolean | null): Mark {
  if (member === null || kind === null || kind === 'values') return 'plain'
  if (other !== null) return member ? (other ? 'both' : 'onlyA') : other ? 'onlyB' : 'neither'
  if (isOfMates(kind)) return member ? 'matched' : 'unmatched'
  return member ? 'member' : 'out'
}

/** Consecutive values are far apart on the wheel: the golden angle. */
export function colourOfValue(value: number): string {
  const hue = (value * 137.508) % 360
  const channel = (shift: number): number => {
    const k = (shift + hue / 30) % 12
    return Math.round(255 * (0.52 - 0.3 * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  }
  return `rgb(${channel(0)}, ${channel(8)}, ${channel(4)})`
}

export function shownNear(
  near: CallResult<'explore.neighbourhood'>,
  kind: ResultKind,
  { places, strong, map }: Placement,
): Shown {
  return {
    vertices: near.vertices.map(({ id, label, name, degree, hop, member, other, value, attributes }) => ({
      ...{ key: id, label, name, degree, hop, value, attributes, size: 1, share: 1 },
      mark: markOf(kind, member, other),
    })),
    edges: near.edges.map(({ source, target, weight, matched }, i) => ({
      ...{ source, target, weight, matched },
      strong: strong[i] ?? true,
    })),
    places,
    map,
    limits: near.limits,
  }
}
