import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadOpenGraph, residualGraph } from '../../../../workers/algorithms/quality/in-memory-graph.ts'
import { quietJob } from '../../../../workers/base/job.ts'
import type { GenerateArgs } from '../../../../workers/contract/jobs.ts'
import { GaloisGr } from '../../../../workers/graph/galois-gr.ts'
import { generateGraph } from '../../../../workers/jobs/generate-graph.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

it('threads load what the file has, and say what is wrong with it', async () => {
  const folder = join(scratchFolder('load'), 'graph')
  const model = { model: 'uniform', vertices: 2 ** 19, degree: 18, seed: 1 } as const
  await generateGraph({ ...model, folder } as GenerateArgs, quietJob)
  const path = join(folder, 'graph.gr')
  const graph = GaloisGr.open(path)
  const { vertices, arcs } = graph
  // As many as threads load.
  expect(arcs).toBeGreaterThan(2 ** 23)
  const load = () => loadOpenGraph(graph, new Uint8Array(vertices), quietJob).adjacency
  const { starts, targets } = load()
  expect(Buffer.compare(Buffer.from(targets.buffer), Buffer.from(graph.readTargets(0, arcs).buffer))).toBe(0)
  const offsets = graph.readOffsets(0, vertices)
  expect(starts.every((start, v) => start === offsets[v])).toBe(true)
  // One in each part, so that any thread meets it.
  const file = openSync(path, 'r+')
  for (let arc = 7; arc < arcs; arc += 2 ** 19)
    writeSync(file, Uint8Array.of(0xff, 0xff, 0xff, 0xff), 0, 4, graph.file.targetsAt + 4 * arc)
  closeSync(file)
  expect(load).toThrow(expect.objectContaining({ code: 'input' }))
  graph.close()
})

it('what looks at the time is asked in each pass that makes room, before anything is loaded', async () => {
  const folder = join(scratchFolder('load'), 'passes')
  const vertices = 2 ** 15
  await generateGraph({ model: 'uniform', vertices, degree: 8, seed: 2, folder } as GenerateArgs, quietJob)
  const graph = GaloisGr.open(join(folder, 'graph.gr'))
  const parts: number[] = []
  const states = new Uint8Array(vertices)
  const load = (loading: (part: number) => void) => residualGraph(graph, states, () => false, quietJob, loading)
  load((part) => void parts.push(part))
  expect(parts.filter((part) => part === 0).length).toBeGreaterThan(8)
  expect(parts.at(-1)).toBe(1)
  expect(states).not.toContain(0)
  states.fill(0)
  let looks = 0
  const stop = (): void => {
    if (++looks === 2) throw new RangeError('no time')
  }
  expect(() => load(stop)).toThrow(RangeError)
  expect(states).toContain(0)
  graph.close()
})
