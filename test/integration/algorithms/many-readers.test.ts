import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { flipByte } from '../../support/damage.ts'
import { devicesHere } from '../../support/devices-here.ts'
import { CommandLine } from '../cli/command-line.ts'

/** As many arcs as several threads read, and few levels. */
const SIZES = [130, 110, 100] as const

interface Done {
  readonly result: { readonly figures: Readonly<Record<string, number>> }
  readonly verified?: boolean
}

it('lists that several threads read are the ones of the file, and damaged ones are refused', async () => {
  const cli = new CommandLine()
  const [width, height, depth] = SIZES
  const sizes = ['--width', String(width), '--height', String(height), '--depth', String(depth)]
  await cli.json('generate', 'grid3', ...sizes, '--name', 'grid')
  const run = (device: string, algorithm: string, ...more: string[]) =>
    cli.json<Done>('run', 'grid', '--algorithm', algorithm, '--devices', device, ...more)
  for (const device of devicesHere) {
    const found = await run(device, 'bfs-tree', '--root', '0', '--verify')
    expect(found.verified, device).toBe(true)
    expect(found.result.figures).toMatchObject({
      reached: width * height * depth,
      depth: width + height + depth - 3,
    })
    const whole = await run(device, 'connected-components')
    expect(whole.result.figures, device).toMatchObject({ components: 1 })
  }
  const datasets = join(cli.library, 'datasets')
  const graph = join(datasets, readdirSync(datasets)[0]!, 'graph.gr')
  flipByte(graph, Math.floor(0.7 * statSync(graph).size))
  for (const device of devicesHere) {
    const words = ['run', 'grid', '--algorithm', 'bfs', '--root', '0', '--devices', device]
    const { code, stdout } = await cli.run('--json', ...words)
    expect(code, device).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'input' } })
  }
})
