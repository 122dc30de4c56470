import {
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { Failure } from '../../../../workers/base/failure.ts'
import { type GaloisGr, openGraph } from '../../../../workers/graph/galois-gr.ts'
import { importLink, storeLink } from '../../../../workers/import/canonical/import-canonical.ts'
import { quietJob } from '../../../../workers/base/job.ts'
import { Workplace } from '../../../support/ingest-cases.ts'

const work = new Workplace()

/** A ring in which every vertex is joined to the `reach` next ones: past several stretches of a check. */
function ring(vertices: number, reach: number): number[][] {
  return Array.from({ length: vertices }, (_, u) => {
    const around = Array.from({ length: reach }, (_, i) => [(u + i + 1) % vertices, (u + vertices - i - 1) % vertices])
    return around.flat().sort((a, b) => a - b)
  })
}

/** An .egr file; weights by the ends where wanted, the same in both directions. */
function egr(lists: readonly number[][], weight?: (u: number, v: number) => number): Buffer {
  const arcs = lists.flat().length
  let end = 0
  const words = [lists.length, arcs, 0, ...lists.map((list) => (end += list.length)), ...lists.flat()]
  if (weight !== undefined)
    lists.forEach((list, u) => list.forEach((v) => words.push(weight(Math.min(u, v), Math.max(u, v)))))
  return Buffer.from(Int32Array.from(words).buffer)
}

function gr(lists: readonly number[][]): Buffer {
  const targets = lists.flat()
  let end = 0
  const wide = [
    1n,
    0n,
    BigInt(lists.length),
    BigInt(targets.length),
    ...lists.map((list) => BigInt((end += list.length))),
  ]
  const padding = targets.length % 2 === 1 ? [0] : []
  return Buffer.concat([
    Buffer.from(BigUint64Array.from(wide).buffer),
    Buffer.from(Uint32Array.from([...targets, ...padding]).buffer),
  ])
}

const square = [[1, 3], [0, 2], [1, 3], [0, 2], []]
const large = ring(60_000, 6)

function file(name: string, bytes: Uint8Array): string {
  const path = join(work.path, name)
  writeFileSync(path, bytes)
  return path
}

async function linked(source: string) {
  const folder = work.newFolder()
  return { folder, facts: await importLink({ source, folder, threads: 2 }, quietJob) }
}

function listsOf(graph: GaloisGr): number[][] {
  const offsets = graph.readOffsets(0, graph.vertices)
  const targets = graph.readTargets(0, graph.arcs)
  return Array.from({ length: graph.vertices }, (_, v) => [...targets.subarray(offsets[v], offsets[v + 1])])
}

it.each([
  ['square.egr', egr(square), square],
  ['square.gr', gr(square), square],
  ['large.egr', egr(large), large],
  ['large.gr', gr(large), large],
])('%s stays where it is, and is read as it is', async (name, bytes, lists) => {
  const source = file(name, bytes)
  const { folder, facts } = await linked(source)
  const degrees = lists.map((list) => list.length)
  expect(facts).toMatchObject({
    vertices: lists.length,
    arcs: lists.flat().length,
    maxDegree: degrees.reduce((most, degree) => Math.max(most, degree), 0),
    bytes: bytes.length,
    report: { entries: lists.flat().length, isolatedVertices: degrees.filter((degree) => degree === 0).length },
  })
  const graph = openGraph(folder, facts!.checksum, quietJob)
  expect(listsOf(graph)).toEqual(lists)
  graph.close()
})

it('whole weights are read as numbers', async () => {
  const { folder, facts } = await linked(
    file(
      'weighted.egr',
      egr(square, (u, v) => 10 * u + v),
    ),
  )
  expect(facts!.report.weights).toMatchObject({ smallest: 1, largest: 23 })
  const graph = openGraph(folder, facts!.checksum, quietJob)
  expect([...graph.readWeights(0, graph.arcs)]).toEqual([1, 3, 1, 12, 12, 23, 3, 23])
  graph.close()
})

const broken = (change: (lists: number[][]) => void): number[][] => {
  const lists = large.map((list) => [...list])
  change(lists)
  return lists
}
it.each([
  ['an arc without its reverse', broken((lists) => lists[28_000]!.splice(3, 1))],
  ['a loop', broken((lists) => lists[28_000]!.splice(6, 0, 28_000))],
  ['an arc that is there twice', broken((lists) => lists[59_999]!.push(lists[59_999]!.at(-1)!))],
  ['a list in disorder', broken((lists) => lists[39_999]!.reverse())],
  ['a neighbour that is no vertex', broken((lists) => (lists[59_000]![11] = 60_000))],
])('%s: nothing is linked', async (_what, lists) => {
  const { folder, facts } = await linked(file('broken.egr', egr(lists)))
  expect(facts).toBeNull()
  expect(statSync(folder, { throwIfNoEntry: false })).toBeUndefined()
})

it('text, packed files and weights that differ by direction are not linked', async () => {
  expect((await linked(work.file('path.txt', '0 1\n1 0\n'))).facts).toBeNull()
  const weighted = egr(square, (u, v) => 10 * u + v)
  weighted.writeInt32LE(99, weighted.length - 4)
  expect((await linked(file('odd.egr', weighted))).facts).toBeNull()
})

it('canonical GAPBS files, whose numbers lie across words, are not linked', async () => {
  expect((await linked('test/fixtures/gapbs/plain.sg')).facts).toBeNull()
})

describe('a linked dataset', () => {
  let folder: string
  let source: string
  let checksum: string
  beforeEach(async () => {
    source = file('used.egr', egr(large))
    const made = await linked(source)
    folder = made.folder
    checksum = made.facts!.checksum
  })

  /** What a use of the dataset says. */
  function use(): unknown {
    try {
      const graph = openGraph(folder, checksum, quietJob)
      try {
        graph.readTargets(0, graph.arcs)
      } finally {
        graph.close()
      }
      return 'as it was'
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return { code: error.code, what: error.what }
    }
  }

  it('a file that was changed, cut, replaced or taken away is noticed, and the old one is welcome again', () => {
    const kept = join(work.path, 'kept.egr')
    copyFileSync(source, kept)
    const { atime, mtime } = statSync(source)
    const changed = (how: string) => ({
      code: 'input',
      what: expect.stringContaining(`changed since it was linked: ${how}`),
    })

    const bytes = readFileSync(source)
    bytes[2_000_000]! ^= 1
    writeFileSync(source, bytes)
    expect(use()).toEqual(changed('its checksum is another'))
    utimesSync(source, atime, mtime)
    expect(use()).toMatchObject({ code: 'input' })
    truncateSync(source, bytes.length - 4)
    expect(use()).toEqual(changed(`it has ${bytes.length - 4} bytes, and had ${bytes.length}`))
    rmSync(source)
    expect(use()).toEqual({ code: 'input', what: 'the file that this dataset is linked to is gone' })
    copyFileSync(kept, source)
    expect(use()).toBe('as it was')
    expect(use()).toBe('as it was')
  })

  it('a stored copy has the same checksum, and needs its file no more', async () => {
    const stored = { folder, checksum }
    expect(await storeLink(stored, quietJob)).toEqual({ bytes: statSync(source).size })
    rmSync(source)
    expect(use()).toBe('as it was')
    expect(await storeLink(stored, quietJob)).toEqual({ bytes: 0 })
    // A library may be moved.
    renameSync(folder, `${folder}-moved`)
    folder = `${folder}-moved`
    expect(use()).toBe('as it was')
  })
})
