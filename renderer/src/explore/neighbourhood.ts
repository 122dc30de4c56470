import type { CallResult } from '../../../electron/contract/calls.ts'
import { ask } from '../bridge.ts'
import { mapPlaces, inwards, ringsPlaces, type Layout } from './layout.ts'
import { markOf, type Place, type ResultKind, type Shown } from './shown.ts'

export type Neighbourhood = CallResult<'explore.neighbourhood'>

/**
 * A neighbourhood as it is drawn.
 * @param before places of what was drawn before: vertices that stay keep theirs, so that an expansion moves nothing
 */
export async function placed(
  near: Neighbourhood,
  layout: Layout,
  before: ReadonlyMap<number, Place>,
): Promise<Pick<Shown, 'places'> & { readonly strong: readonly boolean[] }> {
  const { vertices, edges } = near
  const at = new Map(vertices.map(({ id }, i) => [id, i]))
  const [sources, targets] = [edges.map(({ source }) => at.get(source)!), edges.map(({ target }) => at.get(target)!)]
  const isKept = layout === 'spread' && vertices.some(({ id }) => before.has(id))
  const place = (axis: 'x' | 'y') => vertices.map(({ id }) => before.get(id)?.[axis] ?? null)
  const known = isKept ? { known: { x: place('x'), y: place('y') } } : {}
  const { x, y, strong } = await ask('explore.layout', { nodes: vertices.length, sources, targets, ...known })
  if (layout === 'map') return { places: mapPlaces(vertices), strong }
  if (layout === 'rings') return { places: ringsPlaces(vertices, edges), strong: inwards(vertices, edges) }
  return { places: new Map(vertices.map(({ id }, i) => [id, { x: x[i]!, y: y[i]! }])), strong }
}

export function shownNear(
  near: Neighbourhood,
  kind: ResultKind,
  { places, strong }: Awaited<ReturnType<typeof placed>>,
): Shown {
  return {
    vertices: near.vertices.map(({ id, label, name, degree, hop, member, other, value }) => ({
      ...{ key: id, label, name, degree, hop, value, size: 1, share: 1 },
      mark: markOf(kind, member, other),
    })),
    edges: near.edges.map(({ source, target, weight, matched }, i) => ({
      ...{ source, target, weight, matched },
      strong: strong[i] ?? true,
    })),
    places,
    limits: near.limits,
  }
}
