import { earlyArguments, isAcross } from './cli/early-engine.ts'
import { EngineProcess } from './pool/engine-process.ts'
import { Pool, findEngine } from './pool/pool.ts'

/**
 * The launcher calls it. The engine starts before anything else is loaded, as that takes longest; where work is short, none does. @param
 * onListening called once it listens for signals
 */
export async function start(onListening: () => void): Promise<void> {
  const argv = process.argv.slice(2)
  const ahead = earlyArguments(argv)
  let onText = (_text: string): void => {}
  const engine = ahead && new EngineProcess(findEngine(), { ahead, onText: (text) => onText(text) })
  const { endOnErrors } = await import('./cli/failure-text.ts')
  endOnErrors()
  const { main } = await import('./cli/main.ts')
  const { NearJobs } = await import('./pool/near-jobs.ts')
  const end = main(argv, ({ onEngineText }) => {
    onText = onEngineText
    // A launcher takes a rank that ends before its engine for a failure.
    const pool = new Pool({ onEngineText, engine, isLast: !isAcross(argv) })
    return engine === undefined ? new NearJobs(pool) : pool
  })
  onListening()
  process.exitCode = await end
  engine?.release()
}
