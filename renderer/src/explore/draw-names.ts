const MOST_LETTERS = 40
const LAST_LETTERS = 12

/** A name as it is drawn: of a long one its beginning, and its end, which often tells names apart. */
export function drawnName(name: string): string {
  const letters = [...name]
  if (letters.length <= MOST_LETTERS) return name
  return `${letters.slice(0, MOST_LETTERS - LAST_LETTERS).join('')}…${letters.slice(-LAST_LETTERS).join('')}`
}

export interface DrawnVertex {
  readonly x: number
  readonly y: number
  readonly size: number
  readonly label: string | null
}

interface Style {
  readonly text: string
  readonly ground: string
  readonly focus: string
  readonly width: number
}

function startOf(context: CanvasRenderingContext2D, { x, size, label }: DrawnVertex, apart: number, width: number) {
  const pixels = context.measureText(label ?? '').width
  return { left: standsLeft(x, label ?? '', width) ? x - size - apart - pixels : x + size + apart, pixels }
}

/** The seam of a name in the colour of the ground: among many vertices it could not be read. */
export const SEAM = 6

/** A name with its seam. */
export function drawName(context: CanvasRenderingContext2D, vertex: DrawnVertex, { text, ground, width }: Style): void {
  if (vertex.label === null || vertex.label === '') return
  context.font = '12px system-ui, sans-serif'
  const { left } = startOf(context, vertex, 3, width)
  Object.assign(context, { strokeStyle: ground, fillStyle: text, lineWidth: SEAM, lineJoin: 'round' })
  context.strokeText(vertex.label, left, vertex.y + 4)
  context.fillText(vertex.label, left, vertex.y + 4)
}

/** A ring around a vertex, and its name on the ground so that nothing crosses it. */
export function drawRing(
  context: CanvasRenderingContext2D,
  vertex: DrawnVertex,
  { text, ground, focus, width }: Style,
  isNamed: boolean,
): void {
  context.beginPath()
  context.arc(vertex.x, vertex.y, vertex.size + 3, 0, 2 * Math.PI)
  context.lineWidth = 2
  context.strokeStyle = focus
  context.stroke()
  if (!isNamed || vertex.label === null || vertex.label === '') return
  context.font = '600 12px system-ui, sans-serif'
  const { left, pixels } = startOf(context, vertex, 8, width)
  context.fillStyle = ground
  context.fillRect(left - 4, vertex.y - 10, pixels + 8, 20)
  context.fillStyle = text
  context.fillText(vertex.label, left, vertex.y + 4)
}

/** A vertex in the drawing, in pixels, and the name that would stand at its right, or at its left where it would be cut off there. */
interface NamedPlace {
  readonly id: string
  readonly x: number
  readonly y: number
  readonly name: string
}

/** The size of the letters of the drawing, with some room around. */
const LETTER = 7.4
const HEIGHT = 16
const GAP = 14

/** Whether a name would be cut off at the right of x in a drawing of a width, and not at its left. */
export const standsLeft = (x: number, name: string, width: number): boolean => {
  const long = GAP + LETTER * name.length
  return x + long > width && x - long >= 0
}

/** The first names, at most so many, that can be read in a drawing of a width: no later one covers an earlier one. */
export function legibleNames(places: readonly NamedPlace[], width = Infinity, most = Infinity): ReadonlySet<string> {
  const taken: { readonly left: number; readonly right: number; readonly y: number }[] = []
  const legible = new Set<string>()
  for (const { id, x, y, name } of places) {
    if (legible.size >= most) break
    const long = GAP + LETTER * name.length
    const [left, right] = standsLeft(x, name, width) ? [x - long, x] : [x, x + long]
    if (taken.some((other) => Math.abs(other.y - y) < HEIGHT && left < other.right && other.left < right)) continue
    taken.push({ left, right, y })
    legible.add(id)
  }
  return legible
}
