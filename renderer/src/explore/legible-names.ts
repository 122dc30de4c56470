/** A vertex in the drawing, in pixels, and the name that would stand at its right. */
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

/** The names that can be read: earlier ones go first, and no later one covers them. */
export function legibleNames(places: readonly NamedPlace[]): ReadonlySet<string> {
  const taken: { readonly left: number; readonly right: number; readonly y: number }[] = []
  const legible = new Set<string>()
  for (const { id, x, y, name } of places) {
    const [left, right] = [x, x + GAP + LETTER * name.length]
    if (taken.some((other) => Math.abs(other.y - y) < HEIGHT && left < other.right && other.left < right)) continue
    taken.push({ left, right, y })
    legible.add(id)
  }
  return legible
}
