import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { importGraph } from '../../../../workers/import/import-graph.ts'
import { packedParts, unpack } from '../../../../workers/import/build/text-parts.ts'
import { quietJob } from '../../../../workers/base/job.ts'
import { failureOf, Workplace } from '../../../support/ingest-cases.ts'

const work = new Workplace()
const text = Array.from({ length: 200_000 }, (_, i) => `${(i * 7919) % 65_537} ${(i * 104_729) % 65_537}\n`).join('')

function cut(bytes: Buffer, leastBytes: number) {
  const path = work.file('packed.gz', bytes)
  return packedParts(path, bytes.length, leastBytes)
}

/** The text of all parts; null where one is not whole members. */
async function unpacked(parts: ReturnType<typeof packedParts>): Promise<string | null> {
  const chunks: Uint8Array[] = []
  for (const part of parts)
    for await (const chunk of unpack(part, () => {})) {
      if (chunk === null) return null
      chunks.push(chunk)
    }
  return Buffer.concat(chunks).toString()
}

const members = (count: number): Buffer[] => {
  const each = Math.ceil(text.length / count)
  return Array.from({ length: count }, (_, i) => gzipSync(text.slice(i * each, (i + 1) * each)))
}

it.each([
  [1, 1000, 1],
  [10, 1000, 10],
  [100, 1000, 100],
])('%i members of at least %i bytes each make %i parts, which are the text', async (count, leastBytes, expected) => {
  const parts = cut(Buffer.concat(members(count)), leastBytes)
  expect(parts).toHaveLength(expected)
  expect(await unpacked(parts)).toBe(text)
})

it('a cancel is heard while the next member is looked for', () => {
  const path = work.file('packed.gz', gzipSync(text))
  const cut = () => packedParts(path, 1 << 20, 1000, { signal: { aborted: true } })
  expect(cut).toThrow('cancelled')
})

it('small members go together', async () => {
  const all = Buffer.concat(members(500))
  const parts = cut(all, 50_000)
  expect(parts.length).toBeGreaterThan(3)
  for (const { from, to } of parts) expect(to - from).toBeGreaterThanOrEqual(50_000)
  expect(await unpacked(parts)).toBe(text)
})

it('a member within a member is found out', async () => {
  const inner = gzipSync(text.slice(0, 400_000))
  const stored = gzipSync(Buffer.concat([Buffer.from(text.slice(0, 30_000)), inner]), { level: 0 })
  const parts = cut(stored, 1000)
  expect(parts.length).toBeGreaterThan(1)
  expect(await unpacked(parts)).toBeNull()
})

it.each<readonly [string, (bytes: Buffer) => Buffer, RegExp]>([
  ['is cut off', (bytes) => bytes.subarray(0, bytes.length - 300), /truncated/],
  ['has lost its middle', (bytes) => Buffer.concat([bytes.subarray(0, 90_000), bytes.subarray(120_000)]), /damaged/],
  ['has something behind it', (bytes) => Buffer.concat([bytes, Buffer.from('\0\0and more')]), /something else follows/],
])('a file of many members that %s is told by the place', async (_what, change, words) => {
  const source = work.file('bad.txt.gz', change(Buffer.concat(members(30))))
  const tuning = { lines: { fromBytes: 0, partBytes: 1 << 14 } }
  const failure = await failureOf(importGraph({ source, folder: work.newFolder(), threads: 2 }, quietJob, tuning))
  expect(failure).toMatchObject({ code: 'input', what: expect.stringMatching(words) })
})

it('zeros behind the last member are padding', async () => {
  const source = work.file('padded.txt.gz', Buffer.concat([...members(30), Buffer.alloc(512)]))
  const tuning = { lines: { fromBytes: 0, partBytes: 1 << 14 } }
  const { report } = await importGraph({ source, folder: work.newFolder(), threads: 2 }, quietJob, tuning)
  expect(report).toMatchObject({ lines: 200_000, entries: 200_000 })
})
