import type { Pace } from '../threads/pace.ts'

const RUN = 1 << 14

/** Sorts by a total order, resting between runs and merges so that large tables of labels do not block a cancel. */
export async function mergeSort(
  items: Uint32Array<ArrayBuffer>,
  compare: (a: number, b: number) => number,
  pace: Pace,
): Promise<Uint32Array> {
  const progress = { phase: 'labels', done: 0, unit: 'vertices' as const }
  await pace.over(items.length, RUN, progress, (first, last) => items.subarray(first, last).sort(compare))
  let from = items
  let into = new Uint32Array(items.length)
  for (let width = RUN; width < items.length; width *= 2) {
    for (let start = 0; start < items.length; start += 2 * width) {
      let i = start
      let j = Math.min(items.length, start + width)
      const [middle, end] = [j, Math.min(items.length, start + 2 * width)]
      await pace.over(end - start, RUN, progress, (first, last) => {
        for (let k = start + first; k < start + last; k++)
          into[k] = j >= end || (i < middle && compare(from[i]!, from[j]!) <= 0) ? from[i++]! : from[j++]!
      })
    }
    ;[from, into] = [into, from]
  }
  return from
}
