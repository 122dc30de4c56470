import type { LocationQuery, LocationQueryRaw } from 'vue-router'
import { layouts, type Layout } from './layout.ts'

export interface ExploreQuery {
  readonly run: string | null
  readonly against: string | null
  /** Label of the vertex in the middle; null for the whole graph. */
  readonly vertex: string | null
  /** Labels of vertices that are shown with their neighbours too. */
  readonly also: readonly string[]
  /** A node of the drawing of the whole graph, whose vertices alone are drawn. */
  readonly inside: number | null
  readonly detail: number
  readonly hops: number
  readonly limit: number
  readonly layout: Layout | null
}

export const hopChoices = [1, 2, 3, 4] as const
export const limitChoices = [50, 150, 400, 1000, 2000] as const
export const detailChoices = [2000, 10_000, 50_000] as const
const [DEFAULT_HOPS, DEFAULT_LIMIT, DEFAULT_DETAIL] = [2, 150, 10_000]

export function readQuery(query: LocationQuery): ExploreQuery {
  const text = (name: string): string | null => {
    const value = query[name]
    return typeof value === 'string' && value !== '' ? value : null
  }
  const oneOf = (choices: readonly number[], given: string | null, otherwise: number): number =>
    choices.find((choice) => String(choice) === given) ?? otherwise
  const [vertex = null, ...also] = [query['vertex'] ?? []]
    .flat()
    .flatMap((label) => (label === null || label === '' ? [] : [label]))
  const inside = Number(text('inside') ?? NaN)
  return {
    run: text('run'),
    against: text('against'),
    vertex,
    also,
    inside: Number.isInteger(inside) && inside >= 0 ? inside : null,
    detail: oneOf(detailChoices, text('detail'), DEFAULT_DETAIL),
    hops: oneOf(hopChoices, text('hops'), DEFAULT_HOPS),
    limit: oneOf(limitChoices, text('limit'), DEFAULT_LIMIT),
    layout: layouts.find((layout) => layout === text('layout')) ?? null,
  }
}

/** Only what is not as it would be anyway. */
export function writeQuery(query: ExploreQuery): LocationQueryRaw {
  const { run, against, vertex, also, inside, hops, limit, layout, detail } = query
  return {
    ...(run === null ? {} : { run }),
    ...(against === null ? {} : { against }),
    ...(vertex === null ? {} : { vertex: also.length === 0 ? vertex : [vertex, ...also] }),
    ...(inside === null ? {} : { inside: String(inside) }),
    ...(detail === DEFAULT_DETAIL ? {} : { detail: String(detail) }),
    ...(hops === DEFAULT_HOPS ? {} : { hops: String(hops) }),
    ...(limit === DEFAULT_LIMIT ? {} : { limit: String(limit) }),
    ...(layout === null ? {} : { layout }),
  }
}
