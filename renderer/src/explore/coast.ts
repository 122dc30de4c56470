import { feature } from 'topojson-client'
import type { MapFrame, Outline } from './map-ground.ts'

/** Land as Natural Earth has it, 1:50 million, by world-atlas. */
export interface Coast {
  /** The outlines that are in sight, each as pixels x, y; places that would be one pixel are one. */
  outlines(frame: MapFrame): readonly Outline[]
}

interface Ring {
  readonly longitudes: Float32Array
  readonly latitudes: Float32Array
  readonly left: number
  readonly right: number
  readonly bottom: number
  readonly top: number
}

export async function readCoast(): Promise<Coast> {
  const { default: atlas } = await import('world-atlas/land-50m.json')
  const land = feature(atlas, atlas.objects.land)
  const rings = land.features.flatMap(({ geometry }) =>
    (geometry.type === 'MultiPolygon' ? geometry.coordinates : []).flatMap((polygon) => polygon.map(ringOf)),
  )
  return {
    outlines: (frame) => rings.flatMap((ring) => worlds(ring, frame).map((turn) => inPixels(ring, turn, frame))),
  }
}

/** A ring that crosses the date line continues beyond it; one around a pole has the pole at its end. */
function ringOf(places: readonly (readonly number[])[]): Ring {
  const [xs, ys] = [[] as number[], [] as number[]]
  for (const [x = 0, y = 0] of places) {
    const last = xs.at(-1) ?? x
    xs.push(x - 360 * Math.round((x - last) / 360))
    ys.push(y)
  }
  const [start, end, pole] = [xs[0]!, xs.at(-1)!, ys[0]! < 0 ? -90 : 90]
  if (Math.abs(end - start) > 180) {
    xs.push(end, start)
    ys.push(pole, pole)
  }
  const [longitudes, latitudes] = [Float32Array.from(xs), Float32Array.from(ys)]
  const [left, bottom] = [least(longitudes), least(latitudes)]
  return { longitudes, latitudes, left, bottom, right: -least(longitudes, -1), top: -least(latitudes, -1) }
}

const least = (values: Float32Array, sign = 1): number => values.reduce((a, b) => Math.min(a, sign * b), Infinity)

/** Whole turns of the earth by which a ring comes into sight. */
function worlds({ left, right, bottom, top }: Ring, frame: MapFrame): readonly number[] {
  const high = frame.top + frame.down * top
  const low = frame.top + frame.down * bottom
  if (low < 0 || high > frame.height) return []
  return [-720, -360, 0, 360, 720].filter((turn) => {
    const isNear = left + turn <= frame.centre + 180 && right + turn >= frame.centre - 180
    const [from, to] = [frame.left + frame.across * (left + turn), frame.left + frame.across * (right + turn)]
    return isNear && to >= 0 && from <= frame.width
  })
}

function inPixels({ longitudes, latitudes }: Ring, turn: number, { left, top, across, down }: MapFrame): Outline {
  const places: number[] = []
  let [lastX, lastY] = [Infinity, Infinity]
  for (let i = 0; i < longitudes.length; i++) {
    const [x, y] = [left + across * (longitudes[i]! + turn), top + down * latitudes[i]!]
    if (Math.abs(x - lastX) + Math.abs(y - lastY) < 1 && i + 1 < longitudes.length) continue
    places.push(x, y)
    ;[lastX, lastY] = [x, y]
  }
  return places
}
