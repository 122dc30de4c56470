import { statSync } from 'node:fs'
import type { JobName } from '../../workers/contract/jobs.ts'

/** Commands that need the engine; their first jobs are called so, too. */
const jobs = ['archive', 'batch', 'devices', 'export', 'generate', 'import', 'plan', 'run', 'sample', 'verify'] as const
const HELP = ['-h', '--help', 'help']
export const LINKABLE = /\.e?gr$/i
const DEVICES = '--devices'
const BYTES = '--bytes'

/**
 * For an engine that is ready when the command has read its arguments and opened its library. A wrong guess only
 * costs processor time.
 */
export function earlyArguments(argv: readonly string[]): readonly string[] | undefined {
  const command = commandName(argv)
  const job = jobs.find((known) => known === command)
  if (job === undefined || argv.some((word) => HELP.includes(word))) return undefined
  // MPI changes the environment while it starts, which no other thread may read then: none starts before.
  if (job === 'run' && isAcross(argv)) return [job]
  if (job !== 'run' && job !== 'import') return [job]
  const target = operandsOf(argv)
    .slice(1)
    .find((word) => !word.startsWith('-'))
  const bytes = target === undefined ? undefined : sizeOf(target)
  const imports = isLinked(job, target, argv) ? 'link' : 'import'
  const file = bytes === undefined ? [] : [imports, `${BYTES}=${bytes}`]
  if (job === 'run') return [`${DEVICES}=${devicesIn(argv)}`, job, ...file]
  return bytes === undefined ? [imports] : file
}

/** What cannot be looked at is refused later, in words. */
function sizeOf(file: string): number | undefined {
  try {
    return statSync(file).size
  } catch {
    return undefined
  }
}

export const isAcross = (argv: readonly string[]): boolean => argv.some((word) => /^--across(?:=|$)/.test(word))

const isLinked = (job: JobName, target: string | undefined, argv: readonly string[]): boolean =>
  job === 'import' ? argv.includes('--link') : target !== undefined && LINKABLE.test(target)

function devicesIn(argv: readonly string[]): string {
  const at = argv.findLastIndex((word) => word === DEVICES || word.startsWith(`${DEVICES}=`))
  return (argv[at] === DEVICES ? argv[at + 1] : argv[at]?.slice(DEVICES.length + 1)) ?? 'auto'
}

export function commandName(argv: readonly string[]): string | undefined {
  const [name, next] = operandsOf(argv)
  return name === 'help' ? next : name
}

function operandsOf(argv: readonly string[]): readonly string[] {
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at]!
    if (word === '--library') at++
    else if (!word.startsWith('-')) return argv.slice(at)
  }
  return []
}
