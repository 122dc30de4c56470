import { expect, test } from 'vitest'
import { readNumber, writeNumber } from '../../renderer/src/base/number-text.ts'
import { defaultSettings } from '../../electron/contract/settings.ts'
import { type RunForm, commandLine, defaultOptions, emptyForm, ordersOf } from '../../renderer/src/new-run/run-form.ts'
import { laneGroups } from '../../renderer/src/new-run/plan-questions.ts'
import type { AlgorithmEntry } from '../../renderer/src/stores/algorithms.ts'
import { algorithmEntries } from '../../workers/contract/catalogue.ts'

test('workers that share a memory are added up; each GPU has its own', () => {
  const lane = (device: string, deviceBytes: number) =>
    ({ device, shareBytes: 8, holds: 'share', deviceBytes, availableBytes: null }) as const
  const lanes = [lane('cpu:0', 3), lane('cpu:1', 4), lane('gpu:0', 5), lane('gpu:1', 6), lane('cpu:2', 5)]
  const [group, ...others] = laneGroups(lanes)
  expect(others).toEqual([])
  expect(group).toMatchObject({ devices: 5, shareBytes: 8 })
  expect(group!.rows.map(({ name, plannedBytes }) => [name, plannedBytes])).toEqual([
    ['cpu:0 … cpu:2', 12],
    ['gpu:0', 5],
    ['gpu:1', 6],
  ])
})

test('a size that a field shows reads back as itself', () => {
  const bounds = { kind: 'bytes', min: 0, max: 2 ** 50 } as const
  for (const size of [0, 1, 1023, 1024, 1025, 1536, 2 ** 20 + 1, 3 * 2 ** 20, 2 ** 30 - 1024, 5 * 2 ** 40 + 2 ** 20])
    expect(readNumber(writeNumber(size, 'bytes'), bounds)).toEqual({ value: size, problem: null })
  const written = [1536, 2 ** 20, 2 ** 31, 1_000_000, 1500].map((size) => writeNumber(size, 'bytes'))
  expect(written).toEqual(['1536', '1MiB', '2GiB', '1MB', '1500'])
})

test('a name with several quotes is one word for a shell', () => {
  const entry = { name: 'luby', options: [] } as unknown as AlgorithmEntry
  const form = { name: "it's Ann's", devices: [], datasets: [] } as unknown as RunForm
  const line = commandLine(form, entry, "a'b'c", {})
  const words = [...line.matchAll(/(?:'[^']*'|\\'|[^\s'])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|\\(')/g, (_, text?: string, quote?: string) => text ?? quote ?? ''),
  )
  expect(words.slice(0, 3)).toEqual(['anticlique', 'run', "a'b'c"])
  expect(words.slice(-2)).toEqual(['--name', "it's Ann's"])
})

test('a number that is typed and does not fit is no order, and not what was there before', () => {
  const [own] = algorithmEntries
  const options = defaultOptions(own, defaultSettings)
  const form = { ...emptyForm(defaultSettings), datasets: ['a'], options }
  expect(ordersOf(form, own, [own])).toHaveLength(1)
  for (const wrong of [{ repeats: NaN }, { retries: NaN }, { options: { ...options, seed: NaN } }])
    expect(ordersOf({ ...form, ...wrong }, own, [own])).toEqual([])
  expect(commandLine(form, own, 'a', { ...options, seed: NaN })).not.toContain('NaN')
})
