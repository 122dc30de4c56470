import type { Place } from './shown.ts'

/** Where vertices are drawn. Every layout gives the same places for the same drawing, every time. */
export const layouts = ['spread', 'rings', 'map'] as const
export type Layout = (typeof layouts)[number]

export interface PlacedVertex {
  readonly id: number
  readonly hop: number
  /** Its own place, where the dataset has places. */
  readonly x: number | null
  readonly y: number | null
}

export interface Link {
  readonly source: number
  readonly target: number
}

export type Places = ReadonlyMap<number, Place>

export function hasPlaces(vertices: readonly PlacedVertex[]): boolean {
  return vertices.length > 0 && vertices.every(({ x, y }) => x !== null && y !== null)
}

/**
 * Longitudes and latitudes on a plane: degrees of longitude shrink with the cosine of the middle latitude, so that shapes
 * stay true near it. Other coordinates are taken as they are.
 */
export function mapPlaces(vertices: readonly PlacedVertex[]): Places {
  const geographic = vertices.every(({ x, y }) => Math.abs(x ?? 0) <= 180 && Math.abs(y ?? 0) <= 90)
  const middle = vertices.reduce((sum, { y }) => sum + (y ?? 0), 0) / Math.max(1, vertices.length)
  const narrow = geographic ? Math.max(0.1, Math.cos((middle * Math.PI) / 180)) : 1
  // Across the date line, the far side is drawn beyond it and not a world away.
  const centre = vertices.find(({ hop }) => hop === 0)?.x ?? 0
  const near = (x: number): number => (geographic ? x - 360 * Math.round((x - centre) / 360) : x)
  return new Map(vertices.map(({ id, x, y }) => [id, { x: near(x ?? 0) * narrow, y: y ?? 0 }]))
}
