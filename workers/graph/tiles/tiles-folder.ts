import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { TILES_FOLDER } from '../../contract/jobs.ts'

export { TILES_FOLDER }

/** A file that is being written is called "<name>.partial-<process>-<moment>" until it is whole. */
const partial = /\.partial-(\d+)-/

/** Takes away what killed programs left in the folder of tiles: files whose writer is gone. */
export function sweepTiles(folder: string): void {
  const tiles = join(folder, TILES_FOLDER)
  if (!existsSync(tiles)) return
  for (const name of readdirSync(tiles)) {
    const writer = partial.exec(name)?.[1]
    if (writer !== undefined && !isAlive(Number(writer))) rmSync(join(tiles, name), { force: true })
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
