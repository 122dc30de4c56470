import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runAlgorithm } from '../../../workers/algorithms/run.ts'
import { degreeDistribution } from '../../../workers/graph/degrees.ts'
import { type JobContext, quietJob } from '../../../workers/base/job.ts'
import type { RunArgs } from '../../../workers/contract/jobs.ts'
import { smallGraph, writeGraphFolder } from '../../support/graphs.ts'
import { failureOf } from '../../support/ingest-cases.ts'
import { PATIENCE_MS } from '../../support/limits.ts'
import { sha256 } from '../../support/dataset-folders.ts'

/** A graph that no import writes, with the checksum that it has: what a bug of ours would leave, and no disk. */
function bent(bend: (bytes: Buffer, targetsAt: number) => void) {
  const graph = smallGraph(
    200,
    Array.from({ length: 600 }, (_, i) => [i % 200, (7 * i + Math.floor(i / 200) + 1) % 200] as const),
  )
  const { folder } = writeGraphFolder(graph)
  const path = join(folder, 'graph.gr')
  const bytes = readFileSync(path)
  bend(bytes, 32 + 8 * graph.vertices)
  writeFileSync(path, bytes)
  return { folder, checksum: sha256(bytes) }
}

/** Arcs in one direction only, in a ring: every vertex waits for the next, for ever. */
const ring = { vertices: 90, neighbours: Array.from({ length: 90 }, (_, v) => [(v + 1) % 90]) }

const common = { device: 'cpu:0', seed: 0, priority: 'degree', verify: false } as const
const runs: readonly Omit<RunArgs, 'folder' | 'checksum' | 'resultFile'>[] = [
  { ...common, algorithm: 'ecl-mis' },
  { ...common, algorithm: 'ecl-mis', quality: 'swap:5' },
  { ...common, algorithm: 'mg-mis', exchange: 'paper' },
  { ...common, algorithm: 'tc-mis', priority: 'h1' },
  { ...common, algorithm: 'ld-gpu', method: 'rescan', weights: 'unit', ties: 'id' },
  { ...common, algorithm: 'ld-gpu', method: 'rescan', weights: 'random3', batches: 5 },
  { ...common, algorithm: 'ld-gpu', weights: 'random3', quality: 'augment:2' },
]

/** Gives up after a while, which no run on so small a graph takes. */
function patient(): JobContext {
  const endMs = performance.now() + PATIENCE_MS
  const signal = {
    get aborted() {
      return performance.now() > endMs
    },
  }
  return { ...quietJob, signal }
}

describe('a graph that is not canonical', () => {
  it.each(runs)('whose arcs lack their equals ends every run ($algorithm $method $quality)', async (run) => {
    const { folder, checksum } = writeGraphFolder(ring)
    const place = { folder, checksum, resultFile: join(folder, 'result') }
    const end = await runAlgorithm({ ...place, ...run }, patient()).then(
      () => 'result',
      (error: unknown) => String(error),
    )
    expect(end).not.toMatch(/cancelled/)
    expect(end).toMatch(/^result$|not as in a canonical graph/)
  })

  it('makes no pair in a round by rescan, which says so', async () => {
    const { folder, checksum } = writeGraphFolder(ring)
    const failure = await failureOf(
      runAlgorithm({ ...runs[4]!, folder, checksum, resultFile: join(folder, 'mates') }, patient()),
    )
    expect(failure).toMatchObject({ code: 'input', what: 'what round 2 met is not as in a canonical graph' })
  })

  const places = [
    ['a neighbour past the last vertex', (bytes: Buffer, at: number) => bytes.writeUInt32LE(200, at + 8)],
    ['a list that ends before it begins', (bytes: Buffer) => bytes.writeUInt32LE(0, 32 + 8 * 40)],
    ['a list of 2^40 arcs', (bytes: Buffer) => bytes.writeUInt32LE(256, 32 + 8 * 40 + 4)],
    ['fewer arcs than there are', (bytes: Buffer, at: number) => bytes.writeUInt32LE(3, at - 8)],
  ] as const
  it.each(places)('is told by whoever reads %s', async (_words, bend) => {
    const place = bent(bend)
    const isTarget = _words.startsWith('a neighbour')
    // A scan of the file may come to an end all the same: its check beside it refuses what it found.
    for (const run of runs.filter(({ algorithm, quality }) => algorithm !== 'ecl-mis' || quality !== undefined)) {
      const failure = await failureOf(
        runAlgorithm({ ...place, ...run, resultFile: join(place.folder, 'result') }, patient()),
      )
      expect(failure).toMatchObject({ code: 'input', what: expect.stringMatching(/is not as in a canonical graph$/) })
    }
    if (!isTarget) expect(() => degreeDistribution(place, quietJob)).toThrow(/not as in a canonical graph/)
  })

  it('is no other than one that is: the same runs end well', async () => {
    const { folder, checksum } = writeGraphFolder(
      smallGraph(
        90,
        ring.neighbours.map(([u], v) => [u!, v] as const),
      ),
    )
    for (const run of runs)
      await runAlgorithm(
        { ...run, folder, checksum, resultFile: join(folder, 'result'), verify: true },
        patient(),
      ).then(({ verification }) => expect(verification).toMatchObject({ verified: true }))
  })
})
