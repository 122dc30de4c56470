import { flushPromises } from '@vue/test-utils'
import { afterEach, expect, vi } from 'vitest'
import type { Run } from '../../electron/contract/run.ts'
import type { Work } from '../../electron/contract/work.ts'
import { algorithmEntries } from '../../workers/contract/catalogue.ts'
import { openPage } from './open-page.ts'
import type { Opened } from './open-page.ts'
import { dataset, work } from './sample-library.ts'

export const samples = [
  { ms: 5, phase: 'read graph', done: 1, total: 2 },
  { ms: 10, phase: 'sweep', done: 0, total: 135_233, round: 1, decided: 0, arcs: 0 },
  { ms: 30, phase: 'sweep', done: 90_000, total: 135_233, round: 1, decided: 90_000, arcs: 4000 },
  { ms: 40, phase: 'sweep', done: 135_233, total: 135_233, round: 2, decided: 135_233, arcs: 6000 },
]

let opened: Opened | null = null
afterEach(() => {
  opened?.page.unmount()
  vi.unstubAllGlobals()
  localStorage.clear()
})

export async function openRun(one: Run, more: Readonly<Record<string, unknown>> = {}, tab = ''): Promise<Opened> {
  const link = `/run/${one.id}${tab === '' ? '' : `?tab=${tab}`}`
  opened = await openPage({ datasets: [dataset(1, 'cities')], runs: [one] }, link, {
    algorithms: { algorithms: algorithmEntries },
    'runs.progress': { samples },
    'runs.trace': { lanes: [] },
    ...more,
  })
  await vi.waitFor(() => expect(opened?.page.find('.run').exists()).toBe(true))
  await flushPromises()
  return opened
}

export const tellProgress = ({ tell }: Opened, { id }: Run, progress: Work['progress']): Promise<void> =>
  tell({ type: 'work-changed', work: { ...work(id, 'running', progress), kind: 'run', subject: id } })

/** A button by its words. */
export const buttonOf = ({ page }: Opened, text: string) => page.findAll('button').find((one) => one.text() === text)
