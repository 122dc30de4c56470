import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { TILES_FOLDER } from '../../workers/contract/jobs.ts'

/** Where version 0.1 kept prepared views of a dataset, tiles among them. */
const VIEWS_FOLDER = 'views'

export interface RetiredViews {
  readonly files: number
  readonly bytes: number
}

/**
 * Removes the prepared views that version 0.1 left in the folders of datasets: nothing reads them any more. Tiles move to their own
 * folder. Whatever stops it half-way, the next call goes on.
 * @param datasets the folder of all datasets
 */
export function retireViews(datasets: string): RetiredViews {
  let [files, bytes] = [0, 0]
  for (const name of readdirSync(datasets)) {
    const folder = join(datasets, name)
    const views = join(folder, VIEWS_FOLDER)
    if (!existsSync(views) || !statSync(views).isDirectory()) continue
    for (const file of readdirSync(views)) {
      const [, order, rest] = /^tiles-([a-z]+)\.view(.*)$/.exec(file) ?? []
      if (order !== undefined && !rest!.includes('partial')) {
        mkdirSync(join(folder, TILES_FOLDER), { recursive: true })
        renameSync(join(views, file), join(folder, TILES_FOLDER, `${order}.tiles${rest!}`))
        continue
      }
      if (file.endsWith('.view')) files++
      bytes += statSync(join(views, file)).size
    }
    rmSync(views, { recursive: true, force: true })
  }
  return { files, bytes }
}
