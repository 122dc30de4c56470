import axe from 'axe-core'
import { flushPromises } from '@vue/test-utils'
import { afterEach, expect, test, vi } from 'vitest'
import { algorithmEntries } from '../../workers/contract/catalogue.ts'
import { openPage } from './open-page.ts'
import type { Opened } from './open-page.ts'
import { dataset, run } from './sample-library.ts'

/** Names that are too long for every place that they stand in. */
const long = `roads-${'of-a-very-large-country-'.repeat(3)}`
const datasets = [dataset(1, 'cities'), dataset(2, long)]
const runs = [run('20261121-a', 'done'), run('20261121-b', 'failed'), run('20261121-c', 'queued', long)]

let opened: Opened | null = null
afterEach(() => {
  opened?.page.unmount()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const pages = [
  ['/library', 'Library'],
  ['/dataset/cities', 'cities'],
  ['/new-run?dataset=cities', 'New run'],
  ['/runs', 'Runs'],
  ['/run/20261121-a', 'cities: ecl-mis'],
  ['/run/20261121-b', 'cities: ecl-mis'],
  ['/compare?run=20261121-a', 'Compare'],
  ['/devices', 'Devices'],
  ['/settings', 'Settings'],
] as const

// Contrast, sizes and what lies behind a dialog need a layout: the test in a real browser looks at those.
test.each(pages)('%s has names for everything and no serious violation', async (path, heading) => {
  opened = await openPage({ datasets, runs }, path, {
    algorithms: { algorithms: algorithmEntries },
    'datasets.remainders': { remainders: [] },
    'datasets.degrees': { vertices: 2, degrees: [{ degree: 1, vertices: 2 }] },
    'explore.facts': {
      facts: {
        components: { count: 2, single: 1, largest: [1, 1] },
        clustering: { sampled: 2, mean: 0.5 },
        weights: [{ from: 1, to: 2, edges: 1 }],
        top: [{ id: 0, label: '0', name: 'Berlin', degree: 1 }],
      },
    },
    'runs.progress': { samples: [{ ms: 1, phase: 'sweep', done: 1, total: 2 }] },
    'runs.trace': { lanes: [] },
  })
  await vi.waitFor(() => expect(opened?.page.find('h1').text()).toContain(heading))
  await flushPromises()
  const found = await axe.run(document.body, {
    resultTypes: ['violations'],
    rules: { 'color-contrast': { enabled: false }, 'target-size': { enabled: false } },
  })
  expect(found.passes.length).toBeGreaterThan(5)
  const serious = found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
})
