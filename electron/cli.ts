import { earlyArguments } from './cli/early-engine.ts'
import { exitCodeOf } from './cli/exit-code.ts'
import { failureText } from './cli/failure-text.ts'
import { asKnownFailure, outputFailure } from './cli/known-failure.ts'
import { EngineProcess } from './pool/engine-process.ts'
import { findEngine } from './pool/find-engine.ts'
import { Pool } from './pool/pool.ts'

/** Says in one line what nobody caught, and ends. */
function endWith(error: unknown): never {
  const failure = asKnownFailure(error)
  process.stderr.write(`${failureText(failure)}\n`)
  if (process.argv.includes('--debug') && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  process.exit(exitCodeOf(failure.code))
}

/**
 * Runs the command line on the arguments of this process; the launcher calls it. An engine that the command will want starts before
 * anything else is loaded: that takes longest.
 * @param onListening called once signals are heard here
 */
export async function start(onListening: () => void): Promise<void> {
  process.on('uncaughtException', endWith)
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader such as `head` may close its end early; what it did not want to see is no failure.
    if (error.code !== 'EPIPE') endWith(outputFailure(error))
  })
  // Where nobody can read what went wrong, the exit code still says it.
  process.stderr.on('error', () => {})
  const argv = process.argv.slice(2)
  const ahead = earlyArguments(argv)
  let onText = (_text: string): void => {}
  const engine = ahead && new EngineProcess(findEngine(), { ahead, onText: (text) => onText(text) })
  const { main } = await import('./cli/main.ts')
  const end = main(argv, ({ onEngineText }) => {
    onText = onEngineText
    return new Pool({ onEngineText, engine, isLast: true })
  })
  onListening()
  process.exitCode = await end
  // Of a command that was refused before it had a library.
  engine?.release()
}
