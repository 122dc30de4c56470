import { MOST_OPENED, type CallResult } from '../../../electron/contract/calls.ts'
import { exactly } from '../quantity.ts'
import { words } from '../words/words.ts'
import { project, projectionOf, type Projection } from './projection.ts'
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
type Nodes = Overview['nodes']
type OpenedNodes = CallResult<'explore.open'>

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
/** The part of the detail that is drawn of what is in sight: of 10,000 nodes a frame takes a thirtieth of a second at the most. */
const IN_SIGHT = 0.25
const FEWEST_IN_SIGHT = 1000
/** What is a little beside the sight is drawn as finely, for the next move. */
const MARGIN = 0.25

/** Vertices that are drawn in place of nodes of the finest level. */
interface OpenedVertices {
  readonly of: OpenedNodes
  /** Their places in the columns, by their keys. */
  readonly columns: ReadonlyMap<number, number>
  /** Their keys, by the node that they were in. */
  readonly byNode: ReadonlyMap<number, readonly number[]>
  readonly places: readonly Place[]
}

/** Keys of vertices that are drawn in place of nodes are below 0, and stay while other nodes are opened and closed. */
const keyOfOpened = (id: number): number => -1 - id
export const isOpened = (key: number): boolean => key < 0

/** All levels of detail of a graph: which nodes are drawn follows from what is in sight. */
export class OverviewLevels {
  readonly overview: Overview
  /** How places of the earth are drawn; undefined: it is no map. */
  readonly map: Projection | undefined
  readonly #levels: readonly Level[]
  readonly #mostInSight: number

  /** @param detail nodes that were asked for, at most */
  constructor(overview: Overview, detail = 10_000) {
    this.overview = overview
    const places = overview.x.map((x, i) => ({ x, y: overview.y[i]! }))
    this.map = overview.unplaced === null ? undefined : projectionOf(places)
    const drawn = this.#drawnAt(places)
    this.#levels = levelsOf(overview, drawn)
    this.#mostInSight = Math.max(FEWEST_IN_SIGHT, IN_SIGHT * detail)
  }

  #drawnAt(places: readonly Place[]): readonly Place[] {
    const { map } = this
    return map === undefined ? places : places.map((place) => project(map, place))
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

  /** A node and all that is in it, to the finest level. */
  within(key: number): readonly number[] {
    const found: number[] = []
    const visit = (level: number, i: number): void => {
      found.push(level * RANGE + i)
      if (level > 0) for (const child of this.#levels[level]!.children[i]!) visit(level - 1, child)
    }
    visit(Math.floor(key / RANGE), key % RANGE)
    return found
  }

  /**
   * The finest nodes whose vertices are to be drawn in their place: those of `opened`, and all in sight where their vertices are few.
   * @param sight null: all
   */
  toOpen(sight: Area | null, opened: ReadonlySet<number>): readonly number[] {
    const { sizes, areas } = this.#levels[0]!
    const asked = [...opened].filter((key) => this.isFinest(key) && sizes[key]! > 1)
    const area = sight === null ? null : widened(sight)
    const seen = area === null ? [] : areas.flatMap((own, i) => (overlap(area, own) ? [i] : []))
    const all = new Set([...asked, ...seen])
    const isFew = [...all].reduce((sum, i) => sum + sizes[i]!, 0) <= MOST_OPENED
    if (isFew) return [...all].filter((i) => sizes[i]! > 1).sort((a, b) => a - b)
    let room = MOST_OPENED
    return asked.filter((i) => (room -= sizes[i]!) >= 0).sort((a, b) => a - b)
  }

  /** What the engine answers about nodes that are opened, as it is drawn. */
  opened(of: OpenedNodes): OpenedVertices {
    const keys = of.nodes.ids.map(keyOfOpened)
    const columns = new Map(keys.map((key, i) => [key, i]))
    return {
      of,
      columns,
      byNode: Map.groupBy(keys, (key) => of.parents[columns.get(key)!]!),
      places: this.#drawnAt(of.x.map((x, i) => ({ x, y: of.y[i]! }))),
    }
  }

  /** The nodes that hold a node or a vertex which is drawn, itself among them. */
  above(key: number, vertices: OpenedVertices | null): readonly number[] {
    return this.pathOf(isOpened(key) ? nodeOfOpened(key, vertices!) : this.node(key).finest)
  }

  /**
   * What is drawn: everything in sight as finely as it can be, the rest coarsely; nodes of `opened` by what is in them.
   * @param sight null: all
   * @param vertices in place of nodes of the finest level
   */
  cut(
    kind: ResultKind,
    sight: Area | null,
    opened: ReadonlySet<number>,
    vertices: OpenedVertices | null = null,
  ): Shown {
    const area = sight === null ? null : widened(sight)
    const finest = this.#finestFor(area)
    const nodes: number[] = []
    /** What each finest node is drawn as; NaN where its vertices are. */
    const drawnAs = new Float64Array(this.overview.nodes.ids.length)
    const visit = (level: number, i: number): void => {
      const key = level * RANGE + i
      const { areas, children } = this.#levels[level]!
      const isIn = area === null || overlap(area, areas[i]!)
      const own = level === 0 ? vertices?.byNode.get(i) : undefined
      if (own !== undefined) {
        nodes.push(...own)
        drawnAs[i] = NaN
      } else if (level > 0 && (opened.has(key) || (isIn && level > finest)))
        for (const child of children[i]!) visit(level - 1, child)
      else {
        nodes.push(key)
        this.#fill(level, i, key, drawnAs)
      }
    }
    const top = this.#levels.length - 1
    this.#levels[top]!.sizes.forEach((_, i) => visit(top, i))
    return {
      vertices: nodes.map((key) =>
        isOpened(key) ? this.#openedVertex(key, kind, vertices!) : this.#vertex(key, kind),
      ),
      edges: [...this.#edges(drawnAs), ...edgesOfOpened(vertices, drawnAs)],
      places: new Map(nodes.map((key) => [key, isOpened(key) ? placeOfOpened(key, vertices!) : this.#place(key)])),
      map: this.map,
      limits: this.#limits(),
    }
  }

  #finestFor(area: Area | null): number {
    const found = this.#levels.findIndex(
      ({ areas }) =>
        areas.reduce((count, own) => count + Number(area === null || overlap(area, own)), 0) <= this.#mostInSight,
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
    const { finest, size } = this.node(key)
    const counts = this.#countsOf(Math.floor(key / RANGE), key % RANGE)
    return {
      key,
      size,
      ...factsOf(nodes, finest),
      attributes: nodes.attributes?.map((_, column) => this.#attributeOf(key, column)),
      ...markOfGroup(kind, counts, size),
    }
  }

  #openedVertex(key: number, kind: ResultKind, { of: { nodes }, columns }: OpenedVertices): ShownVertex {
    const i = columns.get(key)!
    return { key, size: 1, ...factsOf(nodes, i), ...markOfGroup(kind, countsAt(nodes, i), 1) }
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
    if (level === 0) return countsAt(this.overview.nodes, i)
    const parts = this.#levels[level]!.children[i]!.map((child) => this.#countsOf(level - 1, child))
    const sum = (of: 0 | 1 | 2): number | null =>
      parts.reduce<number | null>((total, part) => (total === null || part[of] === null ? null : total + part[of]), 0)
    return [sum(0), sum(1), sum(2)]
  }

  #edges(drawnAs: Float64Array): readonly ShownEdge[] {
    const { drawn, matched } = this.overview
    const places = new Map<number, number>()
    const placeOf = (key: number): number => places.get(key) ?? places.set(key, places.size).size - 1
    const ends = drawnAs.map(placeOf)
    const seen = new Set<number>()
    const join = (a: number, b: number, isMatched: boolean, strong: boolean): readonly ShownEdge[] => {
      const [source, target] = [drawnAs[a]!, drawnAs[b]!]
      const edge = Math.min(ends[a]!, ends[b]!) * places.size + Math.max(ends[a]!, ends[b]!)
      // Matched edges are drawn between vertices alone.
      const isDrawn = isMatched ? source < RANGE && target < RANGE : source !== target
      if (!isDrawn || Number.isNaN(source + target) || seen.has(edge)) return []
      seen.add(edge)
      return [{ source, target, weight: null, matched: isMatched, strong }]
    }
    return [
      ...matched.sources.flatMap((a, i) => join(a, matched.targets[i]!, true, true)),
      ...drawn.sources.flatMap((a, i) => join(a, drawn.targets[i]!, false, i < drawn.strong)),
    ]
  }

  #limits(): readonly string[] {
    const { kind, nodes, vertices, hidden, unplaced } = this.overview
    const held = nodes.sizes.reduce((sum, size) => sum + size, 0)
    return [
      ...(kind === 'sample' ? [words.explore.sampled(exactly(held), exactly(vertices))] : []),
      ...((unplaced ?? 0) > 0 ? [words.explore.unplaced(exactly(unplaced!))] : []),
      ...(hidden > 0 ? [words.explore.hiddenEdges(exactly(hidden))] : []),
    ]
  }
}

/** What is known of a node by its place in the columns. */
function factsOf(nodes: Nodes, i: number): Omit<ShownVertex, 'key' | 'size' | 'mark' | 'share'> {
  return {
    label: nodes.labels[i]!,
    name: nodes.names?.[i] ?? null,
    degree: nodes.degrees[i]!,
    value: nodes.values?.[i] ?? null,
    hop: null,
    attributes: nodes.attributes?.map((column) => column[i] ?? null),
  }
}

const countsAt = ({ members, others, both }: Nodes, i: number): Counts => [
  members?.[i] ?? null,
  others?.[i] ?? null,
  both?.[i] ?? null,
]

/** The node that a vertex was in. */
export const nodeOfOpened = (key: number, { of, columns }: OpenedVertices): number => of.parents[columns.get(key)!]!

const placeOfOpened = (key: number, { places, columns }: OpenedVertices): Place => places[columns.get(key)!]!

function edgesOfOpened(vertices: OpenedVertices | null, drawnAs: Float64Array): readonly ShownEdge[] {
  if (vertices === null) return []
  const { parents, drawn, nodes } = vertices.of
  const keyAt = (i: number): number => keyOfOpened(nodes.ids[i]!)
  const seen = new Set<string>()
  return drawn.sources.flatMap((source, i) => {
    const target = drawn.targets[i]!
    const isVertex = target < parents.length
    const isDrawn = (end: number): boolean => Number.isNaN(drawnAs[parents[end]!]!)
    if (!isDrawn(source) || (isVertex && !isDrawn(target))) return []
    const key = isVertex ? keyAt(target) : drawnAs[target - parents.length]!
    // Nodes that are drawn as one are one neighbour.
    if (Number.isNaN(key) || seen.has(`${source} ${key}`)) return []
    seen.add(`${source} ${key}`)
    const matched = drawn.matched[i]!
    return [{ source: keyAt(source), target: key, weight: null, matched, strong: isVertex }]
  })
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

function levelsOf({ nodes, levels }: Overview, places: readonly Place[]): readonly Level[] {
  const made: Level[] = []
  let level: Omit<Level, 'parents'> = {
    children: [],
    sizes: Float64Array.from(nodes.sizes),
    heads: Uint32Array.from(nodes.ids, (_, i) => i),
    x: Float64Array.from(places, ({ x }) => x),
    y: Float64Array.from(places, ({ y }) => y),
    areas: places.map(({ x, y }) => ({ left: x, right: x, top: y, bottom: y })),
  }
  for (const parents of levels) {
    made.push({ ...level, parents })
    level = coarser(level, parents, nodes.degrees)
  }
  return [...made, { ...level, parents: [] }]
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

export const holdsPlace = ({ left, right, top, bottom }: Area, { x, y }: Place): boolean =>
  x >= left && x <= right && y >= top && y <= bottom

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

export const areaOf = (places: readonly Place[]): Area =>
  around(places.map(({ x, y }) => ({ left: x, right: x, top: y, bottom: y })))

const least = (values: Float64Array, sign = 1): number => values.reduce((a, b) => Math.min(a, sign * b), Infinity)
