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
  const known = words.find(([codes]) => codes.test(error.code))
  return known === undefined ? error : new Failure({ code: 'storage', where, ...known[1] })
}

function notAFolder(error: unknown, where: string): Failure | null {
  if (!(error instanceof Error && 'code' in error && (error.code === 'EEXIST' || error.code === 'ENOTDIR'))) return null
  const what = 'there is a file where the library needs a folder'
  return new Failure({ code: 'storage', where, what, remedy: '', fixes: [OTHER_LIBRARY] })
}

/** By the codes of SQLite. */
const words: readonly (readonly [codes: RegExp, words: Omit<FailureValue, 'code'>])[] = [
  [
    // Rows and tables that are not ours.
    /^SQLITE_(NOTADB$|ERROR$|CORRUPT|CONSTRAINT_(CHECK|DATATYPE))/,
    {
      what: 'this is not a library database, or it is damaged',
      remedy: 'Move it away.',
      fixes: [OTHER_LIBRARY],
    },
  ],
  [/^SQLITE_(BUSY|LOCKED)/, { what: LOCKED, remedy: 'Wait for the other program, or close it, and try again.' }],
  [
    /^SQLITE_(READONLY|CANTOPEN|PERM$)/,
    {
      what: 'the library cannot be opened for writing',
      remedy: 'Make the folder writable for you.',
      fixes: [OTHER_LIBRARY],
    },
  ],
  [
    /^SQLITE_(FULL$|IOERR)/,
    {
      what: 'the library could not be written; the disk may be full',
      remedy: 'Free some space.',
      fixes: [OTHER_LIBRARY],
    },
  ],
]

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
