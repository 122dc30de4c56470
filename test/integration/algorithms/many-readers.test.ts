import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { flipByte } from '../../support/damage.ts'
import { devicesHere } from '../../support/devices-here.ts'
import { CommandLineHere } from '../cli/command-line.ts'

/** As many arcs as several threads read, in few levels: a software GPU goes through all lists for each. */
const VERTICES = 1 << 18
const DEGREE = 34

interface Done {
  readonly result: { readonly hash: string; readonly figures: Readonly<Record<string, number>> }
  readonly verified?: boolean
}

it('lists that several threads read are the ones of the file, and damaged ones are refused', async () => {
  const cli = new CommandLineHere()
  const sizes = ['--vertices', String(VERTICES), '--degree', String(DEGREE), '--seed', '5']
  await cli.json('generate', 'regular', ...sizes, '--name', 'cycles')
  const run = (device: string, algorithm: string, ...more: string[]) =>
    cli.json<Done>('run', 'cycles', '--algorithm', algorithm, '--devices', device, ...more)
  const hashes = new Set<string>()
  for (const device of devicesHere) {
    const found = await run(device, 'bfs-tree', '--root', '0', '--verify')
    expect(found.verified, device).toBe(true)
    expect(found.result.figures['reached']).toBe(VERTICES)
    hashes.add(found.result.hash)
    const whole = await run(device, 'connected-components')
    expect(whole.result.figures, device).toMatchObject({ components: 1 })
  }
  expect(hashes.size).toBe(1)
  const datasets = join(cli.library, 'datasets')
  const graph = join(datasets, readdirSync(datasets)[0]!, 'graph.gr')
  flipByte(graph, Math.floor(0.7 * statSync(graph).size))
  for (const device of devicesHere) {
    const words = ['run', 'cycles', '--algorithm', 'bfs', '--root', '0', '--devices', device]
    const { code, stdout } = await cli.run('--json', ...words)
    expect(code, device).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'input' } })
  }
})
