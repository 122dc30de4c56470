import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Where version 0.1 kept prepared views of a dataset, tiles among them. */
const VIEWS_FOLDER = 'views'

export interface RetiredViews {
  readonly files: number
  readonly bytes: number
}

/**
 * Removes the prepared views that version 0.1 left in the folders of datasets: nothing reads them any more. Whatever stops it
 * half-way, the next call goes on.
 * @param datasets the folder of all datasets
 */
export function retireViews(datasets: string): RetiredViews {
  let [files, bytes] = [0, 0]
  for (const name of readdirSync(datasets)) {
    const views = join(datasets, name, VIEWS_FOLDER)
    if (!existsSync(views) || !statSync(views).isDirectory()) continue
    for (const file of readdirSync(views)) {
      if (file.endsWith('.view')) files++
      bytes += statSync(join(views, file)).size
    }
    rmSync(views, { recursive: true, force: true })
  }
  return { files, bytes }
}
