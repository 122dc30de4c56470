import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterEach, expect } from 'vitest'
import type { OrientedView } from '../../workers/graph/oriented-view.ts'
import { prepareView, readFrontBits } from '../../workers/graph/prepare-view.ts'
import type { PreparedView, ViewRequest } from '../../workers/graph/prepare-view.ts'
import { prepareWeightOrdered } from '../../workers/graph/views/prepare-weight-ordered.ts'
import { quietJob } from '../../workers/job.ts'
import type { JobContext } from '../../workers/job.ts'
import type { SmallGraph } from './graphs.ts'
import { randomSmallGraph, writeGraphFolder } from './graphs.ts'

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

/** The whole view in memory, each section compared with its checksum. */
export function readWholeView({ view, tailOffsets }: PreparedView): OrientedView {
  const { vertices, front, openTails } = view.header
  const words = (slab: 'heads' | 'tails' | 'behind'): Uint32Array => {
    const section = view.header[slab]
    const read = new Uint32Array(section.bytes / 4)
    view.checkedReader(section)(0, new Uint8Array(read.buffer))
    return read
  }
  const slabs = { heads: words('heads'), tails: words('tails'), behind: words('behind') }
  return { vertices, front, openTails, tailOffsets, ...slabs, frontBits: readFrontBits(view) }
}

/** The file of a weight-ordered view of one graph, built in memory and out of core, by one thread and by two. */
export function filesOfAllWays(folders: Folders, kind: 'weight-ordered' | 'weight-levels'): Buffer[] {
  const { graph } = randomSmallGraph(8, 3000)
  const order = { weights: 'random3', ties: 'degree', seed: 3 } as const
  const ways = [
    { budgetBytes: 2 ** 30, threads: 1 },
    { budgetBytes: 2 ** 30, threads: 2 },
    { budgetBytes: 2 ** 20, threads: 1 },
    { budgetBytes: 2 ** 18, threads: 2 },
  ]
  return ways.map((way) => {
    const { view } = prepareWeightOrdered({ ...folders.of(graph), order, kind, ...way }, quietJob)
    view.close()
    expect(basename(view.path)).toBe(`${kind}-random3-degree-3.view`)
    return readFileSync(view.path)
  })
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Gives the graph of a folder weights, which must be f32 exactly and the same both ways. */
export function addWeights(
  { folder }: { folder: string; checksum: string },
  graph: SmallGraph,
  weightOf: (u: number, v: number) => number,
): { folder: string; checksum: string } {
  const path = join(folder, 'graph.gr')
  const bytes = readFileSync(path)
  bytes.writeBigUInt64LE(4n, 8)
  const weights = Float32Array.from(graph.neighbours.flatMap((list, u) => list.map((v) => weightOf(u, v))))
  const weighted = Buffer.concat([bytes, new Uint8Array(weights.buffer)])
  writeFileSync(path, weighted)
  return { folder, checksum: sha256(weighted) }
}
