import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { GaloisGr } from '../../../workers/graph/galois-gr.ts'
import { denseLabels } from '../../../workers/graph/labels.ts'
import { VertexSet } from '../../../workers/graph/vertex-set.ts'
import { quietJob } from '../../../workers/base/job.ts'
import { verifyResult } from '../../../workers/jobs/verify-result.ts'
import { verifyIndependentSet } from '../../../workers/verify/verify-independent-set.ts'
import {
  type SmallGraph,
  isMaximalIndependent,
  randomSmallGraph,
  randomStream,
  smallGraph,
  writeGraphFolder,
} from '../../support/graphs.ts'

const folders: string[] = []
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })))

function folderOf(graph: SmallGraph): string {
  const { folder } = writeGraphFolder(graph)
  folders.push(folder)
  return folder
}

async function verdictOn(graph: SmallGraph, members: Iterable<number>, excluded: Iterable<number> = []) {
  const file = GaloisGr.open(join(folderOf(graph), 'graph.gr'))
  const set = new VertexSet(graph.vertices)
  const exclude = new VertexSet(graph.vertices)
  for (const v of members) set.add(v)
  for (const v of excluded) exclude.add(v)
  const verdict = await verifyIndependentSet(file, denseLabels(graph.vertices, 1), set, exclude, quietJob)
  file.close()
  return verdict
}

//  0 - 1 - 2 - 3    4
const path = smallGraph(5, [
  [0, 1],
  [1, 2],
  [2, 3],
])

describe('the verifier', () => {
  it('accepts a maximal independent set and bounds every set by n - |M|', async () => {
    expect(await verdictOn(path, [0, 2, 4])).toMatchObject({ verified: true, size: 3, upperBound: 3 })
  })

  it('names the edge that breaks independence and the vertex that breaks maximality, in the ids of the user', async () => {
    expect(await verdictOn(path, [0, 1, 3, 4])).toMatchObject({ verified: false, law: 'independent', edge: ['1', '2'] })
    expect(await verdictOn(path, [0, 4])).toMatchObject({ verified: false, law: 'maximal', vertex: '3' })
    expect(await verdictOn(path, [])).toMatchObject({ verified: false, law: 'maximal', vertex: '1' })
  })

  it('does not ask for excluded vertices to be covered', async () => {
    expect(await verdictOn(path, [0, 4], [2, 3])).toMatchObject({ verified: true })
  })

  it('agrees with brute force on random sets, and its bound holds', async () => {
    const random = randomStream(3)
    const counts = { yes: 0, no: 0 }
    for (let seed = 0; seed < 200; seed++) {
      const { graph } = randomSmallGraph(seed, 60)
      const members = new Set<number>()
      for (const v of Array.from({ length: graph.vertices }, (_, i) => i).sort(() => random() - 0.5))
        if (!graph.neighbours[v]!.some((u) => members.has(u))) members.add(v)
      if (seed % 3 === 0) members.delete([...members][0]!)
      if (seed % 3 === 1 && graph.vertices > 0) members.add(Math.floor(random() * graph.vertices))
      const verdict = await verdictOn(graph, members)
      const expected = isMaximalIndependent(graph, members)
      expect(verdict.verified, `seed ${seed}`).toBe(expected)
      if (expected) expect(verdict.upperBound).toBeGreaterThanOrEqual(members.size)
      counts[expected ? 'yes' : 'no']++
    }
    expect(counts.yes).toBeGreaterThan(60)
    expect(counts.no).toBeGreaterThan(60)
  })

  it('reads lists of other programs, and says what is wrong with a line', async () => {
    const { folder, checksum } = writeGraphFolder(path)
    const list = (text: string) => {
      const file = join(folder, 'set.txt')
      writeFileSync(file, text)
      return verifyResult({ folder, checksum, set: { kind: 'ids', file } }, quietJob)
    }
    expect(await list('# by hand\n4\n2\r\n\n0\n')).toMatchObject({ verified: true, size: 3 })
    await expect(list('0\n9\n')).rejects.toThrow(/set\.txt:2: the graph has no vertex "9"/)
    await expect(list('0\n2\n0\n')).rejects.toThrow(/set\.txt:3: vertex "0" is listed a second time/)
    const bits = join(folder, 'set.bits')
    writeFileSync(bits, Uint8Array.of(0b10101, 0))
    await expect(verifyResult({ folder, checksum, set: { kind: 'bits', file: bits } }, quietJob)).rejects.toThrow(
      /2 bytes are not the bit vector of 5 vertices/,
    )
    writeFileSync(bits, Uint8Array.of(0b110101))
    await expect(verifyResult({ folder, checksum, set: { kind: 'bits', file: bits } }, quietJob)).rejects.toThrow(
      /set\.bits: it has members behind the last of 5 vertices/,
    )
  })
})
