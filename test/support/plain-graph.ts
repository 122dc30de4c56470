/**
 * A reader of its own for files of a few simple formats, beside which a fuzz looks at imports: the whole file at once,
 * strictly, with no code of the program. What it does not understand fully it does not judge: then it says nothing.
 */

type Id = number | string
type Ends = readonly (readonly [Id, Id])[]
interface Found {
  readonly vertices: number
  readonly ends: Ends
}

/** How many vertices and edges (without loops, pairs once) a file has; null where this reader does not know. */
export function plainGraph(bytes: Uint8Array, format: string): { vertices: number; edges: number } | null {
  const read = readers[format]
  if (read === undefined) return null
  try {
    const { vertices, ends } = read(
      format === 'galois' ? '' : new TextDecoder('utf-8', { fatal: true }).decode(bytes),
      bytes,
    )
    const pairs = ends.filter(([a, b]) => a !== b).map(([a, b]) => JSON.stringify(a < b ? [a, b] : [b, a]))
    return { vertices, edges: new Set(pairs).size }
  } catch {
    return null
  }
}

const fail = (): never => {
  throw new Error('not understood')
}
const whole = (word: string): number => (/^\d{1,9}$/.test(word) ? Number(word) : fail())
const fromOne = (word: string, most: number): number => (whole(word) >= 1 && whole(word) <= most ? whole(word) : fail())
const wordsOf = (line: string): string[] => line.trim().split(/[ \t]+/)
const linesOf = (text: string, comment: RegExp): string[] =>
  text.split(/\r?\n/).filter((line) => line.trim() !== '' && !comment.test(line))

/** All ids are whole numbers, or all are texts. */
function named(nodes: readonly Id[], ends: Ends): Found {
  const ids = [...nodes, ...ends.flat()]
  const areNumbers = ids.every((id) => typeof id === 'number' && Number.isSafeInteger(id) && id >= 0)
  const areTexts = ids.every((id) => typeof id === 'string' && id !== '' && id.isWellFormed() && !/\p{Cc}/u.test(id))
  return ends.length > 0 && (areNumbers || areTexts) ? { vertices: new Set(ids).size, ends } : fail()
}

const readers: Readonly<Record<string, (text: string, bytes: Uint8Array) => Found>> = {
  'node-link': (text) => {
    const { nodes, links, ...rest } = JSON.parse(text.replace(/^\ufeff/, '')) as Record<string, Record<string, Id>[]>
    const isPlain = Array.isArray(nodes) && Array.isArray(links) && nodes.length > 0 && Object.keys(rest).length === 0
    if (
      !isPlain ||
      (text.match(/"(?:nodes|links|id|source|target)"/g) ?? []).length !== 2 + nodes.length + 2 * links.length
    )
      return fail()
    const ends = links.map(({ source, target }) => [source ?? fail(), target ?? fail()] as const)
    return named(
      nodes.map(({ id }) => id ?? fail()),
      ends,
    )
  },
  'matrix-market': (text) => {
    const [banner = '', ...rest] = text.split('\n')
    const [, field = ''] = /^%%MatrixMarket matrix coordinate (\w+) (?:general|symmetric)$/.exec(banner.trim()) ?? []
    const [size = '', ...entries] = linesOf(rest.join('\n'), /^%/)
    const [rows = 0, columns, count, ...more] = wordsOf(size).map(whole)
    const width = { pattern: 2, real: 3, integer: 3 }[field] ?? fail()
    if (rows !== columns || more.length > 0 || entries.length !== count) return fail()
    const ends = entries.map((line) => {
      const [a = '', b = '', value = '1', ...others] = wordsOf(line)
      if (others.length > 0 || wordsOf(line).length !== width || !(Number(value) > 0)) fail()
      return [fromOne(a, rows), fromOne(b, rows)] as const
    })
    return { vertices: rows, ends }
  },
  metis: (text) => {
    const lines = text.split(/\r?\n/).filter((line) => !line.startsWith('%'))
    const [n = 0, m = 0, ...more] = wordsOf(lines[0] ?? '').map(whole)
    const lists = lines.slice(1)
    while (lists.length > n && lists.at(-1)?.trim() === '') lists.pop()
    const ends = lists.flatMap((line, v) =>
      (line.trim() === '' ? [] : wordsOf(line)).map((word) => [v + 1, fromOne(word, n)] as const),
    )
    return more.length === 0 && lists.length === n && ends.length === 2 * m ? { vertices: n, ends } : fail()
  },
  dimacs: (text) => {
    const [problem = '', ...edges] = linesOf(text, /^c/)
    const n = whole(/^p (?:edge|col) (\d+) \d+$/.exec(problem.trim())?.[1] ?? '')
    const ends = edges.map((line) => {
      const [, a = '', b = ''] = /^e (\d+) (\d+)$/.exec(line.trim()) ?? []
      return [fromOne(a, n), fromOne(b, n)] as const
    })
    return { vertices: n, ends }
  },
  gml: (text) => {
    const list = String.raw`(node|edge) \[ ((?:(?:id|source|target) \d{1,9} )+)\]`
    if (!new RegExp(`^graph \\[\\s+(?:${list}\\s+)+\\]\\s*$`).test(text)) return fail()
    const lists = [...text.matchAll(new RegExp(list, 'g'))]
    const numbersOf = (fields: string, keys: string): number[] => {
      const found = new RegExp(`^${keys} $`.replaceAll('#', '(\\d+)')).exec(fields) ?? fail()
      return found.slice(1).map(Number)
    }
    const of = (kind: string, keys: string): number[][] =>
      lists.filter((each) => each[1] === kind).map((each) => numbersOf(each[2] ?? '', keys))
    return named(of('node', 'id #').flat(), of('edge', 'source # target #') as unknown as Ends)
  },
  galois: (_, bytes) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const word = (at: number): number => Number(view.getBigUint64(at, true))
    const [n, m] = [word(16), word(24)]
    const targets = 32 + 8 * n
    if (word(0) !== 1 || word(8) !== 0 || bytes.length !== targets + 4 * m + (m % 2) * 4) return fail()
    const ends: [number, number][] = []
    for (let v = 0; v < n; v++)
      for (const end = word(32 + 8 * v); ends.length < end;)
        ends.push([v, view.getUint32(targets + 4 * ends.length, true)])
    return ends.length === m && ends.every(([, b]) => b < n) ? { vertices: n, ends } : fail()
  },
}

/** A random graph of `n` vertices in every format that {@link plainGraph} reads. */
export function plainFiles(n: number, random: (below: number) => number): ReadonlyMap<string, Buffer> {
  const drawn = Array.from({ length: 2 * n }, () => [random(n), random(n)] as const).filter(([a, b]) => a !== b)
  const keys = new Set(drawn.map(([a, b]) => Math.min(a, b) * n + Math.max(a, b)))
  const edges = [...keys].map((key) => [Math.floor(key / n), key % n] as const)
  const vertices = Array.from({ length: n }, (_, v) => v)
  const listOf = (v: number): number[] =>
    edges.flatMap(([a, b]) => (a === v ? [b] : b === v ? [a] : [])).sort((a, b) => a - b)
  const lists = vertices.map(listOf)
  const words = [
    1n,
    0n,
    BigInt(n),
    BigInt(2 * edges.length),
    ...lists.map((_, v) => BigInt(lists.slice(0, v + 1).flat().length)),
  ]
  const lines = (first: string, rest: readonly string[]): string => [first, ...rest, ''].join('\n')
  const texts = {
    'g.json': JSON.stringify({
      nodes: vertices.map((id) => ({ id })),
      links: edges.map(([source, target]) => ({ source, target })),
    }),
    'g.mtx': lines('%%MatrixMarket matrix coordinate pattern symmetric', [
      `${n} ${n} ${edges.length}`,
      ...edges.map(([a, b]) => `${b + 1} ${a + 1}`),
    ]),
    'g.graph': lines(
      `${n} ${edges.length}`,
      lists.map((list) => list.map((v) => v + 1).join(' ')),
    ),
    'g.col': lines('c drawn', [`p edge ${n} ${edges.length}`, ...edges.map(([a, b]) => `e ${a + 1} ${b + 1}`)]),
    'g.gml': lines('graph [', [
      ...vertices.map((v) => `node [ id ${v} ]`),
      ...edges.map(([a, b]) => `edge [ source ${a} target ${b} ]`),
      ']',
    ]),
  }
  const galois = Buffer.concat([
    Buffer.from(BigUint64Array.from(words).buffer),
    Buffer.from(Uint32Array.from(lists.flat()).buffer),
  ])
  return new Map([...Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)] as const), ['g.gr', galois]])
}
