import { Failure, REPEAT } from './failure.ts'
import type { FailureValue } from './failure.ts'

/** How work ended that failed; a value that crosses threads and processes. */
export interface SettledFailure {
  readonly failure: FailureValue
  readonly stack?: string | undefined
}

/** A failure as a value; what is no Failure is a fault of the program, and memory that ran out is neither. */
export function settleFailure(error: unknown): SettledFailure {
  if (error instanceof Failure) return { failure: error.toValue(), stack: error.stack }
  const message = error instanceof Error ? error.message : String(error)
  const memory = error instanceof RangeError && /allocation|Array buffer|Invalid typed array length/i.test(message)
  return {
    failure: {
      code: 'fault',
      what: memory ? `not enough memory (${message})` : message,
      remedy: memory
        ? 'Close other programs, or use a machine with more memory.'
        : 'This is a fault of Anticlique: please report it. A fresh engine starts by itself.',
      ...(memory ? {} : { fixes: [REPEAT] }),
    },
    stack: error instanceof Error ? error.stack : undefined,
  }
}
