import { readFileSync, rmSync, writeFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { NO_ENTRY } from '../../../workers/graph/oriented-view.ts'
import { prepareView, readPositions } from '../../../workers/graph/prepare-view.ts'
import { rankVertices } from '../../../workers/graph/priority.ts'
import { quietJob } from '../../../workers/job.ts'
import type { SmallGraph } from '../../support/graphs.ts'
import { randomSmallGraph, randomStream, smallGraph, writeGraphFolder } from '../../support/graphs.ts'
import { readWholeView } from '../../support/views.ts'

const folders: string[] = []
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })))

function prepared(graph: SmallGraph) {
  const { folder, checksum } = writeGraphFolder(graph)
  folders.push(folder)
  return { folder, checksum, priority: 'degree' as const, seed: 0 }
}

describe('the oriented view', () => {
  it('lists for each vertex its neighbours of higher rank, the first position first, each edge once', () => {
    let edges = 0
    for (let seed = 2; seed < 40; seed++) {
      const { graph } = randomSmallGraph(seed, 300)
      const { vertices } = graph
      const opened = prepareView(prepared(graph), quietJob)
      const view = readWholeView(opened)
      const positions = readPositions(opened.view)
      opened.view.close()
      const degrees = Uint32Array.from(graph.neighbours, (list) => list.length)
      const arcs = degrees.reduce((sum, degree) => sum + degree, 0)
      const { rank } = rankVertices('degree', { vertices, arcs, degrees, seed: 0 })
      for (let v = 0; v < vertices; v++) {
        const p = positions[v]!
        const at = 2 * (p - view.front)
        const heads = p < view.front ? [] : [...view.heads.subarray(at, at + 2)].filter((entry) => entry !== NO_ENTRY)
        const entries = [...heads, ...view.tails.subarray(view.tailOffsets[p], view.tailOffsets[p + 1])]
        const higher = graph.neighbours[v]!.filter((u) => rank[u]! > rank[v]!).map((u) => positions[u]!)
        expect(entries).toEqual(higher.sort((a, b) => a - b))
        expect(entries.every((entry) => entry < p)).toBe(true)
        expect(entries.length === 0).toBe(p < view.front)
        edges += entries.length
      }
      expect(new Set(positions).size).toBe(vertices)
    }
    expect(edges).toBeGreaterThan(10_000)
  })

  it('keeps the tails of lists that begin at the front apart from the others', () => {
    const random = randomStream(5)
    const vertices = 3000
    const pick = (): number => Math.floor(random() * vertices)
    const graph = smallGraph(
      vertices,
      Array.from({ length: 40_000 }, () => [pick(), pick()] as const),
    )
    const opened = prepareView(prepared(graph), quietJob)
    const { front, heads, tailOffsets, openTails } = readWholeView(opened)
    opened.view.close()
    let [changes, open] = [0, 0]
    for (let p = front; p < vertices; p++) {
      const isOpen = heads[2 * (p - front)]! >= front
      if (isOpen) open += tailOffsets[p + 1]! - tailOffsets[p]!
      if (p > front && isOpen !== heads[2 * (p - 1 - front)]! >= front) changes++
    }
    expect(openTails).toBe(open)
    expect(open).toBeGreaterThan(1000)
    // In the order of priority they would alternate a thousand times.
    expect(changes).toBeGreaterThan(1)
    expect(changes).toBeLessThan(100)
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
