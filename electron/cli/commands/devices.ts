import type { Command } from 'commander'
import { bytes } from '../quantity.ts'
import type { Shell } from '../shell.ts'
import { table } from '../table.ts'

export function registerDevices(program: Command, shell: Shell): void {
  program
    .command('devices')
    .description('List the devices that runs can use, and say why there is no GPU where there is none.')
    .action(() =>
      shell.open(async ({ service }) => {
        const { devices, noGpu } = await service.call('devices', {}, shell.job)
        const rows = devices.map((device) => [
          device.id,
          device.software && device.kind === 'gpu' ? `${device.name} (software)` : device.name,
          device.driver,
          device.memoryBytes === null ? '' : bytes(device.memoryBytes),
        ])
        const lines = table(
          [
            { title: 'device', align: 'left' },
            { title: 'name', align: 'left' },
            { title: 'driver', align: 'left' },
            { title: 'memory', align: 'right' },
          ],
          rows,
        )
        shell.answer({ devices, noGpu }, noGpu === null ? lines : `${lines}\n\nNo GPU: ${noGpu}`)
      }),
    )
}
