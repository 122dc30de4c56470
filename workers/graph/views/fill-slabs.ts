import { BucketRecords } from './bucket-records.ts'
import { bucketsOf } from './bucket-tables.ts'
import { SlabWriter } from './slab-writer.ts'
import type { Member } from './team.ts'
import type { FillTask } from './view-task.ts'

/** Lists up to this long are sorted by insertion; calling the engine's own sort costs more. */
const INSERTION_LENGTH = 24

/** Takes buckets one at a time: turns ranks into positions, sorts each list, then writes the lists in the order of the positions. */
export function fillSlabs(task: FillTask, member: Member): void {
  const { buckets, places, firsts, output, tailFirst } = task
  const room = new Uint32Array(task.outputWords)
  const bucket = new BucketRecords(buckets)
  const front = firsts[0]!
  let lists = new Uint32Array(0)
  for (let index; (index = member.claim(bucketsOf(buckets))) >= 0;) {
    bucket.load(index)
    member.checkpoint()
    const first = firsts[index]!
    const count = firsts[index + 1]! - first
    if (count > lists.length) lists = new Uint32Array(count)
    sortLists(bucket, places, first, lists)
    member.checkpoint()
    const writer = new SlabWriter(output, room, first - front, tailFirst[index]!)
    const { words } = bucket
    for (let i = 0; i < count; i++) writer.add(words, lists[i]!, words[lists[i]! - 1]!)
    writer.finish(index)
  }
}

/** Sorts the positions of every list; lists[p - first] becomes where that of position p begins. */
function sortLists(
  { words, records, first: base, end }: BucketRecords,
  places: Uint32Array,
  first: number,
  lists: Uint32Array,
): void {
  for (let rank = base; rank < end; rank++) {
    const start = records[rank - base]!
    if (start === 0) continue
    const last = start + words[start - 1]!
    for (let i = start; i < last; i++) words[i] = places[words[i]!]!
    lists[places[rank]! - first] = start
    if (last - start <= INSERTION_LENGTH) insertionSort(words, start, last)
    else words.subarray(start, last).sort()
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
