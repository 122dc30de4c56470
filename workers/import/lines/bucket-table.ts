import { bucketsFor, ID_LIMIT } from './buckets.ts'

/** Entries of a table that finds the bucket of an id. */
export const TABLE_ENTRIES = 1 << 14

/** Ranges of ids: bucket b holds those from bounds[b] to bounds[b + 1] - 1; the last one whatever is larger, too. */
export interface BucketTable {
  /** The bucket of an id is that of the entry id >> shift, at most the last. Shared memory. */
  readonly entries: Uint16Array
  readonly shift: number
  /** f64 [buckets + 1] */
  readonly bounds: Float64Array
  /** A power of two above all ids of the sample. */
  readonly idLimit: number
}

/**
 * Cuts the ids into ranges that hold about as many arcs each, as a sample of the ends of entries says. Bounds are multiples of 32, so that
 * no two ranges share a word of a bitmap.
 * @param records that there will be in all buckets, and `each` of them at most
 * @param expected ids below this may come where the sample is not of all of the file
 */
export function bucketTable(sample: Uint32Array, records: number, each?: number, expected = 1): BucketTable {
  const largest = sample.reduce((most, id) => Math.max(most, id), expected - 1)
  const bits = 32 - Math.clz32(largest)
  const shift = Math.max(5, bits - Math.log2(TABLE_ENTRIES))
  const used = (largest >>> shift) + 1
  const counts = new Uint32Array(used)
  for (const id of sample) counts[id >>> shift]!++
  const wanted = bucketsFor(records, each)
  // Where nothing was sampled, a range must not grow without end: its sources are counted one by one.
  const widest = Math.ceil((4 * used) / wanted)
  const entries = new Uint16Array(new SharedArrayBuffer(2 * TABLE_ENTRIES))
  const bounds = [0]
  let seen = 0
  for (let entry = 0; entry < used; entry++) {
    const first = bounds.at(-1)! / 2 ** shift
    const isFull = seen * wanted >= bounds.length * sample.length
    if (entry > first && (isFull || entry - first >= widest)) bounds.push(entry * 2 ** shift)
    entries[entry] = bounds.length - 1
    seen += counts[entry]!
  }
  entries.fill(bounds.length - 1, used)
  return { entries, shift, bounds: Float64Array.from([...bounds, ID_LIMIT]), idLimit: 2 ** bits }
}
