import { describe, expect, it } from 'vitest'
import { edgesOf, Workplace } from '../../../support/ingest-cases.ts'

const work = new Workplace()

describe('Pajek', () => {
  it('vertices without a line are vertices, and lines without a value count as 1, which is said', async () => {
    const read = await work.imported('g.net', '*Vertices 4\n2 "b"\n*Arcs\n1 2 2.5\n2 3\n')
    expect(edgesOf(read)).toEqual(['1 2 2.5', '2 3 1'])
    expect(read.report).toMatchObject({ format: 'pajek', vertices: 4, isolatedVertices: 1 })
    expect(read.report.warnings).toContain('1 line has no value and got 1')
  })

  it('a matrix of two modes has its columns behind its rows', async () => {
    const read = await work.imported('g.net', '*Vertices 5 2\n*Matrix\n1 0 1\n0 2 0\n')
    expect(edgesOf(read)).toEqual(['1 3 1', '1 5 1', '2 4 2'])
    expect(read.report.sides).toEqual({ left: 2, right: 3 })
  })

  it.each([
    ['*Vertices 3\n*Arcs\n1 4\n', 3, 'not one of 1 to 3'],
    ['*Vertices 3\n*Arcs\n1 x\n', 3, 'not one of 1 to 3'],
    ['*Vertices 3\n*Arcs\n1\n', 3, 'no pair of vertices'],
    ['*Vertices 2\n*Matrix\n0 1\n', 3, 'ends after 1 of 2 rows'],
    ['*Vertices 2\n*Matrix\n0 1 0\n', 3, 'the row has 3 values'],
    ['*Vertices 9999999999\n', 1, 'Vertices 9999999999'],
    ['*Vertices 2\n*Arcz\n1 2\n', 2, 'is not known'],
    ['*Vertices 2\n*Edges\n1 2\n*Vertices 2\n', 4, 'several networks'],
  ])('%j is refused at its line', async (text, line, what) => {
    const failure = await work.refused(work.file('g.net', text))
    expect(failure.where).toMatch(new RegExp(`g\\.net:${line}$`))
    expect(failure.what).toContain(what)
  })
})
