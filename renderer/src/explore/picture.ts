import { standsLeft } from './draw-names.ts'
import { toCsv } from '../charts/chart.ts'
import type { Shown, ShownVertex } from './shown.ts'

/** What is in sight of a drawing, in pixels. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly ground: string
  readonly text: string
  readonly nodes: readonly PictureNode[]
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
  readonly type: string
  readonly zIndex: number
  readonly colour: string
  readonly name: string
}

const DOTS_A_PIXEL = 2
const round = (value: number): string => value.toFixed(1)
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

export function pictureAsSvg({ width, height, ground, text, nodes, edges }: Picture): string {
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
    ...lines,
    ...seen.map(shapeOf),
    ...names,
    '</svg>\n',
  ].join('\n')
}

function shapeOf({ x, y, size, type, colour }: PictureNode): string {
  const [a, b, c, d] = [round(x - size), round(x + size), round(y - size), round(y + size)]
  if (type === 'diamond')
    return `<path d="M${round(x)} ${c}L${b} ${round(y)}L${round(x)} ${d}L${a} ${round(y)}Z" fill="${colour}"/>`
  if (type === 'square')
    return `<rect x="${round(x - 0.8 * size)}" y="${round(y - 0.8 * size)}" width="${round(1.6 * size)}" height="${round(1.6 * size)}" fill="${colour}"/>`
  if (type === 'ring')
    return `<circle cx="${round(x)}" cy="${round(y)}" r="${round(0.72 * size)}" fill="none" stroke="${colour}" stroke-width="${round(0.56 * size)}"/>`
  return `<circle cx="${round(x)}" cy="${round(y)}" r="${round(size)}" fill="${colour}"/>`
}

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

/** As dots, two a pixel. @throws Error where the browser cannot draw */
export async function pictureAsPng(picture: Picture): Promise<Blob> {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(pictureAsSvg(picture))}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = DOTS_A_PIXEL * picture.width
  canvas.height = DOTS_A_PIXEL * picture.height
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('this browser draws nothing')
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('the picture is too large')) : resolve(blob)),
      'image/png',
    ),
  )
}

export function selectedOf(shown: Shown, selected: ReadonlySet<number>): Pick<Shown, 'vertices' | 'edges'> {
  if (selected.size < 2) return shown
  return {
    vertices: shown.vertices.filter(({ key }) => selected.has(key)),
    edges: shown.edges.filter(({ source, target }) => selected.has(source) && selected.has(target)),
  }
}

export function asGraphml({ vertices, edges }: Pick<Shown, 'vertices' | 'edges'>): string {
  const key = (id: string, of: 'node' | 'edge', type: string): string =>
    `  <key id="${id}" for="${of}" attr.name="${id}" attr.type="${type}"/>`
  const data = (name: string, value: string | number | boolean | null): string =>
    value === null ? '' : `<data key="${name}">${escaped(String(value))}</data>`
  const node = ({ label, name, degree, size, mark }: ShownVertex): string =>
    `    <node id="${escaped(label)}">${data('name', name)}${data('degree', degree)}${data('vertices', size)}${data('result', mark)}</node>`
  const labels = new Map(vertices.map(({ key: own, label }) => [own, escaped(label)]))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    key('name', 'node', 'string'),
    key('degree', 'node', 'long'),
    key('vertices', 'node', 'long'),
    key('result', 'node', 'string'),
    key('weight', 'edge', 'double'),
    key('matched', 'edge', 'boolean'),
    '  <graph edgedefault="undirected">',
    ...vertices.map(node),
    ...edges.map(
      ({ source, target, weight, matched }) =>
        `    <edge source="${labels.get(source)}" target="${labels.get(target)}">${data('weight', weight)}${data('matched', matched)}</edge>`,
    ),
    '  </graph>',
    '</graphml>\n',
  ].join('\n')
}

export function asEdgeCsv({ vertices, edges }: Pick<Shown, 'vertices' | 'edges'>): string {
  const labels = new Map(vertices.map(({ key, label }) => [key, label]))
  return toCsv({
    columns: ['source', 'target', 'weight'],
    rows: edges.map(({ source, target, weight }) => [labels.get(source) ?? '', labels.get(target) ?? '', weight]),
  })
}
