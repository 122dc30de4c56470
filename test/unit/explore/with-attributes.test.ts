import { join } from 'node:path'
import { expect, it } from 'vitest'
import { quietJob } from '../../../workers/base/job.ts'
import { neighbourhood } from '../../../workers/explore/neighbourhood.ts'
import { overview } from '../../../workers/explore/overview.ts'
import { withAttributes } from '../../../workers/explore/with-attributes.ts'
import { importGraph } from '../../../workers/import/import-graph.ts'
import { Workplace } from '../../support/ingest-cases.ts'

const work = new Workplace()
const COUNT = 300

/** A path whose vertices have a number and a text, but for each seventh. */
async function path() {
  const lines = Array.from({ length: COUNT - 1 }, (_, v) => `${v},${v + 1}`)
  const rows = Array.from({ length: COUNT }, (_, v) =>
    v % 7 === 0 ? `${v},,` : `${v},${v * v},${v < 150 ? 'low' : 'high'}`,
  )
  const source = work.file('path.csv', `${lines.join('\n')}\n`)
  const vertices = work.file('vertices.csv', `id,square,half\n${rows.join('\n')}\n`)
  const folder = join(work.path, 'path')
  const { checksum } = await importGraph({ source, folder, vertices, table: { header: 'no' } }, quietJob)
  return { folder, checksum }
}

it('gives nodes the attributes that are asked for, groups the mean of numbers and the most frequent text', async () => {
  const place = await path()
  const near = await withAttributes(neighbourhood)(
    { ...place, vertex: '20', hops: 2, limit: 100, attributes: ['half', 'square'] },
    quietJob,
  )
  const found = Object.fromEntries(near.vertices.map(({ label, attributes }) => [label, attributes]))
  expect(found).toEqual({
    ...{ '18': ['low', 324], '19': ['low', 361], '20': ['low', 400], '21': [null, null], '22': ['low', 484] },
  })
  const whole = await withAttributes(overview)({ ...place, limit: 1000, attributes: ['square'] }, quietJob)
  expect(whole.nodes.attributes![0]).toEqual(whole.nodes.ids.map((v) => (v % 7 === 0 ? null : v * v)))
  const coarse = await withAttributes(overview)({ ...place, limit: 100, attributes: ['square', 'half'] }, quietJob)
  const [squares, halves] = coarse.nodes.attributes!
  expect(squares!.some((value) => typeof value === 'number' && !Number.isInteger(value))).toBe(true)
  coarse.nodes.ids.forEach((v, i) => {
    // A group of a path hangs together: only that in the middle has both halves.
    if (Math.abs(v - 150) > 20 && halves![i] !== null) expect(halves![i]).toBe(v < 150 ? 'low' : 'high')
  })
  expect((await withAttributes(overview)({ ...place, limit: 100 }, quietJob)).nodes.attributes).toBeUndefined()
  const wrong = { ...place, limit: 100, attributes: ['colour'] }
  await expect(withAttributes(overview)(wrong, quietJob)).rejects.toMatchObject({ remedy: 'They have square, half.' })
})
