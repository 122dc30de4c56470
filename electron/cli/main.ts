import { CommanderError, type Command } from 'commander'
import { Failure, usageFailure } from '../../workers/base/failure.ts'
import { exitCodeOf, asKnownFailure } from './failure-text.ts'
import { SharedFailure } from './own-rank.ts'
import { createProgram } from './program.ts'
import { Shell, type GlobalOptions, type StartRunner } from './shell.ts'

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
  const command = program.commands.find((known) => argv.includes(known.name()))
  const names = (command ?? program).commands.map((known) => known.name()).join(', ')
  const what =
    code === 'commander.help'
      ? `what to do is missing; one of ${names}`
      : message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ')
  const help = command === undefined ? 'anticlique --help' : `anticlique ${command.name()} --help`
  return usageFailure(undefined, what, `See "${help}".`)
}
