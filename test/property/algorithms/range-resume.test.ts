import { rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { shareColouring } from '../../../workers/algorithms/others/colouring/colour-batches.ts'
import { colouringWorks } from '../../../workers/algorithms/others/colouring/colouring.ts'
import { distanceWorks, idBits, shareDistance } from '../../../workers/algorithms/others/distance-mis/distance-mis.ts'
import type { RangeWorks } from '../../../workers/algorithms/range-task.ts'
import { randomSmallGraph, writeGraphFolder } from '../../support/graphs.ts'
import { rangesHere } from '../../support/range-workers.ts'

const GRAPHS = 12
type Rounds = readonly number[]

/** Runs that resume from every checkpoint of a whole one: the states and rounds that they end with, after those of the whole one. */
async function resumed<Shared>(
  folder: string,
  workers: number,
  works: RangeWorks<Shared, Rounds, Rounds>,
  share: () => Shared,
  statesOf: (shared: Shared) => Uint32Array,
): Promise<readonly { readonly states: Uint32Array; readonly rounds: Rounds }[]> {
  const kept: { readonly states: Uint32Array; readonly before: Rounds }[] = []
  const first = share()
  const keep = (before: Rounds): unknown => kept.push({ states: statesOf(first).slice(), before: [...before] })
  const checkpointer = { isDue: () => true, keep }
  const whole = await rangesHere(folder, { workers, share: () => first, checkpointer }, works)
  const ends = [{ states: statesOf(first), rounds: whole.outcome }]
  for (const { states, before } of kept) {
    const shared = share()
    statesOf(shared).set(states)
    const { outcome } = await rangesHere(folder, { workers, share: () => shared, before }, works)
    ends.push({ states: statesOf(shared), rounds: outcome })
  }
  return ends
}

it(`resumes from any round, the last one too, with several workers, on ${GRAPHS} random graphs`, async () => {
  let rounds = 0
  for (let number = 0; number < GRAPHS; number++) {
    const { graph, shape } = randomSmallGraph(number, 300)
    const { vertices } = graph
    const { folder } = writeGraphFolder(graph)
    const workers = 2 + (number % 2)
    const colouring = (): ReturnType<typeof shareColouring> => {
      const shared = shareColouring(vertices, number)
      shared.keys.set(graph.neighbours.map((list) => list.length))
      return shared
    }
    const draw = { bits: idBits(vertices), seed: number }
    const distance = (): ReturnType<typeof shareDistance> => shareDistance(vertices, 2, { draw })
    const [coloured, ...again] = await resumed(folder, workers, colouringWorks, colouring, ({ colours }) => colours)
    // In which rounds several workers colour depends on where they begin; the colours do not.
    for (const { states } of again) expect(states, `${number} ${shape}`).toEqual(coloured!.states)
    const [joined, ...others] = await resumed(folder, workers, distanceWorks, distance, ({ words }) => words)
    for (const other of others) expect(other, `${number} ${shape}`).toEqual(joined)
    rounds += again.length + others.length
    rmSync(folder, { recursive: true })
  }
  expect(rounds).toBeGreaterThan(3 * GRAPHS)
})
