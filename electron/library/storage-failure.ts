import Database from 'better-sqlite3'
import { ZodError } from 'zod'
import { Failure, OTHER_LIBRARY, asFailure, type FailureValue } from '../../workers/base/failure.ts'

const LOCKED = 'the library is locked by another program'

/** Another program holds it. */
export function isLocked(error: unknown): boolean {
  return error instanceof Failure && error.code === 'storage' && error.what === LOCKED
}

/** Other errors pass through. */
function asStorageFailure(error: unknown, where: string): unknown {
  if (!(error instanceof Database.SqliteError)) return notAFolder(error, where) ?? asFailure(error, where)
  const words = wordsFor(error.code)
  return words === null ? error : new Failure({ code: 'storage', where, ...words })
}

function notAFolder(error: unknown, where: string): Failure | null {
  if (!(error instanceof Error && 'code' in error && (error.code === 'EEXIST' || error.code === 'ENOTDIR'))) return null
  const what = 'there is a file where the library needs a folder'
  return new Failure({ code: 'storage', where, what, remedy: '', fixes: [OTHER_LIBRARY] })
}

function wordsFor(code: string): Omit<FailureValue, 'code'> | null {
  // Rows and tables that are not ours.
  if (/^SQLITE_(NOTADB$|ERROR$|CORRUPT|CONSTRAINT_(CHECK|DATATYPE))/.test(code))
    return {
      what: 'this is not a library database, or it is damaged',
      remedy: 'Move it away.',
      fixes: [OTHER_LIBRARY],
    }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'))
    return {
      what: LOCKED,
      remedy: 'Wait for the other program, or close it, and try again.',
    }
  if (code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_CANTOPEN') || code === 'SQLITE_PERM')
    return {
      what: 'the library cannot be opened for writing',
      remedy: 'Make the folder writable for you.',
      fixes: [OTHER_LIBRARY],
    }
  if (code === 'SQLITE_FULL' || code.startsWith('SQLITE_IOERR'))
    return {
      what: 'the library could not be written; the disk may be full',
      remedy: 'Free some space.',
      fixes: [OTHER_LIBRARY],
    }
  return null
}

/** @throws Failure (storage) where it is damaged */
export function readRow<T>(of: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof ZodError)) throw error
    throw damagedRow(of)
  }
}

export function damagedRow(of: string): Failure {
  return new Failure({
    code: 'storage',
    where: 'library.sqlite',
    what: `what it says of ${of} is damaged`,
    remedy: 'Restore that file from a copy, or import the graphs again into a new library.',
    fixes: [OTHER_LIBRARY],
  })
}

export function inLibrary<T>(where: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw asStorageFailure(error, where)
  }
}
