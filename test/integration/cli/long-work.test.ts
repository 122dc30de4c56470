import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { CommandLine, linesOf } from './command-line.ts'

let cli: CommandLine
beforeAll(async () => {
  cli = new CommandLine()
  await cli.json('generate', 'rmat', '--scale', '16', '--name', 'big')
})

const states = async (): Promise<string[]> =>
  (await cli.json<{ runs: { state: string }[] }>('runs')).runs.map(({ state }) => state)

test('devices always has a CPU, and says why there is no GPU where there is none', async () => {
  const { devices, noGpu } = await cli.json<{ devices: { id: string; kind: string }[]; noGpu: string | null }>(
    'devices',
  )
  expect(devices.map(({ id }) => id)).toContain('cpu:0')
  expect(noGpu === null).toBe(devices.some(({ kind }) => kind === 'gpu'))
})

/** Takes minutes, where a set may be made before a signal is heard. */
const endless = ['--algorithm', 'spin-glass', '--sweeps', '1000000']

describe('Ctrl+C', () => {
  test('while a run works marks it cancelled', async () => {
    const { child, ended } = cli.start('run', 'big', '--devices', 'cpu:0', ...endless)
    await cli.untilAtWork()
    child.kill('SIGINT')
    const { code } = await ended
    expect(code).toBe(130)
    expect(await states()).toEqual(['cancelled'])
  })
})

test('a run whose program was killed is interrupted, and can be run again', async () => {
  const { child, ended } = cli.start('run', 'big', '--devices', 'cpu:0', ...endless)
  await cli.untilAtWork(2)
  child.kill('SIGKILL')
  await ended
  expect((await states())[0]).toBe('interrupted')
  await cli.json('run', 'big', '--devices', 'cpu:0', '--priority', 'ecl', '--verify')
  expect((await states())[0]).toBe('done')
})

test('bench measures on a graph of its own and leaves the library alone', async () => {
  const words = ['bench', 'ecl-mis', '--scale', '10', '--edge-factor', '4', '--repeats', '2', '--devices', 'cpu:0']
  const { rows } = await cli.json<{ rows: Record<string, unknown>[] }>(...words)
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({ device: 'cpu:0', priority: 'ecl', repeats: 2, graph: { vertices: 1024 } })
  const { median, min, max } = rows[0]!['computeMs'] as Record<'median' | 'min' | 'max', number>
  expect(min).toBeGreaterThan(0)
  expect(min <= median && median <= max).toBe(true)
  expect((await cli.json<{ datasets: unknown[] }>('datasets')).datasets).toHaveLength(1)
})

test('bench on a dataset of the library', async () => {
  const { stdout } = await cli.run('bench', 'ecl-mis', 'big', '--repeats', '1')
  expect(linesOf(stdout)).toHaveLength(2)
  expect(existsSync(join(cli.library, 'library.sqlite'))).toBe(true)
})
