import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unpackGroups, unpackThreads } from '../../../kernels/memory/unpack-groups.ts'
import { PIECE_BYTES } from '../../../workers/base/sums.ts'
import type { Device } from '../../../workers/device/device.ts'
import { openDevice } from '../../../workers/device/open-device.ts'
import { groupsIn } from '../../../workers/graph/packed/packed-layout.ts'
import { PiecePacker } from '../../../workers/graph/packed/pack-piece.ts'
import { hasGpu } from '../../support/devices-here.ts'
import { randomStream } from '../../support/graphs.ts'
import { launched, twinned } from '../../support/launched.ts'

const PIECE_WORDS = PIECE_BYTES / 4

/** The words of a canonical graph of about so many arcs, and their pieces packed one after another. */
function packedWords(lengthOf: (list: number) => number, gapOf: () => number, most: number) {
  const ends: number[] = []
  const targets: number[] = []
  for (let v = 0; targets.length < most; v++) {
    let value = Math.max(0, v - gapOf())
    for (let i = lengthOf(v); i > 0; i--) targets.push((value = (value + 1 + gapOf()) >>> 0))
    ends.push(targets.length)
  }
  const targetsAt = 8 + 2 * ends.length
  const targetsEnd = targetsAt + targets.length
  const words = new Uint32Array(targetsEnd + 3)
  words.set([1, 2, 3, 4, 5, 6, 7, 8])
  ends.forEach((end, v) => words.set([end, v > ends.length / 2 ? 3 : 0], 8 + 2 * v))
  words.set(targets, targetsAt)
  words.set([1, 2, 3], targetsEnd)
  const packer = new PiecePacker({ offsetsAt: 8, targetsAt, targetsEnd })
  const packed: number[] = []
  // The packed file may be longer than 2^32 words.
  const blocks = [7, 7, 2 ** 32 - 1000]
  for (let first = 0; first < words.length; first += PIECE_WORDS) {
    const some = words.subarray(first, first + PIECE_WORDS)
    const vertex = ends.findIndex((end) => end > Math.max(0, first - targetsAt))
    const lists = { vertex, ends: Float64Array.from(ends.slice(vertex)) }
    const block = packer.pack(some, first, first + some.length > targetsAt ? lists : undefined)
    packed.push(...new Uint32Array(block.buffer, 0, block.byteLength / 4))
    blocks.push((2 ** 32 - 1000 + packed.length) >>> 0)
  }
  return { words, packed: Uint32Array.from(packed), blocks: Uint32Array.from(blocks) }
}

describe.runIf(hasGpu)('packed pieces', () => {
  let gpu: Device
  beforeAll(async () => void (gpu = await openDevice('gpu:0')))
  afterAll(() => gpu.close())
  const random = randomStream(48)
  const below = (limit: number): number => Math.floor(limit * random())
  const shortLists = (): number => below(9)
  const anyGaps = (): number => below(2 ** below(31))

  it.each([
    ['short lists', 9000, shortLists, () => below(2 ** below(20))],
    ['one neighbour each', 5000, () => 1, anyGaps],
    ['long lists far apart', 13_000, (v: number) => (v % 500 === 0 ? 6000 : 0), () => below(300)],
    ['numbers of 32 bits', 9000, () => below(40), () => below(2 ** 32)],
    ['neighbours one after another, in two pieces', PIECE_WORDS, () => 60_000, () => 0],
    [
      'short lists of neighbours that follow one another',
      20_000,
      () => below(30),
      () => (below(3) === 0 ? below(2 ** below(26)) : 0),
    ],
  ])('%s: a GPU leaves the words of the canonical graph, and so does the twin', async (_, arcs, lengthOf, gapOf) => {
    const { words, packed, blocks } = packedWords(lengthOf, gapOf, arcs)
    for (const count of [words.length, words.length - 3000]) {
      const first = 11
      const piece = Math.floor((count - 1) / PIECE_WORDS)
      const last = groupsIn(4 * Math.min(PIECE_WORDS, words.length - PIECE_WORDS * piece))
      const buffers = { packed, blocks, words: new Uint32Array(first + count + 9).fill(5) }
      const wanted = buffers.words.slice()
      wanted.set(words.subarray(0, count), first)
      const params = { first, count, piece: 2, last }
      expect(twinned(unpackGroups, params, buffers)['words']).toEqual(wanted)
      const found = await launched(gpu, unpackGroups, unpackThreads(count), params, buffers)
      expect(found['words']).toEqual(wanted)
    }
  })

  it('no damage has a word written outside', async () => {
    // Lists with marks, too: every third group or so has neighbours that follow one another.
    let isNear = false
    const lengthOf = (v: number): number => {
      isNear = v % 6000 > 4000
      return shortLists()
    }
    const { words, packed: sound, blocks } = packedWords(lengthOf, () => (isNear ? 0 : anyGaps()), 40_000)
    const [first, count] = [100, words.length - 3000]
    const params = { first, count, piece: 2, last: groupsIn(4 * words.length) }
    for (let times = 0; times < 8; times++) {
      const packed = sound.map((word) => (below(times < 4 ? 50 : 1000) === 0 ? below(2 ** 32) : word))
      const buffers = { packed, blocks, words: new Uint32Array(first + count + 5000) }
      const { words: found = new Uint32Array(0) } = await launched(
        gpu,
        unpackGroups,
        unpackThreads(count),
        params,
        buffers,
      )
      expect(found.subarray(0, first).every((word) => word === 0)).toBe(true)
      expect(found.subarray(first + count).every((word) => word === 0)).toBe(true)
      expect(found.subarray(first, first + count)).not.toEqual(words.subarray(0, count))
    }
  })
})
