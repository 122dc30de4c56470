/**
 * What interrupted imports left in the folder of datasets: those whose journal can be resumed, and strays that can only be removed. An import is
 * under way while its process lives; another one waits for it, or says so. It reads the journal of workers/import/external/scratch-work.ts and
 * changes nothing without a claim. datasets.ts and the command line resume and discard.
 */

import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { z } from 'zod'
import type { Remainder } from '../contract/dataset.ts'
import { bytesUnder, isInput } from '../library/leftovers.ts'
import type { Library } from '../library/library.ts'
import { isAlive } from '../library/owner.ts'
import { importArgsSchema } from '../../workers/contract/dataset.ts'
import { IMPORT_SCRATCH, type ImportArgs } from '../../workers/contract/jobs.ts'
import { setTimeout as after } from 'node:timers/promises'
import { type Failure, usageFailure } from '../../workers/base/failure.ts'
import { type JobContext, throwIfCancelled } from '../../workers/base/job.ts'

/** The journal of an import (workers/import/external/scratch-work.ts). */
const manifestSchema = z.object({
  pid: z.number(),
  startedAt: z.string(),
  args: importArgsSchema,
  stages: z.record(z.string(), z.unknown()),
})
type Manifest = z.infer<typeof manifestSchema>

interface Resumable extends Remainder {
  readonly pid: number
  readonly args: ImportArgs
}

export const STANDARD_INPUT = 'standard input'

/** A younger folder may be about to enter the library. */
const SETTLED_MS = 60_000

const claimOn = (folder: string): string => `import ${folder}`

/** The oldest first, without those at work. */
export function resumableImports(library: Library, alsoAlive = false): Resumable[] {
  const parent = join(library.folder, 'datasets')
  return readdirSync(parent)
    .filter((name) => name.endsWith(IMPORT_SCRATCH))
    .flatMap((name) => {
      const manifest = readManifest(join(parent, name))
      if (manifest === null) return []
      const isAtWork = isImporting(library, name, manifest.pid) || library.claims.holder(claimOn(name)) !== null
      return isAtWork && !alsoAlive ? [] : [resumable(join(parent, name), manifest)]
    })
    .sort((a, b) => a.startedAt.localeCompare(b.startedAt))
}

const isImporting = (library: Library, folder: string, pid: number): boolean =>
  !library.keptImports.has(folder) && isAlive({ pid, start: null })

/** What interrupted imports left in the folder of datasets. */
export function remainders(library: Library): Remainder[] {
  const parent = join(library.folder, 'datasets')
  const imports = resumableImports(library).map(({ pid: _pid, args: _args, ...remainder }) => remainder)
  const owned = new Set(library.datasets.list().map(({ folder }) => folder))
  const strays = readdirSync(parent).filter((name) => isStray(parent, name, owned))
  return [...imports, ...strays.map((name) => stray(join(parent, name)))]
}

export function removeRemainder(library: Library, { folder }: Remainder): void {
  const path = join(library.folder, 'datasets', folder)
  const manifest = readManifest(path)
  rmSync(path, { recursive: true, force: true })
  if (manifest !== null) library.discardInput(manifest.args.source)
  const dataset = folder.endsWith(IMPORT_SCRATCH) ? folder.slice(0, -IMPORT_SCRATCH.length) : folder
  if (library.datasets.list().every((row) => row.folder !== dataset))
    library.discard(library.datasetFolder({ folder: dataset }))
}

/** Whether an import that was ended has done a stage that need not be done again. @param path of its dataset */
export function canResume(path: string): boolean {
  const stages = readManifest(`${path}${IMPORT_SCRATCH}`)?.stages ?? {}
  return 'parse' in stages || 'copy' in stages
}

function isStray(parent: string, name: string, owned: ReadonlySet<string>): boolean {
  if (owned.has(name) || name.includes('.partial-') || name.startsWith('.')) return false
  const path = join(parent, name)
  if (name.endsWith(IMPORT_SCRATCH)) return readManifest(path) === null && isSettled(path)
  return !existsSync(`${path}${IMPORT_SCRATCH}`) && isSettled(path)
}

function isSettled(path: string): boolean {
  return Date.now() - statSync(path).mtimeMs > SETTLED_MS
}

function resumable(path: string, manifest: Manifest): Resumable {
  const { args, pid, startedAt, stages } = manifest
  return {
    name: args.datasetName ?? basename(args.folder),
    source: isInput(basename(args.source)) ? STANDARD_INPUT : args.source,
    folder: basename(path),
    bytes: bytesUnder(path),
    startedAt,
    stages: Object.keys(stages),
    pid,
    args,
  }
}

function stray(path: string): Remainder {
  const startedAt = statSync(path).mtime.toISOString()
  return { name: basename(path), source: null, folder: basename(path), bytes: bytesUnder(path), startedAt, stages: [] }
}

function readManifest(folder: string): Manifest | null {
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')))
  } catch {
    return null
  }
}

/** The time in which an engine notices that its program is gone. */
const PATIENCE_MS = 5000
const LOOK_MS = 50

/**
 * Of a file, or of a dataset's name; absent: the only one. null for none. @throws Failure (usage) where several fit,
 * or another process is at work on it
 */
export async function withInterruptedImport<T>(
  library: Library,
  which: string | undefined,
  job: JobContext,
  work: (left: Resumable) => Promise<T>,
): Promise<T | null> {
  const found = interruptedImport(library, which)
  if (found === null) return null
  const claim = claimOn(found.folder)
  const holder = library.claims.take(claim)
  if (holder !== null) throw busy(found.name, holder.pid, 'resuming')
  try {
    // It may have ended meanwhile.
    const left = interruptedImport(library, which)
    if (left?.folder !== found.folder) return null
    await untilGone(library, left, job)
    return await work(left)
  } finally {
    library.claims.release(claim)
  }
}

function interruptedImport(library: Library, which: string | undefined): Resumable | null {
  const fit = resumableImports(library, true).filter(
    ({ name, source }) => which === undefined || name === which || source === resolve(which),
  )
  if (fit.length <= 1) return fit[0] ?? null
  const what = `${fit.length} interrupted imports fit: ${fit.map(({ name }) => name).join(', ')}`
  throw usageFailure(which, what, 'Name one of them.', [{ action: 'discard' }])
}

/** @throws Failure (usage) for other options than it began with */
export function requireSame({ name, args }: Resumable, asked: Partial<ImportArgs>): void {
  const { table, ...options } = asked
  const before: Readonly<Record<string, unknown>> = { ...args, ...args.table }
  const other = Object.entries({ ...options, ...table }).find(
    ([key, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(before[key]),
  )
  if (other === undefined) return
  throw usageFailure(
    name,
    `this import was asked for with another ${other[0]}, and continues as it was`,
    'Leave the option out; or import anew once what is left is removed.',
    [{ action: 'discard' }],
  )
}

async function untilGone(library: Library, { pid, name, folder }: Resumable, job: JobContext): Promise<void> {
  for (let waitedMs = 0; isImporting(library, folder, pid); waitedMs += LOOK_MS) {
    throwIfCancelled(job.signal)
    if (waitedMs > PATIENCE_MS) throw busy(name, pid, 'importing')
    await after(LOOK_MS)
  }
}

function busy(where: string, pid: number, doing: string): Failure {
  const what = `process ${pid} is ${doing} this at the moment`
  return usageFailure(where, what, 'Wait for its end.')
}
