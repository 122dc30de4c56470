import { rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CpuDevice } from '../../../workers/device/cpu-device.ts'
import { rankVertices } from '../../../workers/graph/priority.ts'
import { priorities } from '../../../workers/jobs.ts'
import { greedySet, isMaximalIndependent, randomSmallGraph, writeGraphFolder } from '../../support/graphs.ts'
import { replicatedSet } from '../../support/replicated-exchange.ts'

const GRAPHS = 2000

describe('MG-MIS with replicated states', () => {
  it(`makes the set of the serial loop on ${GRAPHS} random graphs: 1-8 workers, 1-40 batches, any priority`, async () => {
    let members = 0
    let lists = 0
    let wholes = 0
    let residuals = 0
    for (let seed = 0; seed < GRAPHS; seed++) {
      // Not a multiple of 8, or every large graph would have the same number of workers.
      const { shape, graph } = randomSmallGraph(seed, seed % 15 === 0 ? 2000 : 120)
      const { folder, checksum } = writeGraphFolder(graph)
      const priority = priorities[Math.floor(seed / 10) % priorities.length]!
      const degrees = Uint32Array.from(graph.neighbours, (list) => list.length)
      const arcs = degrees.reduce((sum, degree) => sum + degree, 0)
      const column = Float64Array.from(graph.neighbours, (_, v) => (v * 7919) % 101)
      const ranked = { vertices: graph.vertices, arcs, degrees, seed: seed % 3, column }
      const { order } = rankVertices(priority, ranked)
      const workers = 1 + (seed % 8)
      const batches = 1 + (seed % 40)
      const residual = seed % 3 === 0 ? 100 : 0
      const view = { folder, checksum, priority, seed: seed % 3, ...(priority === 'column' ? { column } : {}) }
      const devices = Array.from({ length: workers }, (_, w) => new CpuDevice(`cpu:${w}`))
      const { set, outcomes, counts } = await replicatedSet(view, { devices, batches, residual, inStep: seed % 5 < 2 })
      const found = new Set(set.members())
      const words = `${shape}, seed ${seed}, ${priority}, ${workers} workers, ${batches} batches, residual ${residual}${seed % 5 < 2 ? ', in step' : ''}`
      expect(found, words).toEqual(greedySet(graph, order))
      expect(isMaximalIndependent(graph, found), words).toBe(true)
      expect(new Set(outcomes.map(({ passes }) => passes)).size, words).toBe(1)
      members += found.size
      lists += counts.filter(({ listBytes }) => listBytes > 0).length
      wholes += counts.filter(({ wholeBytes }) => wholeBytes > 0).length
      const left = outcomes.reduce((sum, { roundCounts }) => sum + (roundCounts.at(-1)?.undecided ?? 0), 0)
      if (left > 0) residuals++
      rmSync(folder, { recursive: true })
    }
    expect(members).toBeGreaterThan(GRAPHS * 20)
    for (const [what, reached] of Object.entries({ lists, wholes, residuals }))
      expect(reached, what).toBeGreaterThan(GRAPHS / 40)
  })

  it('decides the same in the same passes and tells the same, however often it runs', async () => {
    const { graph } = randomSmallGraph(4, 2000)
    const { folder, checksum } = writeGraphFolder(graph)
    const runs = []
    for (let repeat = 0; repeat < 5; repeat++) {
      const devices = Array.from({ length: 5 }, (_, w) => new CpuDevice(`cpu:${w}`))
      const view = { folder, checksum, priority: 'hash', seed: 0 } as const
      const { set, outcomes, counts } = await replicatedSet(view, { devices, batches: 23, residual: 0 })
      runs.push({ hash: set.summary().hash, rounds: outcomes.map(({ roundCounts }) => roundCounts), counts })
    }
    expect(runs[0]!.rounds[0]!.length).toBeGreaterThan(1)
    for (const run of runs) expect(run).toEqual(runs[0])
    rmSync(folder, { recursive: true })
  })
})
