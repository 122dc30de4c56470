import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { isLoopback } from '../../host/serve-guard.ts'
import { withOwnMask } from '../../library/location.ts'
import { usageFailure } from '../../../workers/base/failure.ts'
import { integerArgument } from '../argument.ts'
import type { Shell } from '../shell.ts'

interface ServeOptions {
  readonly port: number
  readonly host: string
  readonly open?: boolean
}

const examples = `
The link holds a secret of this start: anyone with it may do everything that you can. It ends with Ctrl+C.

Examples:
  anticlique serve --open
  anticlique serve --port 8080                          then, from your own machine:
  ssh -L 8080:127.0.0.1:8080 server                     and open the link that it printed`

export function register(program: Command, shell: Shell): void {
  program
    .command('serve')
    .description('Show the workbench in a browser: for machines without a display.')
    .option('--port <number>', 'where to listen; 0: a free port', integerArgument(0, 65535), 0)
    .option('--host <address>', 'listen on this address; others than this machine can then reach it', '127.0.0.1')
    .option('--open', 'open the link in the browser')
    .addHelpText('after', examples)
    .action(({ port, host, open }: ServeOptions) =>
      shell.open(async ({ service, library }) => {
        const page = pageFolder()
        const { serve } = await import('../../host/serve-host.ts')
        const serving = await serve(service.watchLibrary(), {
          page,
          host,
          port,
          scratch: library.scratchFolder('serve'),
        })
        if (!isLoopback(host)) shell.note(`Others can reach ${host}; what they send and see is not encrypted.`)
        shell.answer({ url: serving.url }, `Anticlique is at ${serving.url}\nEnd it with Ctrl+C.`)
        if (open === true) openInBrowser(serving.url, (problem) => shell.note(problem))
        if (!shell.job.signal.aborted) await once(shell.job.signal, 'abort')
        await serving.close()
      }),
    )
}

/** @throws Failure (usage) when it was not built */
function pageFolder(): string {
  const places = ['../renderer', '../../renderer'].map((path) => join(import.meta.dirname, path))
  const found = places.find((place) => existsSync(join(place, 'index.html')))
  if (found !== undefined) return found
  throw usageFailure(undefined, 'the pages are not built', 'Run: npm run build')
}

function openInBrowser(url: string, tell: (problem: string) => void): void {
  const [command, args] =
    process.platform === 'darwin'
      ? (['open', [url]] as const)
      : process.platform === 'win32'
        ? (['rundll32', ['url.dll,FileProtocolHandler', url]] as const)
        : (['xdg-open', [url]] as const)
  const child = withOwnMask(() => spawn(command, args, { stdio: 'ignore', detached: true }))
  child.on('error', () => tell('No browser could be started; open the link by hand.'))
  child.unref()
}
