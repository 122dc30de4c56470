import { HEAD_WIDTH } from '../oriented-view.ts'
import { FRONT, layerOf, placeChunk } from '../view-layout.ts'
import { BucketRecords } from './bucket-records.ts'
import { bucketsOf } from './bucket-tables.ts'
import type { Member } from './team.ts'
import type { LayTask } from './view-task.ts'

/** Takes buckets one at a time: finds the layer of each of its vertices, and then where they stand, chunk by chunk. */
export function layChunks(task: LayTask, member: Member): void {
  const { buckets, chunks, marks, places, firsts, openTails } = task
  const bucket = new BucketRecords(buckets)
  for (let index; (index = member.claim(bucketsOf(buckets))) >= 0;) {
    bucket.load(index)
    member.checkpoint()
    let next = firsts[index]!
    for (let chunk = chunks.indexOf(bucket.first); chunks[chunk]! < bucket.end; chunk++) {
      openTails[index]! += markChunk(bucket, chunks[chunk]!, chunks[chunk + 1]!, marks)
      next = placeChunk(marks, chunks[chunk]!, chunks[chunk + 1]!, next, places)
    }
  }
}

/** @returns entries past the heads in lists that do not begin with a vertex of the front */
function markChunk({ words, records, first }: BucketRecords, chunk: number, end: number, marks: Uint8Array): number {
  let openTails = 0
  for (let rank = chunk; rank < end; rank++) {
    const at = records[rank - first]!
    if (at === 0) continue
    const count = words[at - 1]!
    let below = 0
    let beginsWithFront = false
    for (let i = at; i < at + count; i++) {
      const other = words[i]!
      // Other threads write layers meanwhile, but never this one.
      const mark = marks[other]!
      if (mark === FRONT) beginsWithFront = true
      else if (other >= chunk && mark > below) below = mark
    }
    marks[rank] = layerOf(below, beginsWithFront)
    if (!beginsWithFront) openTails += Math.max(0, count - HEAD_WIDTH)
  }
  return openTails
}
