import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { SUMS_SUFFIX } from '../../base/sums.ts'
import { Failure } from '../../failure.ts'
import type { ViewFacts } from '../../jobs.ts'
import { TileFile } from '../tiles/tile-file.ts'
import { ViewFile } from '../view-file.ts'
import { VIEWS_FOLDER } from './views-folder.ts'

const CHECK_BYTES = 1 << 22

/**
 * The views of a dataset folder, by name.
 * @param checksum SHA-256 of the graph that they should be of
 * @param thorough reads every view and compares its checksums; else only headers and lengths are looked at
 */
export function listViews(folder: string, checksum: string, thorough: boolean): ViewFacts[] {
  return viewFiles(folder).map((file) => {
    const path = join(folder, VIEWS_FOLDER, file)
    const { size, mtime } = statSync(path)
    const name = file.replace(/\.view$/, '')
    const common = { name, bytes: size, builtAt: mtime.toISOString() }
    const view = ViewFile.open(path) ?? TileFile.open(path)
    if (view === undefined) return { ...common, kind: null, order: null, state: 'damaged' }
    try {
      const { order, graph } = view.header
      const state = graph !== checksum ? 'stale' : thorough && !isSound(view) ? 'damaged' : 'valid'
      return { ...common, kind: view.kind, order, state }
    } finally {
      view.close()
    }
  })
}

/**
 * Removes the view of this name, or all.
 * @returns the names of those removed
 * @throws Failure (usage) when there is no view of this name
 */
export function dropViews(folder: string, name: string): string[] {
  const names = viewFiles(folder).map((file) => file.replace(/\.view$/, ''))
  const dropped = name === 'all' ? names : names.filter((other) => other === name.replace(':', '-'))
  if (dropped.length === 0 && name !== 'all')
    throw new Failure({
      code: 'usage',
      where: name,
      what: 'the dataset has no view of this name',
      remedy: names.length === 0 ? 'It has no views at all.' : `It has ${names.join(', ')}.`,
    })
  for (const view of dropped)
    for (const name of [`${view}.view`, `${view}.view${SUMS_SUFFIX}`])
      rmSync(join(folder, VIEWS_FOLDER, name), { force: true })
  return dropped
}

function viewFiles(folder: string): string[] {
  const views = join(folder, VIEWS_FOLDER)
  if (!existsSync(views)) return []
  return readdirSync(views)
    .filter((name) => name.endsWith('.view'))
    .sort()
}

/** Whether every slab has the CRC-32 that the header says. */
function isSound(view: ViewFile | TileFile): boolean {
  const room = new Uint8Array(CHECK_BYTES)
  try {
    for (const section of view.sections) {
      const read = view.checkedReader(section)
      for (let at = 0; at < section.bytes; at += CHECK_BYTES)
        read(at, room.subarray(0, Math.min(CHECK_BYTES, section.bytes - at)))
    }
    return true
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}
