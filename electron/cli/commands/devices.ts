import { join } from 'node:path'
import type { Command } from 'commander'
import { devicesSchema } from '../../../workers/contract/devices.ts'
import { devicesText } from '../devices-text.ts'
import type { Shell } from '../shell.ts'

interface DevicesOptions {
  readonly benchmark?: boolean
  readonly prove?: boolean
}

export function registerDevices(program: Command, shell: Shell): void {
  program
    .command('devices')
    .description('List the devices that runs can use, and say why there is no GPU where there is none.')
    .option('--benchmark', "measure copies to and from each device, its memory, and the library's disk (some seconds)")
    .option('--prove', 'allocate on each GPU in turn and tell which one had less memory free')
    .action(({ benchmark, prove }: DevicesOptions) =>
      shell.open(async ({ library, runner }) => {
        const args = { prove, benchmark: benchmark === true ? { folder: join(library.folder, 'datasets') } : undefined }
        const outcome = devicesSchema.parse(await runner.run('devices', args, shell.job))
        shell.answer(outcome, devicesText(outcome))
      }),
    )
}
