import fc from 'fast-check'
import { expect, it } from 'vitest'
import { quietJob } from '../../../../workers/base/job.ts'
import { importGraph } from '../../../../workers/import/import-graph.ts'
import type { LinesTuning } from '../../../../workers/import/reader/import-resources.ts'
import { expectCanonical, Workplace } from '../../../support/ingest-cases.ts'
import { content, importWays, packed, tuning } from '../../../support/lines-import.ts'

const work = new Workplace()
const { byLines, general } = importWays(work)

const SIZE = 80

interface Matrix {
  readonly field: string
  readonly symmetry: string
  readonly entries: readonly (readonly [row: number, column: number, value: string, end: string])[]
}

/** Values of either sign, and now and then a zero, a comment, or an empty line. */
const matrices: fc.Arbitrary<Matrix> = fc
  .tuple(fc.constantFrom('pattern', 'real', 'integer'), fc.constantFrom('general', 'symmetric', 'skew-symmetric'))
  .chain(([field, symmetry]) => {
    const id = fc.integer({ min: 1, max: SIZE })
    const value = fc.oneof(
      { weight: 20, arbitrary: fc.integer({ min: -40, max: 40 }).filter((v) => v !== 0) },
      { weight: field === 'pattern' ? 0 : 1, arbitrary: fc.constant(0) },
    )
    const end = fc.oneof(
      { weight: 30, arbitrary: fc.constant('\n') },
      { weight: 1, arbitrary: fc.constantFrom('\r\n', '\n% 1 2\n', '\n\n', '  \n') },
    )
    const entry = fc.tuple(id, id, value, end).map(([a, b, v, each]) => {
      const [row, column] = symmetry === 'general' ? [a, b] : [Math.max(a, b), Math.min(a, b)]
      return [row, column, String(v), each] as const
    })
    const kept = entry.filter(([row, column]) => symmetry !== 'skew-symmetric' || row !== column)
    return fc
      .array(kept, { minLength: 1, maxLength: 300, size: 'max' })
      .map((entries) => ({ field, symmetry, entries }))
  })

/** @param more entries than there are, in the header @param size that it tells */
function textOf({ field, symmetry, entries }: Matrix, more = 0, size = SIZE): string {
  const lines = entries.map(([row, column, value, end]) =>
    field === 'pattern' ? `${row} ${column}${end}` : `${row} ${column} ${value}${end}`,
  )
  const head = `%%MatrixMarket matrix coordinate ${field} ${symmetry}\n% a comment\n`
  return `${head}${size} ${size} ${entries.length + more}\n${lines.join('')}`
}

it('matrices parsed in pieces are what they are in one', async () => {
  await fc.assert(
    fc.asyncProperty(
      matrices,
      fc.boolean(),
      fc.constantFrom(0, 0, 1, 7),
      fc.constantFrom(1, 3),
      fc.constantFrom(undefined, 'max', 'min', 'sum'),
      fc.boolean(),
      async (matrix, wholeEnd, members, threads, merge, ignoreWeights) => {
        const text = textOf(matrix)
        const source = work.file('a.mtx', packed(wholeEnd ? text : text.trimEnd(), members))
        const options = { threads, merge, ignoreWeights } as const
        const found = await byLines(source, options)
        // Other lines are drawn again: a run has as many cases as it says.
        fc.pre(found !== null)
        expect(found.facts.vertices).toBe(SIZE)
        expect(content(found)).toEqual(content(await general(source, options)))
        expectCanonical(found.folder)
      },
    ),
    { numRuns: 16 },
  )
})

const plain: Matrix = {
  ...{ field: 'pattern', symmetry: 'general' },
  entries: Array.from({ length: 500 }, (_, i) => [1 + (i % 70), 1 + ((7 * i) % 60), '1', '\n'] as const),
}

it.each([
  ['an entry more', textOf(plain, -1)],
  ['an entry less', textOf(plain, 1)],
  ['an id past the last', `${textOf(plain, 1)}81 3\n`],
  ['an id of 0', `${textOf(plain, 1)}0 3\n`],
  ['an id past all', `${textOf(plain, 1)}123456789 3\n`],
  ['a size that no id comes near', textOf(plain, 0, 3_000_000)],
  ['columns of their own', textOf(plain).replace(`${SIZE} ${SIZE} `, `${SIZE} ${SIZE + 5} `)],
  [
    'complex values',
    textOf({ ...plain, field: 'real' })
      .replace('real', 'complex')
      .replaceAll(' 1\n', ' 1 2\n'),
  ],
])('a matrix of %s ends as it does in the general way', async (_what, text) => {
  const source = work.file('b.mtx', text)
  const way = async (lines: LinesTuning) => {
    const folder = work.newFolder()
    return importGraph({ source, folder, threads: 2 }, quietJob, { lines }).then(
      (facts) => content({ facts, folder }),
      (error: unknown) => String(error),
    )
  }
  expect(await way(tuning)).toEqual(await way({ fromBytes: Infinity }))
})
