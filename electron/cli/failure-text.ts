import {
  failureLine,
  Failure,
  type FailureValue,
  type Fix,
  type FixOption,
  type FailureCode,
  messageOf,
} from '../../workers/base/failure.ts'
import { flagOf } from '../../workers/contract/catalogue.ts'
import { remedyText } from '../contract/words.ts'

const valueOf = (option: FixOption, to: string | number | boolean): string =>
  to === true ? '' : option === 'memoryBytes' ? ` ${Math.ceil(Number(to) / 2 ** 20)}MiB` : ` ${to}`

const launches = {
  mpirun: 'mpirun -n 4 --map-by ppr:1:node --bind-to none anticlique run DATASET --across mpi',
  srun: 'srun -N4 --ntasks-per-node=1 --kill-on-bad-exit=1 --mpi=pmix anticlique run DATASET --across mpi',
} as const

const pages = { devices: 'devices', library: 'datasets', runs: 'runs' } as const

function fixText(fix: Fix): string {
  switch (fix.action) {
    case 'set':
      return `use ${flagOf(fix.option)}${valueOf(fix.option, fix.to)}`
    case 'raise':
      return fix.to === undefined
        ? `use a larger ${flagOf(fix.option)}`
        : `give it more with ${flagOf(fix.option)}${valueOf(fix.option, fix.to)}`
    case 'lower':
      return `use a smaller ${flagOf(fix.option)}`
    case 'choose':
      return `use ${flagOf(fix.option)}`
    case 'omit':
      return `leave ${flagOf(fix.option)} out`
    case 'repeat':
      return 'run it again'
    case 'resume':
      return `resume it with "anticlique run --resume ${fix.run}"`
    case 'resume-import':
      return 'resume it with "anticlique import --resume"'
    case 'other-library':
      return 'choose a library on another disk with --library'
    case 'launch':
      return `start it by "${launches[fix.by]}"`
    case 'discard':
      return 'remove what is left with "anticlique datasets clean"'
    case 'show':
      return `see "anticlique ${pages[fix.page]}"`
  }
}

export function inCommands(failure: FailureValue): FailureValue {
  return { ...failure, remedy: remedyText(failure, fixText) }
}

export const failureText = (failure: FailureValue): string => failureLine(inCommands(failure))

/** 0 done, 2 bad usage or input, 3 failed verification, 4 device or engine failure, 130 cancelled. */
export function exitCodeOf(code: FailureCode): 2 | 3 | 4 | 130 {
  switch (code) {
    case 'usage':
    case 'input':
    case 'storage':
      return 2
    case 'verification':
      return 3
    case 'device':
    case 'lost':
    case 'engine':
    case 'fault':
      return 4
    case 'cancelled':
      return 130
  }
}

export function asKnownFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  return new Failure({
    code: 'fault',
    what: `something went wrong that should not: ${messageOf(error)}`,
    remedy: 'This is a bug; repeat the command with --debug and report what it prints.',
  })
}

/** What is left to do where a stream or the program itself fails. */
export function endOnErrors(): void {
  process.on('uncaughtException', endWith)
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader such as `head` closes its end early.
    if (error.code !== 'EPIPE') endWith(outputFailure(error))
  })
  // The exit code still says it.
  process.stderr.on('error', () => {})
}

function endWith(error: unknown): never {
  const failure = asKnownFailure(error)
  process.stderr.write(`${failureText(failure)}\n`)
  if (process.argv.includes('--debug') && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  process.exit(exitCodeOf(failure.code))
}

function outputFailure({ code, message }: NodeJS.ErrnoException): Failure {
  return new Failure({
    code: 'storage',
    where: 'standard output',
    what: code === 'ENOSPC' || code === 'EDQUOT' ? 'the disk is full' : message,
    remedy: 'The answer was not written; send it elsewhere, or free some space.',
  })
}
