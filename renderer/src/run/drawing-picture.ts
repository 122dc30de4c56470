import { ask } from '../bridge.ts'
import { hasPlaces, placed } from '../explore/layout.ts'
import type { Picture } from '../explore/picture.ts'
import { paintByValue } from '../explore/paint.ts'
import { lookOf, shownNear, type ResultKind, type SceneColours, type Shown } from '../explore/shown.ts'
import { veiled } from '../theme/theme.ts'

const MARGIN = 12
const NEAR = { hops: 2, limit: 60 } as const
/** Sizes of vertices, as a share of those in Explore. */
const SCALE = 0.65

/** A small part of a graph, always the same one, with a result in it. */
export async function around(dataset: string, run: string, kind: ResultKind) {
  const near = await ask('explore.neighbourhood', { dataset, run, vertex: null, ...NEAR })
  const layout = hasPlaces(near.vertices) ? 'map' : 'spread'
  return { centre: near.centre, shown: shownNear(near, kind, await placed(near, layout, new Map())) }
}

/** All of a drawing as a picture of a size. @param isOrdered whether its values are in order, as levels are */
export function pictureOf(
  shown: Shown | null,
  colours: SceneColours,
  { width, height }: { readonly width: number; readonly height: number },
  isOrdered = false,
): Picture {
  const { vertices = [], edges = [] } = shown ?? {}
  const { ground, text, edge, matched: pair } = colours
  const places = placesIn(shown, width, height)
  const paint = isOrdered ? paintByValue(vertices, true) : null
  const nodes = new Map(
    vertices.map((plain) => {
      const vertex = paint === null ? plain : { ...plain, paint: paint.colourOf(plain) }
      const at = places.get(vertex.key) ?? { x: 0, y: 0 }
      return [vertex.key, { ...at, ...lookOf(vertex, colours, 1, SCALE), zIndex: 0, name: '' }] as const
    }),
  )
  const lines = edges.map(({ source, target, matched }) => ({
    ...{ from: nodes.get(source)!, to: nodes.get(target)! },
    ...(matched ? { size: 2, colour: pair } : { size: 1, colour: veiled(edge, 0.5) }),
  }))
  return { width, height, ground, text, nodes: [...nodes.values()], edges: lines }
}

function placesIn(shown: Shown | null, width: number, height: number) {
  const all = [...(shown?.places ?? [])]
  const span = (values: readonly number[]): readonly [number, number] => [Math.min(...values), Math.max(...values)]
  const [[left, right], [low, high]] = [span(all.map(([, { x }]) => x)), span(all.map(([, { y }]) => y))]
  const scale = Math.min((width - 2 * MARGIN) / (right - left || 1), (height - 2 * MARGIN) / (high - low || 1))
  const at = (value: number, middle: number): number => Math.round(10 * (middle + value * scale)) / 10
  return new Map(
    all.map(([key, { x, y }]) => [
      key,
      { x: at(x - (left + right) / 2, width / 2), y: at((low + high) / 2 - y, height / 2) },
    ]),
  )
}
