import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quietJob } from '../../../../workers/base/job.ts'
import { randomStream } from '../../../support/graphs.ts'
import { expectCanonical, Workplace } from '../../../support/ingest-cases.ts'
import { content, importWays, tuning, madeByLines } from '../../../support/lines-import.ts'

const work = new Workplace()
const { byLines, general } = importWays(work)
const metis = { format: 'metis' } as const

/** Lists of both ends of each edge, from 1. */
function listsOf(vertices: number, edges: readonly (readonly [number, number])[]): number[][] {
  const lists = Array.from({ length: vertices }, () => [] as number[])
  for (const [u, v] of edges) {
    lists[u - 1]!.push(v)
    if (u !== v) lists[v - 1]!.push(u)
  }
  return lists
}

const graphs = fc.integer({ min: 1, max: 40 }).chain((vertices) => {
  const vertex = fc.integer({ min: 1, max: vertices })
  return fc.record({ vertices: fc.constant(vertices), edges: fc.array(fc.tuple(vertex, vertex), { maxLength: 250 }) })
})

/** How a number, a list or a line may be written. */
const styles = fc.record({
  blank: fc.constantFrom(' ', ' ', '\t', '   ', ' \t '),
  begin: fc.constantFrom('', ' ', '\t'),
  end: fc.constantFrom('\n', '\n', ' \n', '\r\n', ' \r\n'),
  zeros: fc.constantFrom('', '', '0', '000000'),
  head: fc.constantFrom('', '% made by hand\n', '\uFEFF', '%\n%% 2\n'),
  tail: fc.constantFrom('', '', '\n', '\n \n\t\n', 'cut'),
})

describe('lists parsed in ranges make the dataset that the general way makes', () => {
  it('with loops, repeated edges and lists of none, however they are written', async () => {
    await fc.assert(
      fc.asyncProperty(graphs, styles, fc.constantFrom(1, 1, 3), async ({ vertices, edges }, style, threads) => {
        const lists = listsOf(vertices, edges)
        const loops = edges.filter(([u, v]) => u === v).length
        const lines = lists.map((list) => style.begin + list.map((v) => style.zeros + v).join(style.blank) + style.end)
        const text = `${style.head}${vertices} ${edges.length - loops}\n${lines.join('')}`
        const source = work.file('a.graph', style.tail === 'cut' ? text.trimEnd() : text + style.tail)
        const options = { ...metis, threads }
        const found = await byLines(source, options)
        // Other lines are drawn again: a run has as many cases as it says.
        fc.pre(found !== null)
        expect(content(found)).toEqual(content(await general(source, options)))
        expectCanonical(found.folder)
      }),
      { numRuns: 19 },
    )
  })

  it('as arcs of PACE 2022 and as METIS, by the number of neighbours below one header', async () => {
    const arcs = fc.integer({ min: 1, max: 30 }).chain((vertices) => {
      const vertex = fc.integer({ min: 1, max: vertices })
      return fc.tuple(fc.array(fc.uniqueArray(vertex), { minLength: vertices, maxLength: vertices }), fc.boolean())
    })
    await fc.assert(
      fc.asyncProperty(arcs, async ([lists, areBoth]) => {
        const ends = lists.flatMap((list, i) => list.map((v) => [Math.min(i + 1, v), Math.max(i + 1, v)] as const))
        const edges = [...new Map(ends.filter(([u, v]) => u < v).map((edge) => [edge.join(), edge])).values()]
        const written = areBoth ? listsOf(lists.length, edges) : lists
        const count = areBoth ? edges.length : ends.length
        const text = `${lists.length} ${count} 0\n${written.map((list) => `${list.join(' ')}\n`).join('')}`
        const { facts: read, ...made } = await general(work.file('e_001', text), metis)
        const all = `${lists.length} ${edges.length}\n`
        const plain = listsOf(lists.length, edges).map((list) => `${list.join(' ')}\n`)
        const { facts: expected } = await general(work.file('b.graph', all + plain.join('')), metis)
        expect(read.checksum).toBe(expected.checksum)
        expect(read.report.warnings.some((words) => words.includes('PACE'))).toBe(
          !areBoth && ends.some(([u, v]) => u < v),
        )
        expect(read.report.balance?.entries).toMatchObject({ total: areBoth ? 2 * count : count, edges: edges.length })
        const inMemory = await byLines(work.file('e_001', text), metis)
        if (inMemory !== null) expect(content(inMemory)).toEqual(content({ facts: read, ...made }))
      }),
      { numRuns: 15 },
    )
  })

  it('whatever the number of threads and the length of ranges, with lists that are longer', async () => {
    const random = randomStream(5)
    const next = (below: number): number => 1 + Math.floor(below * random())
    const edges = Array.from({ length: 9000 }, (_, i) => [i % 3 === 0 ? 7 : next(2000), next(2000)] as const)
    const lists = listsOf(2000, edges)
    const loops = edges.filter(([u, v]) => u === v).length
    const source = work.file(
      'b.graph',
      `2000 ${edges.length - loops}\n${lists.map((list) => list.join(' ')).join('\n')}`,
    )
    const expected = content(await general(source, metis))
    for (const [threads, rangeBytes] of [
      [1, 31],
      [2, 1009],
      [5, 1 << 18],
    ] as const) {
      const folder = work.newFolder()
      const lines = { ...tuning, rangeBytes }
      const made = await madeByLines({ source, folder, threads, ...metis }, lines)
      expect(content(made!)).toEqual(expected)
    }
  })
})

describe('the general way is taken', () => {
  const whole = '4 3\n2 3\n1\n1 4\n3\n'

  it('for none of the lines of a sound file', async () => {
    const source = work.file('c.graph', whole)
    expect(content((await byLines(source, metis))!)).toEqual(content(await general(source, metis)))
  })

  it.each([
    ['an edge in one list only', '4 3\n2 3\n1\n1 4\n3 2\n'],
    ['an edge twice in one list and once in the other', '4 3\n2 3 3\n1\n1 4\n3\n'],
    ['an edge in one list, and another in its place', '4 3\n2 4\n1\n1 4\n3\n'],
    ['more neighbours than promised', '4 2\n2 3\n1\n1 4\n3\n'],
    ['fewer lists than promised', '6 3\n2 3\n1\n1 4\n3\n'],
    ['more lists than promised', '3 3\n2 3\n1\n1 4\n3\n'],
    ['an id past the vertices', '4 3\n2 5\n1\n1 4\n3\n'],
    ['the id 0', '4 3\n2 0\n1\n1 4\n3\n'],
    ['a negative id', '4 3\n2 -3\n1\n1 4\n3\n'],
    ['a text', '4 3\n2 3\n1\n1 x\n3\n'],
    ['a fraction', '4 3\n2 3.5\n1\n1 4\n3\n'],
    ['an id of many digits', '4 3\n2 3\n1\n1 00000000004\n3\n'],
    ['a comment among the lists', '4 3\n2 3\n% here\n1\n1 4\n3\n'],
    ['weights of edges', '4 3 1\n2 1 3 1\n1 1\n1 1 4 1\n3 1\n'],
    ['weights of vertices', '4 3 10\n9 2 3\n9 1\n9 1 4\n9 3\n'],
    ['a header that is wrong', '4 x\n2 3\n1\n1 4\n3\n'],
    ['no lists', '0 0\n'],
    ['lists of none', '3 0\n\n\n\n'],
  ])('for %s', async (_what, text) => {
    const source = work.file('d.graph', text)
    expect(await byLines(source, metis)).toBe(null)
  })

  it('with the failure that it tells', async () => {
    const { importGraph } = await import('../../../../workers/import/import-graph.ts')
    for (const damage of ['x', '0', '9999999']) {
      const source = work.file('e.graph', `4000 4000\n${'2 3\n1\n1 4\n3\n'.repeat(600)}${damage}\n`)
      const told = (fromBytes: number): Promise<string> =>
        importGraph({ source, folder: work.newFolder(), ...metis }, quietJob, { lines: { ...tuning, fromBytes } }).then(
          () => 'no failure',
          (error: unknown) => String(error),
        )
      expect(await told(0)).toBe(await told(Infinity))
      expect(await told(0)).not.toBe('no failure')
    }
  })
})
