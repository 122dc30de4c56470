import { bucketWords, bucketsOf, readBucket } from './bucket-tables.ts'
import { SlabWriter } from './slab-writer.ts'
import type { Member } from './team.ts'
import type { FillTask } from './view-task.ts'

/** Lists up to this long are sorted by insertion; calling the engine's own sort costs more. */
const INSERTION_LENGTH = 24

/** Takes buckets one at a time: sorts each record's list, then writes the lists of the bucket's positions in order. */
export function fillSlabs(task: FillTask, member: Member): void {
  const { buckets, output, tailFirst } = task
  const room = new Uint32Array(task.outputWords)
  let words = new Uint32Array(0)
  let records = new Uint32Array(0)
  for (let bucket; (bucket = member.claim(bucketsOf(buckets))) >= 0;) {
    const first = buckets.bounds[bucket]!
    const count = buckets.bounds[bucket + 1]! - first
    const used = bucketWords(buckets, bucket)
    if (used > words.length) words = new Uint32Array(used)
    if (count > records.length) records = new Uint32Array(count)
    readBucket(buckets, bucket, words)
    member.checkpoint()
    sortRecords(words, used, records.fill(0), first)
    member.checkpoint()
    const writer = new SlabWriter(output, room, first, tailFirst[bucket]!)
    for (let i = 0; i < count; i++) {
      const at = records[i]!
      if (at === 0) writer.add(words, 0, 0)
      else writer.add(words, at, words[at - 1]!)
    }
    writer.finish(bucket)
  }
}

/** Sorts the list of every record; records[p - first] becomes where the list of p begins (never 0), 0 where p has none. */
function sortRecords(words: Uint32Array, used: number, records: Uint32Array, first: number): void {
  for (let at = 0; at < used;) {
    const count = words[at + 1]!
    const start = at + 2
    records[words[at]! - first] = start
    if (count <= INSERTION_LENGTH) insertionSort(words, start, start + count)
    else words.subarray(start, start + count).sort()
    at = start + count
  }
}

function insertionSort(words: Uint32Array, start: number, end: number): void {
  for (let i = start + 1; i < end; i++) {
    const word = words[i]!
    let at = i
    for (; at > start && words[at - 1]! > word; at--) words[at] = words[at - 1]!
    words[at] = word
  }
}
