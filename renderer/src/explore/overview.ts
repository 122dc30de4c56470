import type { CallResult } from '../../../electron/contract/calls.ts'
import { exactly } from '../quantity.ts'
import { words } from '../words/words.ts'
import { mapPlaces } from './layout.ts'
import {
  isOfMates,
  type AttributeValue,
  type Mark,
  type Place,
  type ResultKind,
  type Shown,
  type ShownEdge,
  type ShownVertex,
} from './shown.ts'

export type Overview = CallResult<'explore.overview'>

export interface Area {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Nodes of one level of detail, column by column. */
interface Level {
  /** The node of each in the next coarser level; empty for the coarsest. */
  readonly parents: readonly number[]
  readonly children: readonly (readonly number[])[]
  readonly sizes: Float64Array
  /** The finest node that each is called by. */
  readonly heads: Uint32Array
  readonly x: Float64Array
  readonly y: Float64Array
  readonly areas: readonly Area[]
}

/** Nodes of the finest level have keys from 0; each coarser level its own range. */
const RANGE = 2 ** 26
/** So many nodes are drawn of what is in sight: a frame takes a thirtieth of a second at the most. */
const MOST_IN_SIGHT = 2500
/** What is a little beside the sight is drawn as finely, for the next move. */
const MARGIN = 0.25

/** All levels of detail of a graph: which nodes are drawn follows from what is in sight. */
export class OverviewLevels {
  readonly overview: Overview
  readonly #levels: readonly Level[]

  /** @param isMap whether nodes are drawn at their own places */
  constructor(overview: Overview, isMap: boolean) {
    this.overview = overview
    this.#levels = levelsOf(overview, isMap)
  }

  get extent(): Area {
    const { x, y } = this.#levels[0]!
    return { left: least(x), right: -least(x, -1), top: least(y), bottom: -least(y, -1) }
  }

  /** The vertex by which a node is called, and how many it stands for. */
  node(key: number): { readonly finest: number; readonly label: string; readonly size: number } {
    const [level, i] = [Math.floor(key / RANGE), key % RANGE]
    const finest = this.#levels[level]!.heads[i]!
    return { finest, label: this.overview.nodes.labels[finest]!, size: this.#levels[level]!.sizes[i]! }
  }

  /** Places of the vertices by which the finest nodes are called, by their ids. */
  get heads(): ReadonlyMap<number, Place> {
    const { x, y } = this.#levels[0]!
    return new Map(this.overview.nodes.ids.map((id, i) => [id, { x: x[i]!, y: y[i]! }]))
  }

  isFinest(key: number): boolean {
    return key < RANGE
  }

  /** The key of the node that holds a finest node at each level, the coarsest last. */
  pathOf(finest: number): readonly number[] {
    let at = finest
    return this.#levels.map((_, level) => {
      if (level > 0) at = this.#levels[level - 1]!.parents[at]!
      return level * RANGE + at
    })
  }

  /**
   * What is drawn: everything in sight as finely as it can be, the rest coarsely; nodes of `opened` by what is in them.
   * @param sight null: all
   */
  cut(kind: ResultKind, sight: Area | null, opened: ReadonlySet<number>): Shown {
    const area = sight === null ? null : widened(sight)
    const finest = this.#finestFor(area)
    const nodes: number[] = []
    const drawnAs = new Float64Array(this.overview.nodes.ids.length)
    const visit = (level: number, i: number): void => {
      const key = level * RANGE + i
      const { areas, children } = this.#levels[level]!
      const isIn = area === null || overlap(area, areas[i]!)
      if (level > 0 && (opened.has(key) || (isIn && level > finest)))
        for (const child of children[i]!) visit(level - 1, child)
      else {
        nodes.push(key)
        this.#fill(level, i, key, drawnAs)
      }
    }
    const top = this.#levels.length - 1
    this.#levels[top]!.sizes.forEach((_, i) => visit(top, i))
    return {
      vertices: nodes.map((key) => this.#vertex(key, kind)),
      edges: this.#edges(drawnAs),
      places: new Map(nodes.map((key) => [key, this.#place(key)])),
      limits: this.#limits(),
    }
  }

  #finestFor(area: Area | null): number {
    const found = this.#levels.findIndex(
      ({ areas }) =>
        areas.reduce((count, own) => count + Number(area === null || overlap(area, own)), 0) <= MOST_IN_SIGHT,
    )
    return found < 0 ? this.#levels.length - 1 : found
  }

  #fill(level: number, i: number, key: number, drawnAs: Float64Array): void {
    if (level === 0) drawnAs[i] = key
    else for (const child of this.#levels[level]!.children[i]!) this.#fill(level - 1, child, key, drawnAs)
  }

  #place(key: number): Place {
    const { x, y } = this.#levels[Math.floor(key / RANGE)]!
    return { x: x[key % RANGE]!, y: y[key % RANGE]! }
  }

  #vertex(key: number, kind: ResultKind): ShownVertex {
    const { nodes } = this.overview
    const { finest, label, size } = this.node(key)
    const counts = this.#countsOf(Math.floor(key / RANGE), key % RANGE)
    const value = nodes.values?.[finest] ?? null
    return {
      key,
      value,
      label,
      name: nodes.names?.[finest] ?? null,
      degree: nodes.degrees[finest]!,
      size,
      hop: null,
      attributes: nodes.attributes?.map((_, column) => this.#attributeOf(key, column)),
      ...markOfGroup(kind, counts, size),
    }
  }

  /** An attribute of a node: the mean of numbers, by how many vertices have them, or the value of the most vertices. */
  #attributeOf(key: number, column: number): AttributeValue {
    const values = this.overview.nodes.attributes![column]!
    const found: (readonly [value: AttributeValue, size: number])[] = []
    const gather = (level: number, i: number): void => {
      const { children, sizes } = this.#levels[level]!
      if (level === 0) found.push([values[i] ?? null, sizes[i]!])
      else for (const child of children[i]!) gather(level - 1, child)
    }
    gather(Math.floor(key / RANGE), key % RANGE)
    const known = found.filter(([value]) => value !== null)
    if (known.length < 2) return known[0]?.[0] ?? null
    const all = known.reduce((sum, [, size]) => sum + size, 0)
    if (known.every(([value]) => typeof value === 'number'))
      return known.reduce((sum, [value, size]) => sum + Number(value) * size, 0) / all
    const sizes = new Map<AttributeValue, number>()
    for (const [value, size] of known) sizes.set(value, (sizes.get(value) ?? 0) + size)
    return [...sizes].reduce((a, b) => (b[1] > a[1] ? b : a))[0]
  }

  #countsOf(level: number, i: number): Counts {
    const { members, others, both } = this.overview.nodes
    if (level === 0) return [members?.[i] ?? null, others?.[i] ?? null, both?.[i] ?? null]
    const parts = this.#levels[level]!.children[i]!.map((child) => this.#countsOf(level - 1, child))
    const sum = (of: 0 | 1 | 2): number | null =>
      parts.reduce<number | null>((total, part) => (total === null || part[of] === null ? null : total + part[of]), 0)
    return [sum(0), sum(1), sum(2)]
  }

  #edges(drawnAs: Float64Array): readonly ShownEdge[] {
    const { sources, targets, strong } = this.overview.drawn
    const places = new Map<number, number>()
    const placeOf = (key: number): number => places.get(key) ?? places.set(key, places.size).size - 1
    const ends = drawnAs.map(placeOf)
    const seen = new Set<number>()
    return sources.flatMap((a, i) => {
      const b = targets[i]!
      const [first, second] = [Math.min(ends[a]!, ends[b]!), Math.max(ends[a]!, ends[b]!)]
      const edge = first * places.size + second
      if (first === second || seen.has(edge)) return []
      seen.add(edge)
      return [{ source: drawnAs[a]!, target: drawnAs[b]!, weight: null, matched: false, strong: i < strong }]
    })
  }

  #limits(): readonly string[] {
    const { kind, nodes, vertices, hidden } = this.overview
    const held = nodes.sizes.reduce((sum, size) => sum + size, 0)
    return [
      ...(kind === 'sample' ? [words.explore.sampled(exactly(held), exactly(vertices))] : []),
      ...(hidden > 0 ? [words.explore.hiddenEdges(exactly(hidden))] : []),
    ]
  }
}

type Counts = readonly [number | null, number | null, number | null]

function markOfGroup(
  kind: ResultKind,
  [first, second, both]: Counts,
  size: number,
): { readonly mark: Mark; readonly share: number } {
  if (kind === null || kind === 'values' || first === null) return { mark: 'plain', share: 1 }
  if (second === null || both === null) {
    const [inside, outside] = isOfMates(kind) ? (['matched', 'unmatched'] as const) : (['member', 'out'] as const)
    return first > 0 ? { mark: inside, share: first / size } : { mark: outside, share: 1 }
  }
  const counts: readonly (readonly [Mark, number])[] = [
    ['onlyA', first - both],
    ['onlyB', second - both],
    ['both', both],
  ]
  const [mark, count] = counts.reduce((most, one) => (one[1] > most[1] ? one : most))
  return count === 0 ? { mark: 'neither', share: 1 } : { mark, share: count / size }
}

function levelsOf(overview: Overview, isMap: boolean): readonly Level[] {
  const { nodes, levels } = overview
  const own = isMap && nodes.places !== null ? onMap(nodes.places) : overview
  const made: Level[] = []
  let level: Omit<Level, 'parents'> = {
    children: [],
    sizes: Float64Array.from(nodes.sizes),
    heads: Uint32Array.from(nodes.ids, (_, i) => i),
    x: Float64Array.from(own.x),
    y: Float64Array.from(own.y),
    areas: own.x.map((x, i) => ({ left: x, right: x, top: own.y[i]!, bottom: own.y[i]! })),
  }
  for (const parents of levels) {
    made.push({ ...level, parents })
    level = coarser(level, parents, nodes.degrees)
  }
  return [...made, { ...level, parents: [] }]
}

function onMap(places: readonly (readonly [number, number])[]): {
  readonly x: readonly number[]
  readonly y: readonly number[]
} {
  const drawn = mapPlaces(places.map(([x, y], id) => ({ id, hop: 0, x, y })))
  return { x: places.map((_, i) => drawn.get(i)!.x), y: places.map((_, i) => drawn.get(i)!.y) }
}

function coarser(
  fine: Omit<Level, 'parents'>,
  parents: readonly number[],
  degrees: readonly number[],
): Omit<Level, 'parents'> {
  const count = parents.reduce((most, parent) => Math.max(most, parent + 1), 0)
  const children: number[][] = Array.from({ length: count }, () => [])
  const [sizes, x, y] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)]
  const heads = new Uint32Array(count)
  parents.forEach((parent, i) => {
    const head = fine.heads[i]!
    if (children[parent]!.push(i) === 1 || degrees[head]! > degrees[heads[parent]!]!) heads[parent] = head
    sizes[parent]! += fine.sizes[i]!
    x[parent]! += fine.sizes[i]! * fine.x[i]!
    y[parent]! += fine.sizes[i]! * fine.y[i]!
  })
  const areas = children.map((own) => around(own.map((child) => fine.areas[child]!)))
  return { children, sizes, heads, areas, x: x.map((sum, i) => sum / sizes[i]!), y: y.map((sum, i) => sum / sizes[i]!) }
}

function widened({ left, right, top, bottom }: Area): Area {
  const [across, down] = [MARGIN * (right - left), MARGIN * (bottom - top)]
  return { left: left - across, right: right + across, top: top - down, bottom: bottom + down }
}

const overlap = (a: Area, b: Area): boolean =>
  a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom

function around(areas: readonly Area[]): Area {
  const [left, top] = [Math.min(...areas.map((one) => one.left)), Math.min(...areas.map((one) => one.top))]
  return {
    left,
    top,
    right: Math.max(...areas.map((one) => one.right)),
    bottom: Math.max(...areas.map((one) => one.bottom)),
  }
}

const least = (values: Float64Array, sign = 1): number => values.reduce((a, b) => Math.min(a, sign * b), Infinity)
