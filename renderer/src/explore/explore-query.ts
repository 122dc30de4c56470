import type { LocationQuery, LocationQueryRaw } from 'vue-router'
import { layouts } from './layout.ts'
import type { Layout } from './layout.ts'

export interface ExploreQuery {
  readonly run: string | null
  /** Label of the vertex in the middle; null for one that the service chooses. */
  readonly vertex: string | null
  readonly hops: number
  readonly limit: number
  readonly layout: Layout | null
}

export const hopChoices = [1, 2, 3, 4] as const
export const limitChoices = [50, 150, 400, 1000, 2000] as const
const [DEFAULT_HOPS, DEFAULT_LIMIT] = [2, 150]

export function readQuery(query: LocationQuery): ExploreQuery {
  const text = (name: string): string | null => {
    const value = query[name]
    return typeof value === 'string' && value !== '' ? value : null
  }
  const oneOf = (choices: readonly number[], given: string | null, otherwise: number): number =>
    choices.find((choice) => String(choice) === given) ?? otherwise
  return {
    run: text('run'),
    vertex: text('vertex'),
    hops: oneOf(hopChoices, text('hops'), DEFAULT_HOPS),
    limit: oneOf(limitChoices, text('limit'), DEFAULT_LIMIT),
    layout: layouts.find((layout) => layout === text('layout')) ?? null,
  }
}

/** Only what is not as it would be anyway. */
export function writeQuery({ run, vertex, hops, limit, layout }: ExploreQuery): LocationQueryRaw {
  return {
    ...(run === null ? {} : { run }),
    ...(vertex === null ? {} : { vertex }),
    ...(hops === DEFAULT_HOPS ? {} : { hops: String(hops) }),
    ...(limit === DEFAULT_LIMIT ? {} : { limit: String(limit) }),
    ...(layout === null ? {} : { layout }),
  }
}
