import type { Link, PlacedVertex, Places } from './layout.ts'

/** Pairs of vertices that are looked at in all, some 0.3 s; the number of steps follows from it. */
const MOST_PAIRS = 6e7
const [FEWEST_STEPS, MOST_STEPS] = [12, 240]
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5))

/**
 * Fruchterman and Reingold, "Graph drawing by force-directed placement" (1991): all vertices push each other away with
 * k^2 / d, edges pull with d^2 / k, and a step moves no vertex further than the temperature, which falls to 0. It starts
 * from a disc filled by hops, not from chance, and sums in the order of ids.
 */
export function spreadPlaces(vertices: readonly PlacedVertex[], links: readonly Link[]): Places {
  const ordered = vertices.toSorted((a, b) => a.hop - b.hop || a.id - b.id)
  const n = ordered.length
  const at = new Map(ordered.map(({ id }, index) => [id, index]))
  const x = Float64Array.from(ordered, (_, index) => Math.sqrt(index) * Math.cos(index * GOLDEN_ANGLE))
  const y = Float64Array.from(ordered, (_, index) => Math.sqrt(index) * Math.sin(index * GOLDEN_ANGLE))
  const ends = links.flatMap(({ source, target }) => {
    const [a, b] = [at.get(source), at.get(target)]
    return a === undefined || b === undefined || a === b ? [] : [[a, b] as const]
  })
  const steps = Math.max(FEWEST_STEPS, Math.min(MOST_STEPS, Math.floor(MOST_PAIRS / Math.max(1, (n * n) / 2))))
  const widest = Math.sqrt(n)
  for (let step = 0; step < steps; step++) move(x, y, ends, widest * 0.2 * (1 - step / steps))
  return new Map(ordered.map(({ id }, index) => [id, { x: x[index] ?? 0, y: y[index] ?? 0 }]))
}

/** One step with k = 1. */
function move(
  x: Float64Array,
  y: Float64Array,
  ends: readonly (readonly [number, number])[],
  temperature: number,
): void {
  const n = x.length
  const [pushX, pushY] = [new Float64Array(n), new Float64Array(n)]
  for (let a = 0; a < n; a++)
    for (let b = a + 1; b < n; b++) {
      const [dx, dy] = [x[a]! - x[b]!, y[a]! - y[b]!]
      const force = 1 / Math.max(1e-4, dx * dx + dy * dy)
      pushX[a]! += dx * force
      pushY[a]! += dy * force
      pushX[b]! -= dx * force
      pushY[b]! -= dy * force
    }
  for (const [a, b] of ends) {
    const [dx, dy] = [x[a]! - x[b]!, y[a]! - y[b]!]
    const force = Math.hypot(dx, dy)
    pushX[a]! -= dx * force
    pushY[a]! -= dy * force
    pushX[b]! += dx * force
    pushY[b]! += dy * force
  }
  for (let v = 0; v < n; v++) {
    const length = Math.hypot(pushX[v]!, pushY[v]!)
    const scale = length === 0 ? 0 : Math.min(length, temperature) / length
    x[v]! += pushX[v]! * scale
    y[v]! += pushY[v]! * scale
  }
}
