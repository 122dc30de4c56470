import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { writeGraphFile } from '../../../../workers/export/formats/write-graph-file.ts'
import { importGraph } from '../../../../workers/import/import-graph.ts'
import { quietJob } from '../../../../workers/base/job.ts'
import type { TableOptions } from '../../../../workers/contract/jobs.ts'
import { readDataset, Workplace } from '../../../support/ingest-cases.ts'

const work = new Workplace()

const text = 'id,from,to,score,note\n1,a,b,0.5,x\n2,b,c,0.9,\n3,c,d,1.5,"y,z"\n'
const numbers = '1;10;20;0.5\n2;20;30;0.9\n3;30;40;1.5\n'

describe('columns of an edge list', () => {
  it.each<[string, string, TableOptions, string[]]>([
    [
      'by name',
      text,
      { sourceColumn: 'to', targetColumn: 'from', weightColumn: 'score' },
      ['a b 0.5', 'b c 0.9', 'c d 1.5'],
    ],
    ['by number', text, { sourceColumn: '2', targetColumn: '3', header: 'yes' }, ['a b', 'b c', 'c d']],
    ['well-known names', text, { weightColumn: 'score' }, ['a b 0.5', 'b c 0.9', 'c d 1.5']],
    ['a threshold by name', text, { where: 'score >= 0.9', header: 'yes' }, ['b c', 'c d']],
    [
      'no header',
      numbers,
      { sourceColumn: '2', targetColumn: '3', weightColumn: '4' },
      ['10 20 0.5', '20 30 0.9', '30 40 1.5'],
    ],
    ['a threshold by number', numbers, { sourceColumn: '2', targetColumn: '3', where: '4<1' }, ['10 20', '20 30']],
    ['another comment', '#1 2\n;no\n#2 3\n', { comment: ';', delimiter: 'space' }, ['#1 2', '#2 3']],
    ['another delimiter', '1|2|0.5\n2|3|4\n', { delimiter: '|' }, ['1 2 0.5', '2 3 4']],
    ['header: no', 'u v\nv w\n', { header: 'no' }, ['u v', 'v w']],
    ['only rows chosen: the third column is the weight', '1 2 3\n2 3 4\n', { where: '3!=3' }, ['2 3 4']],
  ])('%s', async (_, content, table, edges) => {
    const { arcs, labels } = await work.imported('t.csv', content, { table, format: 'edge-list' })
    const rank = new Map(labels.map((label, v) => [label, v]))
    const once = arcs
      .filter((arc) => rank.get(arc.split(' ')[0]!)! < rank.get(arc.split(' ')[1]!)!)
      .map((arc) =>
        arc.replace(
          / (\S+)$/,
          (_match, word: string) => ` ${arc.split(' ').length === 3 ? Number(Number(word).toPrecision(6)) : word}`,
        ),
      )
    expect(once).toEqual(edges)
  })

  it('one name above both ends is no vertex', async () => {
    const failure = await work.refused(work.file('t.csv', 'node,node,weight\n1,2,0.5\n2,3,1\n'))
    expect(failure.what).toContain('nothing tells whether the first line (node, node, weight) names the columns')
  })

  it('counts the rows that a threshold leaves out', async () => {
    const { report } = await work.imported('t.csv', text, { table: { where: 'score<0.9', header: 'yes' } })
    expect(report).toMatchObject({ filtered: 2, entries: 1 })
  })

  it.each<[string, TableOptions, RegExp]>([
    ['a column that is not there', { sourceColumn: 'nobody' }, /there is no column "nobody"/],
    ['a number past the last', { sourceColumn: '9', header: 'yes' }, /there is no column "9"/],
    ['one column twice', { sourceColumn: 'to', targetColumn: 'to' }, /the same column/],
    ['a condition in words', { where: 'score is high' }, /cannot be read/],
    ['a threshold on texts', { where: 'note>1', header: 'yes' }, /is not a number/],
    ['a letter as delimiter', { delimiter: 'x' }, /is no delimiter/],
    ['a word that every object knows', { delimiter: 'constructor' }, /is no delimiter/],
  ])('refuses %s', async (_, table, what) => {
    const source = work.file('t.csv', text)
    const failure = await work.refused(source, { table })
    expect(failure.code).toBe('input')
    expect(failure.what).toMatch(what)
    // A column is of no line.
    if (/no column|same column/.test(failure.what)) expect(failure.where).toBe(source)
  })

  it('words in the chosen column of weights ask for another column, and name no line', async () => {
    const source = work.file('t.csv', 'from,to,kind\na,b,friend\nb,c,foe\n')
    const failure = await work.refused(source, { table: { weightColumn: 'kind' } })
    expect(failure).toMatchObject({ where: source, remedy: '', what: expect.stringContaining('"friend"') })
    expect(failure.fixes?.map((fix) => 'option' in fix && fix.option)).toEqual(['weightColumn', 'ignoreWeights'])
  })

  it('names between tabs are shown with blanks', async () => {
    const { report } = await work.imported('t.tsv', 'Source\tTarget\tWeight\na\tb\t1\n')
    expect(report.warnings).toContain('line 1 was taken for the names of the columns: "Source Target Weight"')
  })

  it('a BLAST row with a broken number names its line', async () => {
    const source = work.file('t.tsv', 'q\ts\tpident\na\tb\t90\nb\tc\toops\n')
    const failure = await work.refused(source, { table: { header: 'yes', where: 'pident>=1' } })
    expect(failure).toMatchObject({ where: `${source}:3`, what: expect.stringContaining('"oops"') })
  })
})

describe('ids with zeros in front', () => {
  it.each(['csv', 'edge-list'] as const)(
    'texts of digits are the same vertices after an export as %s',
    async (format) => {
      const [node, edge] = [(id: string) => `<node id="${id}"/>`, (ends: string) => `<edge ${ends}/>`]
      const body = `${['007', '7', '08', '10'].map(node).join('')}${edge('source="007" target="7"')}${edge('source="08" target="10"')}`
      const source = work.file('g.graphml', `<graphml><graph>${body}</graph></graphml>`)
      const [before, folder, output] = [work.newFolder(), work.newFolder(), join(work.path, 'written.csv')]
      const { checksum } = await importGraph({ source, folder: before }, quietJob)
      await writeGraphFile({ folder: before, checksum, format, output }, quietJob)
      await importGraph({ source: output, folder }, quietJob)
      const after = readDataset(folder)
      expect(after.labels).toEqual(['007', '08', '10', '7'])
      expect(after.graphBytes.equals(readDataset(before).graphBytes)).toBe(true)
    },
  )

  it('are numbers without quotes, and the report says so', async () => {
    const { labels, report } = await work.imported('t.csv', '007,7\n7,8\n0,9\n')
    expect(labels).toEqual(['0', '7', '8', '9'])
    expect(report).toMatchObject({ loopsRemoved: 1, warnings: [expect.stringMatching(/zeros in front.*007 as 7/)] })
    expect((await work.imported('u.csv', '0,7\n7,8\n')).report.warnings).toEqual([])
  })
})

describe('conditions on numbers as they are written', () => {
  const commas = 'a;b;w;s\n1;2;0,5;1.234\n2;3;1,5;2.000,5\n3;4;;0,5\n'
  it.each<[string, string, TableOptions, string[]]>([
    ['the weights', commas, { where: 'w > 1', missingWeight: 'one' }, ['2 3']],
    ['thousands', commas, { where: 's > 100', missingWeight: 'one' }, ['1 2', '2 3']],
    [
      'thousands, in a column of these alone',
      'a;b;w;s\n1;2;0,5;1.234\n2;3;1,5;2.000\n',
      { where: 's > 100', decimal: 'comma' },
      ['1 2', '2 3'],
    ],
    ['no weights', 'a;b;s\n1;2;0,5\n2;3;1,5\n', { where: 's < 1' }, ['1 2']],
    ['an empty cell', 'a,b,s\n1,2,0.5\n2,3,\n', { where: 's < 1 or s is empty', missingWeight: 'one' }, ['1 2', '2 3']],
    ['a point among weights with commas', 'a;b;w;s\n1;2;0,5;1.25\n2;3;1,5;0.125\n', { where: 's < 1' }, ['2 3']],
    ['thousands under a point', 'a,b,w\n1,2,"1,234.50"\n2,3,2\n', { where: 'w > 100' }, ['1 2']],
  ])('%s', async (_, content, table, edges) => {
    const { arcs } = await work.imported('t.csv', content, { table: { header: 'yes', missingWeight: 'one', ...table } })
    const once = arcs.map((arc) => arc.split(' ')).filter(([u, v]) => Number(u) < Number(v))
    expect(once.map(([u, v]) => `${u} ${v}`)).toEqual(edges)
  })

  it('what may be either is asked for', async () => {
    const source = work.file('t.csv', 'a;b;c;s\n1;2;x;1,234\n2;3;y;1,500\n')
    const table = { header: 'yes', sourceColumn: 'a', targetColumn: 'b', where: 's > 2' } as const
    const fixes = expect.arrayContaining([{ action: 'set', option: 'decimal', to: 'comma' }]) as unknown
    expect(await work.refused(source, { table })).toMatchObject({ where: `${source}:2`, fixes })
  })
})

describe('formats without columns', () => {
  it.each([
    'test/fixtures/matrix-market/rectangular.mtx',
    'test/fixtures/metis/manual-weights.graph',
    'test/fixtures/gapbs/plain.sg',
    'test/fixtures/graphml/networkx.graphml',
  ])('%s: rows and columns are not chosen in silence', async (source) => {
    const choices = [{ where: 'weight>=3' }, { sourceColumn: '2' }, { weightColumn: 'cost' }]
    for (const table of choices)
      await expect(importGraph({ source, folder: work.newFolder(), table }, quietJob)).rejects.toMatchObject({
        code: 'usage',
        what: expect.stringMatching(/has no columns to choose from/),
      })
    await expect(importGraph({ source, folder: work.newFolder(), table: {} }, quietJob)).resolves.toBeDefined()
  })
})

describe('several files as one graph', () => {
  const lines = Array.from({ length: 300 }, (_, i) => `${i * 7} ${(i * i) % 400} ${i + 1}\n`)

  it('gives the same bytes as one file, in whatever pieces', async () => {
    const whole = await work.imported('whole.txt', lines.join(''))
    const parts = [0, 100, 250].map((start, i, starts) => {
      const part = lines.slice(start, starts[i + 1]).join('')
      return i === 1 ? work.file(`p${i}.txt.gz`, gzipSync(part)) : work.file(`p${i}.txt`, part)
    })
    const folder = work.newFolder()
    await importGraph({ source: parts[0]!, sources: parts.slice(1), folder }, quietJob)
    const several = readDataset(folder)
    expect(several.graphBytes.equals(whole.graphBytes)).toBe(true)
    expect(several.labels).toEqual(whole.labels)
    expect(several.report).toMatchObject({ lines: 300, entries: 300 })
  })

  it('reads all of them as texts where one holds a text', async () => {
    const first = work.file('a.txt', '10 9\n')
    const second = work.file('b.txt', 'x 9\n')
    const folder = work.newFolder()
    await importGraph({ source: first, sources: [second], folder }, quietJob)
    expect(readDataset(folder).labels).toEqual(['10', '9', 'x'])
  })

  it('takes the first line of a later file for names only where the first file has such a line', async () => {
    const folder = work.newFolder()
    const sources = [work.file('b.txt', 'x y\n3 4\n')]
    await importGraph({ source: work.file('a.txt', '1 2\n'), sources, folder }, quietJob)
    expect(readDataset(folder)).toMatchObject({ labels: ['1', '2', '3', '4', 'x', 'y'], report: { entries: 3 } })
    const headed = work.newFolder()
    await importGraph(
      { source: work.file('c.csv', 'x,y\n1,2\n'), sources: [work.file('d.csv', 'x,y\n3,4\n')], folder: headed },
      quietJob,
    )
    expect(readDataset(headed)).toMatchObject({ labels: ['1', '2', '3', '4'], report: { entries: 2 } })
  })

  it.each([Infinity, 0])(
    'counts edges of files whose first lines count vertices, in memory from %s bytes on',
    async (fromBytes) => {
      const folder = work.newFolder()
      const [source, other] = [
        work.file('a.txt', '5 4\n1 2\n1 3\n2 4\n3 4\n'),
        work.file('b.txt', '6 3\n1 4\n2 5\n3 5\n'),
      ]
      await importGraph({ source, sources: [other], folder }, quietJob, { lines: { fromBytes } })
      expect(readDataset(folder)).toMatchObject({
        labels: ['1', '2', '3', '4', '5', '6'],
        report: { entries: 7, arcs: 14, loopsRemoved: 0, isolatedVertices: 1 },
      })
    },
  )

  it('names the line in the file at fault', async () => {
    const second = work.file('b.txt', '3 4\n5\n')
    const failure = await work.refused(work.file('a.txt', '1 2\n2 3\n'), { sources: [second] })
    expect(failure).toMatchObject({ code: 'input', where: `${second}:2` })
  })

  it('counts bad weights over all of them', async () => {
    const first = work.file('a.txt', '1 2 0\n')
    const failure = await work.refused(first, { sources: [work.file('b.txt', '3 4 -1\n')] })
    expect(failure).toMatchObject({ where: `${first}:1`, what: expect.stringContaining('the first of 2') })
  })

  it('refuses a mixture of weights and none, and formats that hold a whole graph', async () => {
    const plain = work.file('a.txt', '1 2\n')
    const weighted = work.file('b.txt', '1 2 3\n')
    expect((await work.refused(plain, { sources: [weighted] })).what).toMatch(/has weights/)
    const metis = work.file('c.graph', '2 1\n2\n1\n')
    expect((await work.refused(metis, { sources: [plain] })).what).toMatch(/a whole graph each/)
  })
})
