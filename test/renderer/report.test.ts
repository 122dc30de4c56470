import { createPinia, setActivePinia } from 'pinia'
import { expect, test } from 'vitest'
import type { Run, RunRecord } from '../../electron/contract/run.ts'
import { reportHtml } from '../../renderer/src/run/report.ts'
import { algorithmEntries } from '../../workers/contract/catalogue.ts'
import { dataset, run } from './sample-library.ts'

test('a report has graph, question, answer, proof, picture and command, and nothing of it is markup', () => {
  setActivePinia(createPinia())
  const one = run('20261121-1', 'done') as Run & { readonly record: RunRecord }
  const asked = { ...one.request, keepFile: '/home/ann/lists/kept.txt' }
  const named = { ...one, request: asked, name: '<b>best</b>', note: 'first line\nsecond & last' }
  const entry = algorithmEntries.find(({ name }) => name === one.algorithm)
  const html = reportHtml({ run: named, entry, dataset: dataset(1, 'cities'), picture: '<svg id="drawn"></svg>' })
  const page = new DOMParser().parseFromString(html, 'text/html')
  expect(page.querySelector('h1')?.textContent).toBe('cities: <b>best</b>')
  expect(page.querySelectorAll('b, script')).toHaveLength(0)
  expect(page.querySelector('.size')?.textContent).toBe('52,900 vertices in the set')
  expect([...page.querySelectorAll('h2')].map((heading) => heading.textContent)).toEqual([
    ...['What is proven', 'A part of the graph, with the result', 'The graph', 'The question'],
    ...['The same on the command line', 'The run', 'Note'],
  ])
  const cells = Object.fromEntries(
    [...page.querySelectorAll('tr')].map((row) => [row.children[0]!.textContent, row.children[1]!.textContent]),
  )
  expect(cells).toMatchObject({ vertices: '135,233', edges: '1,200,000', 'checksum of the graph': 'c0ffee' })
  expect(page.body.textContent).toContain('The other 82,333 vertices are a vertex cover')
  expect(page.querySelector('pre')?.textContent).toMatch(/^anticlique run cities --algorithm ecl-mis/)
  // A list is named, and no folder of the machine.
  expect(page.querySelector('pre')?.textContent).toContain('--keep kept.txt')
  expect(html).not.toContain('/home/ann')
  expect(page.querySelector('#drawn')).not.toBeNull()
  // Nothing is fetched: it is one file.
  expect(html).not.toMatch(/(?:src|href)=/)
})
