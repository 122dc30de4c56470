import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { previewFiles } from '../../../../workers/import/preview/preview-file.ts'
import { Workplace } from '../../../support/ingest-cases.ts'
import { importWays } from '../../../support/lines-import.ts'

const work = new Workplace()
const { byLines } = importWays(work)

/** Cells of texts, some of which look like rows and like quotes. */
const note = fc.oneof(
  fc.constantFrom('plain', '', 'a "quoted" word', 'tab\there', "it's", '5" wide'),
  fc
    .array(fc.constantFrom('5,6', 'x', '"', '\n', '\r\n', ',', ' ', '# 7,8', '9,9,0', '""'), { maxLength: 8 })
    .map((parts) => parts.join('')),
)
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
const row = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 }), note)
const rows = fc.array(row, { minLength: 3, maxLength: 60 })

describe('rows that go over several lines', () => {
  it('are those of the same table with blanks for its line breaks, however it comes', async () => {
    let broken = 0
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.constantFrom('\n', '\r\n'),
        fc.constantFrom(3, 64, 1 << 20),
        async (table, end, chunk) => {
          const text = (of: (cell: string) => string): string =>
            ['source,target,note', ...table.map(([a, b, cell]) => `${a},${b},${quoted(of(cell))}`), ''].join(end)
          const flat = text((cell) => cell.replaceAll('\n', ' ').replaceAll('\r', ' '))
          const options = { table: { attributes: 'note' } }
          const one = await work.imported('flat.csv', flat, options)
          const content = text((cell) => cell)
          const other = await work.imported('broken.csv', content, options, { chunkBytes: chunk })
          const packed = await work.imported('broken.csv.gz', gzipSync(content))
          const lines = content.split('\n').length - 1
          expect(other.graphBytes).toEqual(one.graphBytes)
          expect(packed.graphBytes).toEqual(one.graphBytes)
          expect(other.report).toMatchObject({ lines, entries: table.length })
          expect(other.report.attributes).toEqual(one.report.attributes)
          expect(other.report.balance).toEqual(one.report.balance)
          const preview = await previewFiles({ source: `${work.path}/broken.csv`, table: { attributes: 'note' } })
          expect([preview.balance, preview.refusals]).toEqual([one.report.balance, []])
          const isBroken = content !== flat
          if (isBroken) broken++
          expect(other.report.warnings.some((said) => said.includes('several lines'))).toBe(isBroken)
          // Threads that parse plain lines see the quotes, and leave the file to the reader of rows.
          const threaded = await byLines(`${work.path}/broken.csv`, {})
          if (isBroken) expect(threaded).toBeNull()
          else expect(threaded?.facts.checksum ?? one.facts.checksum).toBe(one.facts.checksum)
        },
      ),
      { numRuns: 18 },
    )
    expect(broken).toBeGreaterThan(3)
  })

  it('far behind the beginning, beside quotes that never end, and with ids that have breaks', async () => {
    const plain = Array.from({ length: 40_000 }, (_, i) => `${i},${i + 1},"x, ""y"""\n`).join('')
    const late = await work.imported('late.csv', `source,target,note\n${plain}7,9,"one\n1,3\ntwo"\n`)
    expect(late.report).toMatchObject({ lines: 40_004, entries: 40_001 })
    expect(late.arcs).not.toContain('1 3')
    expect(late.arcs).toContain('7 9')
    const open = 'source,target,note\n1,2,"a\n3,4,b\n5,6,"c"\n'
    expect(await work.refused(work.file('open.csv', open))).toMatchObject({ where: `${work.path}/open.csv:2` })
    const skipped = await work.imported('skip.csv', open, { table: { badRows: 'skip' } })
    expect([skipped.arcs, skipped.report.skipped]).toEqual([['3 4', '4 3', '5 6', '6 5'], 1])
    const named = await work.imported('named.csv', '"a ""q""","b\nc"\n"b\nc",d\n')
    expect(named.labels).toEqual(['a "q"', 'b c', 'd'])
    const vertices = work.file('v.csv', 'id,text\na,"x\ny"\n"b\nc",z\n')
    const joined = await work.imported('named.csv', 'a;"b\nc"\n"b\nc";d\n', { vertices })
    expect(joined.report.balance?.vertices).toMatchObject({ rows: 2, matched: 2, refused: 0 })
  })
})
