import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'

const MOST_PASSES = 8
const ARCS_PER_READ = 1 << 20
const VERTICES_PER_READ = 1 << 16

/**
 * Moves vertices of classes that are larger than the mean to the smallest class that has none of their neighbours and is below it (Lu, Halappanavar,
 * Chavarria-Miranda, Gebremedhin, Kalyanaraman, IPDPS 2015, vertex-based scheduled balancing), in passes over the file in its order. No colour
 * is added.
 * @returns vertices that moved in each pass
 */
export function balanceColours(graph: GaloisGr, colours: Uint32Array, job: JobContext): number[] {
  const classes = colours.reduce((most, colour) => Math.max(most, colour + 1), 0)
  const sizes = new Uint32Array(classes)
  for (const colour of colours) sizes[colour]!++
  const mean = Math.ceil(colours.length / Math.max(1, classes))
  const moves: number[] = []
  for (let pass = 0; pass < MOST_PASSES && sizes.some((size) => size > mean); pass++) {
    const moved = new BalancePass(graph, colours, sizes, mean).run(job)
    moves.push(moved)
    if (moved === 0) break
  }
  return moves
}

class BalancePass {
  readonly #graph: GaloisGr
  readonly #colours: Uint32Array
  readonly #sizes: Uint32Array
  readonly #mean: number
  /** The last vertex beside which a colour was seen. */
  readonly #seen: Float64Array

  constructor(graph: GaloisGr, colours: Uint32Array, sizes: Uint32Array, mean: number) {
    this.#graph = graph
    this.#colours = colours
    this.#sizes = sizes
    this.#mean = mean
    this.#seen = new Float64Array(sizes.length).fill(-1)
  }

  run(job: JobContext): number {
    const { vertices } = this.#graph
    let moved = 0
    for (let first = 0; first < vertices; first += VERTICES_PER_READ) {
      throwIfCancelled(job.signal)
      const end = Math.min(vertices, first + VERTICES_PER_READ)
      job.progress({ phase: 'balance', done: first, total: vertices, unit: 'vertices' })
      const offsets = this.#graph.readOffsets(first, end)
      for (let v = first; v < end;) {
        const begin = v
        const from = offsets[v - first]!
        do v++
        while (v < end && offsets[v + 1 - first]! - from <= ARCS_PER_READ)
        const targets = this.#graph.readTargets(from, offsets[v - first]!)
        for (let u = begin; u < v; u++)
          if (this.#move(u, targets, offsets[u - first]! - from, offsets[u + 1 - first]! - from)) moved++
      }
    }
    return moved
  }

  #move(v: number, targets: Uint32Array, begin: number, end: number): boolean {
    const [colours, sizes, seen] = [this.#colours, this.#sizes, this.#seen]
    const own = colours[v]!
    if (sizes[own]! <= this.#mean) return false
    for (let at = begin; at < end; at++) seen[colours[targets[at]!]!] = v
    let best = -1
    for (let colour = 0; colour < sizes.length; colour++)
      if (seen[colour] !== v && sizes[colour]! < (best < 0 ? this.#mean : sizes[best]!)) best = colour
    if (best < 0) return false
    sizes[own]!--
    sizes[best]!++
    colours[v] = best
    return true
  }
}
