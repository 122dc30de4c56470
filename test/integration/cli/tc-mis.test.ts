import { beforeAll, expect, test } from 'vitest'
import type { RunOutcome } from '../../../workers/contract/jobs.ts'
import { CommandLineHere } from './command-line.ts'

let cli: CommandLineHere
beforeAll(async () => {
  cli = new CommandLineHere()
  await cli.json('generate', 'rmat', '--scale', '10', '--name', 'graph')
})

type Document = Omit<RunOutcome, 'verification'> & { readonly verified: boolean | null }

const outcome = (...words: string[]): Promise<Document> =>
  cli.json('run', 'graph', '--devices', 'cpu:0', '--verify', ...words)

test('tc-mis by h3 makes the set of ecl-mis by ecl', async () => {
  const { result } = await outcome('--priority', 'ecl')
  const tiled = await outcome('--algorithm', 'tc-mis')
  expect(tiled).toMatchObject({ algorithm: 'tc-mis', options: { priority: 'h3', seeds: 1 }, result })
  expect(tiled.counters['tiles']).toBeGreaterThan(100)
  expect(tiled.verified).toBe(true)
})

test('sixteen seeds give the sizes of sixteen runs, and the largest set', async () => {
  const { result, series, counters } = await outcome('--algorithm', 'tc-mis', '--seeds', '16')
  const sizes = series.find(({ name }) => name === 'sizes')!.values
  expect(sizes).toHaveLength(16)
  const single = await outcome('--algorithm', 'tc-mis', '--seed', String(counters['bestSeed']))
  expect(single.result).toEqual(result)
  expect(result).toMatchObject({ size: Math.max(...sizes) })
})

test('what tc-mis does not have is refused before anything is computed', async () => {
  for (const [words, message] of [
    [['--priority', 'degree'], /Use one of h3, h2, h1/],
    [['--seeds', '17'], /16/],
    [['--counting', 'odd'], /auto/],
    [['--partitions', '2'], /belongs to ecl-mis/],
  ] as const) {
    const { code, stderr } = await cli.run('run', 'graph', '--algorithm', 'tc-mis', ...words)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) as string })
  }
})

test('where the memory is too small, fewer seeds are advised only where there are several', async () => {
  const refused = (...words: string[]) => cli.run('run', 'graph', '--algorithm', 'tc-mis', '--memory', '1KB', ...words)
  const [one, several] = [await refused(), await refused('--seeds', '4')]
  expect([one.code, several.code]).toEqual([2, 2])
  expect(one.stderr).toContain('the state of 1024 vertices takes')
  expect(one.stderr).not.toContain('seeds')
  expect(several.stderr).toMatch(/vertices under 4 seeds takes.*smaller --seeds/s)
})
