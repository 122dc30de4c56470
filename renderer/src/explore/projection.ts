import type { Place } from './shown.ts'

/** How a map is drawn on a plane. */
export interface Projection {
  readonly isGeographic: boolean
  /** The width of a degree of longitude, in degrees of latitude. */
  readonly narrow: number
  /** The longitude in the middle: others are drawn at most half a world from it. */
  readonly centre: number
}

/**
 * Longitudes and latitudes on a plane: degrees of longitude shrink with the cosine of the middle latitude, so that shapes
 * stay true near it. Other coordinates are taken as they are.
 * @param centre absent: opposite of the widest gap, so that no group of places is cut by the edge
 */
export function projectionOf(places: readonly Place[], centre?: number): Projection {
  const isGeographic = places.every(({ x, y }) => Math.abs(x) <= 180 && Math.abs(y) <= 90)
  const middle = places.reduce((sum, { y }) => sum + y, 0) / Math.max(1, places.length)
  return {
    isGeographic,
    narrow: isGeographic ? Math.max(0.1, Math.cos((middle * Math.PI) / 180)) : 1,
    centre: centre ?? (isGeographic ? oppositeOfGap(places.map(({ x }) => x)) : 0),
  }
}

function oppositeOfGap(longitudes: readonly number[]): number {
  const sorted = longitudes.toSorted((a, b) => a - b)
  let [widest, end] = [0, sorted[0] ?? 0]
  sorted.forEach((x, i) => {
    const next = sorted[i + 1] ?? (sorted[0] ?? 0) + 360
    if (next - x > widest) [widest, end] = [next - x, next]
  })
  // The places reach from the end of the gap around to its start.
  return end + (360 - widest) / 2
}

export function project({ isGeographic, narrow, centre }: Projection, { x, y }: Place): Place {
  // Across the date line, the far side is drawn beyond it and not a world away.
  return { x: (isGeographic ? x - 360 * Math.round((x - centre) / 360) : x) * narrow, y }
}
