import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { CheckedFile } from '../base/checked-file.ts'
import { piecesOf, readSums } from '../base/sums.ts'
import { GaloisGr, openGraph } from '../graph/galois-gr.ts'
import { LINK_CHANGED, LINK_SUMS, stampOf } from '../graph/graph-file.ts'
import { openLinkable, storedLayout } from '../import/formats/detect.ts'
import { inputFailure } from '../base/failure.ts'
import { type JobContext, throwIfCancelled } from '../base/job.ts'
import type { RunArgs } from '../contract/jobs.ts'

/** The graph of a run. */
export interface RunGraph {
  readonly graph: GaloisGr
  /**
   * Settles when all that was read of the graph is known to be sound.
   * @throws Failure (input) where it is not; (cancelled)
   */
  checked(): Promise<void>
}

type GraphArgs = Pick<RunArgs, 'folder' | 'checksum' | 'unchecked'>

const LOOK_MS = 1

/**
 * Opens the graph that a run computes on: that of its dataset, or the file that becomes its dataset meanwhile. Of that one nothing is known
 * but where its arrays are: the CRC-32 of every piece that is read is noted, and compared with those that the check found.
 * @throws Failure (input) when it is gone, or damaged; (storage); (cancelled)
 */
export function openRunGraph(args: GraphArgs, job: JobContext): RunGraph {
  const { folder, checksum, unchecked } = args
  if (unchecked === undefined) return { graph: openGraph(folder, checksum, job), checked: () => Promise.resolve() }
  const graph = openUnchecked(unchecked.source, join(folder, LINK_SUMS))
  return { graph, checked: () => untilChecked(graph, folder, job) }
}

function openUnchecked(source: string, sumsPath: string): GaloisGr {
  const path = resolve(source)
  const found = openLinkable({ source, folder: '' })
  if (found === null) throw inputFailure(path, 'this file is no canonical graph', 'Import it first.')
  found.file.close()
  const { bytes } = stampOf(path)
  const crcs = new Uint32Array(piecesOf(bytes))
  const checked = CheckedFile.open(path, { fileBytes: bytes, crcs }, LINK_CHANGED)
  return new GaloisGr({ file: { path, sumsPath, bytes, ...storedLayout(found.layout) }, checked })
}

/** Waits for the dataset's folder, which is there when the check is over and all went well; else the caller of both cancels this run. */
async function untilChecked({ file, checked }: GaloisGr, folder: string, job: JobContext): Promise<void> {
  while (!existsSync(folder)) {
    throwIfCancelled(job.signal)
    await after(LOOK_MS)
  }
  const sums = readSums(file.sumsPath)
  const { crcs } = checked.handle
  const isSame = sums?.fileBytes === checked.bytes && sums.crcs.every((crc, i) => crcs[i] === 0 || crcs[i] === crc)
  if (!isSame) throw checked.damaged('it was written while it was read')
  // From here on it is verified as any other.
  crcs.set(sums.crcs)
}
