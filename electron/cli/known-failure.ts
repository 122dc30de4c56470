import { Failure } from '../../workers/base/failure.ts'

/** An unexpected error is a fault of the program. */
export function asKnownFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  const what = error instanceof Error ? error.message : String(error)
  return new Failure({
    code: 'fault',
    what: `something went wrong that should not: ${what}`,
    remedy: 'This is a bug; repeat the command with --debug and report what it prints.',
  })
}

export function outputFailure({ code, message }: NodeJS.ErrnoException): Failure {
  return new Failure({
    code: 'storage',
    where: 'standard output',
    what: code === 'ENOSPC' || code === 'EDQUOT' ? 'the disk is full' : message,
    remedy: 'The answer was not written; send it elsewhere, or free some space.',
  })
}
