import { resolve } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { isAlive } from '../library/owner.ts'
import type { Library } from '../library/library.ts'
import { Failure } from '../../workers/base/failure.ts'
import { type JobContext, throwIfCancelled } from '../../workers/base/job.ts'
import type { ImportArgs } from '../../workers/contract/jobs.ts'
import { claimOn, type Resumable, resumableImports } from './remainders.ts'

/** For an engine to notice that its program is gone. */
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
    await untilGone(left, job)
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
  throw new Failure({
    code: 'usage',
    ...(which === undefined ? {} : { where: which }),
    what: `${fit.length} interrupted imports fit: ${fit.map(({ name }) => name).join(', ')}`,
    remedy: 'Name one of them.',
    fixes: [{ action: 'discard' }],
  })
}

/** @throws Failure (usage) for other options than it began with */
export function requireSame({ name, args }: Resumable, asked: Partial<ImportArgs>): void {
  const { table, ...options } = asked
  const before: Readonly<Record<string, unknown>> = { ...args, ...args.table }
  const other = Object.entries({ ...options, ...table }).find(
    ([key, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(before[key]),
  )
  if (other === undefined) return
  throw new Failure({
    code: 'usage',
    where: name,
    what: `this import was asked for with another ${other[0]}, and continues as it was`,
    remedy: 'Leave the option out; or import anew once what is left is removed.',
    fixes: [{ action: 'discard' }],
  })
}

async function untilGone({ pid, name }: Resumable, job: JobContext): Promise<void> {
  for (let waitedMs = 0; isAlive({ pid, start: null }); waitedMs += LOOK_MS) {
    throwIfCancelled(job.signal)
    if (waitedMs > PATIENCE_MS) throw busy(name, pid, 'importing')
    await after(LOOK_MS)
  }
}

function busy(where: string, pid: number, doing: string): Failure {
  const what = `process ${pid} is ${doing} this at the moment`
  return new Failure({ code: 'usage', where, what, remedy: 'Wait for its end.' })
}
