import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { importGraph } from '../../../../workers/import/import-graph.ts'
import { quietJob } from '../../../../workers/base/job.ts'
import type { LinesTuning } from '../../../../workers/import/reader/import-resources.ts'
import { nastyWeight } from '../../../support/exact-weights.ts'
import { randomStream } from '../../../support/graphs.ts'
import { expectCanonical, Workplace } from '../../../support/ingest-cases.ts'
import { content, importWays, packed, tuning, madeByLines } from '../../../support/lines-import.ts'

const work = new Workplace()
const { byLines, general } = importWays(work)

/** Lines as people write them: most are plain. */
function lines(id: fc.Arbitrary<string>, weight: fc.Arbitrary<string> | null): fc.Arbitrary<string[]> {
  const blank = fc.oneof(
    { weight: 9, arbitrary: fc.constant(' ') },
    { weight: 1, arbitrary: fc.constantFrom('\t', '  ', ' \t') },
  )
  const columns = weight === null ? fc.tuple(id, id) : fc.tuple(id, id, weight)
  const edge = fc.tuple(columns, blank).map(([fields, between]) => fields.join(between))
  const padded = fc
    .tuple(fc.constantFrom('', ' ', '\t'), edge, fc.constantFrom('', ' ', '  '))
    .map((parts) => parts.join(''))
  const other = fc.constantFrom('', '  ', '# a comment', '% 1 2', '// 3 4')
  const end = fc.oneof({ weight: 9, arbitrary: fc.constant('\n') }, { weight: 1, arbitrary: fc.constant('\r\n') })
  const line = fc.oneof(
    { weight: 30, arbitrary: edge },
    { weight: 2, arbitrary: padded },
    { weight: 1, arbitrary: other },
  )
  return fc.array(
    fc.tuple(line, end).map((parts) => parts.join('')),
    { minLength: 1, maxLength: 250, size: 'max' },
  )
}

/** So few that many edges come in both directions, and again. */
const denseIds = fc.integer({ min: 0, max: 24 }).map(String)
const gappyIds = fc.oneof(fc.integer({ min: 0, max: 2000 }), fc.integer({ min: 99_990, max: 100_050 })).map(String)
const longIds = fc.integer({ min: 2_000_000, max: 2_001_000 }).map((id) => String(id).padStart(9, '0'))
const weights = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: 1, max: 4000 }).map((quarters) => String(quarters / 4)) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '0.1',
      '1e-3',
      '7.',
      '0003',
      '123456789012345',
      '1234567890123456',
      '3.14159265358979',
      '0.1234567890123456789',
      '9007199254740993',
      '+2',
      '1e30',
    ),
  },
)

/** The decimal of 17 or 19 digits that is nearest to what is between two neighbouring floats, or that number itself. */
function middle(draw: () => number): string {
  const low = 2 ** (10 + Math.floor(draw() * 43)) * (1 + draw())
  const unit = 2 ** (Math.floor(Math.log2(low)) - 53)
  const exact = BigInt(low / unit) * 10n ** 19n
  const digits = 17 + 2 * Math.floor(draw() * 2)
  const half = unit >= 1 ? (exact + 10n ** 19n) * BigInt(unit) : (exact + 10n ** 19n) / BigInt(1 / unit)
  const text = String(half).padStart(20, '0')
  const whole = text.slice(0, -19)
  return `${whole}.${text.slice(-19).slice(0, Math.max(1, digits - whole.length))}`
}

function nasty(draw: () => number): string {
  const weight = nastyWeight(draw)
  return draw() < 0.5
    ? String(weight)
    : weight > 0.01 && weight < 1e18
      ? weight.toFixed(3 + Math.floor(draw() * 18))
      : weight.toExponential()
}

describe('plain lines parsed in pieces make the dataset that the general way makes', () => {
  it.each([
    ['dense ids', denseIds],
    ['ids with gaps', gappyIds],
    ['ids of nine digits', longIds],
  ] as const)('%s, with and without weights', async (_name, id) => {
    await fc.assert(
      fc.asyncProperty(
        fc.boolean().chain((weighted) => lines(id, weighted ? weights : null)),
        fc.constantFrom('', '\uFEFF', '# SNAP\n# nodes\n', '\n\n'),
        fc.boolean(),
        fc.constantFrom(undefined, 'max', 'min', 'sum', 'sum'),
        fc.constantFrom(0, 1, 2, 7, 90),
        fc.constantFrom(1, 3),
        fc.constantFrom(1, 1, 2, 5),
        fc.constantFrom(true, true, false),
        async (list, head, wholeEnd, merge, members, threads, files, roundWeights) => {
          const each = Math.ceil(list.length / files)
          const paths = Array.from({ length: files }, (_, i) => {
            const text = (i === 0 ? head : '') + list.slice(i * each, (i + 1) * each).join('')
            // Some of several files are compressed.
            return work.file(`a-${i}.txt`, packed(wholeEnd ? text : text.trimEnd(), i % 2 === 0 ? members : 0))
          })
          const [source, ...sources] = paths as [string, ...string[]]
          const options = { format: 'edge-list', threads, merge, sources, roundWeights } as const
          const found = await byLines(source, options)
          // Other lines are drawn again: a run has as many cases as it says.
          fc.pre(found !== null)
          expect(content(found)).toEqual(content(await general(source, options)))
          expectCanonical(found.folder)
        },
      ),
      { numRuns: 6 },
    )
  })

  it.each([
    { delimiter: ',', weighted: false, end: '\n' },
    { delimiter: ',', weighted: true, end: '\r\n' },
    { delimiter: ';', weighted: true, end: '\n' },
    { delimiter: '\t', weighted: false, end: '\r\n' },
  ])('columns behind the weight, in quotes or not, are passed over: $delimiter, $weighted', async (of) => {
    const random = randomStream(3)
    const below = (limit: number): number => Math.floor(random() * limit)
    const quoted = ['"a b"', `"a${of.delimiter} b"`, '"say ""no"""', '5"6']
    const cells = ['', 'kin', 'Köln', 'x'.repeat(15), ' padded ', 'y'.repeat(40), ...quoted]
    const names = ['source', 'target', ...(of.weighted ? ['weight'] : []), 'kind', 'note']
    const rows = Array.from({ length: 600 }, (_, i) => {
      const weight = of.weighted ? [String(1 + below(9))] : []
      // Few lines have quotes: most are plain.
      const rest = [0, 1].map(() => cells[below(i % 9 === 0 ? cells.length : 6)]!)
      return [below(80), below(80), ...weight, ...rest].join(of.delimiter)
    })
    const source = work.file('rest.csv', `${[names.join(of.delimiter), ...rows].join(of.end)}${of.end}`)
    for (const threads of [1, 2]) {
      const found = await byLines(source, { threads })
      expect(found).not.toBeNull()
      expect(found!.facts.report.entries).toBe(rows.length)
      expect(content(found!)).toEqual(content(await general(source, { threads })))
    }
  })

  it.each([
    ['of the same form', ['0 1\n1 2\n', `# late\n${'2 3\n3 5\n'.repeat(40)}\n3 4`, '4 5\n'], true],
    ['under one line of names', ['from to\n0 1\n', 'from to\n2 3\n'], true],
    ['of two forms', ['0 1\n1 2\n', '2,3\n3,4\n'], false],
    ['of which one is weighted', ['0 1\n1 2\n', '2 3 4\n3 4 5\n'], false],
  ])('several files %s', async (_what, texts, goesByLines) => {
    const [source, ...sources] = texts.map((text, i) => work.file(`part-${i}.txt`, packed(text, i % 2))) as [
      string,
      ...string[],
    ]
    const found = await byLines(source, { sources, threads: 2 })
    expect(found !== null).toBe(goesByLines)
    if (found !== null) expect(content(found)).toEqual(content(await general(source, { sources })))
  })

  it.each([
    ['of 17 digits', (draw: () => number) => String(draw() + draw() * 2 ** -32)],
    ['of three digits behind millions', (draw: () => number) => (draw() * 5e6).toFixed(3)],
    [
      'of 19 digits, whole',
      (draw: () => number) => `${1e9 + Math.floor(draw() * 8e9)}${String(draw()).slice(2, 11).padEnd(9, '7')}`,
    ],
    ['near the middle of two floats of 64 bits', middle],
    [
      'of which few are other ones',
      (draw: () => number) => ['4294967.123', '0.1', '3', '16777217'][Math.floor(draw() * 4)]!,
    ],
    ['as all programs write them', nasty],
  ])('weights that 32-bit floats do not hold, %s, in memory as through the disk', async (_of, weight) => {
    const draw = randomStream(17)
    const below = (limit: number): number => Math.floor(draw() * limit)
    const rows = Array.from({ length: 1500 }, () => `${below(90)},${below(90)},${weight(draw)}`)
    // A row without a weight, a comment and an edge with blanks go to the reader of the file.
    rows.splice(700, 0, '7,8,', '# between', ` 8 , 9 , ${weight(draw)}`, '7,7,NA')
    const text = `${rows.join('\n')}\n`
    const table = { missingWeight: 'one' } as const
    for (const [kind, source] of [
      ['plain', work.file('exact.csv', text)],
      ['packed', work.file('exact.csv.gz', packed(text, 3))],
    ] as const) {
      const expected = content(await general(source, { table }))
      expect(expected.facts.report.balance?.weights).toMatchObject({ ones: 2, rounded: 0 })
      for (const [threads, merge] of kind === 'plain' ? ([[1], [3], [2, 'min']] as const) : ([[2]] as const)) {
        const found = await byLines(source, { threads, table, merge })
        expect(found).not.toBeNull()
        const same = merge === undefined ? expected : content(await general(source, { table, merge }))
        expect(content(found!)).toEqual(same)
        expectCanonical(found!.folder)
      }
    }
    const halves = [rows.slice(0, 800), rows.slice(800)].map((half, i) => work.file(`half-${i}.csv`, half.join('\n')))
    const [first, ...sources] = halves as [string, string]
    const found = await byLines(first, { sources, threads: 2, table })
    expect(content(found!)).toEqual(content(await general(first, { sources, table })))
  })

  it('a weight that floats do not hold in a line that no sample has', async () => {
    const rows = Array.from({ length: 110_000 }, (_, i) => `${i % 1024} ${(i * 7) % 1024} ${1 + (i % 8) / 4}`)
    const source = work.file('late.txt', `${rows.toSpliced(103_000, 0, '7 9 16777217').join('\n')}\n`)
    const found = await madeByLines({ source, folder: work.newFolder(), threads: 2 })
    expect(content(found!)).toEqual(content(await general(source, {})))
  })

  it('where there are more of them than memory holds, the general way is taken', async () => {
    const rows = Array.from({ length: 100_000 }, (_, i) => `${i % 1024} ${(i * 7) % 1024} ${i + 1 / 3}`)
    const source = work.file('many.txt', `${rows.join('\n')}\n`)
    for (const [memoryBytes, isMade] of [
      [1 << 24, false],
      [1 << 25, true],
    ] as const) {
      const folder = work.newFolder()
      const found = await madeByLines({ source, folder, threads: 1, memoryBytes })
      expect(found !== null).toBe(isMade)
    }
  })

  it('whatever the number of threads', async () => {
    const random = randomStream(7)
    const next = (most: number) => Math.floor(most * random())
    for (const weighted of [false, true]) {
      const list = Array.from({ length: 12_000 }, (_, i) => {
        const ends = `${next(5000)},${(next(5000) * next(9)) % 4000}`
        return i % 1000 === 999 ? '# between' : weighted ? `${ends},${1 + (i % 7) / 4}` : ends
      })
      const text = `${list.join('\n')}\n`
      const sources = { plain: work.file('b.csv', text), packed: work.file('c.csv', gzipSync(text)) }
      for (const [kind, counts] of [
        ['plain', [1, 2, 6]],
        ['packed', [3]],
      ] as const) {
        const source = sources[kind]
        const expected = content(await general(source, {}))
        for (const threads of counts) {
          const folder = work.newFolder()
          const small = { ...tuning, rangeBytes: 4001, bucketRecords: 2000 }
          const made = await madeByLines({ source, folder, threads }, small)
          expect(content(made!)).toEqual(expected)
        }
      }
    }
  })
})

it.each([
  ['by a thousand times', false, '1048576 7\n'],
  ['by one', true, '1024 7\n'],
  ['in a line that is not plain', false, ' 7   1048576  \n'],
  ['in a line that is not plain, with weights', true, ' 7   1048576  \n'],
])('an id that is larger than those of the sample, %s, is read the general way', async (_how, weighted, line) => {
  // The sample is 48 pieces of 16 KiB, at even steps: the line is in none.
  const pair = (i: number): string => `${i % 1024} ${(i * 7) % 1024}\n`
  const list = Array.from({ length: 110_000 }, (_, i) => pair(i))
  const options = { format: 'edge-list', threads: 2 } as const
  const text = list.toSpliced(103_000, 0, line).join('')
  const source = work.file('larger.txt', weighted ? text.replaceAll(/ *\n/g, ' 2.5\n') : text)
  const folder = work.newFolder()
  expect(await madeByLines({ source, folder, ...options })).toBe(null)
  const facts = await importGraph({ source, folder, ...options }, quietJob)
  expect(content({ facts, folder })).toEqual(content(await general(source, options)))
  expectCanonical(folder)
})

it('lists of 254 to 256 and of very many neighbours are as long as they are', async () => {
  const degrees = [1, 2, 254, 255, 256, 257, 70_000]
  const lines = degrees.flatMap((degree, u) => Array.from({ length: degree }, (_, i) => `${u} ${100 + i}\n`))
  // A loop alone is a list of none.
  const source = work.file('long.txt', [...lines, '50 50\n'].join(''))
  const found = await byLines(source, { format: 'edge-list', threads: 2 })
  expect(content(found!)).toEqual(content(await general(source, { format: 'edge-list' })))
})

describe('the general way is taken', () => {
  it.each([
    ['texts', 'a b\nb c\n'],
    ['a text late', `${'1 2\n'.repeat(500)}x 3\n`],
    ['a negative id', `${'1 2\n'.repeat(500)}-1 3\n`],
    ['ids of 32 bits', `${'1 2\n'.repeat(500)}4294967295 3\n`],
    ['ids of 64 bits', `${'1 2\n'.repeat(500)}9007199254740993 3\n`],
    ['another number of columns', `${'1 2\n'.repeat(500)}1 2 3 4\n`],
    ['ids far between', '1 2\n2147483647 5\n'],
    ['no edges', '# nothing\n'],
  ])('for %s', async (_name, text) => {
    const source = work.file('a.txt', text)
    expect(await byLines(source, { format: 'edge-list', threads: 1 })).toBe(null)
  })

  it('where the memory does not suffice', async () => {
    const source = work.file('a.txt', '1 2\n'.repeat(1000))
    expect(await byLines(source, { threads: 1, memoryBytes: 1 << 16 })).toBe(null)
  })

  it('for a vertex with more neighbours than the memory lets sort', async () => {
    const source = work.file('star.txt', Array.from({ length: 700_000 }, (_, i) => `0 ${i}\n`).join(''))
    const way = (memoryBytes: number) => madeByLines({ source, folder: work.newFolder(), threads: 1, memoryBytes })
    expect(await way(40 << 20)).toBe(null)
    expect(await way(80 << 20)).not.toBe(null)
  })

  it('where compressed data end too early', async () => {
    const packed = gzipSync(Array.from({ length: 60_000 }, (_, i) => `${i} ${(i * 7919) % 9000}\n`).join(''))
    const source = work.file('a.txt.gz', packed.subarray(0, 0.75 * packed.length))
    expect(await byLines(source, { threads: 1 })).toBe(null)
  })

  it('with the failure that it tells', async () => {
    const source = work.file('a.txt', `${'1 2\n'.repeat(500)}1 x.5 3 4\n`)
    const way = (lines: LinesTuning) =>
      importGraph({ source, folder: work.newFolder() }, quietJob, { lines }).catch((error: unknown) => String(error))
    expect(await way(tuning)).toBe(await way({ fromBytes: Infinity }))
  })
})

describe('attributes', () => {
  it('of edges and vertices are those of the general import, as are vertices that a table alone names', async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const random = randomStream(seed)
      const draw = (below: number): number => Math.floor(random() * below)
      const ids = 5 + draw(60)
      const rows = Array.from({ length: 20 + draw(200) }, () =>
        [draw(ids), draw(ids), `k${draw(5)}`, draw(99)].join(','),
      )
      const source = work.file(`a${seed}.csv`, `source,target,kind,size\n${rows.join('\n')}\n`)
      const people = Array.from({ length: 1 + draw(ids + 9) }, (_, i) => `${i},g${draw(3)},${draw(50) / 4}`)
      const nodes = work.file(`n${seed}.csv`, `id,group,age\n${people.join('\n')}\n`)
      const vertices = seed % 3 === 0 ? {} : { vertices: nodes }
      const attributes = seed % 3 === 1 ? {} : { table: { attributes: seed % 2 === 0 ? 'all' : 'size' } }
      const options = { ...vertices, ...attributes, threads: 1 + (seed % 2) }
      const [expected, found] = [await general(source, options), await byLines(source, options)]
      expect(expected.facts.report.attributes).toBeDefined()
      // Ids of the table may be past those of the edges by so much that the general import takes over.
      if (found !== null) expect(content(found)).toEqual(content(expected))
      taken += found === null ? 0 : 1
    }
    expect(taken).toBeGreaterThan(8)
  })

  it('with a fault are refused where the graph is made, which is not read again', async () => {
    const source = work.file('f.txt', '1 2\n2 3\n'.repeat(50))
    const vertices = work.file('f.csv', 'id,size\n7,1\n8,2\n')
    const made = madeByLines({ source, folder: work.newFolder(), vertices, threads: 1 }, tuning)
    await expect(made).rejects.toMatchObject({ code: 'input', where: vertices })
  })
})

let taken = 0
