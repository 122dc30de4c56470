import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

const VIEWS_FOLDER = 'views'

export interface RetiredViews {
  readonly files: number
  readonly bytes: number
}

/** Those of version 0.1. Can be repeated. @param datasets the folder of all datasets */
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
