import { expect, it } from 'vitest'
import type { ImportArgs } from '../../../../workers/contract/jobs.ts'
import { Workplace } from '../../../support/ingest-cases.ts'

const work = new Workplace()
const weightsOf = async (text: string, options: Partial<ImportArgs>, name = 'w.txt') => {
  const { arcs, report } = await work.imported(name, text, options)
  const once = arcs.filter((arc) => Number(arc.split(' ')[0]) < Number(arc.split(' ')[1]))
  expect(once.length).toBeGreaterThan(0)
  return { edges: once, report }
}

it('refuses bad weights with their number and the first line', async () => {
  const source = work.file('w.txt', '1 2 1\n2 3 -1\n3 4 0\n4 5 NaN\n5 6 2\n')
  expect(await work.refused(source)).toMatchObject({
    code: 'input',
    where: `${source}:2`,
    what: 'the weight "-1" is negative, and weights must be positive (the first of 3 weights that cannot be used)',
  })
})

it.each(['drop', 'absolute', 'shift'] as const)('NaN and infinity are refused under %s too', async (weightRule) => {
  const source = work.file('w.txt', '1 2 1\n2 3 nan\n3 4 -inf\n')
  const failure = await work.refused(source, { weightRule })
  expect(failure).toMatchObject({ code: 'input', where: `${source}:2` })
  expect(failure.what).toContain('the first of 2')
})

it('drop leaves entries out and counts them', async () => {
  const { edges, report } = await weightsOf('1 2 1\n2 3 -1\n3 4 0\n', { weightRule: 'drop' })
  expect(edges).toEqual(['1 2 1'])
  expect(report.weights).toMatchObject({ rule: 'drop', made: { dropped: 2 } })
})

it('shift moves all weights so that the smallest is 1, and says by how much', async () => {
  const { edges, report } = await weightsOf('1 2 1\n2 3 -3\n3 4 0\n', { weightRule: 'shift' })
  expect(edges).toEqual(['1 2 5', '2 3 1', '3 4 4'])
  expect(report.weights).toMatchObject({ map: { scale: 1, offset: 4 }, smallest: 1, largest: 5 })
})

it('shift leaves positive weights alone', async () => {
  const { edges, report } = await weightsOf('1 2 0.5\n2 3 2\n', { weightRule: 'shift' })
  expect(edges).toEqual(['1 2 0.5', '2 3 2'])
  expect(report.weights).not.toHaveProperty('map')
})

it('invert turns costs around, before duplicates are merged', async () => {
  const { edges, report } = await weightsOf('1 2 1\n2 3 4\n1 2 3\n', { invertWeights: true })
  expect(edges).toEqual(['1 2 4', '2 3 1'])
  expect(report.weights).toMatchObject({ map: { scale: -1, offset: 5 } })
  expect(report.duplicatesMerged).toBe(1)
})

it('shift and invert together', async () => {
  const { edges } = await weightsOf('1 2 -1\n2 3 4\n', { weightRule: 'shift', invertWeights: true })
  expect(edges).toEqual(['1 2 6', '2 3 1'])
})

it.each([
  ['max', '7'],
  ['min', '2'],
  ['sum', '11'],
  ['first', '2'],
] as const)('repeats merge by %s', async (merge, weight) => {
  const { edges, report } = await weightsOf('1 2 2\n1 2 7\n1 2 2\n3 4 1\n', { merge })
  expect(edges).toEqual([`1 2 ${weight}`, '3 4 1'])
  expect(report.weights).toMatchObject({ merge })
})

it.each([
  ['max', '7'],
  ['min', '2'],
  ['sum', '7'],
  ['first', '2'],
] as const)('the two directions are not added: %s', async (merge, weight) => {
  const { edges } = await weightsOf('2 1 7\n1 2 2\n', { merge })
  expect(edges).toEqual([`1 2 ${weight}`])
})

it('rules hold for DIMACS-9, whose weights may be negative', async () => {
  const text = 'p sp 3 2\na 1 2 -5\na 2 3 6\n'
  const source = work.file('n.gr', text)
  expect(await work.refused(source)).toMatchObject({ where: `${source}:2` })
  expect((await weightsOf(text, { weightRule: 'absolute' }, 'm.gr')).edges).toEqual(['1 2 5', '2 3 6'])
})
