import { expect, test } from 'vitest'
import { bytes, count, duration, figure, share, shareAtLeast } from '../../../electron/cli/text.ts'
import { float32 } from '../../../workers/contract/jobs.ts'

test.each([
  [0, '0 ms'],
  [0.4242, '0.42 ms'],
  [9.94, '9.9 ms'],
  [9.96, '10 ms'],
  [62.4, '62 ms'],
  [999.4, '999 ms'],
  [999.6, '1.0 s'],
  [1234, '1.2 s'],
  [59_949, '59.9 s'],
  [59_960, '1 min 0 s'],
  [200_000, '3 min 20 s'],
  [220_000, '3 min 40 s'],
  [7_500_000, '2 h 5 min'],
  [9_900_000, '2 h 45 min'],
])('%d ms is %s', (ms, text) => expect(duration(ms)).toBe(text))

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '0.977 KiB'],
  [1024, '1 KiB'],
  [11.2 * 2 ** 20, '11.2 MiB'],
  [139 * 2 ** 30, '139 GiB'],
  [2 ** 60, '1020 PiB'],
])('%d bytes are %s', (value, text) => expect(bytes(value)).toBe(text))

test('counts are grouped, shares have three digits', () => {
  expect(count(138_398)).toBe('138,398')
  expect(share(2 / 3)).toBe('66.7 %')
  expect(share(1)).toBe('100 %')
})

test('figures have three digits unless they are whole, weights those of a 32-bit float', () => {
  expect([4468, 27.925, 91.828, 0.101_23, 0.000_123_4, 1234.5].map(figure)).toEqual([
    '4,468',
    '27.9',
    '91.8',
    '0.101',
    '0.000123',
    '1,235',
  ])
  expect([0.001, 9.999_99, 1 / 3, 2 ** 24 + 2, 1e-40].map((value) => float32(Math.fround(value)))).toEqual([
    '0.001',
    '9.99999',
    '0.33333334',
    '16777218',
    '1e-40',
  ])
})

test('a proved share is never rounded up', () => {
  expect(shareAtLeast(0.99999)).toBe('99.9 %')
  expect(shareAtLeast(0.9409)).toBe('94.0 %')
  expect(shareAtLeast(0.941)).toBe('94.1 %')
  expect(shareAtLeast(1)).toBe('100.0 %')
})
