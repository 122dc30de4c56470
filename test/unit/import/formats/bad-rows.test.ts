import { describe, expect, it } from 'vitest'
import type { TableOptions } from '../../../../workers/contract/jobs.ts'
import { previewFiles } from '../../../../workers/import/preview/preview-file.ts'
import { edgesOf, Workplace } from '../../../support/ingest-cases.ts'

const work = new Workplace()
const lines = { fromBytes: 0, rangeBytes: 32, partBytes: 64 }

/** Three rows are no edges, two have no weight. */
const messy = 'from,to,weight\n1,2,0.5\n2,,1\n3,4,\n"5,6,1\n-7,8,2\n4,5,NA\n5,1,3\n'

describe('rows that are no edges', () => {
  it('stop an import at the first one, whose failure tells how to go on', async () => {
    expect(await work.refused(work.file('m.csv', messy))).toMatchObject({
      where: expect.stringMatching(/m\.csv:3$/) as string,
      what: 'the second id is missing',
      fixes: [{ action: 'set', option: 'badRows', to: 'skip' }],
    })
    expect(await work.refused(work.file('m.csv', messy), { table: { badRows: 'skip' } })).toMatchObject({
      where: expect.stringMatching(/m\.csv:4$/) as string,
      what: 'there is no weight, where the first line had one',
      fixes: [
        { action: 'set', option: 'missingWeight', to: 'one' },
        { action: 'set', option: 'missingWeight', to: 'skip' },
        { action: 'set', option: 'ignoreWeights', to: true },
      ],
    })
  })

  const cases: readonly (readonly [TableOptions, readonly string[], number])[] = [
    [{ badRows: 'skip', missingWeight: 'one' }, ['1 2 0.5', '1 5 3', '3 4 1', '4 5 1'], 3],
    [{ badRows: 'skip', missingWeight: 'skip' }, ['1 2 0.5', '1 5 3'], 5],
  ]

  it.each(cases)('%j: the rest is read, all is counted, whichever code reads it', async (table, edges, skipped) => {
    for (const tuning of [{}, { lines }, { chunkBytes: 7 }]) {
      const read = await work.imported('m.csv', messy, { table, threads: 2 }, tuning)
      expect(edgesOf(read)).toEqual(edges)
      expect(read.report.skipped).toBe(skipped)
      const said = read.report.warnings.join('\n')
      expect(said).toMatch(/1 row without two ids was skipped, the first at .*m\.csv:3/)
      expect(said).toMatch(/1 row with broken quotes was skipped, the first at .*m\.csv:5/)
      expect(said).toMatch(/1 row with a broken id was skipped, the first at .*m\.csv:6/)
      if (table.missingWeight === 'one') expect(said).toContain('2 edges without a weight got the weight 1')
      else expect(said).toMatch(/2 rows without a weight were skipped, the first at .*m\.csv:4/)
    }
  })

  it('are counted by rule in a preview, which no choice hides but the one that mends them', async () => {
    const source = work.file('m.csv', messy)
    const counts = async (table: TableOptions): Promise<unknown> =>
      (await previewFiles({ source, table })).refusals.map(({ count, failure }) => [count, failure.where?.slice(-1)])
    expect(await counts({})).toEqual([
      [1, '3'],
      [1, '4'],
      [1, '5'],
      [1, '6'],
      [1, '7'],
    ])
    expect(await counts({ missingWeight: 'one' })).toEqual([
      [1, '3'],
      [1, '5'],
      [1, '6'],
    ])
    expect(await counts({ missingWeight: 'skip', badRows: 'skip' })).toEqual([])
    expect((await previewFiles({ source })).looked).toEqual({ rows: 8, complete: true })
  })

  it('that a preview skips are those of its balance, bad weights among them', async () => {
    const source = work.file('w.csv', 'from,to,weight\n1,2,0.5\n2,,1\n3,4,abc\n4,5,1e999\n5,1,3\n')
    const { skips, refusals, balance } = await previewFiles({ source, table: { badRows: 'skip' } })
    expect(refusals).toEqual([])
    expect(skips.map(({ count, failure }) => [count, failure.what])).toEqual([
      [1, 'the second id is missing'],
      [1, 'the weight "abc" is not a number'],
      [1, 'the weight "1e999" is infinite, or past the range of numbers'],
    ])
    expect(balance?.lines).toMatchObject({ total: 6, header: 1, entries: 2, refused: 3 })
  })

  it('a first edge without a weight is one like the others, where weights are sought', async () => {
    const text = '1 2\n2 3 0.5\n3 4 2\n'
    const failure = await work.refused(work.file('f.txt', text))
    expect(failure.fixes).toContainEqual({ action: 'set', option: 'missingWeight', to: 'one' })
    expect(edgesOf(await work.imported('f.txt', text, { table: { missingWeight: 'one' } }))).toEqual([
      '1 2 1',
      '2 3 0.5',
      '3 4 2',
    ])
  })

  it('a skipped row leaves no vertex behind, whatever its ids are', async () => {
    const text = 'a,b,1\nc,d,\nb,e,2\n'
    const table = { header: 'no', missingWeight: 'skip' } as const
    expect((await work.imported('t.csv', text, { table })).labels).toEqual(['a', 'b', 'e'])
  })

  it('weights that are no numbers are skipped as rows, zero and negative ones never', async () => {
    const text = 'u,v,weight\n1,2,1\n2,3,x\n3,4,inf\n4,5,-1\n'
    const source = work.file('w.csv', text)
    const { refusals } = await previewFiles({ source })
    expect(refusals.map(({ count, failure }) => [count, failure.what])).toEqual([
      [1, 'the weight "x" is not a number'],
      [1, 'the weight "inf" is infinite, or past the range of numbers'],
      [1, 'the weight "-1" is negative, and weights must be positive'],
    ])
    expect((await work.refused(source, { table: { badRows: 'skip' } })).what).toMatch(/"-1" is negative/)
    const read = await work.imported('w.csv', text, { table: { badRows: 'skip' }, weightRule: 'absolute' })
    expect(edgesOf(read)).toEqual(['1 2 1', '4 5 1'])
    expect(read.report.skipped).toBe(2)
  })
})

describe('decimal signs', () => {
  const read = async (text: string, table: TableOptions = {}): Promise<string[]> =>
    edgesOf(await work.imported('d.csv', `u;v;weight\n${text}`, { table }))

  it('are taken as they show, where nothing else fits', async () => {
    expect(await read('1;2;0,5\n2;3;1.234,25\n')).toEqual(['1 2 0.5', '2 3 1234.25'])
    expect(await read('1;2;0.5\n2;3;1,234.25\n')).toEqual(['1 2 0.5', '2 3 1234.25'])
  })

  it('are asked for where they may be either', async () => {
    const source = work.file('d.csv', 'u;v;weight\n1;2;1,234\n2;3;5\n')
    const failure = await work.refused(source)
    expect(failure.fixes).toMatchObject([
      { option: 'decimal', to: 'comma' },
      { option: 'decimal', to: 'point' },
      { option: 'ignoreWeights' },
    ])
    expect((await previewFiles({ source })).table?.asks).toBe('weights')
    expect(await read('1;2;1,234\n2;3;5\n', { decimal: 'comma' })).toEqual(['1 2 1.234', '2 3 5'])
    expect(await read('1;2;1,234\n2;3;5\n', { decimal: 'point' })).toEqual(['1 2 1234', '2 3 5'])
  })

  it('of both kinds in one column are asked for, never mixed', async () => {
    expect((await work.refused(work.file('d.csv', 'u;v;weight\n1;2;0,5\n2;3;1.5\n'))).what).toMatch(/are no numbers/)
  })
})
