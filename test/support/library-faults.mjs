// What is wrong with a library after a kill or a full disk, for scripts: files half written, folders without a row, and a database that is not whole.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'

/**
 * @param service of the library, opened after what was done to it
 * @param kept names of datasets and ids of runs that must be there
 * @returns in words; empty where nothing is
 */
export async function libraryFaults(folder, service, kept) {
  const { datasets } = await service.call('datasets.list', {})
  const { runs } = await service.call('runs.list', {})
  const { remainders } = await service.call('datasets.remainders', {})
  const known = remainders.map((remainder) => remainder.folder)
  const faults = [
    ...strays(join(folder, 'datasets'), datasets.length, known),
    ...strays(join(folder, 'runs'), runs.length, []),
  ]
  for (const name of kept.datasets)
    if (!datasets.some((dataset) => dataset.name === name)) faults.push(`dataset ${name} is gone`)
  for (const id of kept.runs) if (!runs.some((run) => run.id === id)) faults.push(`run ${id} is gone`)
  // By the SQLite of the library: another one in this process would take its locks away.
  const database = new Database(join(folder, 'library.sqlite'), { readonly: true })
  const integrity = database.pragma('integrity_check', { simple: true })
  database.close()
  return integrity === 'ok' ? faults : [...faults, integrity]
}

/** Files that are half written, and folders that no row has. */
function strays(folder, rows, known) {
  if (!existsSync(folder)) return []
  const isKnown = (path) =>
    known.some((name) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}/`))
  const own = readdirSync(folder).filter((name) => !/^\.(?:trash|deleted)-/.test(name) && !isKnown(name))
  const half = readdirSync(folder, { recursive: true }).filter(
    (path) => /partial|\.import|removed-/.test(path) && !isKnown(path),
  )
  return [...half, ...(own.length > rows ? [`${own.length} folders for ${rows} rows: ${own}`] : [])]
}
