import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { prepareView } from '../../workers/graph/prepare-view.ts'
import type { ViewRequest } from '../../workers/graph/prepare-view.ts'
import { quietJob } from '../../workers/job.ts'
import type { JobContext } from '../../workers/job.ts'
import type { SmallGraph } from './graphs.ts'
import { writeGraphFolder } from './graphs.ts'

/** A budget that no graph of the tests fits in memory with, and that holds the vertex state of all of them. */
export const MEBIBYTE = 1 << 20

/** Dataset folders of one test file, gone after each test. */
export class Folders {
  readonly #folders: string[] = []

  constructor() {
    afterEach(() => this.#folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })))
  }

  of(graph: SmallGraph): { folder: string; checksum: string } {
    const made = writeGraphFolder(graph)
    this.#folders.push(made.folder)
    return made
  }
}

/** Builds the view anew and returns its bytes. */
export function builtBytes(request: ViewRequest, job: JobContext = quietJob): Buffer {
  rmSync(join(request.folder, 'views'), { recursive: true, force: true })
  const prepared = prepareView(request, job)
  prepared.view.close()
  return readFileSync(prepared.view.path)
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Gives the graph of a folder weights, which must be f32 exactly and the same both ways; the checksum stays what it was. */
export function addWeights(
  made: { folder: string; checksum: string },
  graph: SmallGraph,
  weightOf: (u: number, v: number) => number,
): { folder: string; checksum: string } {
  const path = join(made.folder, 'graph.gr')
  const bytes = readFileSync(path)
  bytes.writeBigUInt64LE(4n, 8)
  const weights = Float32Array.from(graph.neighbours.flatMap((list, u) => list.map((v) => weightOf(u, v))))
  writeFileSync(path, Buffer.concat([bytes, new Uint8Array(weights.buffer)]))
  return made
}
