import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { GaloisGr } from '../../../workers/graph/galois-gr.ts'
import { denseLabels } from '../../../workers/graph/labels.ts'
import { Matching, NO_MATE } from '../../../workers/graph/matching.ts'
import { VertexSet } from '../../../workers/graph/vertex-set.ts'
import { quietJob, type JobContext, type Progress } from '../../../workers/base/job.ts'
import type { Verdict } from '../../../workers/contract/jobs.ts'
import { verifyIndependentSet } from '../../../workers/verify/verify-independent-set.ts'
import { verifyMatching } from '../../../workers/verify/verify-matching.ts'
import { randomSmallGraph, smallGraph } from '../../support/graphs.ts'
import { Folders } from '../../support/dataset-folders.ts'

const folders = new Folders()
afterEach(() => delete process.env['ANTICLIQUE_FAULT'])

const { graph } = randomSmallGraph(8, 1000)
const order = { weights: 'random3', ties: 'hash', seed: 0 } as const

function openGraph(of = graph, damage: (bytes: Buffer) => void = () => {}): GaloisGr {
  const path = join(folders.of(of).folder, 'graph.gr')
  const bytes = readFileSync(path)
  damage(bytes)
  writeFileSync(path, bytes)
  return GaloisGr.open(path)
}

/** Checks a result without members, which is as good as any if the verification itself goes wrong. */
function verdicts(file: GaloisGr, threads: number, job: JobContext = quietJob): readonly (() => Promise<Verdict>)[] {
  const { vertices } = file
  const labels = denseLabels(vertices, 0)
  const matching = new Matching(new Uint32Array(vertices).fill(NO_MATE))
  const pace = { threads, arcsPerBatch: 8 }
  return [
    () => verifyIndependentSet(file, labels, new VertexSet(vertices), undefined, job, pace),
    () => verifyMatching(file, labels, { matching, order, dominant: true }, job, pace),
    () => verifyIndependentSet(file, labels, new VertexSet(vertices), undefined, job, { ...pace, compiled: true }),
    () => verifyMatching(file, labels, { matching, order, dominant: true }, job, { ...pace, compiled: true }),
  ]
}

describe('verification in several threads', () => {
  it('fails when one of them ends, or cannot read the disk, and then works again', async () => {
    const file = openGraph()
    for (const kind of [0, 1]) {
      // A thread that is kept does not fail again: for the second kind of result there is one more that begins.
      const verdict = verdicts(file, 2 + kind)[kind]!
      process.env['ANTICLIQUE_FAULT'] = 'part-thread'
      await expect(verdict()).rejects.toThrow('an injected fault ended this thread')
      process.env['ANTICLIQUE_FAULT'] = 'disk-read'
      // The thread that is to fail begins late at times, when the others have read everything.
      const again = async (): Promise<void> => {
        for (let i = 0; i < 200; i++) await verdict()
      }
      await expect(again()).rejects.toMatchObject({ code: 'storage', where: file.path })
      delete process.env['ANTICLIQUE_FAULT']
      await expect(verdict()).resolves.toMatchObject({ verified: false })
    }
    file.close()
  })

  it.each([1, 2, 3])('is cancelled wherever it stands, with %i threads', async (threads) => {
    const file = openGraph()
    for (const stopAt of [0.1, 0.5, 0.9]) {
      const signal = { aborted: false }
      const progress = ({ done, total }: Progress) => void (signal.aborted ||= done >= stopAt * total!)
      for (const verdict of verdicts(file, threads, { ...quietJob, signal, progress })) {
        signal.aborted = false
        await expect(verdict()).rejects.toMatchObject({ code: 'cancelled' })
      }
    }
    for (const verdict of verdicts(file, threads)) expect((await verdict()).verified).toBe(false)
    file.close()
  })

  it.each([1, 3])('tells how far it is, with %i threads', async (threads) => {
    const file = openGraph()
    const told: Progress[] = []
    const job = { ...quietJob, progress: (progress: Progress) => void told.push(progress) }
    for (const verdict of verdicts(file, threads, job)) {
      await verdict()
      expect(told.length).toBeGreaterThan(0)
      const done = told.splice(0).map((progress) => {
        expect(progress).toMatchObject({ phase: 'verify', unit: 'arcs' })
        expect(progress.done).toBeLessThanOrEqual(progress.total!)
        return progress.done
      })
      expect(done.toSorted((a, b) => a - b)).toEqual(done)
    }
    file.close()
  })

  const path = smallGraph(4, [
    [0, 1],
    [1, 2],
    [2, 3],
  ])
  const targetsAt = 32 + 8 * 4

  it.each([1, 3])('says where a graph is damaged, with %i threads', async (threads) => {
    const damages: [RegExp, (bytes: Buffer) => void][] = [
      [/where the list of vertex 3 begins/, (bytes) => bytes.writeBigUInt64LE(99n, 32 + 8)],
      [/where the list of vertex 3 begins/, (bytes) => bytes.writeBigUInt64LE(1n, 32 + 16)],
      [/a neighbour among the arcs \d to 5/, (bytes) => bytes.writeUInt32LE(4, targetsAt + 4 * 5)],
      [/the order of the neighbours of vertex 1/, (bytes) => bytes.writeUInt32LE(2, targetsAt + 4)],
    ]
    for (const [words, damage] of damages) {
      const file = openGraph(path, damage)
      for (const verdict of verdicts(file, threads)) {
        await expect(verdict()).rejects.toMatchObject({ code: 'input', where: file.path })
        await expect(verdict()).rejects.toThrow(words)
        await expect(verdict()).rejects.toThrow(/It is damaged: import the graph again/)
      }
      file.close()
    }
  })
})
