import { CounterHash } from '../counter-hash.ts'
import type { EntryOutput } from '../../graph/entries.ts'
import type { GraphModel } from '../graph-models.ts'

/** width x height x depth, each vertex joined to the six around it; vertex = (z * height + y) * width + x. */
export function grid3(width: number, height: number, depth: number): GraphModel {
  const plane = width * height
  const alongX = (width - 1) * height * depth
  const alongY = width * (height - 1) * depth
  const alongZ = plane * (depth - 1)
  const write = (first: number, last: number, output: EntryOutput): void => {
    for (let i = first; i < last; i++) {
      if (i < alongX) {
        const v = Math.floor(i / (width - 1)) * width + (i % (width - 1))
        output.add(v, v + 1, 1)
      } else if (i < alongX + alongY) {
        const j = i - alongX
        const inPlane = width * (height - 1)
        const v = Math.floor(j / inPlane) * plane + (j % inPlane)
        output.add(v, v + width, 1)
      } else {
        const v = i - alongX - alongY
        output.add(v, v + plane, 1)
      }
    }
  }
  const name = `grid3 ${width} x ${height} x ${depth}`
  return { vertices: plane * depth, tuples: alongX + alongY + alongZ, name, write }
}

/**
 * A random geometric graph whose points are spread evenly: the square is cut into cells, each with the same number of points at
 * random places in it (the last cells may have none), and points closer than a radius of at most a cell's side are joined. So the
 * neighbours of a point lie in its own cell and the eight around it, and any part of the graph can be made alone.
 */
export function geometric(vertices: number, degree: number, seed: number): GraphModel {
  const hash = new CounterHash(seed)
  const inCell = Math.max(1, Math.ceil((degree + 1) / Math.PI))
  const columns = Math.max(1, Math.ceil(Math.sqrt(vertices / inCell)))
  // In cells; a disc of this radius holds degree other points on average.
  const radius = Math.min(1, Math.sqrt(degree / (Math.PI * inCell)))
  const place = (v: number): { x: number; y: number } => {
    const cell = Math.floor(v / inCell)
    hash.item(v)
    return { x: (cell % columns) + hash.word(0) * 2 ** -32, y: Math.floor(cell / columns) + hash.word(1) * 2 ** -32 }
  }
  const join = (v: number, cellX: number, cellY: number, output: EntryOutput): void => {
    if (cellX < 0 || cellX >= columns) return
    const { x, y } = place(v)
    const start = (cellY * columns + cellX) * inCell
    for (let u = Math.max(v + 1, start); u < Math.min(vertices, start + inCell); u++) {
      const other = place(u)
      if ((x - other.x) ** 2 + (y - other.y) ** 2 < radius * radius) output.add(v, u, 1)
    }
  }
  const write = (first: number, last: number, output: EntryOutput): void => {
    for (let v = first; v < last; v++) {
      const cell = Math.floor(v / inCell)
      const [x, y] = [cell % columns, Math.floor(cell / columns)]
      // Each pair from its smaller end: what is left of it and above comes from there.
      join(v, x, y, output)
      join(v, x + 1, y, output)
      for (let step = -1; step <= 1; step++) join(v, x + step, y + 1, output)
    }
  }
  const name = `geometric vertices ${vertices} degree ${degree} seed ${seed}`
  return { vertices, tuples: vertices, expectedEntries: Math.ceil((vertices * degree) / 2), name, write }
}
