import { rmSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { TailStore } from '../../../workers/device/tail-store.ts'
import { prepareView } from '../../../workers/graph/prepare-view.ts'
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
  it('are what the file holds, told ahead or not, however often they are told of', async () => {
    const prepared = preparedUniform(4000, 120_000)
    const { tails } = readWholeView(prepared)
    expect(tails.length).toBeGreaterThan(100_000)
    const store = new TailStore(prepared.view)
    const random = randomStream(3)
    let read = 0
    for (let round = 0; round < 40; round++) {
      const stretches: (readonly [number, number])[] = []
      const gap = 10 ** (1 + 4 * random())
      for (let at = Math.floor(gap * random()); at < tails.length; at += Math.ceil(gap * random()) + 1) {
        const end = Math.min(tails.length, at + 1 + Math.floor(300 * random()))
        stretches.push([at, end])
        at = end
      }
      await store.expect((want) => stretches.forEach(([first, end]) => want(first, end)))
      for (const [first, end] of stretches) {
        // Some are left out, of some more is asked for than was told.
        if (random() < 0.2) continue
        const last = Math.min(tails.length, random() < 0.1 ? end + 5000 : end)
        for (let at = first; at < last; at++) {
          if (at < store.first || at >= store.end) store.seek(at)
          if (store.words[at - store.first] !== tails[at]) throw new Error(`round ${round}, place ${at}`)
          read++
        }
      }
    }
    expect(read).toBeGreaterThan(100_000)
    expect(store.bytesRead).toBeGreaterThan(4 * tails.length)
    await store.release()
    prepared.view.close()
  })

  it('are spared where most lists begin at the front and are long', () => {
    const dense = preparedUniform(3000, 48_000)
    const sparse = preparedUniform(3000, 6_000)
    expect([dense, sparse].map(({ view }) => tailsAreSpared(view.header))).toEqual([true, false])
    for (const { view } of [dense, sparse]) view.close()
  })
})
