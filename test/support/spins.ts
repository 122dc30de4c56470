import { quietJob } from '../../workers/base/job.ts'
import { type SpinOutcome, shareSpins, spinWorks } from '../../workers/algorithms/others/spin-glass/spin-glass.ts'
import { layOutLattice, spinBounds } from '../../workers/algorithms/others/spin-glass/lattice-layout.ts'
import { layOutSpins, type SpinModel } from '../../workers/algorithms/others/spin-glass/spin-model.ts'
import type { SpinProgram } from '../../workers/algorithms/others/spin-glass/spin-schedule.ts'
import type { SharedSpins } from '../../workers/algorithms/others/spin-glass/spin-worker.ts'
import type { Device } from '../../workers/device/device.ts'
import { GaloisGr } from '../../workers/graph/galois-gr.ts'
import { type SmallGraph, smallGraph } from './graphs.ts'
import { rangesHere } from './range-workers.ts'

export const modelOf = (name: SpinModel['name'], seed = 0): SpinModel => ({
  ...{ name, seed, weighted: false, zero: 0, quantum: 1, size: 1 },
})

export const programOf = (changes: Partial<SpinProgram>): SpinProgram => ({
  ...{ method: 'tempering', temperature: 1, coldest: 0.2, hottest: 3, sweeps: 20, every: 2, seed: 1 },
  ...changes,
})

interface SpinCase {
  readonly workers?: number
  readonly batches?: number
  /** Takes a lattice for any other graph. */
  readonly byLists?: boolean
  readonly deviceOf?: (worker: number) => Device | undefined
}

/** Sweeps by workers that take turns on this thread. */
export async function spinsHere(
  folder: string,
  model: SpinModel,
  program: SpinProgram,
  { workers = 1, batches = 1, byLists = false, deviceOf }: SpinCase = {},
): Promise<{
  readonly shared: SharedSpins
  readonly outcome: SpinOutcome
  readonly best: string
  readonly bounds: readonly number[]
}> {
  const graph = GaloisGr.inFolder(folder)
  const cut = spinBounds(graph, workers)
  const found = byLists ? undefined : await layOutLattice(graph, model, cut, quietJob)
  const layout = found ?? layOutSpins(graph, model, cut, quietJob)
  graph.close()
  const share = (): SharedSpins => shareSpins(model, layout, program, cut, false)
  const way = { workers, batches, cut: () => cut, share }
  const { shared, outcome } = await rangesHere(folder, way, spinWorks, deviceOf)
  const bounds = shared.best.map((_, worker) => worker)
  const bits = bounds.flatMap((worker) => bitsOf(shared.best[worker]!))
  return { shared, outcome, bounds: cut, best: bits.join('') }
}

const bitsOf = (words: Uint32Array): string[] =>
  Array.from(words, (word) => [...word.toString(2).padStart(32, '0')].reverse().join(''))

/** A periodic cubic lattice. */
export function torus(width: number, height: number, depth: number): SmallGraph {
  const edges: [number, number][] = []
  const at = (x: number, y: number, z: number): number => ((z % depth) * height + (y % height)) * width + (x % width)
  for (let z = 0; z < depth; z++)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        edges.push([at(x, y, z), at(x + 1, y, z)], [at(x, y, z), at(x, y + 1, z)], [at(x, y, z), at(x, y, z + 1)])
  return smallGraph(width * height * depth, edges)
}
