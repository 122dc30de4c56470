import { Play } from '@lucide/vue'
import { mount } from '@vue/test-utils'
import { createPinia } from 'pinia'
import { effectScope, ref } from 'vue'
import { expect, test } from 'vitest'
import { useRowSelection } from '../../renderer/src/base/row-selection.ts'
import { command, offeredCommands, useCommands } from '../../renderer/src/frame/command.ts'
import { useDatasetFilter } from '../../renderer/src/library/dataset-columns.ts'
import { noSweep } from '../../renderer/src/new-run/sweep.ts'
import { planQuestions } from '../../renderer/src/new-run/plan-questions.ts'
import type { Plan } from '../../renderer/src/new-run/plan-questions.ts'
import RunPlanList from '../../renderer/src/new-run/RunPlanList.vue'
import { percentSoFar } from '../../renderer/src/quantity.ts'
import { words } from '../../renderer/src/words/words.ts'
import { algorithmEntry } from '../../workers/contract/catalogue.ts'
import { dataset } from './sample-library.ts'

test('what is not over is never said to be whole', () => {
  expect([0.5, 0.9989, 0.9996, 0.999999, 1].map(percentSoFar)).toEqual([0.5, 0.9989, 0.999, 0.999, 1].map(percentSoFar))
  expect(percentSoFar(0.999999)).not.toBe(percentSoFar(1))
})

test('Shift extends a choice from where it began, down and up', () => {
  const chosen = ref<ReadonlySet<string>>(new Set())
  const rows = useRowSelection({ count: () => 10, keyAt: String, scrollTo: () => {} }, chosen)
  const keys = { shiftKey: false, ctrlKey: false, metaKey: false }
  for (const [to, expected] of [
    [7, [5, 6, 7]],
    [3, [3, 4, 5]],
    [5, [5]],
  ] as const) {
    rows.click(keys, 5)
    rows.click({ ...keys, shiftKey: true }, to)
    expect([...chosen.value].map(Number)).toEqual(expected)
  }
})

test('a command that cannot be done now is not offered', () => {
  const scope = effectScope()
  const none = (): void => {}
  scope.run(() => {
    useCommands([command('a', 'A', Play, none), command('b', 'B', Play, none, { disabled: true })])
  })
  expect(offeredCommands().map(({ id }) => id)).toEqual(['a'])
  scope.stop()
  expect(offeredCommands()).toEqual([])
})

test('a tag leaves the datasets that have it, and words those that hold them all', () => {
  const all = [
    { ...dataset(1, 'cities'), tags: ['roads', 'old'] },
    { ...dataset(2, 'rivers'), tags: ['old'] },
  ]
  const filter = useDatasetFilter(() => all)
  const names = (): string[] => filter.found.value.map(({ name }) => name)
  expect(names()).toEqual(['cities', 'rivers'])
  filter.tag.value = 'roads'
  expect(names()).toEqual(['cities'])
  filter.tag.value = 'old'
  filter.text.value = 'riv'
  expect(names()).toEqual(['rivers'])
})

test('twelve datasets are planned, and no more at once', () => {
  const entry = algorithmEntry('luby')!
  for (const count of [1, 11, 12, 13]) {
    const datasets = Array.from({ length: count }, (_, i) => `d${i}`)
    const form = { datasets, algorithm: 'luby', devices: ['cpu:0'], options: {}, name: '', queuePriority: 0 }
    const asked = planQuestions({ ...form, retries: 0, repeats: 1, vary: '', ...noSweep }, entry)
    expect(asked.map(({ target }) => target)).toEqual(datasets.slice(0, 12))
  }
})

test('a plan says that it streams as soon as there are two batches that do not stay', () => {
  const verdict = (batches: number, holds: 'share' | 'nothing'): string => {
    const lanes = [{ device: 'cpu:0', shareBytes: 8, holds, deviceBytes: 8, availableBytes: null }]
    const bytes = { hostBytes: 1, deviceBytes: 1, scratchBytes: 0, diskBytes: 1, peakDiskBytes: 1 }
    const plan = { vertices: 1, arcs: 2, exact: true, basis: '', device: 'cpu:0', steps: [], passes: 1 }
    const whole = { ...plan, lanes, batches, needed: bytes, available: bytes, refusal: null } as Plan
    const plans = [{ dataset: 'd', device: 'cpu:0', auto: false, plan: whole, failure: null }]
    const list = mount(RunPlanList, { props: { plans, busy: false }, global: { plugins: [createPinia()] } })
    return list.find('.fits').text()
  }
  expect(verdict(1, 'nothing')).toBe(words.newRun.fits)
  expect(verdict(2, 'share')).toBe(words.newRun.fits)
  for (const batches of [2, 3]) expect(verdict(batches, 'nothing')).toBe(words.newRun.streams(batches))
})
