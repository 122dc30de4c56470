import { closeSync, createReadStream, mkdirSync, openSync, readSync } from 'node:fs'
import { basename, join } from 'node:path'
import { asFailure, atPath, Failure, inputFailure } from '../base/failure.ts'
import { openFile, writeFully } from '../base/file-bytes.ts'
import { type JobContext, throwIfCancelled } from '../base/job.ts'
import type { UnpackArgs, UnpackedGraph } from '../contract/jobs.ts'
import { mayBeGraph } from '../import/containers/choose-member.ts'
import { compressionOf, unpacked } from '../import/containers/compressions.ts'
import { readTar } from '../import/containers/tar.ts'

const HEAD_BYTES = 16
const CHUNK_BYTES = 1 << 20

/** Job `unpack-graphs`: every member of a tar that may be a graph, as a file of a folder, by name. @throws Failure (input); (storage); (cancelled) */
export async function unpackGraphs(
  { archive, folder }: UnpackArgs,
  job: JobContext,
): Promise<{ graphs: UnpackedGraph[] }> {
  const graphs: UnpackedGraph[] = []
  const damaged = (what: string): Failure =>
    inputFailure(
      archive,
      `this is no whole tar archive: ${what}`,
      'Pack the graphs again, or name the folder that they are in.',
    )
  mkdirSync(folder, { recursive: true })
  let open: number | undefined
  try {
    const compression = compressionOf(headOf(archive))
    const stored = createReadStream(archive, { highWaterMark: CHUNK_BYTES })
    await readTar(
      compression === null ? stored : unpacked(compression, stored),
      (member) => {
        throwIfCancelled(job.signal)
        if (!mayBeGraph(member)) return Promise.resolve(null)
        if (open !== undefined) closeSync(open)
        // A number in front: names of several folders may be the same.
        const path = join(folder, `${graphs.length}-${basename(member.name)}`)
        const file = (open = openFile(path, 'wx'))
        graphs.push({ name: member.name, file: path })
        return Promise.resolve((bytes: Uint8Array) => {
          writeFully(file, bytes, null, path)
          return Promise.resolve()
        })
      },
      damaged,
    )
  } catch (error) {
    const known = asFailure(error, archive)
    throw known instanceof Failure ? known : damaged('its compressed data are damaged or cut')
  } finally {
    if (open !== undefined) closeSync(open)
  }
  return { graphs: graphs.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name))) }
}

function headOf(path: string): Uint8Array {
  const file = atPath(path, () => openSync(path, 'r'))
  try {
    const head = new Uint8Array(HEAD_BYTES)
    return head.subarray(0, readSync(file, head))
  } finally {
    closeSync(file)
  }
}
