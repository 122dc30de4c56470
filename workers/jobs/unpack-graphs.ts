import { closeSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { inputFailure } from '../base/failure.ts'
import { openFile, writeFully } from '../base/file-bytes.ts'
import { type JobContext, throwIfCancelled } from '../base/job.ts'
import type { UnpackArgs, UnpackedGraph } from '../contract/jobs.ts'
import { asDamage, containerOf } from '../import/containers/archive.ts'
import { mayBeGraph } from '../import/containers/choose-member.ts'
import { StoredFile } from '../import/formats/stored-file.ts'

/** Job `unpack-graphs`: every member of an archive that may be a graph, as a file of a folder, by name. @throws Failure (input); (storage); (cancelled) */
export async function unpackGraphs(
  { archive, folder }: UnpackArgs,
  job: JobContext,
): Promise<{ graphs: UnpackedGraph[] }> {
  const graphs: UnpackedGraph[] = []
  mkdirSync(folder, { recursive: true })
  const stored = StoredFile.open(archive)
  let open: number | undefined
  try {
    const found = await containerOf(stored, job, Infinity)
    if (found?.kind !== 'archive')
      throw inputFailure(archive, 'this is no tar and no zip archive', 'Name the folder that the graphs are in.')
    const takeOne = (name: string): ((bytes: Uint8Array) => Promise<void>) => {
      if (open !== undefined) closeSync(open)
      // A number in front: names of several folders may be the same.
      const path = join(folder, `${graphs.length}-${basename(name)}`)
      const file = (open = openFile(path, 'wx'))
      graphs.push({ name, file: path })
      return (bytes) => Promise.resolve(writeFully(file, bytes, null, path))
    }
    try {
      await found.read((member) => {
        throwIfCancelled(job.signal)
        return Promise.resolve(mayBeGraph(member) ? takeOne(member.name) : null)
      })
    } finally {
      found.close()
    }
  } catch (error) {
    throw asDamage(stored, error)
  } finally {
    if (open !== undefined) closeSync(open)
    stored.close()
  }
  return { graphs: graphs.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name))) }
}
