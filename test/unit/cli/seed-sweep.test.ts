import { describe, expect, test } from 'vitest'
import type { Run } from '../../../electron/contract/run.ts'
import { sweepOf, swept } from '../../../electron/cli/seed-sweep.ts'

/** A finished run of a set of so many members. */
const runOf = (seed: number, size: number): Run =>
  ({ id: `run-${seed}`, request: { seed }, record: { outcome: { result: { kind: 'independent-set', size } } } }) as Run

async function sweep(sizes: readonly number[], keep: 'best' | 'all', sign: 1 | -1 = 1) {
  const library = new Set<string>()
  let most = 0
  const found = await swept(
    { first: 7, seeds: sizes.length, keep, sign },
    (seed) => {
      const run = runOf(seed, sizes[seed - 7]!)
      library.add(run.id)
      most = Math.max(most, library.size)
      return Promise.resolve(run)
    },
    ({ id }) => Promise.resolve(library.delete(id)),
  )
  return { best: found.best.id, seeds: found.runs.map(({ request }) => request.seed), library: [...library], most }
}

describe('of runs of several seeds', () => {
  test('the library has the best one alone, at no time more than two; of equal ones the first', async () => {
    const { best, seeds, library, most } = await sweep([4, 9, 3, 9, 5], 'best')
    expect({ best, seeds, library, most }).toEqual({
      best: 'run-8',
      seeds: [7, 8, 9, 10, 11],
      library: ['run-8'],
      most: 2,
    })
    expect((await sweep([4, 9, 3, 3], 'best', -1)).library).toEqual(['run-9'])
  })

  test('or all of them', async () => {
    const { best, library } = await sweep([4, 9, 3], 'all')
    expect({ best, library }).toEqual({ best: 'run-8', library: ['run-7', 'run-8', 'run-9'] })
  })
})

describe('what is asked for', () => {
  test('is a sweep of every algorithm but the one that takes several seeds at once', () => {
    expect(sweepOf('ecl-mis', { seeds: 20 })).toEqual({ first: 0, seeds: 20, keep: 'best', sign: 1 })
    expect(sweepOf('ld-gpu', { seeds: 2, seed: 5, keepRuns: 'all' })).toMatchObject({ first: 5, keep: 'all' })
    expect(sweepOf('colouring', { seeds: 2 })).toMatchObject({ sign: -1 })
    expect(sweepOf('bfs', { seeds: 2, keepRuns: 'all' })).toMatchObject({ keep: 'all' })
    expect(sweepOf('tc-mis', { seeds: 16 })).toBeUndefined()
    expect(sweepOf('ecl-mis', {})).toBeUndefined()
  })

  test.each([
    ['ecl-mis', { keepRuns: 'all' }, '--keep-runs: it says what stays'],
    ['tc-mis', { seeds: 4, keepRuns: 'all' }, '--keep-runs: it says what stays'],
    ['ecl-mis', { seeds: 4, trace: 'x' }, '--trace: it is of one run'],
    ['ecl-mis', { seeds: 4, across: 'mpi' }, '--across: it is of one run'],
    ['ecl-mis', { seeds: 2, seed: 2 ** 32 - 1 }, '--seeds: seeds go up to 4294967295'],
    ['bfs', { seeds: 4 }, '--seeds: no result of bfs is better than another'],
  ] as const)('%s %j is refused', (algorithm, options, sentence) => {
    expect(() => sweepOf(algorithm, options)).toThrow(sentence)
  })
})
