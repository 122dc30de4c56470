import { rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { runAlgorithm } from '../../../../../workers/algorithms/run.ts'
import { quietJob } from '../../../../../workers/base/job.ts'
import { couplingsOf } from '../../../../../workers/algorithms/others/spin-glass/spin-model.ts'
import {
  type SmallGraph,
  randomSmallGraph,
  smallGraph,
  randomStream,
  writeGraphFolder,
} from '../../../../support/graphs.ts'
import { addWeights } from '../../../../support/dataset-folders.ts'
import { modelOf, programOf, spinsHere, torus } from '../../../../support/spins.ts'

const names = ['bimodal', 'ising', 'couplings', 'max-cut', 'independent-set'] as const

/** The weight of an edge; less 4 its coupling. */
const weightOf = (u: number, v: number): number => 1 + ((3 * u + 3 * v + u * v) % 7)

/** Energies of all states, by their bits. */
function energiesOf({ vertices, neighbours }: SmallGraph, model: ReturnType<typeof modelOf>): Float64Array {
  const couplings = neighbours.map((list, v) =>
    model.weighted
      ? Uint32Array.from(list, (u) => weightOf(u, v) - model.zero)
      : couplingsOf(model, v, Uint32Array.of(0, list.length), Uint32Array.from(list), undefined),
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

const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 24)

it.each(names)('%s: tempering finds the least energy of all states, the heat bath their mean', async (name) => {
  let apart = 0
  for (let number = 0; number < 12; number++) {
    const random = randomStream(number)
    const n = 10 + (number % 5)
    const edges = Array.from({ length: 2 * n }, () => [Math.floor(random() * n), Math.floor(random() * n)] as const)
    const graph = smallGraph(n, edges)
    const model = { ...modelOf(name, number), ...(name === 'couplings' ? { weighted: true, zero: 4 } : {}) }
    const energies = energiesOf(graph, model)
    const plain = writeGraphFolder(graph)
    const { folder } = name === 'couplings' ? addWeights(plain, graph, weightOf) : plain
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

it(`does the same for any number of workers and batches, on ${GRAPHS} random graphs`, async () => {
  for (let number = 0; number < GRAPHS; number++) {
    const { graph, shape } = randomSmallGraph(number, 200)
    const { folder } = writeGraphFolder(graph)
    const model = modelOf(names[number % 5]!, number)
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

/** toruspm3-8-50 of the Seventh DIMACS Implementation Challenge: of each vertex of an 8 x 8 x 8 torus whether the couplings along x, y and z are -1. */
const SAMPLE = `
  afa0cb21edd53a2330d82d42adffa86e90cd26cac51e0adb2ef19b1d219975ab2d604f9f5e8e498dc6076128cf7b34cc
  8dc789f02f824ecfce4e9d4bd4ebe8df22cdd1565ecd230265ecc94adc800cb1fdf911a284ba8609155a3edbf3bc3261
  bb81981d0471e9cb16412ddcfd8b89768cd10eebfba7eb3c140003beae561fd61190623494ccbce58e9c499944f92dee
  d79d6054e9b9d8bf46a23155e70c94be1df502392d49c1e00b47315b45b6d2fe2ed32e7ca458345065bbb4a46173cc91`.replace(/\s/g, '')

it('finds the cut of 458 of a published sample', async () => {
  const graph = torus(8, 8, 8)
  const isNegative = (bit: number): boolean => ((parseInt(SAMPLE[bit >> 2]!, 16) >> (3 - (bit & 3))) & 1) === 1
  const couplingOf = (u: number, v: number): number => {
    const [low, high] = [Math.min(u, v), Math.max(u, v)]
    const step = [1, 8, 64].findIndex((side) => high - low === side || high - low === 7 * side)
    const isWrapped = high - low === 7 * [1, 8, 64][step]!
    return isNegative(3 * (isWrapped ? high : low) + step) ? -1 : 1
  }
  const { folder, checksum } = addWeights(writeGraphFolder(graph), graph, (u, v) => couplingOf(u, v) + 2)
  const args = { folder, checksum, algorithm: 'spin-glass', device: 'cpu:0', seed: 0, verify: true } as const
  const found = await runAlgorithm(
    { ...args, model: 'max-cut', zero: 2, sweeps: 3000, every: 4, resultFile: `${folder}/spins` },
    quietJob,
  )
  expect(found.result).toMatchObject({ figures: { energy: -916, cut: 458 } })
  expect(found.verification).toMatchObject({ verified: true })
  rmSync(folder, { recursive: true })
})
