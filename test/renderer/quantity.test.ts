import { expect, test } from 'vitest'
import { duration as durationOfCli } from '../../electron/cli/text.ts'
import { tickOfTime } from '../../renderer/src/charts/axes.ts'
import { atLeastPercent, byteSize, duration, percent, quantity } from '../../renderer/src/quantity.ts'

test.each([
  [quantity(0), '0'],
  [quantity(135_233), '135,233'],
  [quantity(67_108_864), '67.1 M'],
  [quantity(999_999_999), '1.00 G'],
  [quantity(10_000_000_000), '10.0 G'],
  [byteSize(0), '0 B'],
  [byteSize(999), '999 B'],
  [byteSize(11_300_000), '10.8 MiB'],
  [byteSize(999_999), '977 KiB'],
  [percent(0.3822), '38.2 %'],
  [atLeastPercent(0.9999), '99.9 %'],
  [atLeastPercent(1), '100.0 %'],
  [tickOfTime(1_200_000), '20 min'],
  [tickOfTime(9_000_000), '2.5 h'],
])('%s', (shown, expected) => {
  expect(shown).toBe(expected)
})

const [second, minute] = [1000, 60_000]

test.each([
  [0, '0 ms'],
  [3.25, '3.3 ms'],
  [9.97, '10 ms'],
  [230.4, '230 ms'],
  [999.6, '1.0 s'],
  [1 * second, '1.0 s'],
  [1234, '1.2 s'],
  [59.94 * second, '59.9 s'],
  [59.96 * second, '1 min 0 s'],
  [1 * minute, '1 min 0 s'],
  [200 * second, '3 min 20 s'],
  [239.6 * second, '4 min 0 s'],
  [59 * minute + 59.7 * second, '1 h 0 min'],
  [125 * minute, '2 h 5 min'],
])('%d ms are %s, on the page and on the command line', (ms, expected) => {
  expect(duration(ms)).toBe(expected)
  expect(durationOfCli(ms)).toBe(expected)
})
