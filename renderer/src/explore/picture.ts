/**
 * What is in sight of a drawing as a picture of its own, SVG or PNG, names where the drawing has them. With a caption it is fit for paper: a title
 * above, below it the signs of the legend in as many rows as they need, and what is drawn of how much. Linear in nodes and edges.
 * scene.ts gives what is in sight, drawing-picture.ts draws a small part for the page of a run, drawn-graph.ts saves the graph itself.
 */

import { SEAM, standsLeft } from './draw-names.ts'
import { pngOf } from '../charts/save-file.ts'
import { BAR_AT, type Outline, type ScaleBar } from './map-ground.ts'
import { outlines, type Shape } from './shown.ts'

/** What a picture says of itself, so that it can stand alone on paper. */
export interface Caption {
  readonly title: string
  readonly signs: readonly {
    readonly type: Shape | 'line'
    readonly size: number
    readonly colour: string
    readonly text: string
  }[]
  readonly note: string
}

/** What is in sight of a drawing, in pixels. */
export interface Picture {
  readonly caption?: Caption | undefined
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

const [HEAD, ROW, MARGIN] = [40, 22, 16]
/** The mean width of a letter: of the text, and of the title, which is larger. */
const [LETTER, TITLE_LETTER] = [6.4, 9]
/** The baseline of the title. */
const TITLE_AT = 26
/** A sign's width, where its words begin, and what follows them. */
const [SIGN, WORDS_AT, GAP] = [14, 20, 14]
/** From the middle of a sign or a vertex: to the baseline of its words, and from its edge to theirs. */
const [BASELINE, ASIDE] = [4, 4]

/** The width and height of a picture with its caption. */
function sizeOf({ width, height, caption }: Picture) {
  const rows = caption === undefined ? [] : rowsOf(caption, width)
  return { rows, width, height: caption === undefined ? height : HEAD + height + ROW * (rows.length + 1) + MARGIN }
}

/** Signs in rows, each with its place. */
function rowsOf({ signs }: Caption, width: number) {
  const rows: (Caption['signs'][number] & { readonly left: number })[][] = []
  let left = Infinity
  for (const sign of signs) {
    const long = WORDS_AT + GAP + LETTER * sign.text.length
    if (left + long > width) {
      rows.push([])
      left = MARGIN
    }
    rows.at(-1)!.push({ ...sign, left })
    left += long
  }
  return rows
}

/** @returns a picture with its title above, its signs and a note below where it has a caption */
export function pictureAsSvg(picture: Picture): string {
  const { caption, ground, text, height: drawn } = picture
  const { width, height, rows } = sizeOf(picture)
  const line = (left: number, y: number, words: string, style: string): string =>
    `<text x="${left}" y="${y}" fill="${text}" ${style}>${escaped(words)}</text>`
  const signs = rows.flatMap((row, i) =>
    row.flatMap(({ left, type, size, colour, text: words }) => {
      const y = HEAD + drawn + ROW * i + SIGN + BASELINE
      const sign =
        type === 'line'
          ? `<path d="M${round(left)} ${y}h${SIGN}" stroke="${colour}" stroke-width="${size}"/>`
          : shapeOf({ x: left + SIGN / 2, y, size, type, colour, zIndex: 0, name: '' })
      return [sign, line(left + WORDS_AT, y + BASELINE, words, '')]
    }),
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="${ground}"/>`,
    ...(caption === undefined
      ? drawingOf(picture)
      : [
          line(
            MARGIN,
            TITLE_AT,
            cut(caption.title, (width - 2 * MARGIN) / TITLE_LETTER),
            'font-size="16" font-weight="600"',
          ),
          `<svg y="${HEAD}" width="${width}" height="${drawn}">`,
          ...drawingOf(picture),
          '</svg>',
          ...signs,
          line(MARGIN, height - MARGIN, cut(caption.note, (width - 2 * MARGIN) / LETTER), 'opacity="0.75"'),
        ]),
    '</svg>\n',
  ].join('\n')
}

const cut = (words: string, most: number): string =>
  words.length <= most ? words : `${words.slice(0, Math.floor(most) - 1)}…`

function drawingOf({ width, height, ground, text, nodes, edges, map = null }: Picture): readonly string[] {
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
      const start = isLeft ? x - size - ASIDE : x + size + ASIDE
      return `<text x="${round(start)}" y="${round(y + BASELINE)}" fill="${text}"${isLeft ? ' text-anchor="end"' : ''}>${escaped(name)}</text>`
    })
  return [
    ...(map === null
      ? []
      : [`<path d="${map.outlines.map(pathOf).join('')}" fill="${map.land}" fill-rule="evenodd"/>`]),
    ...lines,
    ...seen.map(shapeOf),
    // A seam in the colour of the ground, as drawn.
    ...(names.length === 0
      ? []
      : [
          `<g stroke="${ground}" stroke-width="${SEAM}" stroke-linejoin="round" paint-order="stroke">`,
          ...names,
          '</g>',
        ]),
    ...(map?.bar == null ? [] : barOf(map.bar, text, height)),
  ]
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

export const pictureAsPng = (picture: Picture): Promise<Blob> => pngOf(pictureAsSvg(picture), sizeOf(picture))
