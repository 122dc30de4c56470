import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { previewFiles } from '../../../../workers/import/preview/preview-file.ts'
import { failureOf, Workplace } from '../../../support/ingest-cases.ts'

const work = new Workplace()
const key = '<key id="w" for="edge" attr.name="weight"><default>7</default></key>'
const graphml = (body: string) => `<graphml>${key}<graph edgedefault="undirected">${body}</graph></graphml>`
const edge = (source: string, target: string, inside = '') =>
  `<edge source="${source}" target="${target}">${inside}</edge>`
const weight = (text: string) => `<data key="w">${text}</data>`

describe('GraphML', () => {
  it('keeps an edge that holds a graph, and gives every edge its own weight', async () => {
    const inner = `<graph><node id="c">${weight('100')}</node>${edge('c', 'd', weight('2'))}${edge('d', 'e')}</graph>`
    const found = await work.imported('g.graphml', graphml(edge('a', 'b', `${inner}${weight('5')}`)))
    expect(found.arcs).toEqual(['a b 5', 'b a 5', 'c d 2', 'd c 2', 'd e 7', 'e d 7'])
    expect(found.report.warnings.join('|')).toMatch(
      /4 vertices are named by edges only.*1 edge has no weight.*2 graphs/,
    )
  })

  it('reads weights in CDATA and in pieces', async () => {
    const found = await work.imported(
      'g.graphml',
      graphml(edge('a', 'b', weight('<![CDATA[2]]>.<!-- . --><![CDATA[5]]>'))),
    )
    expect(found.arcs).toEqual(['a b 2.5', 'b a 2.5'])
  })

  it.each([
    ['a root with a wrong letter', 'g.graphml', '<graphmk/>', /the root element is <graphmk>/],
    ['no XML at all', 'g.graphml', 'a b\nb c\n', /not well-formed/],
    ['another root', 'g.xml', '<?xml version="1.0"?>\n<svg/>', /neither GraphML nor GEXF/],
    ['a root with a wrong letter under another name', 'g.txt', '<graphmk/>', /neither GraphML nor GEXF/],
    ['text without a tag', 'g.graphml', graphml(' '.repeat(17 << 20)), /no tag in 16 MiB/],
    ['elements without end', 'g.graphml', graphml('<a>'.repeat(5000)), /nested 1000 deep/],
  ])('refuses %s, plain and compressed', async (_, name, text, what) => {
    const source = work.file(name, text)
    const zipped = work.file(`${name}.gz`, gzipSync(text))
    // What is long is parsed slowly, and once is enough.
    for (const path of text.length > 1 << 20 ? [zipped] : [source, zipped])
      expect((await work.refused(path)).what).toMatch(what)
    if (text.length < 1000 && name !== 'g.graphml')
      expect((await failureOf(previewFiles({ source: zipped }))).what).toMatch(what)
  })
})
