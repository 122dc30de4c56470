import { main } from './cli/main.ts'
import { exitCodeOf } from './cli/exit-code.ts'
import { failureLine } from '../workers/failure.ts'
import { asKnownFailure, outputFailure } from './cli/known-failure.ts'

/** Says in one line what nobody caught, and ends. */
function endWith(error: unknown): never {
  const failure = asKnownFailure(error)
  process.stderr.write(`${failureLine(failure)}\n`)
  if (process.argv.includes('--debug') && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  process.exit(exitCodeOf(failure.code))
}

/** Runs the command line on the arguments of this process; the launcher calls it. */
export async function start(): Promise<void> {
  process.on('uncaughtException', endWith)
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader such as `head` may close its end early; what it did not want to see is no failure.
    if (error.code !== 'EPIPE') endWith(outputFailure(error))
  })
  // Where nobody can read what went wrong, the exit code still says it.
  process.stderr.on('error', () => {})
  process.exitCode = await main(process.argv.slice(2))
}
