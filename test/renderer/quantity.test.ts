import { expect, test } from 'vitest'
import { atLeastPercent, byteSize, duration, percent, quantity } from '../../renderer/src/quantity.ts'

test.each([
  [quantity(0), '0'],
  [quantity(135_233), '135,233'],
  [quantity(67_108_864), '67.1 M'],
  [quantity(10_000_000_000), '10.0 G'],
  [byteSize(0), '0 B'],
  [byteSize(999), '999 B'],
  [byteSize(11_300_000), '11.3 MB'],
  [percent(0.3822), '38.2 %'],
  [atLeastPercent(0.9999), '99.9 %'],
  [atLeastPercent(1), '100.0 %'],
  [duration(3.25), '3.3 ms'],
  [duration(230.4), '230 ms'],
  [duration(1234), '1.2 s'],
  [duration(200_000), '3 min 20 s'],
])('%s', (shown, expected) => {
  expect(shown).toBe(expected)
})
