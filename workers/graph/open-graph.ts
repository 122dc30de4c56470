import { Failure, inputFailure } from '../base/failure.ts'
import type { JobContext } from '../base/job.ts'
import { whereWritable } from '../base/output-file.ts'
import { identityOf, readSums, sealed, sumFile, type Sums, writeSums } from '../base/sums.ts'
import { GaloisGr } from './galois-gr.ts'
import {
  changedFile,
  GRAPH_DAMAGE,
  type GraphPlace,
  graphPlace,
  isUntouched,
  openPlace,
  stampOf,
  writeLink,
} from './graph-file.ts'

/**
 * What is read is verified. Datasets of version 0.1 have no sums, and a linked file may have been touched: then one
 * pass compares all of it. @param checksum as the library knows it @throws Failure (input) when the graph is gone,
 * damaged, or another; (storage); (cancelled)
 */
export function openGraph(folder: string, checksum: string, job: JobContext): GaloisGr {
  const place = graphPlace(folder)
  requireUnchanged(folder, place, checksum, job)
  return new GaloisGr(openPlace(place, soundSums(place, checksum, job)))
}

/** Once, and stores its new time. @throws Failure (input) when it is another */
function requireUnchanged(folder: string, place: GraphPlace, checksum: string, job: JobContext): void {
  const { path, link } = place
  if (link === undefined || isUntouched(link)) return
  const stamp = stampOf(path)
  sumsFromFile(place, checksum, job)
  whereWritable(() => writeLink(folder, { ...link, ...stamp }))
}

/** All of it. @throws Failure (input) when it is another; (storage); (cancelled) */
export function requireWhole(folder: string, checksum: string, job: JobContext): void {
  sumsFromFile(graphPlace(folder), checksum, job)
}

/** "" where its sums are gone or damaged. */
export function checksumOf(folder: string): string {
  const sums = storedSums(graphPlace(folder).sumsPath)
  return sums === null ? '' : identityOf(sums)
}

function soundSums(place: GraphPlace, checksum: string, job: JobContext): Sums {
  const stored = storedSums(place.sumsPath)
  if (stored !== null && identityOf(stored) === checksum) return stored
  const made = sumsFromFile(place, checksum, job)
  whereWritable(() => writeSums(place.sumsPath, made))
  return made
}

function sumsFromFile({ path, link }: GraphPlace, checksum: string, job: JobContext): Sums {
  // Datasets of version 0.1 have that of the whole file, and none is linked.
  const { sums, whole } = sumFile(path, job, link === undefined)
  if (checksum !== sums.root && checksum !== whole && link !== undefined)
    throw changedFile(path, 'its checksum is another')
  if (checksum !== sums.root && checksum !== whole)
    throw inputFailure(path, `${GRAPH_DAMAGE.what}: its checksum is not that of the import`, GRAPH_DAMAGE.remedy)
  return checksum === whole ? sealed({ ...sums, whole }) : sums
}

/** null also where they are damaged: the graph itself decides what they must be. */
function storedSums(path: string): Sums | null {
  try {
    return readSums(path)
  } catch (error) {
    if (error instanceof Failure && error.code === 'input') return null
    throw error
  }
}
