/**
 * Expected failures as values: a code, what went wrong, where, a remedy in words and fixes as data (options to set, pages to show, commands to
 * call), which the command line and the window put in their own words. A Failure that is thrown crosses processes as its value; anything else
 * that is thrown is a bug, and becomes a `fault`. Errors of the system become failures here, once. Every layer throws them; none names a flag.
 */

/**
 * Exit codes: docs/command-line.md. `lost`: a device went away; `engine`: the engine process did; `fault`: it lives,
 * but a job failed in an unexpected way.
 */
export type FailureCode =
  'usage' | 'input' | 'storage' | 'verification' | 'device' | 'lost' | 'engine' | 'fault' | 'cancelled'

/** Options as requests call them. */
export type FixOption =
  | 'attributes'
  | 'badRows'
  | 'batches'
  | 'bufferWords'
  | 'columnFile'
  | 'columnName'
  | 'comment'
  | 'counting'
  | 'decimal'
  | 'delimiter'
  | 'device'
  | 'encoding'
  | 'exchange'
  | 'format'
  | 'header'
  | 'ignoreWeights'
  | 'link'
  | 'member'
  | 'memoryBytes'
  | 'method'
  | 'missingWeight'
  | 'name'
  | 'objective'
  | 'partitions'
  | 'priority'
  | 'quality'
  | 'roundWeights'
  | 'seeds'
  | 'sourceColumn'
  | 'spreadsheetSafe'
  | 'targetColumn'
  | 'vertexColumn'
  | 'vertices'
  | 'weightColumn'
  | 'weightRule'
  | 'weights'
  | 'where'

/** Several are alternatives. */
export type Fix =
  | { readonly action: 'set'; readonly option: FixOption; readonly to: string | number | boolean }
  | { readonly action: 'raise' | 'lower'; readonly option: FixOption; readonly to?: number | undefined }
  | { readonly action: 'choose' | 'omit'; readonly option: FixOption }
  /** Repeat a run of the library, from its checkpoint if it kept one. */
  | { readonly action: 'repeat' }
  | { readonly action: 'resume'; readonly run: string }
  | { readonly action: 'resume-import' }
  | { readonly action: 'other-library' }
  /** A run on several machines, by this launcher. */
  | { readonly action: 'launch'; readonly by: 'mpirun' | 'srun' }
  /** Remove what interrupted imports left. */
  | { readonly action: 'discard' }
  | { readonly action: 'show'; readonly page: 'devices' | 'library' | 'runs' }

export const MORE_MEMORY: Fix = { action: 'raise', option: 'memoryBytes' }
export const OTHER_FORMAT: Fix = { action: 'choose', option: 'format' }
export const ON_PROCESSOR: Fix = { action: 'set', option: 'device', to: 'cpu:0' }
export const OTHER_LIBRARY: Fix = { action: 'other-library' }
export const REPEAT: Fix = { action: 'repeat' }
export const WITHOUT_WEIGHTS: Fix = { action: 'set', option: 'ignoreWeights', to: true }
export const OTHER_WEIGHTS: Fix = { action: 'choose', option: 'weightColumn' }
export const OTHER_COLUMNS: readonly Fix[] = [
  { action: 'choose', option: 'sourceColumn' },
  { action: 'choose', option: 'targetColumn' },
]
export const UNIT_WEIGHTS: Fix = { action: 'set', option: 'weights', to: 'unit' }
/** Weights for a graph that has none. */
export const MADE_WEIGHTS: readonly Fix[] = [UNIT_WEIGHTS, { action: 'set', option: 'weights', to: 'random3' }]

export interface FailureValue {
  readonly code: FailureCode
  /** "row 9000001 is past the header's 9000000 rows". */
  readonly what: string
  /** "graph.mtx:1042", a path, a device id. */
  readonly where?: string | undefined
  /** Outside of the program: "Is the header right?" May be empty where there are fixes. */
  readonly remedy: string
  readonly fixes?: readonly Fix[] | undefined
}

/** Becomes a {@link FailureValue} at the boundary of a job. Anything else that is thrown is a bug. */
export class Failure extends Error implements FailureValue {
  readonly code: FailureCode
  readonly what: string
  readonly where: string | undefined
  readonly remedy: string
  readonly fixes: readonly Fix[] | undefined

  constructor(value: FailureValue) {
    super(failureLine(value))
    this.name = 'Failure'
    this.code = value.code
    this.what = value.what
    this.where = value.where
    this.remedy = value.remedy
    this.fixes = value.fixes
  }

  toValue(): FailureValue {
    const { code, what, where, remedy, fixes } = this
    return { code, what, where, remedy, ...(fixes === undefined ? {} : { fixes }) }
  }
}

export function failureLine(value: FailureValue): string {
  const sentence = /[.?!]$/.test(value.what) ? value.what : `${value.what}.`
  return `${value.where === undefined ? '' : `${value.where}: `}${sentence} ${value.remedy}`
    .replace(/\s*\n\s*/g, ' ')
    .trim()
}

const failureWith =
  (code: FailureCode) =>
  (where: string | undefined, what: string, remedy: string, fixes?: readonly Fix[]): Failure =>
    new Failure({ code, where, what, remedy, fixes })

export const usageFailure = failureWith('usage')
export const inputFailure = failureWith('input')
export const verificationFailure = failureWith('verification')
export const deviceFailure = failureWith('device')
export const lostFailure = failureWith('lost')
export const engineFailure = failureWith('engine')

const elsewhere = 'Choose another place.'
const otherPath = 'Check the path.'

/** `input`: of the path; `storage`: of its disk. */
const systemErrors: Readonly<Record<string, FailureValue>> = {
  ENOENT: { code: 'input', what: 'there is no such file', remedy: 'Check the spelling of the path.' },
  EISDIR: { code: 'input', what: 'this is a directory, not a file', remedy: 'Name a file in it.' },
  ENOTDIR: { code: 'input', what: 'a part of the path is a file, not a folder', remedy: otherPath },
  ENAMETOOLONG: { code: 'input', what: 'the name is too long for this file system', remedy: 'Choose a shorter one.' },
  ELOOP: { code: 'input', what: 'its links lead in a circle', remedy: 'Name the file itself.' },
  EACCES: denied(),
  EPERM: denied(),
  ETXTBSY: { code: 'input', what: 'this is a program that is running', remedy: elsewhere },
  ENXIO: { code: 'input', what: 'nothing is at the other end', remedy: otherPath },
  EPIPE: { code: 'input', what: 'nothing reads from it any more', remedy: 'Start what reads from it again.' },
  EMFILE: tooManyFiles(),
  ENFILE: tooManyFiles(),
  EBUSY: { code: 'storage', what: 'another program uses it', remedy: 'Close that program, and try again.' },
  ENOSPC: full(),
  EDQUOT: full(),
  EFBIG: {
    code: 'storage',
    what: 'files cannot be so large here (a limit of the file system or of "ulimit -f")',
    remedy: 'Choose another disk; nothing half-written was kept.',
  },
  EIO: {
    code: 'storage',
    what: 'the disk could not be read',
    remedy:
      'If it happens again, check the disk and its cable, move the library to another disk, and import the graph anew.',
    fixes: [REPEAT],
  },
  EROFS: { code: 'storage', what: 'the disk is read-only', remedy: elsewhere },
}

function denied() {
  const remedy = 'Make it readable (or its folder writable) for you and try again.'
  return { code: 'input', what: 'permission denied', remedy } as const
}

function full() {
  const remedy = 'Free some space; nothing half-written was kept.'
  return { code: 'storage', what: 'the disk is full', remedy, fixes: [OTHER_LIBRARY] } as const
}

function tooManyFiles() {
  const remedy = 'Raise the limit ("ulimit -n"), or close other programs.'
  return { code: 'storage', what: 'too many files are open', remedy } as const
}

/** Others pass through. */
export function asFailure(error: unknown, where: string): unknown {
  if (error instanceof Failure || !(error instanceof Error) || !('code' in error)) return error
  const words = systemErrors[String(error.code)]
  return words === undefined ? error : new Failure({ ...words, where })
}

/** Does something with a file. @throws Failure as {@link asFailure} */
export function atPath<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw asFailure(error, path)
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Anything that is no failure is a bug. */
export function valueOf(error: unknown, remedy: string): FailureValue {
  return error instanceof Failure ? error.toValue() : { code: 'fault', what: messageOf(error), remedy }
}

export interface SettledFailure {
  readonly failure: FailureValue
  readonly stack?: string | undefined
}

/** An unexpected error is a fault of the program, unless memory ran out. */
export function settleFailure(error: unknown): SettledFailure {
  if (error instanceof Failure) return { failure: error.toValue(), stack: error.stack }
  const message = messageOf(error)
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

const decoder = new TextDecoder()

/** An excerpt of at most 40 printable characters, for a message. */
export function excerpt(text: Uint8Array | string): string {
  const whole = typeof text === 'string' ? text : decoder.decode(text.subarray(0, 200))
  const plain = whole.replace(/[^\P{C}]/gu, '?').trim()
  return plain.length > 40 ? `${plain.slice(0, 40)}...` : plain
}
