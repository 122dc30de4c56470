import type { CallResult } from '../../../electron/contract/calls.ts'
import { ask } from '../bridge.ts'
import { project, projectionOf, type Projection } from './projection.ts'
import type { Place, Placement, ShownEdge } from './shown.ts'

/** Ways to place vertices. Every layout gives the same places for the same drawing, every time. */
export const layouts = ['spread', 'rings', 'map'] as const
export type Layout = (typeof layouts)[number]

interface PlacedVertex {
  readonly id: number
  readonly hop: number
  readonly x: number | null
  readonly y: number | null
}

type Link = Pick<ShownEdge, 'source' | 'target'>
export type Places = ReadonlyMap<number, Place>

export function hasPlaces(vertices: readonly PlacedVertex[]): boolean {
  return vertices.length > 0 && vertices.every(({ x, y }) => x !== null && y !== null)
}

/** The places of a neighbourhood, its middle in the middle. */
export function mapPlaces(vertices: readonly PlacedVertex[]): Places {
  const projection = mapOf(vertices)
  return new Map(vertices.map(({ id, x, y }) => [id, project(projection, { x: x ?? 0, y: y ?? 0 })]))
}

export function mapOf(vertices: readonly PlacedVertex[]): Projection {
  const places = vertices.map(({ x, y }) => ({ x: x ?? 0, y: y ?? 0 }))
  return projectionOf(places, vertices.find(({ hop }) => hop === 0)?.x ?? 0)
}

const APART = 1

/** The middle, and a ring for each hop around it. On a ring vertices follow their neighbours on the ring within. */
export function ringsPlaces(vertices: readonly PlacedVertex[], links: readonly Link[]): Places {
  const hops = Map.groupBy(
    vertices.toSorted((a, b) => a.id - b.id),
    ({ hop }) => hop,
  )
  const neighbours = neighboursOf(vertices, links)
  const angles = new Map<number, number>()
  const places = new Map<number, Place>()
  let radius = 0
  for (const hop of [...hops.keys()].sort((a, b) => a - b)) {
    const ring = hops.get(hop) ?? []
    if (hop > 0) radius = Math.max(radius + 2.5 * APART, (ring.length * APART) / (2 * Math.PI))
    const wanted = new Map(ring.map(({ id }) => [id, meanAngle(neighbours.get(id) ?? [], angles)]))
    const order = ring.toSorted((a, b) => (wanted.get(a.id) ?? 0) - (wanted.get(b.id) ?? 0) || a.id - b.id)
    order.forEach(({ id }, at) => {
      const angle = (2 * Math.PI * at) / order.length - Math.PI
      angles.set(id, angle)
      places.set(id, { x: radius * Math.cos(angle), y: radius * Math.sin(angle) })
    })
  }
  return places
}

/** One edge of each vertex to the ring within: a tree. Were the others as clear, the rings would be a disc. */
function inwards(vertices: readonly PlacedVertex[], links: readonly Link[]): readonly boolean[] {
  const hops = new Map(vertices.map(({ id, hop }) => [id, hop]))
  const joined = new Set<number>()
  return links.map(({ source, target }) => {
    const [from, to] = [hops.get(source) ?? 0, hops.get(target) ?? 0]
    const outer = from > to ? source : target
    if (from === to || joined.has(outer)) return false
    joined.add(outer)
    return true
  })
}

/** The direction of those neighbours that have one, as the angle of their sum; 0 where there is none. */
function meanAngle(neighbours: readonly number[], angles: ReadonlyMap<number, number>): number {
  let [x, y] = [0, 0]
  for (const neighbour of neighbours) {
    const angle = angles.get(neighbour)
    if (angle === undefined) continue
    x += Math.cos(angle)
    y += Math.sin(angle)
  }
  return Math.atan2(y, x)
}

function neighboursOf(
  vertices: readonly PlacedVertex[],
  links: readonly Link[],
): ReadonlyMap<number, readonly number[]> {
  const neighbours = new Map<number, number[]>(vertices.map(({ id }) => [id, []]))
  for (const { source, target } of links) {
    neighbours.get(source)?.push(target)
    neighbours.get(target)?.push(source)
  }
  return neighbours
}

/**
 * A neighbourhood as it is drawn.
 * @param before places of what was drawn before: vertices that stay keep theirs, so that an expansion moves nothing
 */
export async function placed(
  near: CallResult<'explore.neighbourhood'>,
  layout: Layout,
  before: ReadonlyMap<number, Place>,
): Promise<Placement> {
  const { vertices, edges } = near
  const at = new Map(vertices.map(({ id }, i) => [id, i]))
  const [sources, targets] = [edges.map(({ source }) => at.get(source)!), edges.map(({ target }) => at.get(target)!)]
  const isKept = layout === 'spread' && vertices.some(({ id }) => before.has(id))
  const place = (axis: 'x' | 'y') => vertices.map(({ id }) => before.get(id)?.[axis] ?? null)
  const known = isKept ? { known: { x: place('x'), y: place('y') } } : {}
  const { x, y, strong } = await ask('explore.layout', { nodes: vertices.length, sources, targets, ...known })
  if (layout === 'map') return { places: mapPlaces(vertices), strong, map: mapOf(vertices) }
  if (layout === 'rings') return { places: ringsPlaces(vertices, edges), strong: inwards(vertices, edges) }
  return { places: new Map(vertices.map(({ id }, i) => [id, { x: x[i]!, y: y[i]! }])), strong }
}
