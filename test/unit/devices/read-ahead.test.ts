import { readFileSync, rmSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { ReadPart, Wanted } from '../../../workers/device/read-ahead.ts'
import { ReadAhead } from '../../../workers/device/read-ahead.ts'
import { prepareView } from '../../../workers/graph/prepare-view.ts'
import { Failure } from '../../../workers/failure.ts'
import { quietJob } from '../../../workers/job.ts'
import { randomStream, smallGraph, writeGraphFolder } from '../../support/graphs.ts'

const ARENA_BYTES = 1 << 14
const VERTICES = 3000

function randomView() {
  const random = randomStream(4)
  const pick = (): number => Math.floor(random() * VERTICES)
  const edges = Array.from({ length: 30_000 }, () => [pick(), pick()] as const)
  const { folder, checksum } = writeGraphFolder(smallGraph(VERTICES, edges))
  const { view } = prepareView({ folder, checksum, priority: 'hash', seed: 0 }, quietJob)
  return { folder, view, bytes: readFileSync(view.path), random }
}

describe.each([0, 1, 3])('what is read ahead, with %i threads that check', (checkers) => {
  it('comes in order, with the bytes of the file and their checksums', async () => {
    const { folder, view, bytes, random } = randomView()
    const part = (section: 'heads' | 'tails', into: number): ReadPart => {
      const all = view.header[section].bytes
      const at = 4 * Math.floor((random() * all) / 4)
      return { section, at, bytes: Math.min(4 * Math.floor(random() * 500), all - at), into }
    }
    const wanted = Array.from({ length: 200 }, (): Wanted => {
      const heads = part('heads', 0)
      const tails = part('tails', heads.bytes)
      return { name: 'piece', parts: [heads, tails], bytes: heads.bytes + tails.bytes }
    })
    const ahead = await ReadAhead.open(view.path, ARENA_BYTES, false, checkers)
    ahead.expect(wanted)
    let compared = 0
    for (const { parts } of wanted) {
      const taken = ahead.take()
      for (const [i, { section, at, bytes: length, into }] of parts.entries()) {
        const from = view.header[section].at + at
        const original = bytes.subarray(from, from + length)
        expect(Buffer.from(taken.bytes.subarray(into, into + length)).equals(original)).toBe(true)
        expect(taken.sums[i]).toEqual({ section, at, bytes: length, crc32: crc32(original) })
        compared += length
      }
    }
    expect(compared).toBeGreaterThan(100_000)
    const { bytesRead } = await ahead.close()
    expect(bytesRead).toBe(compared)
    view.close()
    rmSync(folder, { recursive: true })
  })
})

it('is not checked for a run that is cancelled', async () => {
  const { folder, view } = randomView()
  const ahead = await ReadAhead.open(view.path, ARENA_BYTES, false, 0)
  const piece = (at: number): Wanted => ({
    name: 'piece',
    bytes: 4096,
    parts: [{ section: 'tails', at, bytes: 4096, into: 0 }],
  })
  ahead.expect([piece(0), piece(4096)])
  ahead.take()
  expect(() => ahead.take({ aborted: true })).toThrow(Failure)
  await ahead.close()
  view.close()
  rmSync(folder, { recursive: true })
})
