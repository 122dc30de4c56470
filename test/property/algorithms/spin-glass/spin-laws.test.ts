import { rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { couplingsOf } from '../../../../workers/algorithms/spin-glass/spin-model.ts'
import {
  type SmallGraph,
  randomSmallGraph,
  smallGraph,
  randomStream,
  writeGraphFolder,
} from '../../../support/graphs.ts'
import { modelOf, programOf, spinsHere, torus } from '../../../support/spins.ts'

const names = ['bimodal', 'ising', 'max-cut', 'independent-set'] as const

/** Energies of all states, by their bits. */
function energiesOf({ vertices, neighbours }: SmallGraph, model: ReturnType<typeof modelOf>): Float64Array {
  const couplings = neighbours.map((list, v) =>
    couplingsOf(model, v, Uint32Array.of(0, list.length), Uint32Array.from(list), undefined),
  )
  return Float64Array.from({ length: 2 ** vertices }, (_, state) => {
    let energy = 0
    const isUp = (v: number): number => (state >>> v) & 1
    neighbours.forEach((list, v) => {
      if (model.name === 'independent-set') energy -= isUp(v)
      list.forEach((u, i) => {
        if (u > v) return
        if (model.name === 'independent-set') energy += 2 * isUp(u) * isUp(v)
        else energy -= (couplings[v]![i]! | 0) * (isUp(u) === isUp(v) ? 1 : -1)
      })
    })
    return energy
  })
}

it.each(names)('%s: tempering finds the least energy of all states, the heat bath their mean', async (name) => {
  let apart = 0
  for (let number = 0; number < 12; number++) {
    const random = randomStream(number)
    const n = 10 + (number % 5)
    const edges = Array.from({ length: 2 * n }, () => [Math.floor(random() * n), Math.floor(random() * n)] as const)
    const graph = smallGraph(n, edges)
    const model = modelOf(name, number)
    const energies = energiesOf(graph, model)
    const { folder } = writeGraphFolder(graph)
    const least = Math.min(...energies)
    const { outcome } = await spinsHere(folder, model, programOf({ sweeps: 60 }))
    expect(Math.min(...outcome.lowest), `${number}`).toBe(least)
    const temperature = 1.5
    const weights = energies.map((energy) => Math.exp((least - energy) / temperature))
    const mean = energies.reduce((sum, energy, i) => sum + energy * weights[i]!, 0) / weights.reduce((a, b) => a + b, 0)
    const bath = programOf({ method: 'heat-bath', temperature, sweeps: 800, every: 1 })
    const [found] = (await spinsHere(folder, model, bath)).outcome.means
    expect(Math.abs(found!.mean - mean), `${number} ${mean} ${found!.mean}`).toBeLessThan(5 * found!.error)
    if (mean > least + 0.5) apart++
    rmSync(folder, { recursive: true })
  }
  expect(apart).toBeGreaterThan(8)
})

it('does the same for any number of workers and batches, on random graphs', async () => {
  for (let number = 0; number < 60; number++) {
    const { graph, shape } = randomSmallGraph(number, 200)
    const { folder } = writeGraphFolder(graph)
    const model = modelOf(names[number % 4]!, number)
    const method = (['tempering', 'annealing', 'heat-bath'] as const)[number % 3]!
    const program = programOf({ sweeps: 8, method })
    const alone = await spinsHere(folder, model, program)
    const shared = await spinsHere(folder, model, program, { workers: 2 + (number % 3), batches: 1 + (number % 2) })
    const batched = await spinsHere(folder, model, program, { batches: 3 })
    for (const { outcome } of [shared, batched]) {
      expect(outcome.lowest, shape).toEqual(alone.outcome.lowest)
      expect(outcome.means, shape).toEqual(alone.outcome.means)
    }
    expect(batched.best, shape).toEqual(alone.best)
    rmSync(folder, { recursive: true })
  }
})

it('does on a lattice by words what it does on its lists', async () => {
  for (const [width, height, depth] of [
    [4, 4, 4],
    [6, 4, 8],
    [8, 8, 4],
  ] as const) {
    const { folder } = writeGraphFolder(torus(width, height, depth))
    for (const name of ['bimodal', 'ising', 'max-cut'] as const)
      for (const method of ['tempering', 'annealing'] as const) {
        const [model, program] = [modelOf(name, 3), programOf({ sweeps: 12, method })]
        const byWords = await spinsHere(folder, model, program)
        expect(byWords.shared.layout.lattice).toEqual({ width, height, depth })
        const byLists = await spinsHere(folder, model, program, { byLists: true })
        const slabs = await spinsHere(folder, model, program, { workers: 2 })
        for (const other of [byLists, slabs]) {
          expect(other.outcome.lowest).toEqual(byWords.outcome.lowest)
          expect(other.outcome.means).toEqual(byWords.outcome.means)
        }
        expect(byLists.best).toBe(byWords.best)
        expect(byWords.outcome.lowest.at(-1)).toBeLessThan(-1.5 * width * height * depth)
      }
    rmSync(folder, { recursive: true })
  }
})
