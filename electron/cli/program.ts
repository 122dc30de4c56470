import { Command } from 'commander'
import { version } from '../../package.json'
import { registerBench } from './commands/bench.ts'
import { registerDatasets } from './commands/datasets.ts'
import { registerDevices } from './commands/devices.ts'
import { registerExport } from './commands/export.ts'
import { registerGenerate } from './commands/generate.ts'
import { registerImport } from './commands/import.ts'
import { registerPlan } from './commands/plan.ts'
import { registerRun } from './commands/run.ts'
import { registerRuns } from './commands/runs.ts'
import { registerSample } from './commands/sample.ts'
import { registerServe } from './commands/serve.ts'
import { registerVerify } from './commands/verify.ts'
import type { Shell } from './shell.ts'

const firstSteps = `
First steps:
  anticlique sample cities --radius-km 10     build a real graph: 135,233 places, joined where they are close
  anticlique run cities-10km --verify         compute a maximal independent set and check it
  anticlique export latest --output set.txt   write its members, in the ids of the graph
  anticlique run my-graph.mtx.gz              the same with a file of your own

Exit codes: 0 done, 2 wrong usage or input, 3 a set failed verification, 4 device or engine failure, 130 cancelled.
Every command is described in docs/command-line.md.`

/** The commands and options of the command line. Errors are thrown, never printed or ended with here. */
export function createProgram(shell: Shell): Command {
  const program = new Command('anticlique')
    .description(
      'Maximal independent sets and weighted matchings of large graphs, on GPUs or processors, checked and exported.',
    )
    .version(version, '-V, --version', 'print the version')
    .option(
      '--library <folder>',
      'keep datasets and runs in this folder (default: ANTICLIQUE_LIBRARY, else your data folder)',
    )
    .option('--json', 'print exactly one JSON document on stdout')
    .option('--debug', 'print the stack trace of a failure')
    .helpOption('-h, --help', 'explain a command')
    .helpCommand('help [command]', 'explain a command')
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .addHelpText('after', firstSteps)
  for (const register of [
    registerDevices,
    registerImport,
    registerGenerate,
    registerSample,
    registerDatasets,
    registerPlan,
    registerRun,
    registerRuns,
    registerVerify,
    registerExport,
    registerBench,
    registerServe,
  ])
    register(program, shell)
  return program
}
