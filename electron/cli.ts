import { earlyArguments, isAcross } from './cli/early-engine.ts'
import { EngineProcess } from './pool/engine-process.ts'
import { Pool, findEngine } from './pool/pool.ts'

/** Its words take time to load. */
const words = () => import('./cli/failure-text.ts')

async function endWith(error: unknown): Promise<never> {
  const { asKnownFailure, exitCodeOf, failureText } = await words()
  const failure = asKnownFailure(error)
  process.stderr.write(`${failureText(failure)}\n`)
  if (process.argv.includes('--debug') && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  process.exit(exitCodeOf(failure.code))
}

/**
 * The launcher calls it. The engine starts first, as that takes longest. @param onListening called once it listens for
 * signals
 */
export async function start(onListening: () => void): Promise<void> {
  process.on('uncaughtException', (error) => void endWith(error))
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader such as `head` closes its end early.
    if (error.code !== 'EPIPE') void words().then(({ outputFailure }) => endWith(outputFailure(error)))
  })
  // The exit code still says it.
  process.stderr.on('error', () => {})
  const argv = process.argv.slice(2)
  const ahead = earlyArguments(argv)
  let onText = (_text: string): void => {}
  const engine = ahead && new EngineProcess(findEngine(), { ahead, onText: (text) => onText(text) })
  const { main } = await import('./cli/main.ts')
  const end = main(argv, ({ onEngineText }) => {
    onText = onEngineText
    // A launcher takes a rank that ends before its engine for a failure.
    return new Pool({ onEngineText, engine, isLast: !isAcross(argv) })
  })
  onListening()
  process.exitCode = await end
  engine?.release()
}
