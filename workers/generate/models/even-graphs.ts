import { CounterHash } from '../counter-hash.ts'
import type { GraphModel } from '../graph-models.ts'
import { Permutation } from './permutation.ts'

/** Every vertex in turn draws a neighbour, degree / 2 times over. Degrees are degree / 2 and what others draw. */
export function kout(vertices: number, degree: number, seed: number): GraphModel {
  const hash = new CounterHash(seed)
  return {
    vertices,
    tuples: Math.round((vertices * degree) / 2),
    name: `kout vertices ${vertices} degree ${degree} seed ${seed}`,
    write: (first, last, output) => {
      for (let i = first; i < last; i++) {
        hash.item(i)
        output.add(i % vertices, hash.below(vertices, 0), 1)
      }
    },
  }
}

/**
 * degree / 2 random cycles through all vertices, the last one open where that is no whole number: every vertex has at most two
 * neighbours in each, so no degree is above 2 * ceil(degree / 2). Each cycle is a permutation, so nothing is kept in memory.
 */
export function regular(vertices: number, degree: number, seed: number): GraphModel {
  const orders = new Map<number, Permutation>()
  const orderOf = (cycle: number): Permutation => {
    const known = orders.get(cycle) ?? new Permutation(vertices, seed + (cycle + 1) * 2 ** 32)
    orders.set(cycle, known)
    return known
  }
  return {
    vertices,
    tuples: Math.round((vertices * degree) / 2),
    name: `regular vertices ${vertices} degree ${degree} seed ${seed}`,
    write: (first, last, output) => {
      for (let i = first; i < last; i++) {
        const order = orderOf(Math.floor(i / vertices))
        const at = i % vertices
        output.add(order.at(at), order.at((at + 1) % vertices), 1)
      }
    },
  }
}
