import { gzipSync } from 'node:zlib'
import type { ImportArgs } from '../../workers/contract/jobs.ts'

/** A file as people have them, and what is to become of it. */
export interface MessyFile {
  readonly name: string
  /** For people. */
  readonly what: string
  readonly bytes: Uint8Array
  /** Edges once all that is asked was answered; null where it is no graph that is read. */
  readonly edges: readonly string[] | null
  /** Answers to questions, each a fix that the failure before offers: a button of the window. */
  readonly answers?: readonly (readonly [option: string, to: string | boolean])[]
  /** Chosen above the columns, where columns are asked for. */
  readonly columns?: NonNullable<ImportArgs['table']>
  /** Other columns that are kept, by name. */
  readonly attributes?: readonly string[]
  /** What is said of a file that is not read. */
  readonly said?: RegExp
}

const utf8 = (text: string): Uint8Array => Buffer.from(text)
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le')
const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1')
const file = (
  name: string,
  what: string,
  content: string | Uint8Array,
  edges: MessyFile['edges'],
  more: Partial<MessyFile> = {},
): MessyFile => ({ name, what, bytes: typeof content === 'string' ? utf8(content) : content, edges, ...more })

const rail = ['Bern Thun 31.5', 'Spiez Thun 10']
const railOf = (head: string): string => `${head}\nBern;Thun;31,5\nThun;Spiez;10\n`
const skip = ['badRows', 'skip'] as const
const one = ['missingWeight', 'one'] as const
const none = ['missingWeight', 'skip'] as const
const zip = (entry: string, more = ''): Uint8Array => {
  const name = Buffer.from(entry)
  const head = Buffer.from([
    0x50,
    0x4b,
    3,
    4,
    20,
    0,
    0,
    0,
    8,
    0,
    0,
    0,
    0,
    0,
    1,
    2,
    3,
    4,
    9,
    0,
    0,
    0,
    9,
    0,
    0,
    0,
    name.length,
    0,
    0,
    0,
  ])
  return Buffer.concat([head, name, Buffer.from(more), Buffer.from([1, 2, 3, 0, 255, 13, 7])])
}

export const messyFiles: readonly MessyFile[] = [
  // Quotes.
  file('quotes.csv', 'quotes around names with commas', 'source,target,weight\n"a, b",c,1\nc,"d, e",2\n', [
    'a, b c 1',
    'c d, e 2',
  ]),
  file('quotes-within.csv', 'doubled quotes within quotes', 'source,target\n"the ""x""",b\nb,c\n', [
    'b c',
    'b the "x"',
  ]),
  file('quotes-open.csv', 'a quote that does not end', 'source,target\na,b\n"c,d\nb,e\n', ['a b', 'b e'], {
    answers: [skip],
  }),
  file('quotes-numbers.csv', 'numbers in quotes are numbers', 'source,target\n"1","2"\n"2","10"\n', ['1 2', '2 10']),
  file(
    'quotes-decimal.csv',
    'decimal commas in quotes between commas',
    'Quelle,Ziel,Gewicht\nBern,Thun,"31,5"\nThun,Spiez,10\n',
    rail,
  ),
  // Encodings and ends of lines.
  file('mark.csv', 'UTF-8 with a byte order mark', `\ufeff${railOf('Quelle;Ziel;Gewicht')}`, rail),
  file('utf16.csv', 'UTF-16, as Excel saves Unicode text', utf16(`\ufeff${railOf('Quelle;Ziel;Gewicht')}`), rail),
  file('utf16-big.csv', 'UTF-16, the other way round', utf16(`\ufeff${railOf('Quelle;Ziel;Gewicht')}`).swap16(), rail),
  file('utf16-no-mark.csv', 'UTF-16 without a mark', utf16(railOf('Quelle;Ziel;Gewicht')), rail),
  file(
    'latin1.csv',
    'Latin-1 umlauts',
    latin1('Quelle,Ziel\nKöln,Bonn\nBonn,Würzburg\n'),
    ['Bonn Köln', 'Bonn Würzburg'],
    {
      answers: [['encoding', 'windows-1252']],
    },
  ),
  file('windows.csv', 'Windows-1252 with a euro sign', latin1('source,target\n\x80uro,b\nb,c\n'), ['b c', 'b €uro'], {
    answers: [['encoding', 'windows-1252']],
  }),
  file('returns.csv', 'carriage returns alone', railOf('Quelle;Ziel;Gewicht').replaceAll('\n', '\r'), rail),
  file('crlf.csv', 'carriage returns and newlines', railOf('Quelle;Ziel;Gewicht').replaceAll('\n', '\r\n'), rail),
  file('packed.csv.gz', 'gzip of UTF-16', gzipSync(utf16(`\ufeff${railOf('Quelle;Ziel;Gewicht')}`)), rail),
  // Decimal signs.
  file('comma.csv', 'decimal commas', railOf('von;nach;Gewicht'), rail),
  file('thousands.csv', 'points between thousands', 'von;nach;weight\na;b;1.234,50\nb;c;2.000,25\n', [
    'a b 1234.5',
    'b c 2000.25',
  ]),
  file('either.csv', '1,234 is either', 'von;nach;weight\na;b;1,234\nb;c;5\n', ['a b 1234', 'b c 5'], {
    answers: [['decimal', 'point']],
  }),
  file('mixed-signs.csv', 'points and commas in one column', 'von;nach;weight\na;b;0,5\nb;c;1.5\n', ['a b', 'b c'], {
    answers: [['ignoreWeights', true]],
  }),
  file('percent.csv', 'weights as percents', 'von;nach;weight\na;b;75%\nb;c;50%\n', ['a b', 'b c'], {
    answers: [['ignoreWeights', true]],
  }),
  // Headers.
  file('german.csv', 'a header in German', railOf('Quelle;Ziel;Gewicht'), rail),
  file('french.csv', 'a header in French', railOf('Départ;Arrivée;Poids'), rail),
  file('spanish.csv', 'a header in Spanish', railOf('Origen;Destino;Peso'), rail),
  file('english.csv', 'a header in English', railOf('From;To;Distance'), rail),
  file('polish.csv', 'a header in Polish, above numbers', 'wierzchołek;sąsiad;waga\n1;2;0,5\n2;3;1\n', [
    '1 2 0.5',
    '2 3 1',
  ]),
  file('japanese.csv', 'a header in Japanese, above numbers', '始点,終点,重み\n1,2,0.5\n2,3,1\n', ['1 2 0.5', '2 3 1']),
  file(
    'people.csv',
    'a header of unknown words above names',
    'Person,Freund\nAnna,Bob\nBob,Cy\n',
    ['Anna Bob', 'Bob Cy'],
    {
      answers: [['header', 'yes']],
    },
  ),
  file('no-header.csv', 'no header', '1,2,0.5\n2,3,1\n', ['1 2 0.5', '2 3 1']),
  file('no-header-names.csv', 'no header, and names', 'Anna,Bob\nBob,Cy\nAnna,Cy\n', ['Anna Bob', 'Anna Cy', 'Bob Cy']),
  file('comment-header.tsv', 'a header in a comment', '# source\ttarget\tweight\n1\t2\t0.5\n2\t3\t1\n', [
    '1 2 0.5',
    '2 3 1',
  ]),
  // Delimiters.
  file('blanks.txt', 'tabs and blanks mixed', '1\t2 0.5\n2  3\t1\n', ['1 2 0.5', '2 3 1']),
  file('aligned.txt', 'columns aligned with blanks', '  1    2   0.5\n 10    3  12.25\n', ['1 2 0.5', '3 10 12.25']),
  file('pipes.txt', 'vertical bars', '1|2|0.5\n2|3|1\n', ['1 2 0.5', '2 3 1'], { answers: [['delimiter', 'pipe']] }),
  file('trailing.csv', 'delimiters at the end of each line', 'source,target,weight,\n1,2,0.5,\n2,3,1,\n', [
    '1 2 0.5',
    '2 3 1',
  ]),
  file('wide.csv', 'columns behind the weight', 'source,target,weight,note\n1,2,0.5,near\n2,3,1,\n', [
    '1 2 0.5',
    '2 3 1',
  ]),
  file(
    'kept.csv',
    'columns behind the weight that are kept',
    'source,target,weight,note,"a, b"\n1,2,0.5,near,1\n2,3,1,,2\n',
    ['1 2 0.5', '2 3 1'],
    { attributes: ['note', 'a, b'] },
  ),
  file(
    'crossed.tsv',
    'ends and weights in another order, under names',
    'weight\tto\tnote\tfrom\n0,5\tThun\tx\tBern\n10\tBern\t\tSpiez\n',
    ['Bern Spiez 10', 'Bern Thun 0.5'],
  ),
  file('index.csv', 'row numbers in front, as pandas writes them', ',source,target,weight\n0,1,2,0.5\n1,2,3,1\n', [
    '1 2 0.5',
    '2 3 1',
  ]),
  file('unnamed.csv', 'columns whose names say nothing', 'a1,b7,c,d\nx,1,y,2\ny,2,z,3\n', ['x y', 'y z'], {
    columns: { sourceColumn: 'a1', targetColumn: 'c' },
  }),
  // Rows that are no edges.
  file(
    'missing.csv',
    'missing weights are 1',
    'source,target,weight\na,b,0.5\nb,c,\nc,d,2\n',
    ['a b 0.5', 'b c 1', 'c d 2'],
    { answers: [one] },
  ),
  file(
    'missing-skipped.csv',
    'missing weights are skipped',
    'source,target,weight\na,b,0.5\nb,c,\nc,d,2\n',
    ['a b 0.5', 'c d 2'],
    { answers: [none] },
  ),
  file('na.csv', 'weights that are NA', 'source,target,weight\na,b,0.5\nb,c,NA\n', ['a b 0.5', 'b c 1'], {
    answers: [one],
  }),
  file('first-missing.txt', 'the first edge has no weight', '1 2\n2 3 0.5\n', ['1 2 1', '2 3 0.5'], { answers: [one] }),
  file('holes.csv', 'rows without a second end', 'source,target,weight\na,b,1\nb,,2\nc,a,3\n', ['a b 1', 'a c 3'], {
    answers: [skip],
  }),
  file('negative.csv', 'negative weights', 'source,target,weight\na,b,-1\nb,c,2\n', ['a b 1', 'b c 2'], {
    answers: [['weightRule', 'absolute']],
  }),
  // Other formats.
  file(
    'links.json',
    'node-link JSON',
    '{"nodes":[{"id":"a"},{"id":"b"},{"id":"c"}],"links":[{"source":"a","target":"b","value":2}]}',
    ['a b 2'],
  ),
  file('records.json', 'JSON records', '[{"source":"a","target":"b"}]', null, { said: /JSON, but without the lists/ }),
  file('line.gml', 'GML in one line', 'graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]', ['1 2']),
  file('graph.dot', 'Graphviz', 'graph { a -- b; b -- c }', null, { said: /DOT \(Graphviz\)/ }),
  file('book.xlsx', 'an Excel workbook', zip('[Content_Types].xml'), null, { said: /an Excel workbook/ }),
  file('edges.zip', 'a zip archive', zip('edges.csv'), null, { said: /a zip archive/ }),
]
