import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { HEADS_CHUNK, HeadsQueue, shareHeads } from '../../../workers/algorithms/ld-gpu/from-disk/heads-queue.ts'
import type { Batch } from '../../../workers/graph/batches.ts'
import { HEAD_WIDTH } from '../../../workers/graph/oriented-view.ts'
import type { ViewFile } from '../../../workers/graph/view-file.ts'
import { Trace } from '../../../workers/trace.ts'
import { LocalBarrier } from '../../support/local-barrier.ts'

/** Entries of a vertex, as a file would have them. */
const headOf = (v: number): [number, number] => [(7 * v) % 1000, (11 * v) % 999]
const vertices = 40 * HEADS_CHUNK

/** Answers like a view of so many vertices. */
const view = {
  path: 'view',
  header: { vertices, heads: {} },
  read: (_section: unknown, at: number, bytes: Uint8Array) => {
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
    const first = at / (4 * HEAD_WIDTH)
    for (let i = 0; i < words.length; i += HEAD_WIDTH) words.set(headOf(first + i / HEAD_WIDTH), i)
  },
} as unknown as ViewFile

function batchesOf(first: number, counts: readonly number[]): Batch[] {
  const batches: Batch[] = []
  for (const [index, count] of counts.entries()) {
    batches.push({ index, first, count } as Batch)
    first += count
  }
  return batches
}

describe('heads that pass', () => {
  // More pieces than there is room for, so that the slots are taken in turn, with short pieces at the ends of batches and at the end.
  it.each([
    { name: 'one batch of 37 pieces', counts: [36 * HEADS_CHUNK + 5], together: true },
    {
      name: 'batches with short ends',
      counts: [9 * HEADS_CHUNK + 1, 17 * HEADS_CHUNK - 3, 2 * HEADS_CHUNK, 8],
      together: true,
    },
    { name: 'one piece at a time', counts: [20 * HEADS_CHUNK + 5], together: false },
    { name: 'less than a piece', counts: [100, 3], together: true },
  ])('come whole and in order: $name', async ({ counts, together }) => {
    const batches = batchesOf(64, counts)
    const shared = shareHeads(batches)
    const queue = (): HeadsQueue => new HeadsQueue(shared, view, new LocalBarrier(1), new Trace(false))
    const lead = queue()
    lead.begin()
    const helpers = Array.from({ length: 3 }, () => queue().help())
    let [piece, most] = [0, 0]
    for (const { first, count } of batches) {
      const end = piece + Math.ceil(count / HEADS_CHUNK)
      for (let v = first; v < first + count;) {
        const { bytes, pieces } = await lead.take(piece, together ? end : piece + 1)
        const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
        for (let i = 0; i < words.length; i += HEAD_WIDTH, v++)
          if (v % 61 === 0 || v === first + count - 1) expect([words[i], words[i + 1]]).toEqual(headOf(v))
        // The others go on while it is used.
        await new Promise((resolve) => setImmediate(resolve))
        lead.done(pieces)
        piece += pieces
        most = Math.max(most, pieces)
      }
      expect(piece).toBe(end)
    }
    await Promise.all(helpers)
    expect(most > 1).toBe(together && counts[0]! > HEADS_CHUNK)
    const own = batches.reduce((sum, { count }) => sum + count, 0)
    for (let i = 0; i < own; i += 97) expect(shared.seconds[i]).toBe(headOf(64 + i)[1])
    for (const { at, bytes, crc32: sum } of lead.checksums) {
      const read = new Uint8Array(bytes)
      view.read(view.header.heads, at, read)
      expect(sum).toBe(crc32(read))
    }
    expect(lead.checksums.reduce((all, { bytes }) => all + bytes, 0)).toBe(4 * HEAD_WIDTH * own)
  })
})
