import { resolve } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { isAlive } from '../library/owner.ts'
import type { Library } from '../library/library.ts'
import { Failure } from '../../workers/failure.ts'
import { type JobContext, throwIfCancelled } from '../../workers/job.ts'
import { type Resumable, resumableImports } from './remainders.ts'

/** An engine whose program was killed takes a moment to notice. */
const PATIENCE_MS = 5000
const LOOK_MS = 50

/**
 * The interrupted import that is meant: of a file, or of a dataset's name; absent, the only one there is. null where there is none of it.
 * @throws Failure (usage) where several fit, or its program is still at work
 */
export async function interruptedImport(
  library: Library,
  which: string | undefined,
  job: JobContext,
): Promise<Resumable | null> {
  const fit = resumableImports(library, true).filter(
    ({ name, source }) => which === undefined || name === which || source === resolve(which),
  )
  const [one, ...others] = fit
  if (one === undefined) return null
  if (others.length > 0)
    throw new Failure({
      code: 'usage',
      ...(which === undefined ? {} : { where: which }),
      what: `${fit.length} interrupted imports fit: ${fit.map(({ name }) => name).join(', ')}`,
      remedy: 'Name one of them, or remove them with "anticlique datasets clean".',
    })
  for (let waitedMs = 0; isAlive({ pid: one.pid, start: null }); waitedMs += LOOK_MS) {
    throwIfCancelled(job.signal)
    if (waitedMs > PATIENCE_MS)
      throw new Failure({
        code: 'usage',
        where: one.name,
        what: `process ${one.pid} is still importing this`,
        remedy: 'Wait for its end.',
      })
    await after(LOOK_MS)
  }
  return one
}
