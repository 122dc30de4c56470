import type { Command } from 'commander'
import { runSummary } from '../documents.ts'
import { runTable, runText } from '../run-text.ts'
import type { Shell } from '../shell.ts'

const WHICH = 'its id, the beginning of its id, its name, or "latest"'

export function register(program: Command, shell: Shell): void {
  const runs = program.command('runs').description('List, show or remove the runs of the library.')
  runs
    .command('list', { isDefault: true })
    .description('List all runs, the newest first.')
    .action(() => shell.ask('runs.list', {}, ({ runs: all }) => [{ runs: all.map(runSummary) }, runTable(all)]))
  runs
    .command('show')
    .description('Show one run; with --json its whole record, enough to repeat it.')
    .argument('<run>', WHICH)
    .action((text: string) =>
      shell.ask('runs.get', { run: text }, ({ run }) => [
        { run: { ...runSummary(run), request: run.request, record: run.record } },
        runText(run),
      ]),
    )
  runs
    .command('remove')
    .description('Delete a finished run with its set and record for good.')
    .argument('<run>', WHICH)
    .action((text: string) =>
      shell.ask('runs.remove', { run: text }, ({ run }) => [{ removed: run.id }, `Removed run ${run.id}.`]),
    )
}
