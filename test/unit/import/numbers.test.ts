import { describe, expect, it } from 'vitest'
import { quietJob } from '../../../workers/base/job.ts'
import { importGraph } from '../../../workers/import/import-graph.ts'
import { wholeOfDecimal } from '../../../workers/import/reader/numbers.ts'
import { previewFiles } from '../../../workers/import/preview/preview-file.ts'
import { failureOf, Workplace } from '../../support/ingest-cases.ts'

const work = new Workplace()

describe('whole numbers that are written as decimals', () => {
  it.each([
    ['1.0', 1n],
    ['12.', 12n],
    ['+3.000', 3n],
    ['9007199254740991.0', 9007199254740991n],
    ['1e+05', 100_000n],
    ['1.2e+06', 1_200_000n],
    ['1.0E7', 10_000_000n],
    ['1.0000001E7', 10_000_001n],
    ['1.000000000000000000e+05', 100_000n],
    ['0.000000e+00', 0n],
    ['1.230000e+02', 123n],
  ])('%s', (word, number) => {
    expect(wholeOfDecimal(word)).toBe(number)
  })

  it.each([
    ...['1.5', '.0', '1e', 'e5', '-1.0', '1e-05', '12.5e+00', 'nan', '1.0x', '9007199254740992.0', '1e+16'],
    // Digits may be lost: of Excel, of MATLAB, of %g.
    ...['1.23457E+18', '1E+11', '1.2346e+05', '1.23457e+06', '1.5e+00'],
  ])('%s is none', (word) => {
    expect(wholeOfDecimal(word)).toBeNull()
  })

  it('join a table of vertices, and attributes of edges, as the numbers that they are', async () => {
    const source = work.file('floats.csv', 'source,target,kind\n1.0,2.0,a\n2.0,1e+05,b\n')
    const vertices = work.file('vertices.csv', 'id,name\n1.0,one\n100000,many\n2.0,two\n7.0,seven\n')
    const args = { source, vertices, table: { attributes: 'kind' } }
    const facts = await importGraph({ ...args, folder: work.newFolder() }, quietJob)
    expect(facts).toMatchObject({ vertices: 4, arcs: 4 })
    const joined = { rows: 4, matched: 3, added: 1, unknown: 0, withoutRow: 0 }
    expect(facts.report.balance?.vertices).toMatchObject(joined)
    expect(facts.report.attributes).toMatchObject({
      vertices: [{ name: 'name' }],
      edges: [{ name: 'kind', filled: 2 }],
    })
    expect((await previewFiles(args)).balance?.vertices).toMatchObject(joined)
    expect(facts.report.warnings.filter((said) => said.includes('decimals'))).toEqual([
      '4 ids are decimals or exponents and were read as the whole numbers they are, the first 1.0 in line 2',
    ])
  })

  it.each([0, 1, 2])('a word for none among texts is a vertex, also in row %i', async (at) => {
    const rows = ['ann,bob', 'bob,cem']
    rows.splice(at, 0, 'NA,cem')
    const source = work.file(`word${at}.csv`, `source,target\n${rows.join('\n')}\n`)
    const { vertices, arcs, report } = await importGraph({ source, folder: work.newFolder() }, quietJob)
    expect([vertices, arcs]).toEqual([4, 6])
    expect(report.warnings).toContainEqual(expect.stringMatching(/^1 end is called "NA"/))
  })

  it('are refused among texts, and nan among them is no id', async () => {
    const read = (source: string) => importGraph({ source, folder: work.newFolder() }, quietJob)
    const mixed = await failureOf(read(work.file('mixed.csv', 'source,target\na,b\n1.0,a\n')))
    expect(mixed).toMatchObject({ where: expect.stringMatching(/:3$/), what: 'the id 1.0 is a number among texts' })
    const none = await failureOf(read(work.file('none.csv', 'source,target\n1.0,2.0\n2.0,nan\n3.0,1.0\n')))
    expect(none.what).toMatch(/"nan", a word for none among whole numbers/)
  })
})
