import { expect, it } from 'vitest'
import { OccurringIds, rankOf } from '../../../../workers/import/reader/input-ids.ts'
import { randomStream } from '../../../support/graphs.ts'

/** Draws a share of the ids below a limit. */
function occurring(limit: number, share: number, seed: number) {
  const random = randomStream(seed)
  const ids = Array.from({ length: limit }, (_, id) => id).filter(() => random() < share)
  const pairs = new Int32Array(2 * Math.ceil(limit / 32))
  for (const id of ids) pairs[2 * (id >>> 5)]! |= 1 << (id & 31)
  return { ids, found: new OccurringIds(pairs) }
}

it.each([
  [32, 1],
  [33, 0],
  [5000, 0.001],
  [1000, 0.5],
  // Labels of more than one part, whose borders lie anywhere in a word.
  [300_000, 0.6],
])('of %i ids, a share of %f: their number, ends, ranks and labels', (limit, share) => {
  for (let seed = 0; seed < 3; seed++) {
    const { ids, found } = occurring(limit, share, seed)
    expect([found.count, found.first, found.last]).toEqual([ids.length, ids[0] ?? 0, ids.at(-1) ?? 0])
    const wrong = ids.findIndex((id, rank) => rankOf(found.pairs, id) !== rank)
    expect(wrong).toBe(-1)
    const labels = [...labelsOf(found)]
    expect(labels.length).toBe(ids.length)
    expect(labels.findIndex((label, i) => label !== ids[i])).toBe(-1)
  }
})

function* labelsOf(found: OccurringIds): Generator<number> {
  for (const part of found.labels()) for (const label of part) yield Number(label)
}
