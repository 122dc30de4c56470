import { expect, test } from 'vitest'
import { joinedParts } from '../../../workers/exchange/exchange.ts'

const values = (parts: readonly Uint32Array[]): number[] => Array.from(joinedParts(parts))

test('what an operation gave by rank is one array, without a copy where it is one already', () => {
  const all = Uint32Array.of(1, 2, 3, 4)
  expect(joinedParts([all.subarray(0, 3), new Uint32Array(0), all.subarray(3)]).buffer).toBe(all.buffer)
  expect(joinedParts([all, new Uint32Array(0)]).buffer).toBe(all.buffer)
  expect(values([Uint32Array.of(1), Uint32Array.of(2, 3)])).toEqual([1, 2, 3])
  expect(values([])).toEqual([])
})

test('parts that take as much room together as the memory of the first one are not taken for it', () => {
  const room = Uint32Array.of(1, 2, 8, 9)
  expect(values([room.subarray(0, 2), Uint32Array.of(3, 4)])).toEqual([1, 2, 3, 4])
  expect(values([room.subarray(2), room.subarray(0, 2)])).toEqual([8, 9, 1, 2])
})
