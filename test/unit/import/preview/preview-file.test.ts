import { readFileSync, truncateSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { quietJob } from '../../../../workers/base/job.ts'
import { importGraph } from '../../../../workers/import/import-graph.ts'
import { previewFiles } from '../../../../workers/import/preview/preview-file.ts'
import type { PreviewArgs } from '../../../../workers/contract/jobs.ts'
import { fixtures, type Golden } from '../../../support/fixtures.ts'
import { failureOf, Workplace } from '../../../support/ingest-cases.ts'

const work = new Workplace()

function previewed(source: string, { options = {} }: Partial<Golden> = {}) {
  const { format, table, ignoreWeights, weightRule } = options
  const args: PreviewArgs = { source, format, table, ignoreWeights, weightRule }
  return previewFiles(args)
}

/** An id as the import calls it: 1.0 and 1e+05 are whole numbers. */
const called = (id: string): string => (/^\d+\.?\d*(?:e\+?\d+)?$/i.test(id) && /\D/.test(id) ? `${Number(id)}` : id)

/**
 * Whether a row's two ends are an edge of the golden list; loops are read too, and removed later. Rows of a text have the right side
 * of a bipartite graph as it is written.
 */
function isEdge({ edges, sides }: Golden, [from = '', to = '']: readonly string[]): boolean {
  const [a, b] = [called(from), called(to)]
  const right = sides === undefined ? b : String(Number(b) + (sides as { readonly left: number }).left)
  const ends = [`${a} ${b}`, `${b} ${a}`, `${a} ${right}`]
  return a === b || edges.some((edge) => ends.some((each) => `${edge} `.startsWith(`${each} `)))
}

describe('the beginning of a file is shown as an import would read it', () => {
  it.each(fixtures.map((fixture) => [fixture.name, fixture] as const))('%s', async (_, { path, golden }) => {
    const preview = await previewed(path, golden)
    expect(preview.format).toBe(golden.format)
    expect(preview.compression).toBe('none')
    expect(preview.bytes).toBe(readFileSync(path).length)
    expect(preview.rows.length).toBeGreaterThan(0)
    expect(preview.rows.length).toBeLessThanOrEqual(20)
    if (preview.columns !== null) expect(new Set(preview.rows.map(({ length }) => length)).size).toBe(1)
    else for (const row of preview.rows) expect([row, isEdge(golden, row)]).toEqual([row, true])
    const { report } = await importGraph({ source: path, folder: work.newFolder(), ...golden.options }, quietJob)
    expect(preview.balance).toEqual(report.balance)
  })

  it.each(
    fixtures.filter(({ golden }) => golden.format !== 'webgraph').map((fixture) => [fixture.name, fixture] as const),
  )('%s, compressed', async (name, { path, golden }) => {
    const source = work.file(`${name.replace('/', '-')}.gz`, gzipSync(readFileSync(path)))
    const options = { ...golden.options, format: golden.options?.format ?? (golden.format as 'galois') }
    const preview = await previewed(source, { options })
    expect(preview).toMatchObject({ format: golden.format, compression: 'gzip' })
    expect(preview.rows.length + preview.warnings.length).toBeGreaterThan(0)
  })

  it('names the columns of a table, and numbers them where they have no names', async () => {
    const named = await previewed(work.file('a.csv', 'src,dst,km,note\n1,2,0.5,near\n2,3,7,"far, far"\n'))
    expect(named.columns?.map(({ name }) => name)).toEqual(['src', 'dst', 'km', 'note'])
    expect(named.rows).toEqual([
      ['1', '2', '0.5', 'near'],
      ['2', '3', '7', 'far, far'],
    ])
    const unnamed = await previewed(work.file('b.tsv', 'a\tb\tc\t1\n'.repeat(50)))
    expect(unnamed.columns?.map(({ name }) => name)).toEqual(['1', '2', '3', '4'])
    expect(unnamed.rows).toHaveLength(20)
    expect((await previewed(work.file('c.txt', '1 2\n2 3\n'))).columns).toBeNull()
  })

  it('tells what the import would refuse, and shows the rows beside it', async () => {
    const broken = await previewed(work.file('broken.txt', '1 2\n3\n4 5\n'))
    expect(broken.rows).toEqual([['1', '2'], ['3'], ['4', '5']])
    expect(broken.refusals).toMatchObject([
      {
        count: 1,
        failure: {
          where: expect.stringMatching(/broken\.txt:2$/) as string,
          what: '1 column where an edge needs two ids',
        },
      },
    ])
    const zero = await previewed(work.file('zero.txt', '1 2 0\n2 3 1\n'))
    expect(zero.refusals[0]?.failure.what).toMatch(/weight "0" is zero/)
    const lists = await previewed(work.file('lists.gr', 'p sp 3 3\na 1 2 0\na 2 3 5\na 1 3 -2\n'))
    expect(lists.rows).toEqual([
      ['1', '2', '0'],
      ['2', '3', '5'],
      ['1', '3', '-2'],
    ])
    expect(lists.refusals.map(({ count }) => count)).toEqual([1, 1])
  })

  it('reads only the beginning of a large file', async () => {
    const source = work.file('large.txt', '123456 654321\n'.repeat(100_000))
    // Zeros, of which a preview that went through them would tell, and not before the test is over.
    truncateSync(source, 2 ** 36)
    const preview = await previewed(source)
    expect(preview).toMatchObject({ format: 'edge-list', bytes: 2 ** 36, warnings: [], refusals: [] })
    expect(preview.rows).toHaveLength(20)
  })

  it('says what is wrong with a file that cannot be read', async () => {
    expect(await failureOf(previewed('/nowhere/graph.txt'))).toMatchObject({ code: 'input' })
    expect(await failureOf(previewed(work.file('empty.txt', '')))).toMatchObject({
      what: expect.stringMatching(/empty/) as string,
    })
    const noise = Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919) & 255))
    expect(await failureOf(previewed(work.file('noise.bin.gz', gzipSync(noise))))).toMatchObject({ code: 'input' })
  })
})
