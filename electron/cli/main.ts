import '../contract/no-compiling.ts'
import { CommanderError, Command } from 'commander'
import { Failure, usageFailure } from '../../workers/base/failure.ts'
import { exitCodeOf, asKnownFailure } from './failure-text.ts'
import { SharedFailure } from './own-rank.ts'
import { Shell, type GlobalOptions, type StartRunner } from './shell.ts'
import { versionText } from '../service/version.ts'
import { libraryArgument } from './argument.ts'
import { commandName } from './early-engine.ts'

export async function main(argv: readonly string[], startRunner: StartRunner): Promise<number> {
  let program: Command | undefined
  const shell = new Shell(() => program?.opts<GlobalOptions>() ?? {}, startRunner)
  const release = shell.catchSignals()
  try {
    program = await createProgram(shell, argv)
    await program.parseAsync(argv.length === 0 ? ['--help'] : argv, { from: 'user' })
    return 0
  } catch (error) {
    return settle(error, shell, program, argv)
  } finally {
    release()
  }
}

/** A stack only with --debug. */
function settle(error: unknown, shell: Shell, program: Command | undefined, argv: readonly string[]): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0
  const failure =
    program !== undefined && error instanceof CommanderError ? ofCommand(error, program, argv) : asKnownFailure(error)
  if (!(failure instanceof SharedFailure)) shell.fail(failure, argv.includes('--json'))
  if (argv.includes('--debug') && error instanceof Error) shell.note(error.stack ?? error.message)
  return exitCodeOf(failure.code)
}

function ofCommand({ code, message }: CommanderError, program: Command, argv: readonly string[]): Failure {
  const command = program.commands.find((known) => known.name() === commandName(argv))
  const next = argv.slice(argv.indexOf(command?.name() ?? '') + 1).find((word) => !word.startsWith('-'))
  const part = command?.commands.find((known) => known.name() === next)
  const names = (command ?? program).commands.map((known) => known.name()).join(', ')
  // "datasets bogus" was taken for "datasets list bogus".
  const isNoPart = code === 'commander.excessArguments' && names !== '' && part === undefined
  const what = isNoPart
    ? `${command?.name()} has no command "${next}"; it has ${names}`
    : code === 'commander.help'
      ? `what to do is missing; one of ${names}`
      : message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ')
  const words = ['anticlique', command?.name(), part?.name(), '--help'].filter((word) => word !== undefined)
  return usageFailure(undefined, what, `See "${words.join(' ')}".`)
}

const firstSteps = `
First steps:
  anticlique sample cities --radius-km 10     build a real graph: 135,233 places, joined where they are close
  anticlique run cities-10km --verify         compute a maximal independent set and check it
  anticlique export latest --output set.txt   write its members, in the ids of the graph
  anticlique run my-graph.mtx.gz              the same with a file of your own

Exit codes: 0 done, 2 wrong usage or input, 3 a set failed verification, 4 device or engine failure, 130 cancelled.
Every command is described in docs/command-line.md.`

interface Commands {
  register(program: Command, shell: Shell): void
}

/** The commands in the order in which help lists them. */
const commands: Readonly<Record<string, () => Promise<Commands>>> = {
  devices: () => import('./commands/devices.ts'),
  import: () => import('./commands/import.ts'),
  generate: () => import('./commands/generate.ts'),
  sample: () => import('./commands/generate.ts'),
  coarsen: () => import('./commands/coarsen.ts'),
  datasets: () => import('./commands/datasets.ts'),
  plan: () => import('./commands/plan.ts'),
  run: () => import('./commands/run.ts'),
  batch: () => import('./commands/batch.ts'),
  rerun: () => import('./commands/rerun.ts'),
  runs: () => import('./commands/runs.ts'),
  compare: () => import('./commands/compare.ts'),
  verify: () => import('./commands/results.ts'),
  export: () => import('./commands/results.ts'),
  archive: () => import('./commands/archive.ts'),
  schema: () => import('./commands/schema.ts'),
  bench: () => import('./commands/bench.ts'),
  serve: () => import('./commands/serve.ts'),
}
const VERSION = '-V, --version'

/** With all commands where the arguments name none. Errors are thrown, never printed. */
export async function createProgram(shell: Shell, argv: readonly string[]): Promise<Command> {
  const program = new Command('anticlique')
    .description(
      'Maximal independent sets and weighted matchings of large graphs, on GPUs or processors, checked and exported.',
    )
    .version(versionText, VERSION, 'print the version')
    .option(
      '--library <folder>',
      'keep datasets and runs in this folder (default: ANTICLIQUE_LIBRARY, else your data folder)',
      libraryArgument,
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
  for (const module of new Set(await Promise.all(wanted(argv).map((load) => load())))) module.register(program, shell)
  return program
}

function wanted(argv: readonly string[]): readonly (() => Promise<Commands>)[] {
  const name = commandName(argv)
  if (name === undefined && argv.some((word) => VERSION.split(', ').includes(word))) return []
  const named = Object.hasOwn(commands, name ?? '') ? commands[name!] : undefined
  return named === undefined ? Object.values(commands) : [named]
}
