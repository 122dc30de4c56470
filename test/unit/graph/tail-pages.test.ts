import { rmSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { prepareView } from '../../../workers/graph/prepare-view.ts'
import type { SectionReader } from '../../../workers/graph/section-file.ts'
import { TailPages } from '../../../workers/graph/tail-pages.ts'
import { quietJob } from '../../../workers/job.ts'
import { tailsAreSpared } from '../../../workers/partition/out-of-core.ts'
import { randomStream, smallGraph, writeGraphFolder } from '../../support/graphs.ts'
import { readWholeView } from '../../support/views.ts'

const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })))

/** A uniform random graph whose tails take several pages, in a folder of its own. */
function preparedUniform(vertices: number, edges: number) {
  const random = randomStream(vertices)
  const pick = (): number => Math.floor(random() * vertices)
  const { folder, checksum } = writeGraphFolder(
    smallGraph(
      vertices,
      Array.from({ length: edges }, () => [pick(), pick()] as const),
    ),
  )
  folders.push(folder)
  return prepareView({ folder, checksum, priority: 'degree', seed: 0 }, quietJob)
}

describe('tails out of core', () => {
  it('are what the file holds, in whole pages, whatever is wanted', () => {
    const prepared = preparedUniform(4000, 120_000)
    const { tails } = readWholeView(prepared)
    expect(tails.length).toBeGreaterThan(100_000)
    const { header } = prepared.view
    let asked = 0
    const readTails: SectionReader = (at, bytes) => {
      expect(at % 4096).toBe(0)
      asked++
      prepared.view.read(header.tails, at, bytes)
    }
    const pages = new TailPages(readTails, header.tails.bytes, 1 << 16)
    const random = randomStream(3)
    let [read, lots] = [0, 0]
    for (let round = 0; round < 40; round++) {
      const wanted: (readonly [number, number])[] = []
      const look = (): void => {
        pages.read()
        const [froms, tos] = [new Uint32Array(wanted.length), new Uint32Array(wanted.length)]
        const [firsts, ends] = [0, 1].map((side) => Float64Array.from(wanted, (stretch) => stretch[side]!))
        const together = round % 2 === 0
        if (together) pages.findAll(firsts!, ends!, wanted.length, froms, tos)
        for (const [i, [first, end]] of wanted.entries()) {
          const from = together ? froms[i]! : pages.find(first)
          if (together) expect(tos[i]! - from).toBe(end - first)
          for (let at = first; at < end; at++, read++)
            if (pages.words[from + at - first] !== tails[at]) throw new Error(`round ${round}, place ${at}`)
        }
        pages.clear()
        wanted.length = 0
        lots++
      }
      const gap = 10 ** (1 + 4 * random())
      for (let at = Math.floor(gap * random()); at < tails.length; at += Math.ceil(gap * random()) + 1) {
        const end = Math.min(tails.length, at + 1 + Math.floor(3000 * random() ** 4))
        if (!pages.add(at, end)) {
          look()
          expect(pages.add(at, end)).toBe(true)
        }
        wanted.push([at, end])
        at = end
      }
      look()
    }
    expect(read).toBeGreaterThan(100_000)
    expect(lots).toBeGreaterThan(80)
    expect(asked).toBeGreaterThan(lots)
    prepared.view.close()
  })

  it('are spared where most lists begin at the front and are long', () => {
    const dense = preparedUniform(3000, 48_000)
    const sparse = preparedUniform(3000, 6_000)
    expect([dense, sparse].map(({ view }) => tailsAreSpared(view.header))).toEqual([true, false])
    for (const { view } of [dense, sparse]) view.close()
  })
})
