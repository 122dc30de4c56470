import { describe, expect, it } from 'vitest'
import { importFile } from '../../../../workers/import/containers/import-file.ts'
import { quietJob } from '../../../../workers/base/job.ts'
import { randomStream } from '../../../support/graphs.ts'
import { edgesOf, failureOf, readDataset, Workplace } from '../../../support/ingest-cases.ts'

const work = new Workplace()
const sign = (six: number): string => String.fromCharCode(six + 63)

/** The number of vertices and the bits of a matrix, as McKay's text describes them. */
function written(n: number, bits: readonly number[]): string {
  const size = n < 63 ? sign(n) : `~${sign(n >> 12)}${sign((n >> 6) & 63)}${sign(n & 63)}`
  const padded = [...bits, ...Array.from({ length: (6 - (bits.length % 6)) % 6 }, () => 0)]
  const sixes = Array.from({ length: padded.length / 6 }, (_, i) =>
    Number.parseInt(padded.slice(6 * i, 6 * i + 6).join(''), 2),
  )
  return size + sixes.map(sign).join('')
}

async function imported(text: string, member?: string) {
  const folder = work.newFolder()
  await importFile({ source: work.file('g.g6', text), folder, member }, quietJob)
  return readDataset(folder)
}

describe('graph6', () => {
  const random = randomStream(6)

  it.each([1, 2, 3, 7, 62, 63, 64, 130])('a random graph of %i vertices is what its bits say', async (n) => {
    const pairs = Array.from({ length: n }, (_, v) => Array.from({ length: v }, (_, u) => [u, v] as const)).flat()
    const bits = pairs.map(() => (random() < 0.2 ? 1 : 0))
    const read = await imported(`${written(n, bits)}\n`)
    const edges = pairs.filter((_, i) => bits[i] === 1).map(([u, v]) => `${u} ${v}`)
    expect(read.report).toMatchObject({ format: 'graph6', vertices: n, arcs: 2 * edges.length })
    expect(edgesOf(read).toSorted()).toEqual(edges.toSorted())
  })

  it('of several graphs one is read by its number, and without one they are counted', async () => {
    const text = `${written(3, [1, 0, 0])}\n${written(3, [0, 1, 1])}\n`
    expect(edgesOf(await imported(text, '1'))).toEqual(['0 1'])
    expect(edgesOf(await imported(text, '2'))).toEqual(['0 2', '1 2'])
    const refused = (member?: string) =>
      failureOf(importFile({ source: work.file('g.g6', text), folder: work.newFolder(), member }, quietJob))
    expect(await refused()).toMatchObject({ what: 'there are 2 graphs in this file', fixes: [{ option: 'member' }] })
    expect((await refused('3')).what).toBe('there are 2 graphs in this file')
    expect((await refused('x')).what).toContain('no number from 1')
  })

  it.each([
    ['short', 'IheA@GU\n', 'ends 2 bytes too early'],
    ['long', 'IheA@GUAoo\n', 'longer than its number of vertices'],
    ['signs', 'IheA GUAo\n', 'byte 0x20'],
    ['size', '~A\n', 'how many vertices'],
  ])('a line that is damaged is refused: %s', async (_, text, what) => {
    const failure = await failureOf(
      importFile({ source: work.file('g.g6', text), folder: work.newFolder(), format: 'graph6' }, quietJob),
    )
    expect(failure).toMatchObject({ code: 'input', where: expect.stringMatching(/g\.g6:1$/) })
    expect(failure.what).toContain(what)
  })

  it('words of a table are no graphs', async () => {
    const folder = work.newFolder()
    await importFile({ source: work.file('words.txt', 'A_ B\nB C\n'), folder }, quietJob)
    expect(readDataset(folder).report.format).toBe('edge-list')
  })
})
