import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { quietJob } from '../../../../workers/base/job.ts'
import { GaloisGr } from '../../../../workers/graph/galois-gr.ts'
import { checkEccentricities } from '../../../../workers/algorithms/others/eccentricities/check-eccentricities.ts'
import { checkLevels } from '../../../../workers/algorithms/others/bfs/check-search.ts'
import { checkSpins } from '../../../../workers/algorithms/others/spin-glass/check-spins.ts'
import { checkCores } from '../../../../workers/algorithms/others/k-core/check-cores.ts'
import { type SmallGraph, smallGraph, writeGraphFolder, writePath } from '../../../support/graphs.ts'

const clique = (n: number) =>
  smallGraph(
    n,
    Array.from({ length: n * n }, (_, i) => [Math.floor(i / n), i % n] as const),
  )

const onClique = <T>(n: number, check: (graph: GaloisGr) => T): T => onGraph(clique(n), check)

function onGraph<T>(small: SmallGraph, check: (graph: GaloisGr) => T): T {
  const { folder } = writeGraphFolder(small)
  const graph = GaloisGr.inFolder(folder)
  try {
    return check(graph)
  } finally {
    graph.close()
    rmSync(folder, { recursive: true })
  }
}

test('neighbours two levels apart are told, though each vertex has one that is nearer', () => {
  const { witness } = onClique(3, (graph) => checkLevels(graph, Uint32Array.of(0, 1, 2), 0, quietJob))
  expect(witness?.sentence(['a', 'b'])).toBe('the neighbours a and b are 2 levels apart')
  expect(onClique(3, (graph) => checkLevels(graph, Uint32Array.of(0, 1, 1), 0, quietJob)).witness).toBeUndefined()
})

test('a second root is told, though nothing is beside it', () => {
  const graph = smallGraph(3, [[0, 2]])
  const found = onGraph(graph, (file) => checkLevels(file, Uint32Array.of(0, 0, 1), 0, quietJob))
  expect(found.witness?.sentence(['a', 'b'])).toBe('a and b are both at level 0, where the root is alone')
})

test('a cancel is seen within a search, not only before it', () => {
  const vertices = 100_000
  const graph = GaloisGr.inFolder(writePath(vertices))
  let looks = 0
  const signal = {
    get aborted() {
      looks++
      return false
    },
  }
  const claimed = new Uint32Array(vertices)
  const looksFor = (roots: readonly number[]): number => {
    looks = 0
    checkEccentricities(graph, claimed, roots, { ...quietJob, signal })
    return looks
  }
  expect(looksFor([0]) - looksFor([])).toBeGreaterThan(5)
  graph.close()
})

test('core numbers that are all one too high or one too low are told', () => {
  for (const [off, holds] of [
    [-1, false],
    [0, true],
    [1, false],
  ] as const) {
    const cores = new Uint32Array(5).fill(4 + off)
    const { witness } = onClique(5, (graph) => checkCores(graph, cores, quietJob))
    expect(witness === undefined).toBe(holds)
  }
})

test('a flip that lowers the energy by the least there is, is told', () => {
  const claim = { model: 'ising', disorder: 0, weighted: false, zero: 0, quantum: 1 } as const
  // An edge whose ends differ, and the same.
  for (const [up, witness] of [
    [1, expect.objectContaining({ vertices: [0] })],
    [0, undefined],
  ] as const) {
    const found = onClique(2, (graph) => checkSpins(graph, Uint32Array.of(0, up), claim, quietJob))
    expect(found).toEqual({ witness, figures: { energy: up === 1 ? 1 : -1, perVertex: up - 0.5, cut: up, up } })
  }
})
