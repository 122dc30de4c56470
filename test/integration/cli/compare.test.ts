import { expect, test } from 'vitest'
import { CommandLineHere } from './command-line.ts'

interface Compared {
  readonly runs: readonly {
    readonly seed: number
    readonly quality: string | null
    readonly size: number
    readonly options: Readonly<Record<string, unknown>>
    readonly time: { readonly totalMs: number }
    readonly upperBound: number
  }[]
  readonly differing: readonly string[]
  readonly same: boolean
}

interface Swept {
  readonly result: { readonly size: number }
  readonly seeds: { readonly runs: readonly { readonly seed: number; readonly kept: boolean; readonly size: number }[] }
}

test('runs are compared by the options in which they differ, and listed with seed, quality, times and bounds', async () => {
  const cli = new CommandLineHere()
  // Of a path, whose vertices have the same degree but for its ends, other seeds give other sets.
  cli.write('path.txt', Array.from({ length: 400 }, (_, v) => `${v} ${v + 1}\n`).join(''))
  await cli.json('import', 'path.txt')
  const both = ['--seeds', '2', '--seed', '3', '--keep-runs', 'all', '--name', 'tried', '--verify']
  const swept = await cli.json<Swept>('run', 'path', '--devices', 'cpu:0', ...both)
  const largest = Math.max(...swept.seeds.runs.map(({ size }) => size))
  expect(swept.result.size).toBe(largest)
  expect(swept.seeds.runs.map(({ seed, kept }) => [seed, kept])).toEqual([
    [3, true],
    [4, true],
  ])
  await cli.json(
    'run',
    'path',
    '--devices',
    'cpu:0',
    '--seed',
    '4',
    '--quality',
    'better',
    '--name',
    'large',
    '--verify',
  )

  const { runs, differing, same } = await cli.json<Compared>('compare', '--dataset', 'path')
  expect(runs.map(({ seed, quality }) => [seed, quality])).toEqual([
    [3, null],
    [4, null],
    [4, 'better'],
  ])
  expect(same).toBe(false)
  expect(differing).toEqual(expect.arrayContaining(['seed', 'quality']))
  expect(differing).not.toContain('priority')
  expect(Math.max(...runs.map(({ size }) => size))).toBe(201)
  for (const { options, seed, time, upperBound } of runs) {
    expect(options['seed']).toBe(seed)
    expect(time.totalMs).toBeGreaterThan(0)
    expect(upperBound).toBeGreaterThanOrEqual(201)
  }
  expect(runs.slice(0, 2).map(({ size }) => size)).toEqual(swept.seeds.runs.map(({ size }) => size))
  expect((await cli.json<{ run: { seed: number } }>('runs', 'show', 'tried-4')).run.seed).toBe(4)
  const { stdout: text } = await cli.run('compare', '--dataset', 'path')
  expect(text).toMatch(/large.*the best possible/)
  expect(text).toMatch(/Results from \d+ to 201, mean \d+/)
  const { stdout: csv } = await cli.run('compare', 'large', 'latest', '--csv')
  expect(csv.split('\n')[0]).toMatch(/^run,name,dataset,algorithm,.*size,weight,upper_bound,verified,seconds,hash$/)
  expect((await cli.run('compare', 'large', 'large')).stdout).toContain('All have the same result.')
  expect((await cli.run('compare', 'large')).code).toBe(2)
  expect((await cli.run('runs')).stdout).toMatch(/seed.*quality/)
})
