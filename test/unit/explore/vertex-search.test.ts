import fc from 'fast-check'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { neighbourhood } from '../../../workers/explore/neighbourhood.ts'
import { searchVertices } from '../../../workers/explore/opened-dataset.ts'
import { textFile } from '../../../workers/import/build/write-dataset.ts'
import { quietJob } from '../../../workers/base/job.ts'
import { smallGraph, writeGraphFolder } from '../../support/graphs.ts'
import { Workplace } from '../../support/ingest-cases.ts'

const work = new Workplace()
type Place = ReturnType<typeof writeGraphFolder>
const labelsOf = async (place: Place, text: string, limit = 100): Promise<string[]> =>
  (await searchVertices({ ...place, text, limit }, quietJob)).vertices.map(({ label }) => label)

/** A path through the labels, imported as a person would. */
async function pathOf(labels: readonly (string | bigint)[]): Promise<Place> {
  const folder = join(work.path, `path-${labels.length}-${Math.random()}`)
  const { importGraph } = await import('../../../workers/import/import-graph.ts')
  const lines = labels.slice(1).map((label, i) => `${labels[i]!},${label}`)
  const source = work.file('path.csv', `${lines.join('\n')}\n`)
  // The first of three rows or fewer may count vertices and edges.
  const { checksum } = await importGraph({ source, folder, table: { header: 'no' } }, quietJob)
  return { folder, checksum }
}

describe('vertices are found by their labels', () => {
  it('numbers: every one that begins with the digits, the shorter first', async () => {
    const values = fc.uniqueArray(fc.oneof(fc.bigInt(0n, 2000n), fc.bigInt(0n, 2n ** 64n - 1n)), {
      minLength: 2,
      maxLength: 60,
    })
    await fc.assert(
      fc.asyncProperty(values, fc.nat(9999), async (labels, prefix) => {
        const place = await pathOf(labels)
        const text = String(prefix)
        const expected = labels.map(String).filter((label) => label.startsWith(text))
        const found = await labelsOf(place, text)
        expect([...found].sort()).toEqual(expected.sort())
        expect(found.map(({ length }) => length)).toEqual(found.map(({ length }) => length).sort((a, b) => a - b))
      }),
      { numRuns: 40 },
    )
  })

  it('texts: those that begin with it, in order, no more than wanted', async () => {
    const place = await pathOf(['Zürich', 'Zug', 'Aarau', 'Zermatt', 'Bern', 'Zuoz'])
    expect(await labelsOf(place, 'Zu')).toEqual(['Zug', 'Zuoz'])
    expect(await labelsOf(place, 'Z', 2)).toEqual(['Zermatt', 'Zug'])
    expect(await labelsOf(place, '')).toEqual(['Aarau', 'Bern', 'Zermatt', 'Zug', 'Zuoz', 'Zürich'])
    expect(await labelsOf(place, 'x')).toEqual([])
    expect(neighbourhood({ ...place, vertex: 'Zermatt', hops: 1, limit: 10 }, quietJob)).toMatchObject({
      centre: 'Zermatt',
      edges: [{}, {}],
      truncated: false,
    })
  })

  it('labels that are counted, with their degrees', async () => {
    const edges = [
      [11, 1],
      [11, 2],
    ] as const
    const place = writeGraphFolder(smallGraph(1200, edges))
    expect(await labelsOf(place, '11', 4)).toEqual(['11', '110', '111', '112'])
    expect((await searchVertices({ ...place, text: '11', limit: 1 }, quietJob)).vertices).toEqual([
      { id: 11, label: '11', name: null, degree: 2, attributes: [] },
    ])
    expect(await labelsOf(place, '0')).toEqual(['0'])
    expect(await labelsOf(place, '011')).toEqual(['11'])
    expect(await labelsOf(place, '0110000')).toEqual([])
    expect(await labelsOf(place, '999999999999999999999999')).toEqual([])
  })
})

describe('vertices are found by their names', () => {
  it('letters large or small, with or without marks; the label itself first', async () => {
    const place = writeGraphFolder(smallGraph(5, [[0, 1]]))
    writeFileSync(join(place.folder, 'names'), textFile(['Zürich', 'Zug', '', 'zurich west', '3 Rivers']))
    const found = async (text: string) =>
      (await searchVertices({ ...place, text, limit: 10 }, quietJob)).vertices.map(({ id }) => id)
    expect(await found('zuri')).toEqual([0, 3])
    expect(await found('ZÜRICH WEST')).toEqual([3])
    expect(await found('zurich')).toEqual([0, 3])
    expect(await found('3')).toEqual([3, 4])
    expect((await searchVertices({ ...place, text: '2', limit: 1 }, quietJob)).vertices[0]!.name).toBeNull()
  })

  it('a damaged file is told', async () => {
    const place = writeGraphFolder(smallGraph(5, [[0, 1]]))
    writeFileSync(join(place.folder, 'names'), textFile(['one name']))
    await expect(searchVertices({ ...place, text: 'a', limit: 5 }, quietJob)).rejects.toThrow(
      /not what belongs beside the graph/,
    )
  })
})
