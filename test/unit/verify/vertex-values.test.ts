import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { quietJob } from '../../../workers/base/job.ts'
import { GaloisGr } from '../../../workers/graph/galois-gr.ts'
import { checkCores } from '../../../workers/verify/verify-subgraphs.ts'
import { checkLevels } from '../../../workers/verify/verify-distances.ts'
import { smallGraph, writeGraphFolder } from '../../support/graphs.ts'

const clique = (n: number) =>
  smallGraph(
    n,
    Array.from({ length: n * n }, (_, i) => [Math.floor(i / n), i % n] as const),
  )

function onClique<T>(n: number, check: (graph: GaloisGr) => T): T {
  const { folder } = writeGraphFolder(clique(n))
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

test('core numbers that are all one too high or one too low are told', () => {
  for (const [off, holds] of [
    [-1, false],
    [0, true],
    [1, false],
  ] as const) {
    const cores = new Uint32Array(5).fill(4 + off)
    expect(onClique(5, (graph) => checkCores(graph, cores, quietJob)).witness === undefined).toBe(holds)
  }
})
