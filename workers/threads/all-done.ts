import { Failure } from '../base/failure.ts'
import type { ScanBoard } from './scan-board.ts'

/**
 * Settles when all have; a failure stops the others, and what they say of being stopped does not count, though they may say it first: who
 * fails stops the board, and only then its message is under way.
 */
export async function allDone<T>(works: readonly Promise<T>[], board: ScanBoard): Promise<T[]> {
  const errors: unknown[] = []
  const settled = await Promise.all(
    works.map((work) =>
      work.catch((error: unknown) => {
        errors.push(error)
        board.stop()
        return undefined
      }),
    ),
  )
  if (errors.length > 0) throw errors.find((error) => !isCancelled(error)) ?? errors[0]
  return settled as T[]
}

const isCancelled = (error: unknown): boolean => error instanceof Failure && error.code === 'cancelled'
