import { describe, expect, it } from 'vitest'
import { hardGraph } from '../../../../bench/hard-graphs.mjs'
import { Automorphisms, cyclesOf, primePowers } from '../../../../workers/algorithms/quality/automorphisms.ts'
import { SymmetricSearches } from '../../../../workers/algorithms/quality/symmetric-searches.ts'
import { Xorshift } from '../../../../workers/generate/random.ts'
import { type SmallGraph, smallGraph } from '../../../support/graphs.ts'
import { adjacencyOf, idsOf, isIndependent } from '../../../support/set-searches.ts'

const hard = (name: string): SmallGraph => {
  const { vertices, edges } = hardGraph(name)
  return smallGraph(vertices, edges)
}
const cycle = (length: number): SmallGraph =>
  smallGraph(
    length,
    Array.from({ length }, (_, v) => [v, (v + 1) % length] as const),
  )

const isAutomorphism = ({ neighbours }: SmallGraph, image: Uint32Array): boolean =>
  new Set(image).size === image.length &&
  neighbours.every((list, v) => list.every((u) => neighbours[image[v]!]!.includes(image[u]!)))

describe('automorphisms', () => {
  it('of codes, cycles and a graph of Petersen keep all edges, and move something', () => {
    const petersen = Array.from({ length: 5 }, (_, i) => [
      [i, (i + 1) % 5] as const,
      [i, i + 5] as const,
      [5 + i, 5 + ((i + 2) % 5)] as const,
    ])
    const graphs = [hard('1zc.64'), hard('1dc.64'), hard('1et.64'), cycle(12), smallGraph(10, petersen.flat())]
    for (const graph of graphs) {
      const drawn = new Automorphisms(adjacencyOf(graph))
      const random = new Xorshift(1)
      const images = Array.from({ length: 12 }, () => drawn.draw(random)).filter((image) => image !== undefined)
      expect(images.length).toBeGreaterThan(4)
      for (const image of images) expect(isAutomorphism(graph, image)).toBe(true)
      expect(images.some((image) => image.some((u, v) => u !== v))).toBe(true)
    }
  })

  it('are none of a planted instance, of a path with a branch, and of no vertex', () => {
    const tree = smallGraph(7, [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 5],
      [2, 6],
    ])
    for (const graph of [hard('frb10-1'), tree, smallGraph(0, [])]) {
      const drawn = new Automorphisms(adjacencyOf(graph))
      const images = Array.from({ length: 5 }, () => drawn.draw(new Xorshift(3)))
      expect(images.every((image) => image === undefined || image.every((u, v) => u === v))).toBe(true)
    }
  })

  it('have powers whose orders are the primes of theirs', () => {
    // Cycles of 1, 4, 6 and 9.
    const lengths = [1, 4, 6, 9]
    const permutation = new Uint32Array(20)
    lengths.reduce((first, length) => {
      for (let i = 0; i < length; i++) permutation[first + i] = first + ((i + 1) % length)
      return first + length
    }, 0)
    const powers = primePowers(permutation)
    expect(powers.map(({ prime }) => prime).sort()).toEqual([2, 3])
    for (const { prime, power } of powers) {
      let image = permutation
      const seen = new Set<string>()
      // It is one of the powers.
      for (let k = 0; k < 36; k++) {
        seen.add(image.join())
        image = image.map((v) => permutation[v]!)
      }
      expect(seen).toContain(power.join())
      expect(new Set(cyclesOf(power).map(({ length }) => length))).toEqual(new Set([1, prime]))
    }
  })
})

describe('searches of symmetric sets', () => {
  it('reach the largest codes, the same each time', () => {
    const known = { '1dc.128': 16, '1zc.128': 18 }
    for (const [name, size] of Object.entries(known)) {
      const graph = hard(name)
      const find = () => {
        const members = new Uint8Array(graph.vertices)
        const steps = 2 ** 20
        const made = new SymmetricSearches(adjacencyOf(graph)).run(members, 2, { steps, pause: () => false })
        expect(made).toBeLessThanOrEqual(steps)
        return idsOf(members)
      }
      const set = find()
      expect(isIndependent(graph, set), name).toBe(true)
      expect(set.size, name).toBeGreaterThan(0.9 * size)
      expect(set.size, name).toBeLessThanOrEqual(size)
      if (name === '1zc.128') expect(find()).toEqual(set)
    }
  })
})
