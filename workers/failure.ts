/**
 * What a failure means to the person at the keyboard; the command line turns it into its exit code
 * (docs/command-line.md): usage and input 2, verification 3, device, lost, engine and fault 4, cancelled 130. `lost`: a
 * device went away in the middle; `engine`: the engine process did; `fault`: it lives, but a job of it failed in a way that
 * nobody expected.
 */
export type FailureCode =
  'usage' | 'input' | 'storage' | 'verification' | 'device' | 'lost' | 'engine' | 'fault' | 'cancelled'

/** An expected failure as a value: what happened, where, and what to do about it. It crosses process boundaries as is. */
export interface FailureValue {
  readonly code: FailureCode
  /** What is wrong, with the figures: "row 9000001 is past the header's 9000000 rows". */
  readonly what: string
  /** Where: "graph.mtx:1042", a path, a device id. */
  readonly where?: string | undefined
  /** What to do: "Is the header right?" */
  readonly remedy: string
}

/**
 * An expected failure on its way up to the boundary of a job, where it becomes a {@link FailureValue} again.
 * Anything else that is thrown is a bug and keeps its stack.
 */
export class Failure extends Error implements FailureValue {
  readonly code: FailureCode
  readonly what: string
  readonly where: string | undefined
  readonly remedy: string

  constructor(value: FailureValue) {
    super(failureLine(value))
    this.name = 'Failure'
    this.code = value.code
    this.what = value.what
    this.where = value.where
    this.remedy = value.remedy
  }

  toValue(): FailureValue {
    return { code: this.code, what: this.what, where: this.where, remedy: this.remedy }
  }
}

/** One line: "where: what. remedy". */
export function failureLine(value: FailureValue): string {
  const sentence = /[.?!]$/.test(value.what) ? value.what : `${value.what}.`
  return `${value.where === undefined ? '' : `${value.where}: `}${sentence} ${value.remedy}`
    .replace(/\s*\n\s*/g, ' ')
    .trim()
}

/** Shorthand for the failures that importers and readers raise. */
export function inputFailure(where: string | undefined, what: string, remedy: string): Failure {
  return new Failure({ code: 'input', where, what, remedy })
}

/** Turns what the operating system says about a file into words: ENOSPC, EACCES, EISDIR, ENOENT ... Other errors pass through. */
export function asFailure(error: unknown, where: string): unknown {
  if (error instanceof Failure || !(error instanceof Error) || !('code' in error)) return error
  switch (error.code) {
    case 'ENOENT':
      return inputFailure(where, 'there is no such file', 'Check the spelling of the path.')
    case 'EISDIR':
      return inputFailure(where, 'this is a directory, not a file', 'Name a file in it.')
    case 'EACCES':
    case 'EPERM':
      return inputFailure(
        where,
        'permission denied',
        'Make it readable (or its folder writable) for you and try again.',
      )
    case 'ENOSPC':
    case 'EDQUOT':
      return new Failure({
        code: 'storage',
        where,
        what: 'the disk is full',
        remedy: 'Free some space, or choose a library on another disk with --library; nothing half-written was kept.',
      })
    case 'EIO':
      return new Failure({
        code: 'storage',
        where,
        what: 'the disk could not be read',
        remedy:
          'Run it again; if it happens again, check the disk and its cable, move the library to another disk, and import the graph anew.',
      })
    case 'EROFS':
      return new Failure({ code: 'storage', where, what: 'the disk is read-only', remedy: 'Choose another place.' })
    default:
      return error
  }
}
