import { mount } from '@vue/test-utils'
import { expect, test, vi } from 'vitest'
import ImportBalance from '../../renderer/src/library/ImportBalance.vue'
import { balanceParts } from '../../renderer/src/library/balance.ts'
import { reportFacts } from '../../renderer/src/dataset/dataset-facts.ts'
import type { ImportBalance as Balance } from '../../workers/contract/balance.ts'
import { choose, openImport, preview } from './import-dialog.ts'
import { openPage } from './open-page.ts'
import { dataset } from './sample-library.ts'

/** Each count is another one, so that none can stand in another's place. */
const balance: Balance = {
  lines: {
    ...{ unit: 'lines', total: 1513, header: 1, comments: 2, blank: 3, vertices: 0, entries: 1500 },
    ...{ filtered: 4, refused: 3, dropped: 0 },
  },
  entries: { total: 1500, loops: 11, sameDirection: 9, bothDirections: 21, edges: 1459, differing: 17 },
  vertices: {
    ...{ source: '/data/people.csv', rows: 8, matched: 2, added: 1, repeated: 5, unknown: 0, refused: 0 },
    withoutRow: 10,
  },
  weights: { absolute: 3171, dropped: 0, shifted: 0, inverted: 0, ones: 6, tiny: 0, rounded: 0 },
}

const said = (one: Balance) =>
  balanceParts(one).map(({ heading, facts, note }) => [
    heading,
    ...facts.map(({ name, text }) => `${name} ${text}`),
    note,
  ])

test('a balance says each count by its name, the total first, and leaves out what is nowhere', () => {
  expect(said(balance)).toEqual([
    [
      ...['Lines', 'lines in all 1,513', 'names of columns, sizes 1', 'comments 2', 'blank 3', 'entries 1,500'],
      ...['left out by the condition 4', 'no edge 3', ''],
    ],
    [
      ...['Entries', 'entries in all 1,500', 'edges 1,459', 'loops, removed 11', 'merged, same direction 9'],
      ...['merged, both directions 21', '17 edges were given several times with different weights.'],
    ],
    [
      ...['Table of vertices, people.csv', 'rows in all 8', 'vertices with edges 2'],
      ...['vertices without an edge, added 1', 'of a vertex before, left out 5', '10 vertices have no row.'],
    ],
    ['Weights that are not as in the file', 'lost their minus sign 3,171', 'missing, became 1 6', ''],
  ])
})

test('the parts that are shown add up to the totals that are shown', () => {
  for (const { heading, facts } of balanceParts(balance).filter(({ heading: of }) => !of.startsWith('Weights'))) {
    const [total, ...parts] = facts.map(({ text }) => Number(text.replaceAll(',', '')))
    expect([heading, parts.reduce((sum, part) => sum + part, 0)]).toEqual([heading, total])
  }
})

test('without lines, a table or weights nothing is said of them; without changes that nothing changed', () => {
  expect(said({ ...balance, lines: null, vertices: null, weights: null }).map(([heading]) => heading)).toEqual([
    'Entries',
  ])
  const none = { absolute: 0, dropped: 0, shifted: 0, inverted: 0, ones: 0, tiny: 0, rounded: 0 }
  expect(said({ ...balance, weights: none }).at(-1)).toEqual([
    'Weights that are not as in the file',
    'All weights are as in the file.',
  ])
})

test('a balance stands in the preview before an import, and says of how many lines it is', async () => {
  const looked = { rows: 1513, complete: true }
  const answers = { 'datasets.preview': { ...preview, looked, balance } }
  await openImport(answers)
  await choose('/data/scores.tsv')
  const said = (): string => document.querySelector('.dialog')?.textContent ?? ''
  await vi.waitFor(() => expect(said()).toContain('What the import will make of it'))
  for (const figure of ['lost their minus sign3,171', 'merged, both directions21', 'vertices without an edge, added1'])
    expect(said()).toContain(figure)
  Object.assign(answers['datasets.preview'], { looked: { rows: 1000, complete: false } })
  await choose('/data/other.tsv')
  await vi.waitFor(() => expect(said()).toContain('What the import makes of the first 1,000 lines'))
})

test('the dataset says the same afterwards, and no count twice', async () => {
  const one = { ...dataset(1, 'cities'), report: { ...dataset(1, 'cities').report, balance } }
  const { page } = await openPage({ datasets: [one] }, '/dataset/cities', {
    'datasets.degrees': { vertices: 1, degrees: [] },
    'explore.facts': { facts: null },
  })
  await vi.waitFor(() => expect(page.text()).toContain('What the import made of it'))
  expect(page.findComponent(ImportBalance).text()).toBe(mount(ImportBalance, { props: { balance } }).text())
  expect(page.text()).toContain('lost their minus sign3,171')
  const names = reportFacts(one).map(({ name }) => name)
  for (const name of ['loops removed', 'duplicates merged', 'entries read']) expect(names).not.toContain(name)
  page.unmount()
})
