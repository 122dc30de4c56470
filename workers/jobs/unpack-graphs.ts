import { mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { inputFailure } from '../base/failure.ts'
import { type JobContext, throwIfCancelled } from '../base/job.ts'
import type { UnpackArgs, UnpackedGraph } from '../contract/jobs.ts'
import { asDamage, containerOf } from '../import/containers/archive.ts'
import { mayBeGraph } from '../import/containers/choose-member.ts'
import { writeBytes } from '../import/containers/compressions.ts'
import { StoredFile } from '../import/formats/stored-file.ts'

/** Job `unpack-graphs`: every member of an archive that may be a graph, as a file of a folder, by name. @throws Failure (input); (storage); (cancelled) */
export async function unpackGraphs(
  { archive, folder }: UnpackArgs,
  job: JobContext,
): Promise<{ graphs: UnpackedGraph[] }> {
  const graphs: UnpackedGraph[] = []
  mkdirSync(folder, { recursive: true })
  const stored = StoredFile.open(archive)
  try {
    const found = await containerOf(stored, job, Infinity)
    if (found?.kind !== 'archive')
      throw inputFailure(archive, 'this is no tar and no zip archive', 'Name the folder that the graphs are in.')
    try {
      for await (const member of found.files()) {
        throwIfCancelled(job.signal)
        if (!mayBeGraph(member)) continue
        // A number in front: names of several folders may be the same.
        const file = join(folder, `${graphs.length}-${basename(member.name)}`)
        graphs.push({ name: member.name, file })
        await writeBytes(member.chunks(), file, () => {})
      }
    } finally {
      found.close()
    }
  } catch (error) {
    throw asDamage(stored, error)
  } finally {
    stored.close()
  }
  return { graphs: graphs.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name))) }
}
