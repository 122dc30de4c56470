import { DisjointSets } from '../base/disjoint-sets.ts'

type Ends = readonly (readonly [number, number])[]

/** A part of a graph that no edge leaves. */
export interface Component {
  /** Ascending. */
  readonly nodes: readonly number[]
  /** By the places of their ends in `nodes`. */
  readonly ends: Ends
}

/** The largest first. */
export function componentsOf(count: number, ends: Ends): readonly Component[] {
  const sets = new DisjointSets(count)
  for (const [a, b] of ends) sets.join(a, b)
  const places = new Uint32Array(count)
  const found = new Map<number, { nodes: number[]; ends: [number, number][] }>()
  for (let v = 0; v < count; v++) {
    const root = sets.of(v)
    const own = found.get(root) ?? { nodes: [], ends: [] }
    found.set(root, own)
    places[v] = own.nodes.push(v) - 1
  }
  for (const [a, b] of ends) found.get(sets.of(a))!.ends.push([places[a]!, places[b]!])
  return [...found.values()].sort((a, b) => b.nodes.length - a.nodes.length || a.nodes[0]! - b.nodes[0]!)
}

interface Placed {
  readonly nodes: readonly number[]
  readonly x: Float64Array
  readonly y: Float64Array
}

/** Between components. */
const GAP = 3
/** Width to height of a drawing. */
const SHAPE = 1.5

/** Components beside each other, in rows from the largest on, in a drawing that is somewhat wider than high. */
export function pack(
  count: number,
  components: readonly Placed[],
): { readonly x: Float64Array; readonly y: Float64Array } {
  const boxes = components.map(({ x, y }) => {
    const [left, top] = [least(x), least(y)]
    return {
      left,
      top,
      width: GAP - least(x.map((value) => -value)) - left,
      height: GAP - least(y.map((value) => -value)) - top,
    }
  })
  const area = boxes.reduce((sum, { width, height }) => sum + width * height, 0)
  const wide = Math.max(Math.sqrt(SHAPE * area), ...boxes.slice(0, 1).map(({ width }) => width))
  const x = new Float64Array(count)
  const y = new Float64Array(count)
  let [left, top, high] = [0, 0, 0]
  components.forEach((component, i) => {
    const box = boxes[i]!
    if (left > 0 && left + box.width > wide) [left, top, high] = [0, top + high, 0]
    component.nodes.forEach((v, at) => {
      x[v] = component.x[at]! - box.left + left
      y[v] = component.y[at]! - box.top + top
    })
    left += box.width
    high = Math.max(high, box.height)
  })
  return { x, y }
}

const least = (values: Float64Array): number => values.reduce((a, b) => Math.min(a, b), Infinity)
