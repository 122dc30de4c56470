/**
 * Job `complement`: the graph whose edges are the pairs of vertices that a graph has not joined, as a dataset of its own, with the same ids, names,
 * places and attributes of vertices. An independent set of it is a clique of the graph. Lists are read once and written in their order; it takes the
 * square of the vertices in time and on the disk, and a list and a buffer in memory.
 */

import { constants, copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Failure, usageFailure } from '../base/failure.ts'
import { flushFile } from '../base/file-bytes.ts'
import { type JobContext, throwIfCancelled, YieldScheduler } from '../base/job.ts'
import { SUMS_SUFFIX } from '../base/sums.ts'
import { complementArcs, MOST_COMPLEMENT_ARCS } from '../contract/complement.ts'
import { COORDINATES_FILE, type ComplementArgs, type DatasetFacts, NAMES_FILE } from '../contract/jobs.ts'
import { VERTEX_TABLE } from '../graph/attribute-table.ts'
import { GRAPH_FILE, grHeader, grLayout } from '../graph/graph-file.ts'
import { type GaloisGr, openGraph } from '../graph/galois-gr.ts'
import { LABELS_FILE } from '../graph/labels.ts'
import { listsOf } from '../graph/scan-lists.ts'
import { type FileWriter, makeDatasetFolder, writeReport, writeSummed } from '../import/build/write-dataset.ts'
import { countedReport, factsOf } from '../import/reading/import-report.ts'

const BUFFER_ARCS = 1 << 18
/** Files about vertices, each with its checksums beside it, and the licence that some ask for. */
const besides = [LABELS_FILE, NAMES_FILE, COORDINATES_FILE, VERTEX_TABLE]
const besideSums = [...besides, ...besides.map((file) => `${file}${SUMS_SUFFIX}`), 'ATTRIBUTION.txt']

/** @throws Failure (usage) for a complement that would be too large; (input) for a damaged graph, or a taken name; (storage); (cancelled) */
export async function complementGraph(args: ComplementArgs, job: JobContext): Promise<DatasetFacts> {
  const startedMs = performance.now()
  throwIfCancelled(job.signal)
  const graph = openGraph(args.folder, args.checksum, job)
  try {
    const { vertices } = graph
    const arcs = complementArcs(vertices, graph.arcs)
    if (arcs > MOST_COMPLEMENT_ARCS) throw tooLarge(args.source, arcs)
    const { fileBytes } = grLayout(vertices, arcs, false)
    return await makeDatasetFolder(args.to, fileBytes, async (aside) => {
      for (const file of besideSums) await copyWhole(join(args.folder, file), join(aside, file))
      let lists: WrittenLists = { maxDegree: 0, isolated: 0 }
      const { root } = await writeSummed(join(aside, GRAPH_FILE), async (file) => {
        lists = await writeLists(graph, arcs, file, job)
      })
      const from = {
        source: `complement of ${args.source}`,
        format: 'complement',
        compression: 'none' as const,
        ...{ sourceBytes: 0, sourceSha256: null, lines: 0, entries: arcs, warnings: [], policy: null, startedMs },
      } as const
      const counted = {
        ...{ vertices, arcs, loopsRemoved: 0, duplicatesMerged: 0, reverseArcsAdded: 0 },
        ...{ isolatedVertices: lists.isolated, labels: args.labels, weights: null },
      }
      const attributes = args.attributes.length === 0 ? {} : { attributes: { vertices: args.attributes, edges: [] } }
      const report = { ...countedReport(from, counted), ...attributes }
      await writeReport(aside, report)
      return factsOf(report, lists.maxDegree, root, fileBytes)
    })
  } finally {
    graph.close()
  }
}

interface WrittenLists {
  readonly maxDegree: number
  readonly isolated: number
}

async function writeLists(graph: GaloisGr, arcs: number, file: FileWriter, job: JobContext): Promise<WrittenLists> {
  const { vertices } = graph
  const scheduler = new YieldScheduler(job)
  const before = graph.readOffsets(0, vertices)
  let [maxDegree, isolated, end] = [0, 0, 0]
  const ends = BigUint64Array.from({ length: vertices }, (_, v) => {
    const degree = vertices - 1 - (before[v + 1]! - before[v]!)
    maxDegree = Math.max(maxDegree, degree)
    isolated += Number(degree === 0)
    return BigInt((end += degree))
  })
  const pause = (): Promise<void> => Promise.resolve()
  file.write(grHeader(vertices, arcs, false))
  await file.writeArray(ends, pause)
  const buffer = new Uint32Array(Math.max(vertices, BUFFER_ARCS))
  let [held, written] = [0, 0]
  const flush = async (): Promise<void> => {
    await file.writeArray(buffer.subarray(0, held), pause)
    written += held
    held = 0
    await scheduler.yield({ phase: 'write', done: written, total: arcs, unit: 'arcs' })
  }
  // What was written tells how far it is.
  const quiet = { signal: job.signal, log: job.log, progress: () => {} }
  for (const { first, offsets, targets } of listsOf(graph, quiet, 'write'))
    for (let row = 0; row + 1 < offsets.length; row++) {
      if (held + vertices > buffer.length) await flush()
      const v = first + row
      const last = offsets[row + 1]!
      let at = offsets[row]!
      for (let w = 0; w < vertices; w++)
        if (at < last && targets[at] === w) at++
        else if (w !== v) buffer[held++] = w
    }
  await flush()
  return { maxDegree, isolated }
}

/** Copies a file that may not be there, and flushes the copy. */
async function copyWhole(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return
  copyFileSync(from, to, constants.COPYFILE_FICLONE)
  await flushFile(to)
}

function tooLarge(name: string, arcs: number): Failure {
  const [edges, most] = [arcs / 2, MOST_COMPLEMENT_ARCS / 2].map((count) => count.toLocaleString('en'))
  return usageFailure(
    name,
    `its complement would have ${edges} edges, and one here has at most ${most} edges`,
    'Cliques of a larger graph are within its inmost cores: keep those vertices in a graph of their own.',
  )
}
