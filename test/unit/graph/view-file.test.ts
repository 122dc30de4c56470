import { readFileSync, rmSync, writeFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { NO_ENTRY } from '../../../workers/graph/oriented-view.ts'
import { prepareView, readWholeView } from '../../../workers/graph/prepare-view.ts'
import { quietJob } from '../../../workers/job.ts'
import type { SmallGraph } from '../../support/graphs.ts'
import { randomSmallGraph, writeGraphFolder } from '../../support/graphs.ts'

const folders: string[] = []
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })))

function prepared(graph: SmallGraph) {
  const { folder, checksum } = writeGraphFolder(graph)
  folders.push(folder)
  return { folder, checksum, priority: 'degree' as const, seed: 0 }
}

describe('the oriented view', () => {
  it('lists for each vertex its neighbours of higher rank, highest first, each edge once', () => {
    let edges = 0
    for (let seed = 2; seed < 40; seed++) {
      const { graph } = randomSmallGraph(seed, 300)
      const opened = prepareView(prepared(graph), quietJob)
      const view = readWholeView(opened)
      opened.view.close()
      for (let v = 0; v < graph.vertices; v++) {
        const p = view.positions[v]!
        const heads = [...view.heads.subarray(2 * p, 2 * p + 2)].filter((entry) => entry !== NO_ENTRY)
        const entries = [...heads, ...view.tails.subarray(view.tailOffsets[p], view.tailOffsets[p + 1])]
        const higher = graph.neighbours[v]!.map((u) => view.positions[u]!).filter((other) => other < p)
        expect(entries).toEqual(higher.sort((a, b) => a - b))
        edges += entries.length
      }
      expect(new Set(view.positions).size).toBe(graph.vertices)
    }
    expect(edges).toBeGreaterThan(10_000)
  })

  it('is built once, found again, and built anew for another graph', () => {
    const request = prepared(randomSmallGraph(7, 500).graph)
    const built = prepareView(request, quietJob)
    const again = prepareView(request, quietJob)
    const other = prepareView({ ...request, checksum: 'another graph' }, quietJob)
    expect([built.buildMs > 0, again.buildMs, other.buildMs > 0]).toEqual([true, 0, true])
    for (const { view } of [built, again, other]) view.close()
    expect(readdirSync(join(request.folder, 'views'))).toEqual(['oriented-degree-0.view'])
  })

  it('that is damaged is not used in silence', () => {
    const request = prepared(randomSmallGraph(18, 800).graph)
    prepareView(request, quietJob).view.close()
    const path = join(request.folder, 'views', 'oriented-degree-0.view')
    const bytes = readFileSync(path)
    bytes[bytes.length - 3]! ^= 1
    writeFileSync(path, bytes)
    const opened = prepareView(request, quietJob)
    expect(() => readWholeView(opened)).toThrow(/checksum does not match.*built again/)
    opened.view.close()
  })
})
