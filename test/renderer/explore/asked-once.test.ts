import { afterEach, expect, it, vi } from 'vitest'
import { openPage } from '../open-page.ts'
import { dataset, run } from '../sample-library.ts'

afterEach(() => vi.unstubAllGlobals())

it('a whole graph is asked for once, whatever is said of runs that it does not show', async () => {
  const { asked, tell, page } = await openPage({ datasets: [dataset(1, 'cities')], runs: [] }, '/explore/cities')
  const overviews = () => asked.filter(({ name }) => name === 'explore.overview')
  await vi.waitFor(() => expect(overviews()).toHaveLength(1))
  for (const state of ['running', 'done'] as const) await tell({ type: 'run-changed', run: run('run-7', state) })
  await tell({ type: 'dataset-changed', dataset: dataset(2, 'other') })
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(overviews()).toHaveLength(1)
  page.unmount()
})
