/** Mean radius of the Earth. */
const EARTH_RADIUS_KM = 6371.0088

export interface Places {
  /** Degrees. */
  readonly latitudes: Float64Array
  readonly longitudes: Float64Array
}

const RADIANS = Math.PI / 180
/** Cells are never smaller than this part of the Earth's radius (about a metre), so that their numbers stay exact. */
const SMALLEST_CELL = 2e-7

/** Great-circle distance by the haversine formula, in km. */
export function greatCircleKm(latitudeA: number, longitudeA: number, latitudeB: number, longitudeB: number): number {
  const a = Math.sin(((latitudeB - latitudeA) * RADIANS) / 2)
  const b = Math.sin(((longitudeB - longitudeA) * RADIANS) / 2)
  const h = a * a + Math.cos(latitudeA * RADIANS) * Math.cos(latitudeB * RADIANS) * b * b
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(h)))
}

/**
 * Finds all pairs of places closer than a radius. The index is a grid of cubes over the unit sphere, as wide as the chord
 * that belongs to the radius: whatever is close lies in a cube or one of its 26 neighbours, at the poles and across the
 * antimeridian as everywhere else, which a grid of latitudes and longitudes has to treat apart.
 */
export class ClosePairs {
  readonly #places: Places
  readonly #radiusKm: number
  readonly #cells: number
  readonly #keys: Float64Array
  /** Places by ascending cell. */
  readonly #order: Uint32Array
  /** Where the places of a cell start in that order. */
  readonly #starts = new Map<number, number>()

  constructor(places: Places, radiusKm: number) {
    this.#places = places
    this.#radiusKm = radiusKm
    const chord = 2 * Math.sin(Math.min(Math.PI / 2, radiusKm / EARTH_RADIUS_KM / 2))
    // A little wider than the chord, so that rounding cannot put two places two cells apart.
    const width = Math.max(SMALLEST_CELL, chord * (1 + 1e-9) + 1e-12)
    this.#cells = Math.ceil(2 / width) + 3
    const count = places.latitudes.length
    this.#keys = Float64Array.from({ length: count }, (_, i) => this.#keyOf(i, width))
    this.#order = Uint32Array.from({ length: count }, (_, i) => i).sort(
      (a, b) => this.#keys[a]! - this.#keys[b]! || a - b,
    )
    for (let k = count - 1; k >= 0; k--) this.#starts.set(this.#keys[this.#order[k]!]!, k)
  }

  #keyOf(i: number, width: number): number {
    const latitude = this.#places.latitudes[i]! * RADIANS
    const longitude = this.#places.longitudes[i]! * RADIANS
    const cell = (x: number) => Math.floor((x + 1) / width) + 1
    const x = cell(Math.cos(latitude) * Math.cos(longitude))
    const y = cell(Math.cos(latitude) * Math.sin(longitude))
    return (x * this.#cells + y) * this.#cells + cell(Math.sin(latitude))
  }

  /** Calls `found` for each pair a < b in which a is one of [first, last), with the distance in km. */
  each(first: number, last: number, found: (a: number, b: number, distanceKm: number) => void): void {
    for (let a = first; a < last; a++) {
      for (let x = -1; x <= 1; x++)
        for (let y = -1; y <= 1; y++)
          for (let z = -1; z <= 1; z++) this.#inCell(a, this.#keys[a]! + (x * this.#cells + y) * this.#cells + z, found)
    }
  }

  #inCell(a: number, key: number, found: (a: number, b: number, distanceKm: number) => void): void {
    const start = this.#starts.get(key)
    if (start === undefined) return
    const { latitudes, longitudes } = this.#places
    for (let k = start; k < this.#order.length; k++) {
      const b = this.#order[k]!
      if (this.#keys[b] !== key) return
      if (b <= a) continue
      const distanceKm = greatCircleKm(latitudes[a]!, longitudes[a]!, latitudes[b]!, longitudes[b]!)
      if (distanceKm < this.#radiusKm) found(a, b, distanceKm)
    }
  }
}
