import Database from 'better-sqlite3'
import { ZodError } from 'zod'
import { Failure, OTHER_LIBRARY, asFailure } from '../../workers/base/failure.ts'

const LOCKED = 'the library is locked by another program'

/** Another program holds it. */
export function isLocked(error: unknown): boolean {
  return error instanceof Failure && error.code === 'storage' && error.what === LOCKED
}

const LOCKED_RETRY_MS = 250
const LOCKED_PATIENCE_MS = 60_000

/** Waits while another program holds the library. */
export async function patiently<T>(write: () => T): Promise<T> {
  const startMs = performance.now()
  for (;;) {
    try {
      return write()
    } catch (error) {
      if (!isLocked(error) || performance.now() - startMs > LOCKED_PATIENCE_MS) throw error
      await new Promise((resolve) => setTimeout(resolve, LOCKED_RETRY_MS))
    }
  }
}

/** A failure of the library: another one may help. */
export const storageFailure = (where: string, what: string, remedy = ''): Failure =>
  new Failure({ code: 'storage', where, what, remedy, fixes: [OTHER_LIBRARY] })

const NOT_WRITTEN = 'the library cannot be written'
const LOOK_ONLY = 'Make the folder writable for you. What is in it can be listed, verified, exported and planned.'

export const readOnlyLibrary = (folder: string): Failure => storageFailure(folder, NOT_WRITTEN, LOOK_ONLY)

/** Other errors pass through. */
function asStorageFailure(error: unknown, where: string): unknown {
  if (!(error instanceof Database.SqliteError)) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'EEXIST' && code !== 'ENOTDIR') return asFailure(error, where)
    return storageFailure(where, 'there is a file where the library needs a folder')
  }
  if (/^SQLITE_(BUSY|LOCKED)/.test(error.code)) {
    const remedy = 'Wait for the other program, or close it, and try again.'
    return new Failure({ code: 'storage', where, what: LOCKED, remedy })
  }
  const known = words.find(([codes]) => codes.test(error.code))
  return known === undefined ? error : storageFailure(where, known[1], known[2])
}

/** What is wrong by the codes of SQLite. */
const words: readonly (readonly [codes: RegExp, what: string, remedy: string])[] = [
  [
    // Rows and tables that are not ours.
    /^SQLITE_(NOTADB$|ERROR$|CORRUPT|CONSTRAINT_(CHECK|DATATYPE))/,
    'this is not a library database, or it is damaged',
    'Move it away.',
  ],
  [/^SQLITE_(READONLY|CANTOPEN|PERM$)/, NOT_WRITTEN, LOOK_ONLY],
  // A full disk has no room to remove a dataset either.
  [
    /^SQLITE_(FULL$|IOERR)/,
    'the library could not be written; the disk may be full',
    'Free some space: folders in its "datasets" may be deleted by hand, and these datasets removed afterwards.',
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

export const damagedRow = (of: string): Failure =>
  storageFailure(
    'library.sqlite',
    `what it says of ${of} is damaged`,
    'Restore that file from a copy, or import the graphs again into a new library.',
  )

export function inLibrary<T>(where: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw asStorageFailure(error, where)
  }
}
