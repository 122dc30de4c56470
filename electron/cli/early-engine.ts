import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { JobName } from '../../workers/contract/jobs.ts'
import { libraryLocation } from '../library/location.ts'
import { mayHaveGpu, SMALL_BYTES } from '../pool/gpu-presence.ts'
import { isShortFile, LINKABLE } from '../pool/short-files.ts'

/** Commands that need the engine; their first jobs are called so, too. */
const jobs = ['archive', 'batch', 'devices', 'export', 'generate', 'import', 'plan', 'run', 'sample', 'verify'] as const
const HELP = ['-h', '--help', 'help']
const DEVICES = '--devices'
const BYTES = '--bytes'
const SMALL = '--small'
const VERIFY = '--verify'
const CHECKED = '--checked'
const LIBRARY = '--library'
const RECORD = 'record.json'
/** Options of runs that take longer than an engine takes to start, whatever the graph. */
const LONGER = ['--quality', '--exchange', '--method', '--seeds', '--resume']

/**
 * The arguments of an engine that is ready when the command has read its own and opened its library; undefined where none is needed, or what is
 * short is done without (near-jobs.ts). A wrong guess only costs time.
 */
export function earlyArguments(argv: readonly string[], hasGpu = mayHaveGpu): readonly string[] | undefined {
  const command = commandName(argv)
  const job = jobs.find((known) => known === command)
  if (job === undefined || argv.some((word) => HELP.includes(word))) return undefined
  // MPI changes the environment while it starts, which no other thread may read then: none starts before.
  if (job === 'run' && isAcross(argv)) return [job]
  const target = operandsOf(argv)
    .slice(1)
    .find((word) => !word.startsWith('-'))
  if (job === 'verify' || job === 'export') {
    const bytes = bytesOfResult(target, argv)
    if (bytes <= SMALL_BYTES) return undefined
    return job === 'verify' && bytes < Infinity ? [job, `${BYTES}=${bytes}`] : [job]
  }
  if (job !== 'run' && job !== 'import') return [job]
  const bytes = target === undefined ? undefined : sizeOf(target)
  const imports = isLinked(job, target, argv) ? 'link' : 'import'
  const file = bytes === undefined ? [] : [imports, `${BYTES}=${bytes}`]
  const isShort = bytes === undefined ? job === 'run' : imports === 'import' && isShortFile(target!, bytes)
  if (job === 'run') {
    const graphBytes = bytes ?? bytesOfDataset(target, argv)
    const isSmall = graphBytes <= SMALL_BYTES
    const asked = devicesIn(argv)
    const devices = asked === 'auto' && (isSmall || !hasGpu()) ? 'cpu:0' : asked
    const isLonger = LONGER.some((option) => optionIn(argv, option) !== undefined)
    if (isShort && isSmall && devices === 'cpu:0' && !isLonger) return undefined
    const checks = argv.includes(VERIFY) && graphBytes < Infinity ? [`${CHECKED}=${graphBytes}`] : []
    return [`${DEVICES}=${devices}`, ...(isSmall ? [SMALL] : checks), job, ...file]
  }
  if (isShort) return undefined
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

/** Bytes of the largest dataset whose folder is called so; Infinity for none, or one that is elsewhere. */
function bytesOfDataset(name: string | undefined, argv: readonly string[]): number {
  if (name === undefined) return Infinity
  const folder = join(libraryLocation(optionIn(argv, LIBRARY)), 'datasets')
  try {
    const known = readdirSync(folder).filter((each) => each.startsWith(`${name}-`) && each.length === name.length + 7)
    const sizes = known.map(
      (each) => sizeOf(join(folder, each, 'graph.gr')) ?? sizeOf(join(folder, each, 'graph.packed')) ?? Infinity,
    )
    return sizes.length === 0 ? Infinity : Math.max(...sizes)
  } catch {
    return Infinity
  }
}

/** Bytes of the graph of a run, by its id; of another word as of a dataset. */
function bytesOfResult(word: string | undefined, argv: readonly string[]): number {
  const folder = join(libraryLocation(optionIn(argv, LIBRARY)), 'runs')
  try {
    const id = word === 'latest' ? readdirSync(folder).sort().at(-1)! : word!
    const { dataset } = JSON.parse(readFileSync(join(folder, id, RECORD), 'utf8')) as {
      readonly dataset: { readonly vertices: number; readonly arcs: number }
    }
    return 8 * (dataset.vertices + dataset.arcs)
  } catch {
    return bytesOfDataset(word, argv)
  }
}

export const isAcross = (argv: readonly string[]): boolean => argv.some((word) => /^--across(?:=|$)/.test(word))

const isLinked = (job: JobName, target: string | undefined, argv: readonly string[]): boolean =>
  job === 'import' ? argv.includes('--link') : target !== undefined && LINKABLE.test(target)

const devicesIn = (argv: readonly string[]): string => optionIn(argv, DEVICES) ?? 'auto'

function optionIn(argv: readonly string[], option: string): string | undefined {
  const at = argv.findLastIndex((word) => word === option || word.startsWith(`${option}=`))
  return argv[at] === option ? argv[at + 1] : argv[at]?.slice(option.length + 1)
}

export function commandName(argv: readonly string[]): string | undefined {
  const [name, next] = operandsOf(argv)
  return name === 'help' ? next : name
}

function operandsOf(argv: readonly string[]): readonly string[] {
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at]!
    if (word === LIBRARY) at++
    else if (!word.startsWith('-')) return argv.slice(at)
  }
  return []
}
