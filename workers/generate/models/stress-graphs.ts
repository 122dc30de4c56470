import { CounterHash } from '../counter-hash.ts'
import type { GraphModel } from '../graph-models.ts'
import { Permutation } from './permutation.ts'

/** One place in so many of a path has a branch to a place anywhere. */
const BRANCH_EVERY = 64

/**
 * Paths of a mean length (geometrically distributed) whose vertices have random ids, with an edge to a random place now and then: as in
 * graphs of k-mers, nearly every degree is 1 or 2 and neighbours are far apart in memory.
 */
export function chains(vertices: number, length: number, seed: number): GraphModel {
  const hash = new CounterHash(seed)
  const order = new Permutation(vertices, seed)
  const endBelow = Math.floor(2 ** 32 / length)
  return {
    vertices,
    tuples: vertices,
    name: `chains vertices ${vertices} length ${length} seed ${seed}`,
    write: (first, last, output) => {
      for (let i = first; i < last; i++) {
        hash.item(i)
        const own = order.at(i)
        if (i + 1 < vertices && hash.word(0) >= endBelow) output.add(own, order.at(i + 1), 1)
        if (hash.word(1) % BRANCH_EVERY === 0) output.add(own, hash.below(vertices, 2), 1)
      }
    },
  }
}

/** Vertex 0 joined to all others. */
export function star(vertices: number): GraphModel {
  return {
    vertices,
    tuples: vertices - 1,
    name: `star vertices ${vertices}`,
    write: (first, last, output) => {
      for (let i = first; i < last; i++) output.add(0, i + 1, 1)
    },
  }
}

/** All pairs; tuple i joins u and v < u where i = u (u - 1) / 2 + v. */
export function clique(vertices: number): GraphModel {
  return {
    vertices,
    tuples: (vertices * (vertices - 1)) / 2,
    name: `clique vertices ${vertices}`,
    write: (first, last, output) => {
      let u = Math.max(1, Math.floor((1 + Math.sqrt(1 + 8 * first)) / 2))
      // The root may be off by one for large numbers.
      while ((u * (u - 1)) / 2 > first) u--
      while ((u * (u + 1)) / 2 <= first) u++
      let v = first - (u * (u - 1)) / 2
      for (let i = first; i < last; i++) {
        output.add(u, v, 1)
        if (++v === u) {
          u++
          v = 0
        }
      }
    },
  }
}
