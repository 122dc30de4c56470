import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { TextEncoding } from '../../../workers/contract/jobs.ts'
import { previewFiles } from '../../../workers/import/preview/preview-file.ts'
import { PLAIN_TEXT, textFormOf } from '../../../workers/import/reader/text-source.ts'
import { edgesOf, estimated, Workplace } from '../../support/ingest-cases.ts'

const work = new Workplace()
const text = 'Quelle;Ziel;Gewicht\nKöln;München;575,5\nBerlin;Köln;477\n'
const edges = ['Berlin Köln 477', 'Köln München 575.5']
const little = Buffer.from(text, 'utf16le')
const big = Buffer.from(little).swap16()
const encoded: Readonly<Record<string, Uint8Array>> = {
  'UTF-16 with a mark': Buffer.concat([Buffer.of(0xff, 0xfe), little]),
  'UTF-16 with a mark, the other way round': Buffer.concat([Buffer.of(0xfe, 0xff), big]),
  'UTF-16 without a mark': little,
  'UTF-16 without a mark, the other way round': big,
  'UTF-8 with a mark': Buffer.from(`\ufeff${text}`),
  'carriage returns alone': Buffer.from(text.replaceAll('\n', '\r')),
  'UTF-16 with carriage returns alone': Buffer.from(`\ufeff${text.replaceAll('\n', '\r')}`, 'utf16le'),
}

describe('text of any encoding is the same graph', () => {
  it.each(Object.entries(encoded))('%s', async (_, bytes) => {
    for (const [name, content] of [
      ['t.csv', bytes],
      ['t.csv.gz', gzipSync(bytes)],
    ] as const)
      for (const chunkBytes of [1 << 20, 7]) {
        const read = await work.imported(name, content, {}, { chunkBytes })
        expect(edgesOf(read)).toEqual(edges)
        expect(read.report.sourceBytes).toBe(content.length)
      }
    const preview = await previewFiles({ source: work.file('t.csv', bytes) })
    expect(preview.columns?.map(({ name }) => name)).toEqual(['Quelle', 'Ziel', 'Gewicht'])
    expect(preview.rows[0]).toEqual(['Köln', 'München', '575,5'])
    expect((await estimated(work.file('t.csv', bytes))).entries).toBeGreaterThan(1)
  })

  const chosen: readonly (readonly [TextEncoding, readonly number[]])[] = [
    ['windows-1252', [0x4b, 0xf6, 0x6c, 0x6e]],
    ['macintosh', [0x4b, 0x9a, 0x6c, 0x6e]],
    ['windows-1250', [0x4b, 0xf6, 0x6c, 0x6e]],
  ]
  it.each(chosen)('%s, once it is chosen; before, the file is refused with buttons', async (encoding, name) => {
    const bytes = Buffer.concat([Buffer.from('a,b\n'), Buffer.from(name), Buffer.from(',x\n')])
    const source = work.file('c.csv', bytes)
    const table = { header: 'no' } as const
    const failure = await work.refused(source, { table })
    expect(failure.what).toMatch(/is not UTF-8 text/)
    expect(failure.fixes?.[0]).toEqual({ action: 'set', option: 'encoding', to: 'windows-1252' })
    expect((await previewFiles({ source, table })).refusals[0]?.failure.what).toBe(failure.what)
    expect((await work.imported('c.csv', bytes, { table: { ...table, encoding } })).labels).toContain('Köln')
  })

  it('bytes that the chosen encoding does not have are refused, never replaced', async () => {
    const source = work.file('u.csv', Buffer.concat([encoded['UTF-16 with a mark']!, Buffer.of(0x00, 0xd8, 0x41)]))
    expect((await work.refused(source)).what).toMatch(/the text is not UTF-16/)
  })

  it('of XML is what its declaration says', async () => {
    const xml = `<?xml version="1.0" encoding="ISO-8859-1"?><graphml><graph edgedefault="undirected">
      <edge source="Köln" target="Bonn"/></graph></graphml>`
    const read = await work.imported('l.graphml', Buffer.from(xml, 'latin1'))
    expect(edgesOf(read)).toEqual(['Bonn Köln'])
    expect(edgesOf(await work.imported('l.graphml', Buffer.from(`\ufeff${xml}`, 'utf16le')))).toEqual(['Bonn Köln'])
  })

  const wholeTexts = {
    gml: 'graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]',
    'node-link': '{"nodes":[{"id":1},{"id":2}],"links":[{"source":1,"target":2}]}',
    lemon: '@nodes\nlabel\n1\n2\n@arcs\n-\n1 2\n',
    graphml: '<?xml version="1.0"?><graphml><graph><edge source="1" target="2"/></graph></graphml>',
  } as const
  it.each(Object.entries(wholeTexts))('of %s is UTF-16 to an import, a preview and a plan', async (format, content) => {
    const bytes = Buffer.from(`\ufeff${content}`, 'utf16le')
    const read = await work.imported('w.txt', bytes)
    expect([read.report.format, edgesOf(read)]).toEqual([format, ['1 2']])
    const source = work.file('w.txt', bytes)
    const { rows, warnings, ...preview } = await previewFiles({ source })
    expect(preview).toMatchObject({ format, compression: 'none', refusals: [] })
    expect([rows, warnings]).toEqual([
      [],
      ['The import puts the text in UTF-8 before it reads it, so no rows are shown.'],
    ])
    expect((await estimated(source)).format).toBe(format)
  })

  it('is no binary format for the zero bytes of UTF-16, whatever its name', async () => {
    const dimacs = Buffer.from('\ufeffp sp 2 1\na 1 2 5\n', 'utf16le')
    const read = await work.imported('roads.gr', dimacs)
    expect(read.report.format).toBe('dimacs9')
    expect(edgesOf(read)).toEqual(['1 2 5'])
  })

  it('is not sought in plain text, nor in binary files', () => {
    expect(textFormOf(Buffer.from('1 2\r\n2 3\r\n'))).toBe(PLAIN_TEXT)
    expect(textFormOf(Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 10]))).toBe(PLAIN_TEXT)
    expect(textFormOf(Buffer.from('\ufeffa b\n'))).toBe(PLAIN_TEXT)
  })
})
