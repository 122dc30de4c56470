import { rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { layOutLattice, spinBounds } from '../../../../../workers/algorithms/others/spin-glass/lattice-layout.ts'
import { settleSpins } from '../../../../../workers/algorithms/others/spin-glass/settle-spins.ts'
import { layOutSpins, couplingsOf } from '../../../../../workers/algorithms/others/spin-glass/spin-model.ts'
import { quietJob } from '../../../../../workers/base/job.ts'
import { CpuDevice } from '../../../../../workers/device/cpu-device.ts'
import { GaloisGr } from '../../../../../workers/graph/galois-gr.ts'
import { scanLists } from '../../../../../workers/graph/scan-lists.ts'
import { addWeights } from '../../../../support/dataset-folders.ts'
import { randomStream, smallGraph, writeGraphFolder } from '../../../../support/graphs.ts'
import { modelOf, programOf, spinsHere, torus } from '../../../../support/spins.ts'

const shapes = [
  [4, 4, 4],
  [6, 4, 8],
  [10, 6, 4],
  [58, 4, 6],
  [64, 8, 4],
  [112, 4, 4],
  [114, 6, 4],
  [130, 4, 4],
  [256, 4, 4],
] as const

const weightOf = (u: number, v: number): number => ((u * 7 + v * 7 + u * v) % 3 === 0 ? 1 : 3)

const models = [
  ...(['bimodal', 'ising', 'max-cut'] as const).map((name, seed) => modelOf(name, seed + 2 ** 40)),
  { ...modelOf('couplings'), weighted: true, zero: 2 },
]

it.each(shapes)('%i x %i x %i: bonds and borders by formula are those of the lists', async (width, height, depth) => {
  const plain = torus(width, height, depth)
  for (const model of models) {
    const written = writeGraphFolder(plain)
    const { folder } = model.weighted ? addWeights(written, plain, weightOf) : written
    const graph = GaloisGr.inFolder(folder)
    for (const workers of [1, 2, 3, depth, depth + 1]) {
      const bounds = spinBounds(graph, workers)
      const byFormula = await layOutLattice(graph, model, bounds, quietJob)
      const byLists = layOutSpins(graph, model, bounds, quietJob)
      const { colourCount, largestField, allCouplings, boundary } = byLists
      expect(byFormula).toMatchObject({ lattice: { width, height, depth }, colourCount, largestField, allCouplings })
      expect(byFormula!.boundary).toEqual(boundary)
      // That a worker is beside itself is of no use.
      const others = (_: number, i: number): boolean => i % workers !== Math.floor(i / workers)
      expect([...byFormula!.beside].filter(others)).toEqual([...byLists.beside].filter(others))
      const words = byFormula!.bonds.length / 3
      scanLists(graph, quietJob, '', ({ first, offsets, targets, firstArc }) => {
        const weights = model.weighted ? graph.readWeights(firstArc, firstArc + targets.length) : undefined
        const couplings = couplingsOf(model, first, offsets, targets, weights)
        for (let v = first; v + 1 < first + offsets.length; v++) {
          const [x, y, z] = [v % width, Math.floor(v / width) % height, Math.floor(v / width / height)]
          const at = (x: number, y: number, z: number): number =>
            ((z % depth) * height + (y % height)) * width + (x % width)
          ;[at(x + 1, y, z), at(x, y + 1, z), at(x, y, z + 1)].forEach((next, direction) => {
            const arc = targets.indexOf(next, offsets[v - first])
            const bit = (byFormula!.bonds[direction * words + (v >>> 5)]! >>> (v & 31)) & 1
            expect(bit).toBe((couplings[arc]! | 0) < 0 ? 1 : 0)
          })
        }
      })
    }
    graph.close()
    rmSync(folder, { recursive: true })
  }
})

it.each(shapes)('%i x %i x %i: spins settle by words as they do one by one', async (width, height, depth) => {
  const { folder } = writeGraphFolder(torus(width, height, depth))
  const graph = GaloisGr.inFolder(folder)
  const { vertices } = graph
  const random = randomStream(width)
  for (const model of models.slice(0, 3))
    for (const chance of [0.5, 0.1, 0]) {
      const bits = new Uint32Array(Math.ceil(vertices / 32))
      for (let v = 0; v < vertices; v++) if (random() < chance) bits[v >>> 5]! |= 1 << (v & 31)
      const lattice = await layOutLattice(graph, model, [0, vertices], quietJob)
      const byWords = settleSpins(graph, model, lattice!, bits.slice(), quietJob)
      const oneByOne = settleSpins(graph, model, { lattice: undefined, bonds: lattice!.bonds }, bits, quietJob)
      expect(byWords).toEqual(oneByOne)
      if (chance === 0.5) expect(byWords.flips).toBeGreaterThan(0)
    }
  graph.close()
  rmSync(folder, { recursive: true })
})

it('is no lattice where one edge is another, or one coupling of another size', async () => {
  const [width, height, depth] = [8, 6, 4]
  const plain = torus(width, height, depth)
  const moved = smallGraph(
    width * height * depth,
    plain.neighbours.flatMap((list, v) =>
      list.filter((u) => u > v).map((u): [number, number] => (v === 100 && u === 101 ? [v, 120] : [v, u])),
    ),
  )
  const heavier = (u: number, v: number): number => (Math.min(u, v) === 100 ? 4 : weightOf(u, v))
  const weighted = { ...modelOf('couplings'), weighted: true, zero: 2 }
  for (const [model, written] of [
    [modelOf('bimodal'), writeGraphFolder(moved)],
    [modelOf('independent-set'), writeGraphFolder(plain)],
    [weighted, addWeights(writeGraphFolder(plain), plain, heavier)],
  ] as const) {
    const graph = GaloisGr.inFolder(written.folder)
    expect(await layOutLattice(graph, model, spinBounds(graph, 1), quietJob)).toBeUndefined()
    graph.close()
    rmSync(written.folder, { recursive: true })
  }
})

it('several workers have their boundary read before the bulk begins, and begin the bulk before they wait', async () => {
  const calls: string[] = []
  class Recorder extends CpuDevice {
    override launch(...[kernel, ...rest]: Parameters<CpuDevice['launch']>): void {
      calls.push(`${kernel.name} ${rest[1]['planes'] ?? ''}`.trim())
      super.launch(kernel, ...rest)
    }

    override read(...args: Parameters<CpuDevice['read']>): Promise<Uint32Array> {
      calls.push('read')
      return super.read(...args)
    }

    override submit(): Promise<void> {
      calls.push('submit')
      return super.submit()
    }
  }
  const { folder } = writeGraphFolder(torus(4, 4, 12))
  const program = programOf({ method: 'heat-bath', sweeps: 1, every: 1 })
  const deviceOf = (worker: number): CpuDevice | undefined => (worker === 0 ? new Recorder('cpu:0') : undefined)
  await spinsHere(folder, modelOf('bimodal'), program, { workers: 2, deviceOf })
  const colour = ['spin-lattice 1', 'spin-lattice 1', 'spin-move', 'read', 'spin-lattice 4', 'submit', 'spin-move']
  expect(calls.slice(0, 14)).toEqual([...colour, ...colour])
  rmSync(folder, { recursive: true })
})
