import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { ImportArgs } from '../../../workers/contract/jobs.ts'
import { Workplace } from '../../support/ingest-cases.ts'

const work = new Workplace()
const mtx = (text: string, words = 'coordinate real general') => `%%MatrixMarket matrix ${words}\n${text}`

/** name of the file, its text, the line at fault, what is said about it. */
type Case = readonly [
  title: string,
  name: string,
  text: string,
  line: number,
  what: RegExp,
  options?: Partial<ImportArgs>,
]

const cases: readonly Case[] = [
  [
    'Matrix Market: fewer entries',
    'a.mtx',
    mtx('3 3 3\n1 2 1\n2 3 1\n'),
    4,
    /promises 3 entries, and the file ends after 2/,
  ],
  ['Matrix Market: more entries', 'a.mtx', mtx('3 3 1\n1 2 1\n2 3 1\n'), 4, /promises 1 entries, and here is one more/],
  ['Matrix Market: index 0', 'a.mtx', mtx('3 3 1\n0 2 1\n'), 3, /the row is 0, and Matrix Market counts from 1/],
  ['Matrix Market: row past the header', 'a.mtx', mtx('3 3 1\n9 2 1\n'), 3, /row 9 is past the header's 3 rows/],
  [
    'Matrix Market: column past the header',
    'a.mtx',
    mtx('3 3 1\n2 4 1\n'),
    3,
    /column 4 is past the header's 3 columns/,
  ],
  ['Matrix Market: negative index', 'a.mtx', mtx('3 3 1\n-2 1 1\n'), 3, /the row "-2" is negative/],
  ['Matrix Market: fractional index', 'a.mtx', mtx('3 3 1\n1.5 1 1\n'), 3, /the row "1.5" is not a whole number/],
  ['Matrix Market: NaN', 'a.mtx', mtx('3 3 1\n1 2 NaN\n'), 3, /"1 2 NaN" is not a number/],
  ['Matrix Market: infinity', 'a.mtx', mtx('3 3 1\n1 2 inf\n'), 3, /infinite/],
  [
    'Matrix Market: missing value',
    'a.mtx',
    mtx('3 3 2\n1 2 1\n1 3\n'),
    4,
    /2 columns where a coordinate matrix of real has 3/,
  ],
  ['Matrix Market: extra column', 'a.mtx', mtx('3 3 1\n1 2 3 4\n'), 3, /4 columns/],
  ['Matrix Market: no size line', 'a.mtx', mtx('% only this\n'), 2, /ends before its size line/],
  ['Matrix Market: broken size line', 'a.mtx', mtx('3 3\n1 2 1\n'), 2, /the size line reads "3 3"/],
  ['Matrix Market: unknown field', 'a.mtx', mtx('1 1 0\n', 'coordinate double general'), 1, /field is "double"/],
  ['Matrix Market: not square', 'a.mtx', mtx('2 3 0\n', 'coordinate real symmetric'), 2, /2 x 3 is not square/],
  [
    'Matrix Market: too many vertices',
    'a.mtx',
    mtx('4294967295 4294967295 0\n'),
    2,
    /4294967295 vertices are past the 4294967294/,
  ],
  [
    'Matrix Market: zero under an explicit rule',
    'a.mtx',
    mtx('2 2 1\n1 2 0\n'),
    3,
    /"0" is zero/,
    { weightRule: 'absolute' },
  ],
  [
    'Matrix Market: dense, too few',
    'a.mtx',
    mtx('2 2\n1\n2\n3\n', 'array real general'),
    5,
    /promises 4 entries, and the file ends after 3/,
  ],
  ['METIS: fewer vertex lines', 'a.graph', '4 2\n2\n1 3\n', 3, /promises 4 vertices, and the file ends after 2/],
  ['METIS: more vertex lines', 'a.graph', '2 1\n2\n1\n2 1\n', 4, /promises 2 vertices, and here is one more/],
  [
    'METIS: more edges than promised',
    'a.graph',
    '3 1\n2 3\n1\n1\n',
    4,
    /promises 1 edges, that is 2 neighbours, and the lines hold 4/,
  ],
  [
    'METIS: fewer edges than promised',
    'a.graph',
    '3 3\n2\n1 3\n2\n',
    4,
    /promises 3 edges, that is 6 neighbours, and the lines hold 4/,
  ],
  ['METIS: neighbour 0', 'a.graph', '3 2\n2\n0 3 1\n2\n', 3, /the neighbour is 0, and METIS counts from 1/],
  [
    'METIS: neighbour past the header',
    'a.graph',
    '3 2\n2\n1 9\n2 1 3\n',
    3,
    /neighbour 9 is past the header's 3 vertices/,
  ],
  ['METIS: negative neighbour', 'a.graph', '3 2\n2\n1 -3\n2\n', 3, /"-3" is negative/],
  ['METIS: fractional neighbour', 'a.graph', '3 2\n2\n1 2.5\n2\n', 3, /"2.5" is not a whole number/],
  ['METIS: missing edge weight', 'a.graph', '2 1 1\n2 5\n1\n', 3, /no edge weight, which fmt promises/],
  ['METIS: missing vertex weight', 'a.graph', '2 1 10 2\n1 1 2\n1\n', 3, /1 of the 2 numbers/],
  ['METIS: bad fmt', 'a.graph', '2 1 7\n2\n1\n', 1, /fmt is "7"/, { format: 'metis' }],
  [
    'METIS: too many vertices',
    'a.graph',
    '5000000000 1\n2\n1\n',
    1,
    /5000000000 vertices are past/,
    { format: 'metis' },
  ],
  ['edge list: negative id', 'a.txt', '1 2\n-5 3\n', 2, /the id -5 is negative/],
  ['edge list: negative id in a text file', 'a.txt', 'a b\nc -5\n', 2, /the id -5 is negative/],
  ['edge list: negative id at the start', 'a.txt', '-5 3\n', 1, /the id -5 is negative/],
  ['edge list: fractional id', 'a.txt', '1 2\n2 3.5\n', 2, /the id 3.5 is not a whole number/],
  [
    'edge list: id past 64 bits',
    'a.txt',
    '1 2\n18446744073709551616 3\n',
    2,
    /past the largest integer id, 18446744073709551615/,
  ],
  ['edge list: missing column', 'a.txt', '1 2\n3\n4 5\n', 2, /1 column where an edge needs two ids/],
  ['edge list: empty field', 'a.csv', '1,2\n,3\n', 2, /the first id is missing/],
  ['edge list: NaN', 'a.txt', '1 2 1\n2 3 nan\n', 2, /the weight "nan" is not a number/],
  ['edge list: NaN at the start', 'a.txt', '1 2 NaN\n', 1, /the weight "NaN" is not a number/],
  ['edge list: a word for a weight', 'a.txt', '1 2 1\n2 3 x\n', 2, /the weight "x" is not a number/],
  ['edge list: past the range of numbers', 'a.txt', '1 2 1\n2 3 1e309\n', 2, /past the range of numbers/],
  ['edge list: missing weight', 'a.txt', '1 2 1\n2 3\n', 2, /no weight, where the first line had one/],
  ['edge list: weight where there was none', 'a.txt', '1 2\n2 3 4\n', 2, /3 columns, where the first line had 2/],
  ['edge list: zero weight', 'a.txt', '1 2 1\n2 3 0\n', 2, /"0" is zero/],
  ['edge list: negative weight', 'a.txt', '1 2 1\n2 3 -1\n', 2, /"-1" is negative/],
  ['edge list: open quotes', 'a.csv', '"a",b\n"c,d\n', 2, /quoted field does not end/],
  [
    'edge list: control characters late',
    'a.txt',
    `${'1 2\n'.repeat(100_000)}\u0001\u0002 3\n`,
    100_001,
    /control characters/,
  ],
  ['edge list: a control character in an id', 'a.txt', 'a b\nc d\u007f\n', 2, /byte 0x7f/],
  ['only comments', 'a.txt', '# a\n\n% b\n', 3, /there are no edges in the 3 lines/],
  ['only blank lines', 'a.txt', '\n\n', 2, /there are no edges/],
]

describe('malformed files are refused at their line, and nothing is left', () => {
  for (const [title, name, text, line, what, options] of cases) {
    it(title, async () => {
      const source = work.file(name, text)
      const failure = await work.refused(source, options)
      expect(failure).toMatchObject({ code: 'input', where: `${source}:${line}` })
      expect(failure.what).toMatch(what)
      expect(failure.remedy !== '' || failure.fixes!.length > 0).toBe(true)
    })

    it(`${title}, compressed: the same line`, async () => {
      const source = work.file(`${name}.gz`, gzipSync(text))
      expect((await work.refused(source, options)).where).toBe(`${source}:${line}`)
    })
  }

  it('names the way out of a bad weight', async () => {
    const { fixes } = await work.refused(work.file('w', '1 2 -1\n'))
    expect(fixes).toContainEqual({ action: 'set', option: 'weightRule', to: 'absolute' })
  })
})
