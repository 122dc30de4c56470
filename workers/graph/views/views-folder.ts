import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { VIEWS_FOLDER } from '../../jobs.ts'

export { VIEWS_FOLDER }

/** A file that is being written is called "<name>.partial-<process>-<moment>" until it is whole. */
const partial = /\.partial-(\d+)-/

/** Takes away what killed programs left in the folder of views: files whose writer is gone. */
export function sweepViews(folder: string): void {
  const views = join(folder, VIEWS_FOLDER)
  if (!existsSync(views)) return
  for (const name of readdirSync(views)) {
    const writer = partial.exec(name)?.[1]
    if (writer !== undefined && !isAlive(Number(writer))) rmSync(join(views, name), { force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process of another user is alive all the same.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
