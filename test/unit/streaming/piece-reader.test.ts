import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { FileSource } from '../../../workers/base/byte-source.ts'
import { PieceReader } from '../../../workers/streaming/piece-scan.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

// A read may give fewer bytes than were asked for.
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  type Done = (error: Error | null, count: number) => void
  const some = (file: number, bytes: Uint8Array, at: number, length: number, position: number, done: Done): void =>
    fs.read(file, bytes, at, Math.min(length, 777), position, done)
  return { ...fs, read: some }
})

test('what is read beside the work is whole, however little each read gives', async () => {
  const folder = scratchFolder('pieces')
  const path = join(folder, 'graph.gr')
  const content = Uint8Array.from({ length: 50_000 }, (_, i) => (i * 7) ^ (i >>> 8))
  writeFileSync(path, content)
  const file = new FileSource(path)
  const reader = new PieceReader({ path, bytes: content.length }, file, undefined)
  for (const [at, from, length] of [
    [0, 0, 50_000],
    [100, 23, 7000],
    [49_000, 0, 1000],
  ] as const) {
    const bytes = new Uint8Array(length)
    await reader.beside(at)(bytes, from)
    expect(Buffer.compare(bytes, content.subarray(at + from, at + from + length))).toBe(0)
  }
  expect(reader.bytesRead).toBe(58_000)
  await expect(reader.beside(49_500)(new Uint8Array(1000), 0)).rejects.toMatchObject({ code: 'input' })
  file.close()
  rmSync(folder, { recursive: true })
})

test('no part of a read is under way any more when it fails', async () => {
  const folder = scratchFolder('parts')
  const path = join(folder, 'graph.gr')
  writeFileSync(path, new Uint8Array(3 << 20).fill(7))
  const file = new FileSource(path)
  const reader = new PieceReader({ path, bytes: 3 << 20 }, file, undefined)
  // The last part is behind the end of the file, and fails at once.
  const bytes = new Uint8Array(5 << 20)
  await expect(reader.beside(0)(bytes, 0)).rejects.toMatchObject({ code: 'input' })
  const found = bytes.slice()
  await pause(20)
  expect(Buffer.compare(bytes, found)).toBe(0)
  file.close()
  rmSync(folder, { recursive: true })
})
