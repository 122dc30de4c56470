import { expect, test } from 'vitest'
import { SharedSpace } from '../../../workers/device/launch-threads.ts'

const PAGE_WORDS = 1 << 14

test('words of one memory do not overlap, begin as zeros, and are used again', () => {
  const space = new SharedSpace()
  const places = [1, 100, PAGE_WORDS, 3 * PAGE_WORDS + 1, 16].map((words) => space.allocate(words))
  for (const [i, { array }] of places.entries()) array.fill(i + 1)
  for (const [i, { array, at }] of places.entries()) {
    expect(array.every((word) => word === i + 1)).toBe(true)
    expect(at % 64).toBe(0)
  }
  const pages = space.memories[0]!.buffer.byteLength
  for (const place of [places[1]!, places[3]!, places[2]!]) space.release(place)
  const again = space.allocate(4 * PAGE_WORDS)
  expect(again.array.every((word) => word === 0)).toBe(true)
  expect(space.memories).toHaveLength(1)
  expect(space.memories[0]!.buffer.byteLength).toBe(pages)
  expect(places[0]!.array[0]).toBe(1)
  expect(places[4]!.array[15]).toBe(5)
})

test('what does not fit behind a memory has another one', () => {
  const space = new SharedSpace()
  const first = space.allocate(1)
  const whole = space.allocate(2 ** 30)
  expect([first.memory, whole.memory]).toEqual([0, 1])
  expect(() => space.allocate(2 ** 30 + 1)).toThrow(RangeError)
})
