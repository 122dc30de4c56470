import { Failure } from '../base/failure.ts'

/** What makes workers stop that share memory: a task board, or a barrier. */
interface Stoppable {
  stop(): void
}

/**
 * Settles when all have; a failure stops the others, and what they say of being stopped does not count, though they may say it first: who
 * fails stops what they share, and only then its message is under way.
 */
export async function allDone<T>(works: readonly Promise<T>[], shared: Stoppable): Promise<T[]> {
  const errors: unknown[] = []
  const settled = await Promise.all(
    works.map((work) =>
      work.catch((error: unknown) => {
        errors.push(error)
        shared.stop()
        return undefined
      }),
    ),
  )
  if (errors.length > 0) throw errors.find((error) => !isCancelled(error)) ?? errors[0]
  return settled as T[]
}

const isCancelled = (error: unknown): boolean => error instanceof Failure && error.code === 'cancelled'
