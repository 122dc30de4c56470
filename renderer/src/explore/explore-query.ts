import type { LocationQuery, LocationQueryRaw } from 'vue-router'
import { layouts } from './layout.ts'

export const hopChoices = [1, 2, 3, 4] as const
export const limitChoices = [50, 150, 400, 1000, 2000] as const
export const detailChoices = [2000, 10_000, 50_000] as const
const defaults = { hops: 2, limit: 150, detail: 10_000 } as const

export type ExploreQuery = Readonly<ReturnType<typeof readQuery>>

export function readQuery(query: LocationQuery) {
  const text = (name: string): string | null => {
    const value = query[name]
    return typeof value === 'string' && value !== '' ? value : null
  }
  const oneOf = (choices: readonly number[], name: keyof typeof defaults): number =>
    choices.find((choice) => String(choice) === text(name)) ?? defaults[name]
  const [vertex = null, ...also] = [query['vertex'] ?? []]
    .flat()
    .flatMap((label) => (label === null || label === '' ? [] : [label]))
  const inside = Number(text('inside') ?? NaN)
  return {
    run: text('run'),
    against: text('against'),
    /** Label of the vertex in the middle; null for the whole graph. */
    vertex,
    /** Labels of vertices that are shown with their neighbours too. */
    also: also as readonly string[],
    /** A node of the drawing of the whole graph, whose vertices alone are drawn. */
    inside: Number.isInteger(inside) && inside >= 0 ? inside : null,
    detail: oneOf(detailChoices, 'detail'),
    hops: oneOf(hopChoices, 'hops'),
    limit: oneOf(limitChoices, 'limit'),
    /** Attributes that it is coloured and sized by; null: by the result and the degree. */
    colour: text('colour'),
    size: text('size'),
    /** Not null: it is coloured by communities. */
    communities: text('communities'),
    layout: layouts.find((layout) => layout === text('layout')) ?? null,
  }
}

/** Only what is not as it would be anyway. */
export function writeQuery({ vertex, also, ...others }: ExploreQuery): LocationQueryRaw {
  const usual: Readonly<Record<string, number>> = defaults
  const said = Object.entries(others).filter(([name, value]) => value !== null && value !== usual[name])
  return {
    ...Object.fromEntries(said.map(([name, value]) => [name, String(value)])),
    ...(vertex === null ? {} : { vertex: also.length === 0 ? vertex : [vertex, ...also] }),
  }
}
