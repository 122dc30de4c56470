import { standsLeft } from './draw-names.ts'
import { pngOf } from '../charts/save-file.ts'
import { BAR_AT, type Outline, type ScaleBar } from './map-ground.ts'
import { outlines, type Shape } from './shown.ts'

/** What is in sight of a drawing, in pixels. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly ground: string
  readonly text: string
  readonly nodes: readonly PictureNode[]
  /** What is under it, on a map of the earth. */
  readonly map?: { readonly land: string; readonly outlines: readonly Outline[]; readonly bar: ScaleBar | null } | null
  readonly edges: readonly {
    readonly from: PictureNode
    readonly to: PictureNode
    readonly size: number
    readonly colour: string
  }[]
}

interface PictureNode {
  readonly x: number
  readonly y: number
  readonly size: number
  readonly type: Shape
  readonly zIndex: number
  readonly colour: string
  readonly name: string
}

const round = (value: number): string => value.toFixed(1)
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

export function pictureAsSvg({ width, height, ground, text, nodes, edges, map = null }: Picture): string {
  const isSeen = ({ x, y }: PictureNode): boolean => x >= 0 && y >= 0 && x <= width && y <= height
  const lines = edges
    .filter(({ from, to }) => isSeen(from) || isSeen(to))
    .map(
      ({ from, to, size, colour }) =>
        `<line x1="${round(from.x)}" y1="${round(from.y)}" x2="${round(to.x)}" y2="${round(to.y)}" stroke="${plain(colour)}" stroke-opacity="${alphaOf(colour)}" stroke-width="${size}"/>`,
    )
  const seen = nodes.filter(isSeen).toSorted((a, b) => a.zIndex - b.zIndex)
  const names = seen
    .filter(({ name }) => name !== '')
    .map(({ x, y, size, name }) => {
      const isLeft = standsLeft(x, name, width)
      const start = isLeft ? x - size - 4 : x + size + 4
      return `<text x="${round(start)}" y="${round(y + 4)}" fill="${text}"${isLeft ? ' text-anchor="end"' : ''}>${escaped(name)}</text>`
    })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="${ground}"/>`,
    ...(map === null
      ? []
      : [`<path d="${map.outlines.map(pathOf).join('')}" fill="${map.land}" fill-rule="evenodd"/>`]),
    ...lines,
    ...seen.map(shapeOf),
    ...names,
    ...(map?.bar == null ? [] : barOf(map.bar, text, height)),
    '</svg>\n',
  ].join('\n')
}

function pathOf(outline: Outline): string {
  const places = Array.from(
    { length: outline.length / 2 },
    (_, i) => `${round(outline[2 * i]!)} ${round(outline[2 * i + 1]!)}`,
  )
  return `M${places.join('L')}Z`
}

const barOf = ({ pixels, text }: ScaleBar, colour: string, height: number): readonly string[] => [
  `<rect x="${BAR_AT.left}" y="${height - BAR_AT.bottom}" width="${round(pixels)}" height="2" fill="${colour}"/>`,
  `<text x="${BAR_AT.left}" y="${height - BAR_AT.bottom - 5}" fill="${colour}">${text}</text>`,
]

const shapeOf = ({ x, y, size, type, colour }: PictureNode): string =>
  `<path d="${outlines[type]}" transform="translate(${round(x)} ${round(y)}) scale(${round(size)})" fill="${colour}"/>`

/** Colours of edges have their channels multiplied by the alpha, as WebGL wants them. */
function channels(colour: string): readonly number[] {
  return (colour.match(/[\d.]+/g) ?? []).map(Number)
}

const alphaOf = (colour: string): number => channels(colour)[3] ?? 1

function plain(colour: string): string {
  const alpha = alphaOf(colour)
  const [red, green, blue] = channels(colour).map((channel) => Math.min(255, Math.round(channel / alpha)))
  return `rgb(${red}, ${green}, ${blue})`
}

export const pictureAsPng = (picture: Picture): Promise<Blob> => pngOf(pictureAsSvg(picture), picture)
