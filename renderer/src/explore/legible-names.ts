/** A vertex in the drawing, in pixels, and the name that would stand at its right, or at its left where it would be cut off there. */
export interface NamedPlace {
  readonly id: string
  readonly x: number
  readonly y: number
  readonly name: string
}

/** Of the letters of the drawing, with some room around. */
const LETTER = 7.4
const HEIGHT = 16
const GAP = 14

/** Whether a name would be cut off at the right of x in a drawing of a width, and not at its left. */
export const standsLeft = (x: number, name: string, width: number): boolean => {
  const long = GAP + LETTER * name.length
  return x + long > width && x - long >= 0
}

/** The names that can be read in a drawing of a width: earlier ones go first, and no later one covers them. */
export function legibleNames(places: readonly NamedPlace[], width = Infinity): ReadonlySet<string> {
  const taken: { readonly left: number; readonly right: number; readonly y: number }[] = []
  const legible = new Set<string>()
  for (const { id, x, y, name } of places) {
    const long = GAP + LETTER * name.length
    const [left, right] = standsLeft(x, name, width) ? [x - long, x] : [x, x + long]
    if (taken.some((other) => Math.abs(other.y - y) < HEIGHT && left < other.right && other.left < right)) continue
    taken.push({ left, right, y })
    legible.add(id)
  }
  return legible
}
